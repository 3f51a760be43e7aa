//! A session snapshot that keeps the rules across its fields.

use alloc::vec::Vec;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, SerializeMap, Serializer};

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
pub struct SessionSnapshot {
    head: SnapshotHead,
    active_turn: Option<ActiveTurn>,
    terminal_turns: Option<List<TerminalTurn, 0, 64>>,
    conversation: Option<Conversation>,
    confirmations: List<Confirmation, 0, 1_000>,
}

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

document!(SessionSnapshot: "agentskit.chat.session", refused as SessionDiagnostic,
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
        let confirmations = List::proven(Vec::new());
        Self { head, active_turn: None, terminal_turns: None, conversation: None, confirmations }
    }

    /// The same with a turn that is running, or none.
    #[must_use]
    pub fn with_active_turn(self, active_turn: Option<ActiveTurn>) -> Self {
        Self { active_turn, ..self }
    }

    /// The same with these finished turns; `None` where one stands there twice.
    #[must_use]
    pub fn with_terminal_turns(self, turns: List<TerminalTurn, 0, 64>) -> Option<Self> {
        unique(turns.iter().map(TerminalTurn::turn_id))
            .then_some(Self { terminal_turns: Some(turns), ..self })
    }

    /// The same with a conversation.
    #[must_use]
    pub fn with_conversation(self, conversation: Conversation) -> Self {
        Self { conversation: Some(conversation), ..self }
    }

    /// The same with these confirmations; `None` where two share a token or a tool call.
    #[must_use]
    pub fn with_confirmations(self, confirmations: List<Confirmation, 0, 1_000>) -> Option<Self> {
        are_distinct(&confirmations).then_some(Self { confirmations, ..self })
    }

    /// The session.
    #[must_use]
    pub fn session_id(&self) -> &Identifier {
        &self.head.session_id
    }

    /// The definition of its conversation.
    #[must_use]
    pub fn definition_id(&self) -> &Identifier {
        &self.head.definition_id
    }

    /// The revision of the definition.
    #[must_use]
    pub fn definition_revision(&self) -> Integer<1> {
        self.head.definition_revision
    }

    /// When it was saved.
    #[must_use]
    pub fn updated_at(&self) -> &DateTime {
        &self.head.updated_at
    }

    /// How often it was saved.
    #[must_use]
    pub fn cursor(&self) -> Integer {
        self.head.cursor
    }

    /// The turn that is running.
    #[must_use]
    pub fn active_turn(&self) -> Option<&ActiveTurn> {
        self.active_turn.as_ref()
    }

    /// The turns that finished last, the last one at the end.
    #[must_use]
    pub fn terminal_turns(&self) -> &[TerminalTurn] {
        self.terminal_turns.as_deref().unwrap_or_default()
    }

    /// Where the conversation stands.
    #[must_use]
    pub fn conversation(&self) -> Option<&Conversation> {
        self.conversation.as_ref()
    }

    /// The actions that were put up for confirmation.
    #[must_use]
    pub fn confirmations(&self) -> &[Confirmation] {
        &self.confirmations
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

    fn is_sound(&self) -> bool {
        unique(self.decisions.iter().map(Decision::message_id))
    }
}

fn are_distinct(confirmations: &[Confirmation]) -> bool {
    unique(confirmations.iter().map(Confirmation::token))
        && unique(confirmations.iter().map(Confirmation::tool_call_id))
}

/// Whether no identifier stands there twice.
fn unique<'i>(ids: impl Iterator<Item = &'i Identifier>) -> bool {
    let mut ids: Vec<&Identifier> = ids.collect();
    ids.sort_unstable();
    ids.windows(2).all(|pair| pair[0] != pair[1])
}

impl<'de> Deserialize<'de> for SessionSnapshot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let document = SnapshotDocument::deserialize(deserializer)?;
        let is_named = document.protocol == Some(ProtocolName::Right);
        let is_sound = (document.version == SnapshotVersion::Zero || is_named)
            && unique(
                document.terminal_turns.iter().flat_map(|turns| turns.iter()).map(TerminalTurn::turn_id),
            )
            && document.conversation.as_ref().is_none_or(Conversation::is_sound)
            && are_distinct(&document.confirmations);
        if !is_sound {
            return Err(D::Error::custom("a rule across fields is broken"));
        }
        Ok(Self {
            head: SnapshotHead {
                session_id: document.session_id,
                definition_id: document.definition_id,
                definition_revision: document.definition_revision,
                updated_at: document.updated_at,
                cursor: document.cursor,
            },
            active_turn: document.active_turn,
            terminal_turns: document.terminal_turns,
            conversation: document.conversation,
            confirmations: document.confirmations,
        })
    }
}

impl Serialize for SessionSnapshot {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("protocol", Self::PROTOCOL)?;
        map.serialize_entry("version", &1)?;
        map.serialize_entry("sessionId", &self.head.session_id)?;
        map.serialize_entry("definitionId", &self.head.definition_id)?;
        map.serialize_entry("definitionRevision", &self.head.definition_revision)?;
        map.serialize_entry("updatedAt", &self.head.updated_at)?;
        map.serialize_entry("cursor", &self.head.cursor)?;
        if let Some(turn) = &self.active_turn {
            map.serialize_entry("activeTurn", turn)?;
        }
        if let Some(turns) = &self.terminal_turns {
            map.serialize_entry("terminalTurns", turns)?;
        }
        if let Some(conversation) = &self.conversation {
            map.serialize_entry("conversation", conversation)?;
        }
        map.serialize_entry("confirmations", &self.confirmations)?;
        map.end()
    }
}
