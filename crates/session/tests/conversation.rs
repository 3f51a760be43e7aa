//! Conversations: definitions, and decisions that are replayed.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use answerplane_protocol::session_snapshot::{DecisionKind, SessionSnapshot, TurnOutcome};
use answerplane_protocol::{Identifier, Integer, Timestamp, UtcTime};
use answerplane_session::{
    Conversation, ConversationState, Definition, InvalidConversation, Message, NotResumable, Replay, Role,
    Route, SnapshotSession, TraceKind, Turned, Unsavable,
};
use answerplane_statechart::Failed;
use proptest::prelude::*;
use serde_json::json;

const NOW: Timestamp = Timestamp::from_millis(1_790_000_000_000);

/// States, their events and where they lead.
const STATES: [(&str, &[(&str, &str)]); 4] = [
    ("idle", &[("begin", "reserving")]),
    ("reserving", &[("confirm", "reserved"), ("cancel", "idle"), ("begin", "reserving")]),
    ("reserved", &[("cancel", "idle")]),
    ("closed", &[]),
];
/// Routes: id, command, event, the states that they are restricted to.
const ROUTES: [(&str, &str, &str, &[&str]); 4] = [
    ("start", "/reserve", "begin", &[]),
    ("confirm", "/confirm", "confirm", &["reserving"]),
    ("cancel", "/cancel", "cancel", &[]),
    ("again", "/again", "begin", &["idle"]),
];

/// The conversation, and how often its routes have answered.
fn garden() -> (Conversation, Arc<AtomicUsize>) {
    let answered = Arc::new(AtomicUsize::new(0));
    let mut builder = Conversation::builder("idle");
    for (name, events) in STATES {
        let state = ConversationState::new(name).actions([format!("help in {name}")]);
        builder =
            builder.state(events.iter().fold(state, |state, (event, target)| state.on(*event, *target)));
    }
    for (id, command, event, states) in ROUTES {
        let counted = answered.clone();
        let route = Route::new(
            id,
            event,
            move |said| Ok(said == command),
            move |said, place| {
                let number = counted.fetch_add(1, Ordering::SeqCst);
                Ok(format!("{number}: {said} in {:?}", place.message_id))
            },
        );
        builder =
            builder.route(if states.is_empty() { route } else { route.only_in(states.iter().copied()) });
    }
    (builder.build().unwrap(), answered)
}

fn definition(conversation: Conversation) -> Definition {
    Definition {
        id: "garden".parse().unwrap(),
        revision: Integer::new(1).unwrap(),
        conversation: Some(conversation),
    }
}

fn id(text: &str) -> Identifier {
    text.parse().unwrap()
}

fn history(said: &[(&str, &str)]) -> Vec<Message> {
    said.iter().map(|(id, text)| Message::of_user(*id, *text)).collect()
}

fn state_of(replay: &Replay) -> String {
    replay.view().state
}

/// The steps of the page as they are written: what was decided, over all messages, each time.
#[derive(Default)]
struct Literal {
    /// Message, input, route, content, from, to.
    decisions: Vec<[String; 6]>,
    answered: usize,
}

impl Literal {
    /// What is said, the state before and after.
    fn turn(&mut self, history: &[Message]) -> (Option<String>, String, String) {
        let said: Vec<&Message> = history.iter().filter(|message| message.role == Role::User).collect();
        self.decisions.retain(|decision| said.iter().any(|message| message.id == decision[0]));
        let mut state = "idle".to_string();
        let (latest, earlier) = said.split_last().unwrap();
        for message in earlier {
            if let Some(at) = self.decisions.iter().position(|decision| decision[0] == message.id) {
                let decision = &self.decisions[at];
                let allowed = ROUTES.iter().find(|route| route.0 == decision[2]).is_some_and(|route| {
                    (route.3.is_empty() || route.3.contains(&state.as_str()))
                        && target(&state, route.2) == Some(&decision[5])
                });
                if decision[1] == message.content && decision[4] == state && allowed {
                    state.clone_from(&decision[5]);
                } else {
                    self.decisions.remove(at);
                }
            }
        }
        let before = state.clone();
        if let Some(at) = self.decisions.iter().position(|decision| decision[0] == latest.id) {
            let decision = &self.decisions[at];
            if decision[1] == latest.content && decision[4] == state {
                return (Some(decision[3].clone()), before, decision[5].clone());
            }
            self.decisions.remove(at);
        }
        for (route, command, event, states) in ROUTES {
            let allowed = states.is_empty() || states.contains(&state.as_str());
            let Some(to) = target(&state, event).filter(|_| allowed && latest.content == command) else {
                continue;
            };
            let content = format!("{}: {command} in {:?}", self.answered, Some(latest.id.as_str()));
            self.answered += 1;
            let decision =
                [&latest.id, &latest.content, route, &content, &state, to].map(|part: &str| part.to_string());
            self.decisions.push(decision);
            return (Some(content), before, to.to_string());
        }
        (None, before.clone(), before)
    }
}

fn target(state: &str, event: &str) -> Option<&'static str> {
    let (_, events) = STATES.iter().find(|(name, _)| *name == state)?;
    events.iter().find(|(name, _)| *name == event).map(|(_, target)| *target)
}

const INPUTS: [&str; 6] = ["/reserve", "/confirm", "/cancel", "/again", "hello", "/Reserve"];

/// What a host does to a history before its next turn.
#[derive(Clone, Debug)]
enum Step {
    Send(usize),
    Retry,
    Edit(usize, usize),
    EditInPlace(usize, usize),
    Truncate(usize),
    Remove(usize),
    Repeat(usize),
    Crash,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0..INPUTS.len()).prop_map(Step::Send),
        2 => Just(Step::Retry),
        2 => (0..9_usize, 0..INPUTS.len()).prop_map(|(back, input)| Step::Edit(back, input)),
        1 => (0..9_usize, 0..INPUTS.len()).prop_map(|(back, input)| Step::EditInPlace(back, input)),
        2 => (0..9_usize).prop_map(Step::Truncate),
        1 => (0..9_usize).prop_map(Step::Remove),
        1 => (0..9_usize).prop_map(Step::Repeat),
        2 => Just(Step::Crash),
    ]
}

fn cases() -> u32 {
    std::env::var("ANSWERPLANE_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .map_or(2_000, |cases: u32| cases.min(2_000))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever a host does to its history, every turn is what the steps of the page say, and each callback has run once for
    /// a decision. What is saved goes on as if nothing had happened.
    #[test]
    fn a_turn_is_what_the_page_says(steps in prop::collection::vec(step(), 50)) {
        let (conversation, answered) = garden();
        let definition = definition(conversation);
        let mut session = SnapshotSession::new(id("s-1"), &definition);
        let mut literal = Literal::default();
        let mut said: Vec<Message> = Vec::new();
        // A history in which an id stands twice is no history of a session that is saved.
        let mut repeats = false;
        for (number, step) in steps.into_iter().enumerate() {
            let back = |count: usize| said.len().saturating_sub(1 + count % said.len().max(1));
            match step {
                Step::Send(input) => said.push(Message::of_user(format!("m-{number}"), INPUTS[input])),
                Step::Retry => {}
                Step::Edit(count, input) if !said.is_empty() => {
                    let at = back(count);
                    said.truncate(at + 1);
                    said[at].content = INPUTS[input].into();
                }
                Step::EditInPlace(count, input) if !said.is_empty() => {
                    let at = back(count);
                    said[at].content = INPUTS[input].into();
                }
                Step::Truncate(count) if !said.is_empty() => said.truncate(back(count) + 1),
                Step::Remove(count) if said.len() > 1 => drop(said.remove(back(count))),
                Step::Repeat(count) if !said.is_empty() => {
                    let mut again = said[back(count)].clone();
                    again.content = INPUTS[count % INPUTS.len()].into();
                    said.push(again);
                    repeats = true;
                }
                Step::Crash if !repeats => {
                    let snapshot = session.snapshot(NOW).unwrap();
                    let text = json!(snapshot).to_string();
                    let snapshot = SessionSnapshot::decode(text).unwrap();
                    session = SnapshotSession::resume(id("s-1"), &definition, &snapshot).unwrap();
                }
                _ => {}
            }
            if said.is_empty() {
                continue;
            }
            let mut history = said.clone();
            history.push(Message { id: "a-1".into(), role: Role::Assistant, content: "/reserve".into() });
            let (content, before, after) = literal.turn(&history);
            match (session.turn(&history).unwrap(), content) {
                (Turned::Answered { content, trace }, Some(expected)) => {
                    prop_assert_eq!(content, expected);
                    prop_assert_eq!(trace.kind, TraceKind::Deterministic);
                    prop_assert_eq!((trace.from_state, trace.to_state), (before, after.clone()));
                }
                (Turned::Delegated(trace), None) => {
                    prop_assert_eq!(trace.kind, TraceKind::Agentic);
                    prop_assert_eq!((&trace.from_state, &trace.to_state), (&before, &after));
                }
                (turned, expected) => prop_assert!(false, "{turned:?} instead of {expected:?}"),
            }
            prop_assert_eq!(session.view().unwrap().state, after);
            prop_assert_eq!(answered.load(Ordering::SeqCst), literal.answered);
        }
    }
}

#[test]
fn definitions_are_checked() {
    let route = |id: &str| Route::command(id, "/x", "begin", "X");
    let with = |routes: Vec<Route>| {
        let builder = Conversation::builder("idle").state(ConversationState::new("idle").on("begin", "idle"));
        routes.into_iter().fold(builder, |builder, route| builder.route(route)).build().map(|_| ())
    };
    assert_eq!(with(vec![route("a"), route("b")]), Ok(()));
    assert_eq!(with(vec![route("")]), Err(InvalidConversation::RouteWithoutId(0)));
    assert_eq!(with(vec![route("a"), route("a")]), Err(InvalidConversation::RouteRepeated(1)));
    assert_eq!(with(vec![route("a").only_in(["nowhere"])]), Err(InvalidConversation::UnknownState(0)));
    assert_eq!(with(vec![Route::command("a", "", "begin", "")]), Err(InvalidConversation::EmptyCommand(0)));
    assert_eq!(with(vec![Route::command("a", "/x", "", "")]), Err(InvalidConversation::RouteWithoutEvent(0)));
    let unknown_target =
        Conversation::builder("idle").state(ConversationState::new("idle").on("go", "nowhere"));
    assert!(matches!(unknown_target.build(), Err(InvalidConversation::Machine(_))));
    assert!(matches!(Conversation::builder("idle").build(), Err(InvalidConversation::Machine(_))));
}

#[test]
fn a_failing_or_panicking_route_moves_nothing() {
    let build = |route: Route| {
        Conversation::builder("idle")
            .state(ConversationState::new("idle").on("begin", "busy"))
            .state(ConversationState::new("busy"))
            .route(route)
            .route(Route::command("later", "/x", "begin", "never"))
            .build()
            .unwrap()
    };
    let routes: [Route; 4] = [
        Route::new("a", "begin", |_| Err(Failed), |_, _| Ok(String::new())),
        Route::new("a", "begin", |_| panic!("canary"), |_, _| Ok(String::new())),
        Route::new("a", "begin", |_| Ok(true), |_, _| Err(Failed)),
        Route::new("a", "begin", |_| Ok(true), |_, _| panic!("canary")),
    ];
    for route in routes {
        let mut replay = Replay::new(build(route));
        for _ in 0..2 {
            assert_eq!(replay.turn("s-1", &history(&[("m-1", "/x")])), Turned::Failed);
            assert_eq!(state_of(&replay), "idle");
        }
        assert!(replay.saved().unwrap().decisions().is_empty());
    }
}

#[test]
fn events_and_actions_keep_their_order_and_traces_hold_no_text() {
    let conversation = Conversation::builder("idle")
        .state(
            ConversationState::new("idle")
                .on("z", "idle")
                .on("a", "idle")
                .on("m", "idle")
                .actions(["z", "a"]),
        )
        .route(Route::command("r", "canary-input", "a", "canary-answer").traced_as(DecisionKind::Repaired))
        .build()
        .unwrap();
    let mut replay = Replay::new(conversation);
    let view = json!(replay.view());
    assert_eq!(view, json!({ "state": "idle", "events": ["z", "a", "m"], "actions": ["z", "a"] }));
    let Turned::Answered { trace, .. } = replay.turn("s-1", &history(&[("m-1", "canary-input")])) else {
        panic!("it matches")
    };
    assert_eq!(
        json!(trace),
        json!({ "kind": "repaired", "routeId": "r", "fromState": "idle", "toState": "idle" })
    );
}

#[test]
fn a_turn_without_a_message_shows_and_is_not_saved() {
    let conversation = Conversation::builder("idle")
        .state(ConversationState::new("idle").on("begin", "busy"))
        .state(ConversationState::new("busy").on("begin", "busy"))
        .route(Route::new("any", "begin", |_| Ok(true), |_, _| Ok("hi".into())))
        .build()
        .unwrap();
    let definition = definition(conversation);
    let mut session = SnapshotSession::new(id("s-1"), &definition);
    session.turn(&[]).unwrap();
    assert_eq!(session.view().unwrap().state, "busy");
    let snapshot = session.snapshot(NOW).unwrap();
    assert_eq!(snapshot.conversation().unwrap().state().as_str(), "idle");
    let mut resumed = SnapshotSession::resume(id("s-1"), &definition, &snapshot).unwrap();
    let turned = resumed.turn(&history(&[("m-1", "x")])).unwrap();
    assert!(matches!(turned, Turned::Answered { trace, .. } if trace.from_state == "idle"));
}

#[test]
fn a_conversation_never_becomes_unsavable_by_its_length() {
    let (conversation, _) = garden();
    let definition = definition(conversation);
    let mut session = SnapshotSession::new(id("s-1"), &definition);
    let mut said = Vec::new();
    for number in 0..1_101 {
        let input = ["/reserve", "/confirm", "/cancel"][number % 3];
        said.push(Message::of_user(format!("m-{number}"), input));
        assert!(matches!(session.turn(&said), Some(Turned::Answered { .. })));
    }
    let snapshot = session.snapshot(NOW).unwrap();
    let saved = snapshot.conversation().unwrap();
    assert_eq!(saved.decisions().len(), 1_000);
    assert_eq!(saved.base_state().unwrap().as_str(), "reserved");
    let mut resumed = SnapshotSession::resume(id("s-1"), &definition, &snapshot).unwrap();
    assert_eq!(resumed.view(), session.view());
    said.push(Message::of_user("m-next", "/reserve"));
    assert_eq!(
        resumed.turn(&said),
        session.turn(&said).map(|turned| match turned {
            // Both count their answers together.
            Turned::Answered { trace, .. } =>
                Turned::Answered { content: "1101: /reserve in Some(\"m-next\")".into(), trace },
            turned => turned,
        })
    );
}

#[test]
fn what_is_too_long_says_so_when_it_is_saved() {
    let (conversation, _) = garden();
    let any = Conversation::builder("idle")
        .state(ConversationState::new("idle").on("go", "idle"))
        .route(Route::new("any", "go", |_| Ok(true), |said, _| Ok(said.repeat(5))))
        .build()
        .unwrap();
    for (message, text, expected) in [
        ("m 1", "x".to_string(), Unsavable::Id),
        ("m-1", "x".repeat(16_385), Unsavable::Text),
        ("m-1", "x".repeat(13_200), Unsavable::Text),
    ] {
        let mut replay = Replay::new(any.clone());
        replay.turn("s-1", &history(&[(message, &text)]));
        assert_eq!(replay.saved().unwrap_err(), expected);
    }
    let session = SnapshotSession::new(id("s-1"), &definition(conversation));
    assert_eq!(session.snapshot(Timestamp::from_millis(i64::MAX)).unwrap_err(), Unsavable::Time);
}

#[test]
fn a_snapshot_of_something_else_is_refused() {
    let (conversation, _) = garden();
    let of = definition(conversation.clone());
    let snapshot = SnapshotSession::new(id("s-1"), &of).snapshot(NOW).unwrap();
    let resume = |session: &str, definition: &Definition, snapshot: &SessionSnapshot| {
        SnapshotSession::resume(id(session), definition, snapshot).map(|_| ()).unwrap_err()
    };
    assert_eq!(resume("s-2", &of, &snapshot), NotResumable::OtherSession);
    assert_eq!(
        resume("s-1", &Definition { id: id("other"), ..of.clone() }, &snapshot),
        NotResumable::OtherDefinition
    );
    let next = Definition { revision: Integer::new(2).unwrap(), ..of.clone() };
    assert_eq!(resume("s-1", &next, &snapshot), NotResumable::OtherDefinition);
    let without = Definition { conversation: None, ..of.clone() };
    assert_eq!(resume("s-1", &without, &snapshot), NotResumable::Conversation);
    let mut altered = json!(snapshot);
    for conversation in [
        json!({ "state": "reserved", "decisions": [] }),
        json!({ "state": "nowhere", "decisions": [] }),
        json!({ "state": "nowhere", "baseState": "nowhere", "decisions": [] }),
    ] {
        altered["conversation"] = conversation;
        let altered = SessionSnapshot::decode_value(&altered).unwrap();
        assert_eq!(resume("s-1", &of, &altered), NotResumable::Conversation);
    }
    // The other way round it begins.
    let bare = SnapshotSession::new(id("s-1"), &without).snapshot(NOW).unwrap();
    assert_eq!(SnapshotSession::resume(id("s-1"), &of, &bare).unwrap().view().unwrap().state, "idle");
}

#[test]
fn turns_are_claimed_and_released() {
    let (conversation, _) = garden();
    let mut session = SnapshotSession::new(id("s-1"), &definition(conversation));
    let lease = Integer::new(100).unwrap();
    let later = Timestamp::from_millis(NOW.as_millis() + 100);
    assert!(session.claim_turn(&id("t-1"), lease, NOW));
    assert!(!session.claim_turn(&id("t-1"), lease, NOW));
    assert!(!session.claim_turn(&id("t-2"), lease, Timestamp::from_millis(NOW.as_millis() + 99)));
    assert!(session.claim_turn(&id("t-2"), lease, later));
    assert!(!session.release_turn(&id("t-1"), TurnOutcome::Completed));
    assert!(session.release_turn(&id("t-2"), TurnOutcome::Completed));
    assert!(!session.release_turn(&id("t-2"), TurnOutcome::Completed));
    assert!(!session.claim_turn(&id("t-2"), lease, later));
    for number in 3..100 {
        let turn = id(&format!("t-{number}"));
        assert!(session.claim_turn(&turn, lease, later));
        assert!(session.release_turn(&turn, TurnOutcome::Indeterminate));
    }
    let snapshot = session.snapshot(later).unwrap();
    assert_eq!(snapshot.terminal_turns().len(), 64);
    // What is no longer remembered may be claimed again.
    assert!(session.claim_turn(&id("t-2"), lease, later));
    assert!(!session.claim_turn(&id("t-x"), Integer::new(u64::MAX >> 11).unwrap(), later));
}

proptest! {
    #[test]
    fn a_time_is_written_as_it_is_read(millis in -62_167_219_200_000..253_402_300_800_000_i64) {
        let time = UtcTime::at(Timestamp::from_millis(millis)).unwrap();
        prop_assert_eq!(time.timestamp().as_millis(), millis);
        prop_assert_eq!(time.as_str().parse::<UtcTime>().unwrap(), time);
    }
}

#[test]
fn times_outside_four_digits_are_not_written() {
    for millis in [-62_167_219_200_001, 253_402_300_800_000, i64::MIN, i64::MAX] {
        assert!(UtcTime::at(Timestamp::from_millis(millis)).is_none(), "{millis}");
    }
}
