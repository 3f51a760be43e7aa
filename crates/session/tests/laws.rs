//! Replayed decisions of sessions on a store: over random histories, every turn is what the steps of `docs/conversation.md` say when
//! they are done from the beginning. `ANSWERPLANE_CASES` histories (2,000 unless set, and at most).
#![allow(clippy::unwrap_used, clippy::panic)]

mod scene;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use answerplane_protocol::session_snapshot::SessionSnapshot;
use answerplane_protocol::{Identifier, Integer, Timestamp};
use answerplane_session::testing::{CountingIds, ManualClock, ScriptedBackend};
use answerplane_session::{
    Conversation, ConversationState, Definition, Role, Route, Session, SessionOptions, SnapshotSession,
    Start, TraceKind, TranscriptMessage,
};
use answerplane_store::Store;
use proptest::prelude::*;
use serde_json::json;

const NOW: Timestamp = Timestamp::from_millis(1_790_000_000_000);
const INPUTS: [&str; 6] = ["/reserve", "/confirm", "/cancel", "/again", "hello", "/Reserve"];
const AGENTIC: &str = "thinking";

/// States, their events and where they lead.
const STATES: [(&str, &[(&str, &str)]); 3] = [
    ("idle", &[("begin", "reserving")]),
    ("reserving", &[("confirm", "reserved"), ("cancel", "idle"), ("begin", "reserving")]),
    ("reserved", &[("cancel", "idle")]),
];
/// Routes: id, command, event, the states that they are restricted to.
const ROUTES: [(&str, &str, &str, &[&str]); 4] = [
    ("start", "/reserve", "begin", &[]),
    ("confirm", "/confirm", "confirm", &["reserving"]),
    ("cancel", "/cancel", "cancel", &[]),
    ("again", "/again", "begin", &["idle"]),
];

fn target(state: &str, event: &str) -> Option<&'static str> {
    let (_, events) = STATES.iter().find(|(name, _)| *name == state)?;
    events.iter().find(|(name, _)| *name == event).map(|(_, target)| *target)
}

fn garden(answered: &Arc<AtomicUsize>) -> Definition {
    let mut builder = Conversation::builder("idle");
    for (name, events) in STATES {
        let state = ConversationState::new(name);
        builder =
            builder.state(events.iter().fold(state, |state, (event, target)| state.on(*event, *target)));
    }
    for (id, command, event, states) in ROUTES {
        let counted = answered.clone();
        let answer = move |said: &str, _: answerplane_session::Said<'_>| {
            Ok(format!("{}: {said}", counted.fetch_add(1, Ordering::SeqCst)))
        };
        let route = Route::new(id, event, move |said| Ok(said == command), answer);
        builder =
            builder.route(if states.is_empty() { route } else { route.only_in(states.iter().copied()) });
    }
    Definition {
        id: "garden".parse().unwrap(),
        revision: Integer::new(1).unwrap(),
        conversation: Some(builder.build().unwrap()),
    }
}

#[derive(Clone)]
struct Decided {
    message: String,
    input: String,
    route: &'static str,
    content: String,
    from: String,
    to: String,
}

/// The steps of the page, over the whole history each time.
struct Literal {
    base: String,
    decisions: Vec<Decided>,
    answered: usize,
}

impl Literal {
    /// The state before the message at the end of the history.
    fn before_last(&mut self, said: &[(String, String)]) -> String {
        self.decisions.retain(|decision| said.iter().any(|(id, _)| *id == decision.message));
        let mut state = self.base.clone();
        for (id, text) in &said[..said.len() - 1] {
            let Some(at) = self.decisions.iter().position(|decision| decision.message == *id) else {
                continue;
            };
            if self.holds(&self.decisions[at], text, &state) {
                state.clone_from(&self.decisions[at].to);
            } else {
                self.decisions.remove(at);
            }
        }
        state
    }

    fn holds(&self, decision: &Decided, text: &str, state: &str) -> bool {
        let (_, _, event, states) = ROUTES.iter().find(|route| route.0 == decision.route).unwrap();
        decision.input == text
            && decision.from == state
            && (states.is_empty() || states.contains(&state))
            && target(state, event) == Some(decision.to.as_str())
    }

    /// What is answered, and the state after.
    fn turn(&mut self, said: &[(String, String)]) -> (Option<String>, String) {
        let state = self.before_last(said);
        let (id, text) = said.last().unwrap();
        if let Some(at) = self.decisions.iter().position(|decision| decision.message == *id) {
            if self.holds(&self.decisions[at], text, &state) {
                return (Some(self.decisions[at].content.clone()), self.decisions[at].to.clone());
            }
            self.decisions.remove(at);
        }
        for (route, command, event, states) in ROUTES {
            let is_allowed = states.is_empty() || states.contains(&state.as_str());
            let Some(to) = target(&state, event).filter(|_| is_allowed && text == command) else { continue };
            let content = format!("{}: {text}", self.answered);
            self.answered += 1;
            self.decisions.push(Decided {
                message: id.clone(),
                input: text.clone(),
                route,
                content: content.clone(),
                from: state,
                to: to.to_string(),
            });
            if self.decisions.len() > 1_000 {
                self.base = self.decisions.remove(0).to;
            }
            return (Some(content), to.to_string());
        }
        (None, state)
    }

    /// Forgets the messages before one of the history.
    fn trim_front(&mut self, said: &[(String, String)], gone: usize) {
        // A message behind the last: so the last is an earlier one as well.
        let mut beyond = said.to_vec();
        beyond.push((String::new(), String::new()));
        self.before_last(&beyond);
        for (id, _) in &said[..gone] {
            if let Some(at) = self.decisions.iter().position(|decision| decision.message == *id) {
                self.base = self.decisions.remove(at).to;
            }
        }
    }

    fn state(&self) -> &str {
        self.decisions.last().map_or(&self.base, |decision| &decision.to)
    }
}

#[derive(Clone, Debug)]
enum Step {
    Send(usize),
    Retry,
    Regenerate(usize),
    Edit(usize, usize),
    EditOnly(usize, usize),
    Select(usize, usize),
    Trim(usize),
    Clear,
    Crash,
    /// The other of two processes goes on: it has seen what happened, or says something without looking.
    Other(Option<usize>),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => (0..INPUTS.len()).prop_map(Step::Send),
        2 => Just(Step::Retry),
        2 => (0..9_usize).prop_map(Step::Regenerate),
        3 => (0..9_usize, 0..INPUTS.len()).prop_map(|(back, input)| Step::Edit(back, input)),
        3 => (0..9_usize, 0..INPUTS.len()).prop_map(|(back, input)| Step::EditOnly(back, input)),
        3 => (0..9_usize, 0..9_usize).prop_map(|(back, version)| Step::Select(back, version)),
        1 => (0..9_usize).prop_map(Step::Trim),
        1 => Just(Step::Clear),
        2 => Just(Step::Crash),
        6 => proptest::option::of(0..INPUTS.len()).prop_map(Step::Other),
    ]
}

fn cases() -> u32 {
    let cases = std::env::var("ANSWERPLANE_CASES").ok().and_then(|cases| cases.parse().ok());
    cases.map_or(2_000, |cases: u32| cases.min(2_000))
}

struct World {
    store: Arc<dyn Store>,
    definition: Definition,
    processes: u64,
}

impl World {
    async fn open(&mut self) -> Session {
        self.processes += 1;
        let options = SessionOptions::default()
            .clock(ManualClock::at(NOW))
            .ids(CountingIds::of_process(self.processes));
        let backend = Arc::new(ScriptedBackend::saying(AGENTIC));
        let id: Identifier = "visitor-17".parse().unwrap();
        Session::open_with(id, &self.definition, backend, self.store.clone(), options).await.unwrap()
    }
}

fn said(messages: &[TranscriptMessage]) -> Vec<(String, String)> {
    let said = messages.iter().filter(|message| message.role == Role::User);
    said.map(|message| (message.id.clone(), message.text.clone())).collect()
}

async fn walk(steps: Vec<Step>, earlier: usize) -> Result<(), TestCaseError> {
    let answered = Arc::new(AtomicUsize::new(0));
    let mut world = World { store: scene::store(), definition: garden(&answered), processes: 0 };
    let mut session = world.open().await;
    let mut other = world.open().await;
    let mut literal = Literal { base: "idle".into(), decisions: Vec::new(), answered: 0 };
    for number in 0..earlier {
        let input = if number % 2 == 0 { "/reserve" } else { "/cancel" };
        session.send(input).await.unwrap().text().await.unwrap();
    }
    if earlier > 0 {
        let messages = session.view().await.messages;
        let said = said(&messages);
        for upto in 1..=said.len() {
            // Only the last message is new each time: what was decided before holds.
            let state = literal.state().to_string();
            let (id, text) = said[upto - 1].clone();
            let (route, event) = if text == "/reserve" { ("start", "begin") } else { ("cancel", "cancel") };
            let to = target(&state, event).unwrap().to_string();
            let content = format!("{}: {text}", literal.answered);
            literal.answered += 1;
            literal.decisions.push(Decided { message: id, input: text, route, content, from: state, to });
        }
    }
    for step in steps {
        if let Step::Other(unseen) = step {
            std::mem::swap(&mut session, &mut other);
            if let Some(input) = unseen {
                let text = session.send(INPUTS[input]).await.unwrap().text().await.unwrap();
                let (content, _) = literal.turn(&said(&session.view().await.messages));
                prop_assert_eq!(&text, content.as_deref().unwrap_or(AGENTIC));
            } else {
                session.refresh().await.unwrap();
            }
            prop_assert_eq!(&session.view().await, &world.open().await.view().await);
        }
        let messages = session.view().await.messages;
        let users: Vec<&TranscriptMessage> = messages.iter().filter(|it| it.role == Role::User).collect();
        let back = |count: usize| users[users.len() - 1 - count % users.len()];
        let is_empty = users.is_empty();
        let mut traces = session.traces();
        let turn = match step {
            Step::Send(input) => Some(session.send(INPUTS[input]).await.unwrap()),
            Step::Retry if !is_empty && messages.last().unwrap().role == Role::Assistant => {
                Some(session.retry().await.unwrap())
            }
            Step::Regenerate(count) if !is_empty => {
                Some(session.regenerate(Some(&back(count).id)).await.unwrap())
            }
            Step::Edit(count, input) if !is_empty => {
                Some(session.start(Start::edit(&back(count).id, INPUTS[input])).await.unwrap())
            }
            Step::EditOnly(count, input) if !is_empty => {
                session.edit_only(&back(count).id, INPUTS[input]).await.unwrap();
                None
            }
            Step::Select(count, version) if !is_empty => {
                let versions = &back(count).versions;
                session.select(versions[version % versions.len()]).await.unwrap();
                None
            }
            Step::Trim(count) if !is_empty => {
                let first = back(count);
                let gone = users.iter().position(|message| message.id == first.id).unwrap();
                literal.trim_front(&said(&messages), gone);
                session.trim_front(&first.id).await.unwrap();
                prop_assert_eq!(&session.view().await.state.unwrap().state, literal.state());
                None
            }
            Step::Clear => {
                session.clear().await.unwrap();
                literal.decisions.clear();
                literal.base = "idle".into();
                None
            }
            Step::Crash => {
                let before = session.view().await;
                session = world.open().await;
                prop_assert_eq!(&session.view().await, &before);
                None
            }
            _ => None,
        };
        if let Some(mut turn) = turn {
            let text = turn.text().await.unwrap();
            let messages = session.view().await.messages;
            let (content, after) = literal.turn(&said(&messages));
            prop_assert_eq!(&text, content.as_deref().unwrap_or(AGENTIC));
            let trace = traces.try_recv().unwrap();
            prop_assert_eq!(trace.kind == TraceKind::Agentic, content.is_none());
            prop_assert_eq!(&trace.to_state, &after);
            prop_assert!(traces.try_recv().is_err());
            prop_assert!(!json!(trace).to_string().contains('/'), "no text in {:?}", trace);
        }
        prop_assert_eq!(&session.view().await.state.unwrap().state, literal.state());
        prop_assert_eq!(answered.load(Ordering::SeqCst), literal.answered);
    }
    // What was saved restores, and says the same again.
    let snapshot = session.snapshot().await.unwrap();
    let decoded = SessionSnapshot::decode(json!(snapshot).to_string()).unwrap();
    prop_assert_eq!(decoded.conversation().unwrap().decisions().len(), literal.decisions.len());
    let resumed = SnapshotSession::resume(session.id().clone(), &world.definition, &decoded).unwrap();
    prop_assert_eq!(resumed.view().unwrap().state, literal.state());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    /// Each fifth history begins with 980 decisions, so that they fold past the limit.
    #[test]
    fn a_turn_is_what_the_page_says(steps in prop::collection::vec(step(), 50), fifth in 0..5_usize) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(walk(steps, if fifth == 0 { 980 } else { 0 }))?;
    }
}

/// What once went wrong.
#[test]
fn what_one_process_trims_the_other_hears_of() {
    use Step::{Edit, EditOnly, Other, Retry, Send, Trim};
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let steps = vec![
        Send(0),
        Send(0),
        EditOnly(1, 0),
        Retry,
        Send(0),
        Send(0),
        Edit(1, 0),
        Send(0),
        EditOnly(2, 1),
        Send(1),
        Other(None),
        Edit(0, 1),
        Trim(2),
        Send(3),
        Other(None),
        Send(1),
    ];
    runtime.block_on(walk(steps, 0)).unwrap();
}
