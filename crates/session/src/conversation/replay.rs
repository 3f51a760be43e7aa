//! Decisions that were made once, and are replayed ever after.

use std::collections::HashSet;

use answerplane_protocol::session_snapshot::DecisionKind;
use serde::Serialize;

use crate::conversation::definition::Conversation;
use crate::conversation::track::Track;
use crate::request::{Message, Role};

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
    track: Track,
}

impl Replay {
    /// A conversation at its beginning.
    #[must_use]
    pub fn new(conversation: Conversation) -> Self {
        let base = conversation.initial().to_string();
        Self::of(Track::new(conversation, base))
    }

    pub(super) fn of(track: Track) -> Self {
        Self { track }
    }

    pub(super) fn track(&self) -> &Track {
        &self.track
    }

    /// Where the conversation stands after the last turn.
    #[must_use]
    pub fn view(&self) -> StateView {
        StateView::of(self.track.conversation(), self.track.current())
    }

    /// The turn of a history: of its latest message of a person, behind all the earlier ones.
    pub fn turn(&mut self, session_id: &str, history: &[Message]) -> Turned {
        let said: Vec<&Message> = history.iter().filter(|message| message.role == Role::User).collect();
        let repeats = has_repeated_id(&said);
        if repeats {
            // What is decided about the later message changes what is replayed for the earlier.
            self.track.rewind(0);
        }
        let seen = self.track.passed();
        let is_first = seen.len() == 0;
        let seen_count = seen.len();
        let is_same = |((id, input), message): &((&str, &str), &&Message)| {
            *id == message.id && *input == message.content
        };
        let same = seen.zip(&said).take_while(is_same).count();
        if same < seen_count || is_first {
            let ids: HashSet<&str> = said.iter().map(|message| message.id.as_str()).collect();
            self.track.retain(|id| ids.contains(id));
        }
        let earlier = said.len().saturating_sub(1);
        let from = same.min(earlier);
        self.track.rewind(from);
        for message in said.get(from..earlier).unwrap_or_default() {
            self.track.pass(&message.id, &message.content);
        }
        let latest = said.last().map(|message| (message.id.as_str(), message.content.as_str()));
        let turned = self.track.dispatch(session_id, latest);
        if repeats {
            self.track.forget_passed();
        }
        self.track.forget_changes();
        turned
    }
}

impl StateView {
    pub(crate) fn of(conversation: &Conversation, state: &str) -> Self {
        Self {
            state: state.to_string(),
            events: conversation.events(state).map(str::to_string).collect(),
            actions: conversation.actions(state).to_vec(),
        }
    }
}

fn has_repeated_id(said: &[&Message]) -> bool {
    let mut ids = HashSet::new();
    !said.iter().all(|message| ids.insert(message.id.as_str()))
}
