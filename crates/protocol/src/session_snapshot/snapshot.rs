//! A session snapshot that keeps the rules across its fields.

use alloc::vec::Vec;

use serde::ser::{Serialize, Serializer};

use crate::document::{Header, Refusal, Version, document};
use crate::scalar::{DateTime, Identifier};
use crate::session_snapshot::SessionDiagnostic;
use crate::session_snapshot::declaration::{
    ActiveTurn, Confirmation, Conversation, Decision, ProtocolName, SnapshotDocument, SnapshotVersion,
    StateName, TerminalTurn,
};
use crate::wire::{Integer, List};

/// A visitor's session without its messages. Contract: `docs/protocol/session-snapshot.md`.
///
/// ```
/// use answerplane_protocol::session_snapshot::SessionSnapshot;
///
/// // Version 0 is read as version 1, and written so.
/// let snapshot = SessionSnapshot::decode(r#"{
///     "version": 0, "sessionId": "visitor-17", "definitionId": "support", "definitionRevision": 1,
///     "updatedAt": "2026-03-01T09:00:00Z", "cursor": 3, "confirmations": []
/// }"#)?;
/// assert_eq!(snapshot.cursor().get(), 3);
/// # Ok::<(), answerplane_protocol::session_snapshot::SessionDiagnostic>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionSnapshot(SnapshotDocument);

/// What a session snapshot is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotHead {
    /// The session.
    pub session_id: Identifier,
    /// The definition of its conversation.
    pub definition_id: Identifier,
    /// The revision of the definition.
    pub definition_revision: Integer<1>,
    /// When it was saved.
    pub updated_at: DateTime,
    /// How often it was saved.
    pub cursor: Integer,
}

document!(SessionSnapshot read as SnapshotDocument: "agentskit.chat.session", refused as SessionDiagnostic,
    /// A snapshot of version 0 becomes one of version 1.
    fn from_wire(document: SnapshotDocument) -> Option<Self> {
        let (protocol, version) = (Some(ProtocolName::Right), SnapshotVersion::One);
        document.is_sound().then_some(Self(SnapshotDocument { protocol, version, ..document }))
    }

    /// Version 0 is read whatever the protocol name is, and another one than 0 and 1 is unsupported likewise.
    fn explain(header: &Header) -> Refusal {
        match header.version() {
            Some(Version::Other) => Refusal::UnsupportedVersion,
            _ => Refusal::Invalid,
        }
    }
);

impl SessionSnapshot {
    /// A snapshot of a session in which nothing has happened.
    #[must_use]
    pub fn new(head: SnapshotHead) -> Self {
        let SnapshotHead { session_id, definition_id, definition_revision, updated_at, cursor } = head;
        Self(SnapshotDocument {
            protocol: Some(ProtocolName::Right),
            version: SnapshotVersion::One,
            session_id,
            definition_id,
            definition_revision,
            updated_at,
            cursor,
            active_turn: None,
            terminal_turns: None,
            conversation: None,
            confirmations: List::proven(Vec::new()),
        })
    }

    /// The same with a turn that is running, or none.
    #[must_use]
    pub fn with_active_turn(mut self, active_turn: Option<ActiveTurn>) -> Self {
        self.0.active_turn = active_turn;
        self
    }

    /// The same with these finished turns; `None` where one stands there twice.
    #[must_use]
    pub fn with_terminal_turns(mut self, turns: List<TerminalTurn, 0, 64>) -> Option<Self> {
        self.0.terminal_turns = Some(turns);
        self.0.is_sound().then_some(self)
    }

    /// The same with a conversation.
    #[must_use]
    pub fn with_conversation(mut self, conversation: Conversation) -> Self {
        self.0.conversation = Some(conversation);
        self
    }

    /// The same with these confirmations; `None` where two share a token or a tool call.
    #[must_use]
    pub fn with_confirmations(mut self, confirmations: List<Confirmation, 0, 1_000>) -> Option<Self> {
        self.0.confirmations = confirmations;
        self.0.is_sound().then_some(self)
    }

    /// The session.
    #[must_use]
    pub fn session_id(&self) -> &Identifier {
        &self.0.session_id
    }

    /// The definition of its conversation.
    #[must_use]
    pub fn definition_id(&self) -> &Identifier {
        &self.0.definition_id
    }

    /// The revision of the definition.
    #[must_use]
    pub fn definition_revision(&self) -> Integer<1> {
        self.0.definition_revision
    }

    /// When it was saved.
    #[must_use]
    pub fn updated_at(&self) -> &DateTime {
        &self.0.updated_at
    }

    /// How often it was saved.
    #[must_use]
    pub fn cursor(&self) -> Integer {
        self.0.cursor
    }

    /// The turn that is running.
    #[must_use]
    pub fn active_turn(&self) -> Option<&ActiveTurn> {
        self.0.active_turn.as_ref()
    }

    /// The turns that finished last, the last one at the end.
    #[must_use]
    pub fn terminal_turns(&self) -> &[TerminalTurn] {
        self.0.terminal_turns.as_deref().unwrap_or_default()
    }

    /// Where the conversation stands.
    #[must_use]
    pub fn conversation(&self) -> Option<&Conversation> {
        self.0.conversation.as_ref()
    }

    /// The actions that were put up for confirmation.
    #[must_use]
    pub fn confirmations(&self) -> &[Confirmation] {
        &self.0.confirmations
    }
}

impl Conversation {
    /// A conversation in a state, with the decisions that lead there from the initial state, or from `base_state`
    /// where older ones have been folded into it; `None` where two are about one message.
    #[must_use]
    pub fn new(
        state: StateName,
        base_state: Option<StateName>,
        decisions: List<Decision, 0, 1_000>,
    ) -> Option<Self> {
        let conversation = Self { state, base_state, decisions };
        conversation.is_sound().then_some(conversation)
    }

    /// Whether no two decisions are about one message.
    pub(super) fn is_sound(&self) -> bool {
        unique(self.decisions.iter().map(Decision::message_id))
    }
}

impl SnapshotDocument {
    /// Whether the rules across fields are kept.
    fn is_sound(&self) -> bool {
        let is_named = self.version == SnapshotVersion::Zero || self.protocol == Some(ProtocolName::Right);
        let turns = self.terminal_turns.iter().flat_map(|turns| turns.iter());
        is_named
            && unique(turns.map(TerminalTurn::turn_id))
            && unique(self.confirmations.iter().map(Confirmation::token))
            && unique(self.confirmations.iter().map(Confirmation::tool_call_id))
    }
}

/// Whether no identifier stands there twice.
fn unique<'i>(ids: impl Iterator<Item = &'i Identifier>) -> bool {
    let mut ids: Vec<&Identifier> = ids.collect();
    ids.sort_unstable();
    ids.windows(2).all(|pair| pair[0] != pair[1])
}

impl Serialize for SessionSnapshot {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        self.0.serialize(serializer)
    }
}
