//! What a turn is asked with.

use std::ops::Deref;
use std::sync::Arc;

use answerplane_protocol::Identifier;
pub use answerplane_protocol::turn::Role;
use serde_json::{Map, Value};

/// A message of the history that a turn sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its id. It need not be an identifier: not every history is ours.
    pub id: String,
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: String,
}

impl Message {
    /// A message of a person.
    #[must_use]
    pub fn of_user(id: impl Into<String>, content: impl Into<String>) -> Self {
        Self { id: id.into(), role: Role::User, content: content.into() }
    }
}

/// A history: the messages that a turn sees, the latest last. Cloning shares them, so that a long history costs a turn
/// no more than a short one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History(Arc<Vec<Message>>);

impl History {
    /// The messages, to be changed. They are copied where somebody else holds them too.
    pub(crate) fn messages(&mut self) -> &mut Vec<Message> {
        Arc::make_mut(&mut self.0)
    }
}

impl Deref for History {
    type Target = [Message];

    fn deref(&self) -> &[Message] {
        &self.0
    }
}

impl From<Vec<Message>> for History {
    fn from(messages: Vec<Message>) -> Self {
        Self(Arc::new(messages))
    }
}

/// A turn: the history that it sees, and what goes with it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnRequest {
    /// The messages, the latest last.
    pub messages: History,
    /// The session that the turn belongs to; without one it belongs to [`UNSCOPED`](Self::UNSCOPED).
    pub session: Option<Identifier>,
    /// What a backend is told beside the messages, under `metadata` and other names. It belongs to the caller.
    pub context: Map<String, Value>,
    /// Whether choices are authorized by whoever keeps the session, and not by the plane that offers them.
    pub(crate) is_kept: bool,
}

impl TurnRequest {
    /// The name under which the `metadata` of a delegated turn's context holds the envelope of its escalation.
    pub const ESCALATION: &'static str = "agentskit.chat.escalation";

    /// The session that turns without one belong to.
    pub const UNSCOPED: &'static str = "unscoped";

    /// A turn without session and context.
    #[must_use]
    pub fn new(messages: impl Into<History>) -> Self {
        Self { messages: messages.into(), ..Self::default() }
    }

    /// A turn of one question.
    #[must_use]
    pub fn of_query(query: impl Into<String>) -> Self {
        Self::new(vec![Message::of_user("user-1", query)])
    }

    /// The latest message of a person.
    pub(crate) fn latest(&self) -> Option<&Message> {
        self.messages.iter().rfind(|message| message.role == Role::User)
    }

    /// The name of the session.
    pub(crate) fn session_name(&self) -> &str {
        self.session.as_ref().map_or(Self::UNSCOPED, Identifier::as_str)
    }
}
