//! Decisions that were made once, and are replayed ever after.

use std::collections::{BTreeMap, HashMap, HashSet};

use answerplane_protocol::session_snapshot::DecisionKind;
use serde::Serialize;

use crate::conversation::definition::Conversation;
use crate::conversation::route::Said;
use crate::request::{Message, Role};

/// A decision about a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    pub(crate) message_id: String,
    pub(crate) input: String,
    pub(crate) route_id: String,
    pub(crate) kind: DecisionKind,
    pub(crate) content: String,
    pub(crate) from: String,
    pub(crate) to: String,
}

/// What became of a turn: which way it took, and never what was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Trace {
    /// Which way.
    pub kind: TraceKind,
    /// The route; nothing where there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route_id: Option<String>,
    /// The state before.
    pub from_state: String,
    /// The state after.
    pub to_state: String,
}

/// Which way a turn took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TraceKind {
    /// A known path.
    Deterministic,
    /// A path that was found again.
    Repaired,
    /// A path for want of a better one.
    Fallback,
    /// No route: the backend was asked.
    Agentic,
}

impl From<DecisionKind> for TraceKind {
    fn from(kind: DecisionKind) -> Self {
        match kind {
            DecisionKind::Deterministic => Self::Deterministic,
            DecisionKind::Repaired => Self::Repaired,
            DecisionKind::Fallback => Self::Fallback,
        }
    }
}

/// What a conversation makes of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turned {
    /// A route answers, now or, where it was decided before, as then.
    Answered {
        /// The text.
        content: String,
        /// Which way it took.
        trace: Trace,
    },
    /// No route: ask the backend.
    Delegated(Trace),
    /// A route failed. Nothing moved, nothing is recorded, and the backend is not to be asked.
    Failed,
}

/// Where a conversation stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StateView {
    /// The state.
    pub state: String,
    /// The events that it accepts, in the order of their declaration.
    pub events: Vec<String>,
    /// What a person may be offered, in the order of its declaration.
    pub actions: Vec<String>,
}

/// A conversation of one session: its decisions, replayed over whatever history a turn hands over.
///
/// What was decided about a message holds as long as the message stands in the history with the same text, behind the
/// same state: then it is replayed, without asking any callback again. A history is compared with the one before, and
/// replayed only from where it differs.
#[derive(Clone, Debug)]
pub struct Replay {
    conversation: Conversation,
    /// The decisions in the order in which they were made.
    decisions: BTreeMap<u64, Decision>,
    /// The number of the decision about a message.
    of_message: HashMap<String, u64>,
    next: u64,
    /// The state that the decisions start from: the initial one, or where older decisions were folded into one.
    base: String,
    /// The state after the last turn.
    current: String,
    /// The messages of a person that were replayed last, each with the state before it.
    seen: Vec<Seen>,
}

#[derive(Clone, Debug)]
struct Seen {
    id: String,
    input: String,
    before: String,
}

impl Replay {
    /// A conversation at its beginning.
    #[must_use]
    pub fn new(conversation: Conversation) -> Self {
        let base = conversation.initial().to_string();
        Self::from(conversation, base)
    }

    pub(super) fn from(conversation: Conversation, base: String) -> Self {
        Self {
            conversation,
            decisions: BTreeMap::new(),
            of_message: HashMap::new(),
            next: 0,
            current: base.clone(),
            base,
            seen: Vec::new(),
        }
    }

    /// Where the conversation stands after the last turn.
    #[must_use]
    pub fn view(&self) -> StateView {
        StateView {
            state: self.current.clone(),
            events: self.conversation.events(&self.current).map(str::to_string).collect(),
            actions: self.conversation.actions(&self.current).to_vec(),
        }
    }

    /// The turn of a history: of its latest message of a person, behind all the earlier ones.
    pub fn turn(&mut self, session_id: &str, history: &[Message]) -> Turned {
        let said: Vec<&Message> = history.iter().filter(|message| message.role == Role::User).collect();
        let repeats = has_repeated_id(&said);
        if repeats {
            // What is decided about the later message changes what is replayed for the earlier.
            self.seen.clear();
        }
        let mut state = self.state_before_latest(&said);
        let turned = match said.last() {
            None => self.decide("", Said { session_id, message_id: None }, &mut state),
            Some(latest) => {
                let place = Said { session_id, message_id: Some(&latest.id) };
                self.seen.push(Seen {
                    id: latest.id.clone(),
                    input: latest.content.clone(),
                    before: state.clone(),
                });
                match self.replayed(latest, &state) {
                    Some(decision) => {
                        state.clone_from(&decision.to);
                        Turned::Answered { content: decision.content.clone(), trace: decision.trace() }
                    }
                    None => {
                        self.forget(&latest.id);
                        self.decide(&latest.content, place, &mut state)
                    }
                }
            }
        };
        if repeats {
            self.seen.clear();
        }
        self.current = state;
        turned
    }

    /// Replays the earlier messages, from where they differ from those of the last turn.
    fn state_before_latest(&mut self, said: &[&Message]) -> String {
        let earlier = said.len().saturating_sub(1);
        let is_same =
            |(seen, message): &(&Seen, &&Message)| seen.id == message.id && seen.input == message.content;
        let same = self.seen.iter().zip(said).take_while(is_same).count();
        if same < self.seen.len() || self.seen.is_empty() {
            let ids: HashSet<&str> = said.iter().map(|message| message.id.as_str()).collect();
            let gone: Vec<String> =
                self.of_message.keys().filter(|id| !ids.contains(id.as_str())).cloned().collect();
            gone.iter().for_each(|id| self.forget(id));
        }
        let from = same.min(earlier);
        let mut state = match self.seen.get(from) {
            Some(seen) => seen.before.clone(),
            None if from == 0 => self.base.clone(),
            None => self.current.clone(),
        };
        self.seen.truncate(from);
        for message in said.get(from..earlier).unwrap_or_default() {
            self.seen.push(Seen {
                id: message.id.clone(),
                input: message.content.clone(),
                before: state.clone(),
            });
            match self.replayed(message, &state) {
                Some(decision) => state.clone_from(&decision.to),
                None => self.forget(&message.id),
            }
        }
        state
    }

    /// What was decided about a message, where that still holds in this state.
    fn replayed(&self, message: &Message, state: &str) -> Option<&Decision> {
        let decision = self.decisions.get(self.of_message.get(&message.id)?)?;
        let holds = decision.input == message.content && decision.from == state && self.leads(decision);
        holds.then_some(decision)
    }

    /// Whether a decision's route exists, is allowed where it started, and leads where it ended.
    pub(super) fn leads(&self, decision: &Decision) -> bool {
        let route = self.conversation.routes().iter().find(|route| route.id == decision.route_id);
        route.is_some_and(|route| {
            route.is_allowed_in(&decision.from)
                && self.conversation.target(&decision.from, &route.event) == Some(&decision.to)
        })
    }

    /// Keeps a decision as the latest.
    pub(super) fn keep(&mut self, decision: Decision) {
        self.of_message.insert(decision.message_id.clone(), self.next);
        self.decisions.insert(self.next, decision);
        self.next += 1;
    }

    /// The state from which the decisions start, and those in their order.
    pub(super) fn parts(&self) -> (&str, impl ExactSizeIterator<Item = &Decision>) {
        (&self.base, self.decisions.values())
    }

    pub(super) fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// Stands in a state, after decisions that lead there were kept.
    pub(super) fn stand_in(&mut self, state: &str) {
        self.current = state.to_string();
    }

    fn forget(&mut self, message_id: &str) {
        if let Some(number) = self.of_message.remove(message_id) {
            self.decisions.remove(&number);
        }
    }

    /// Takes the first route that is allowed, whose event the state accepts, and which matches.
    fn decide(&mut self, input: &str, place: Said<'_>, state: &mut String) -> Turned {
        let conversation = self.conversation.clone();
        for route in conversation.routes().iter().filter(|route| route.is_allowed_in(state)) {
            let Some(to) = conversation.target(state, &route.event) else { continue };
            match route.matches(input) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(_) => return Turned::Failed,
            }
            let Ok(content) = route.answer(input, place) else { return Turned::Failed };
            let decision = Decision {
                message_id: place.message_id.unwrap_or_default().to_string(),
                input: input.to_string(),
                route_id: route.id.clone(),
                kind: route.kind,
                content: content.clone(),
                from: std::mem::replace(state, to.to_string()),
                to: to.to_string(),
            };
            let trace = decision.trace();
            if place.message_id.is_some() {
                self.keep(decision);
            }
            return Turned::Answered { content, trace };
        }
        Turned::Delegated(Trace {
            kind: TraceKind::Agentic,
            route_id: None,
            from_state: state.clone(),
            to_state: state.clone(),
        })
    }
}

fn has_repeated_id(said: &[&Message]) -> bool {
    let mut ids = HashSet::new();
    !said.iter().all(|message| ids.insert(message.id.as_str()))
}

impl Decision {
    fn trace(&self) -> Trace {
        Trace {
            kind: self.kind.into(),
            route_id: Some(self.route_id.clone()),
            from_state: self.from.clone(),
            to_state: self.to.clone(),
        }
    }
}
