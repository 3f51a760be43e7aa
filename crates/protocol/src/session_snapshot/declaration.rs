//! The session snapshot as it stands on the wire.

use alloc::boxed::Box;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::component::FRAME_LIMITS;
use crate::document::Version;
use crate::scalar::{BoundedText, DateTime, Identifier};
use crate::wire::{
    Integer, Limits, List, Version1, foreign_json, wire_constant, wire_enum, wire_object, wire_record,
};

wire_constant! {
    SessionProtocol = "agentskit.chat.session";
}

wire_object! {
    /// A visitor's session without its messages. Contract: `docs/protocol/session-snapshot.md`. Beyond this
    /// schema: no turn has finished twice, no message has two decisions, no two confirmations share a token or a
    /// tool call.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) struct SnapshotDocument {
        /// The name of the protocol; anything at all beside version 0.
        optional protocol: ProtocolName = "protocol",
        /// The version of the protocol: 1, or 0 where the rest is the same.
        required version: SnapshotVersion = "version",
        /// The session.
        required session_id: Identifier = "sessionId",
        /// The definition of its conversation.
        required definition_id: Identifier = "definitionId",
        /// The revision of the definition.
        required definition_revision: Integer<1> = "definitionRevision",
        /// When it was saved.
        required updated_at: DateTime = "updatedAt",
        /// How often it was saved.
        required cursor: Integer = "cursor",
        /// The turn that is running.
        optional active_turn: ActiveTurn = "activeTurn",
        /// The turns that finished last.
        optional terminal_turns: List<TerminalTurn, 0, 64> = "terminalTurns",
        /// Where the conversation stands.
        optional conversation: Conversation = "conversation",
        /// The actions that were put up for confirmation.
        required confirmations: List<Confirmation, 0, 1_000> = "confirmations",
    }
}

/// Whether the protocol name is the right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProtocolName {
    Right,
    Other,
}

impl<'de> Deserialize<'de> for ProtocolName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let token = Box::<RawValue>::deserialize(deserializer)?;
        let is_right = serde_json::from_str::<SessionProtocol>(token.get()).is_ok();
        Ok(if is_right { Self::Right } else { Self::Other })
    }
}

impl Serialize for ProtocolName {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        SessionProtocol.serialize(serializer)
    }
}

/// A version that can be read; version 1 is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SnapshotVersion {
    Zero,
    One,
}

impl<'de> Deserialize<'de> for SnapshotVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let token = Box::<RawValue>::deserialize(deserializer)?;
        match Version1::number(token.get()) {
            Some(Version::Zero) => Ok(Self::Zero),
            Some(Version::One) => Ok(Self::One),
            _ => Err(D::Error::custom("another version")),
        }
    }
}

impl Serialize for SnapshotVersion {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        Version1.serialize(serializer)
    }
}

wire_record! {
    /// A turn that is running.
    pub struct ActiveTurn {
        /// The turn.
        required turn_id: Identifier = "turnId",
        /// When its lease ends, in milliseconds since 1970-01-01T00:00:00Z.
        required expires_at: Integer = "expiresAt",
    }
}

wire_record! {
    /// A turn that has finished.
    pub struct TerminalTurn {
        /// The turn.
        required turn_id: Identifier = "turnId",
        /// What became of it.
        required outcome: TurnOutcome = "outcome",
    }
}

wire_enum! {
    /// What became of a turn.
    pub enum TurnOutcome {
        /// It was done, stopped, or failed, and its record says which.
        Completed = "completed",
        /// Its lease ended without a record.
        Indeterminate = "indeterminate",
    }
}

wire_record! {
    /// Where a conversation stands.
    pub struct Conversation sound {
        /// The state that its decisions lead to.
        required state: StateName = "state",
        /// The state from which the decisions are replayed, where older ones have been folded into it.
        optional base_state: StateName = "baseState",
        /// The decisions, in the order in which they were made.
        required decisions: List<Decision, 0, 1_000> = "decisions",
    }
}

/// The name of a state of a conversation.
pub type StateName = BoundedText<1, 128>;

wire_record! {
    /// What a conversation decided about a message.
    pub struct Decision {
        /// The message.
        required message_id: Identifier = "messageId",
        /// What was said.
        required input: BoundedText<0, 16_384> = "input",
        /// The route that was taken.
        required route_id: Identifier = "routeId",
        /// What kind of route it was.
        required kind: DecisionKind = "kind",
        /// What was answered.
        required content: BoundedText<0, 65_536> = "content",
        /// The state before.
        required from_state: StateName = "fromState",
        /// The state after.
        required to_state: StateName = "toState",
    }
}

wire_enum! {
    /// What kind of route was taken.
    pub enum DecisionKind {
        /// A known path.
        Deterministic = "deterministic",
        /// A path that was found again.
        Repaired = "repaired",
        /// A path for want of a better one.
        Fallback = "fallback",
    }
}

wire_record! {
    /// An action that was put up for confirmation.
    pub struct Confirmation {
        /// The token under which it is confirmed.
        required token: Identifier = "token",
        /// The action.
        required action: Identifier = "action",
        /// What the action is given.
        required input: ConfirmationInput = "input",
        /// The use of a tool that it is.
        required tool_call_id: Identifier = "toolCallId",
        /// Until when it can be confirmed, in milliseconds since 1970-01-01T00:00:00Z.
        required expires_at: Integer = "expiresAt",
        /// How far it has come.
        required status: ConfirmationStatus = "status",
    }
}

foreign_json! {
    /// What an action is given: a JSON object within the limits of a component's props.
    pub struct ConfirmationInput: Limits { object: true, ..FRAME_LIMITS }
}

wire_enum! {
    /// How far an action that was put up for confirmation has come.
    pub enum ConfirmationStatus {
        /// It waits.
        Pending = "pending",
        /// It was approved, and is being done.
        Approving = "approving",
        /// It was rejected, and is being denied.
        Rejecting = "rejecting",
        /// It waited too long, and is being denied.
        Expiring = "expiring",
        /// It was done.
        Approved = "approved",
        /// It was denied.
        Rejected = "rejected",
        /// It was denied, since it waited too long.
        Expired = "expired",
    }
}

impl ActiveTurn {
    /// A turn that is running until its lease ends.
    #[must_use]
    pub fn new(turn_id: Identifier, expires_at: Integer) -> Self {
        Self { turn_id, expires_at }
    }
}

impl TerminalTurn {
    /// A turn that has finished.
    #[must_use]
    pub fn new(turn_id: Identifier, outcome: TurnOutcome) -> Self {
        Self { turn_id, outcome }
    }
}

impl Decision {
    /// What a conversation decided about a message, by a route, with an answer and from one state to another.
    #[must_use]
    pub fn new(
        (message_id, input): (Identifier, BoundedText<0, 16_384>),
        (route_id, kind): (Identifier, DecisionKind),
        content: BoundedText<0, 65_536>,
        (from_state, to_state): (StateName, StateName),
    ) -> Self {
        Self { message_id, input, route_id, kind, content, from_state, to_state }
    }
}

impl Confirmation {
    /// An action that waits for confirmation.
    #[must_use]
    pub fn pending(
        token: Identifier,
        action: Identifier,
        input: ConfirmationInput,
        tool_call_id: Identifier,
        expires_at: Integer,
    ) -> Self {
        Self { token, action, input, tool_call_id, expires_at, status: ConfirmationStatus::Pending }
    }

    /// The same, come this far.
    #[must_use]
    pub fn with_status(self, status: ConfirmationStatus) -> Self {
        Self { status, ..self }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for ProtocolName {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "ProtocolName".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({})
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for SnapshotVersion {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "SnapshotVersion".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "enum": [0, 1] })
    }
}
