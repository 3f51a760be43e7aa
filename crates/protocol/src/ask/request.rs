//! What a client of an Ask service sends.

use serde::de::{Deserialize, Deserializer, Error};

use crate::answer::{AnswerDocument, AnswerEnvelope, Escalation, Outcome};
use crate::ask::AskDiagnostic;
use crate::document::document;
use crate::scalar::{BoundedText, Identifier};
use crate::wire::{List, Version1, wire_constant, wire_enum, wire_record};

wire_constant! {
    AskProtocol = "agentskit.chat.ask";
}

wire_record! {
    /// A question with what was said before it. Contract: `docs/protocol/ask.md`. It carries no authority.
    pub struct AskRequest strict document {
        /// The name of the protocol.
        optional_fixed protocol: AskProtocol = "protocol",
        /// The version of the protocol.
        optional_fixed version: Version1 = "version",
        /// The session that the question belongs to.
        optional session_id: Identifier = "sessionId",
        /// What was said, the question last.
        required messages: List<AskMessage, 1, 64> = "messages",
        /// Why there is no declared answer.
        optional deterministic: EscalationEnvelope = "deterministic",
    }
}

wire_record! {
    /// Something that was said.
    pub struct AskMessage strict {
        /// Who said it.
        required role: AskRole = "role",
        /// What was said.
        required content: BoundedText<0, 16_384> = "content",
    }
}

wire_enum! {
    /// Who said something.
    pub enum AskRole {
        /// The person.
        User = "user",
        /// The assistant.
        Assistant = "assistant",
    }
}

document!(AskRequest: "agentskit.chat.ask", refused as AskDiagnostic,);

/// An answer envelope whose outcome is an escalation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EscalationEnvelope(AnswerEnvelope);

impl EscalationEnvelope {
    /// The envelope, or `None` where its outcome is another one.
    #[must_use]
    pub fn new(envelope: AnswerEnvelope) -> Option<Self> {
        matches!(envelope.outcome(), Outcome::Escalation(_)).then_some(Self(envelope))
    }

    /// The envelope.
    #[must_use]
    pub fn envelope(&self) -> &AnswerEnvelope {
        &self.0
    }

    /// Why there is no declared answer.
    #[must_use]
    pub fn escalation(&self) -> Option<&Escalation> {
        match self.0.outcome() {
            Outcome::Escalation(escalation) => Some(escalation),
            _ => None,
        }
    }
}

impl AskRequest {
    /// A question with what was said before it.
    #[must_use]
    pub fn new(
        session_id: Option<Identifier>,
        messages: List<AskMessage, 1, 64>,
        deterministic: Option<EscalationEnvelope>,
    ) -> Self {
        Self { protocol: Some(AskProtocol), version: Some(Version1), session_id, messages, deterministic }
    }

    /// The text of the newest message of the person.
    #[must_use]
    pub fn question(&self) -> Option<&str> {
        let said = self.messages.iter().rev().find(|message| message.role == AskRole::User);
        said.map(|message| message.content.as_str())
    }
}

impl AskMessage {
    /// Something that was said.
    #[must_use]
    pub fn new(role: AskRole, content: BoundedText<0, 16_384>) -> Self {
        Self { role, content }
    }
}

impl<'de> Deserialize<'de> for EscalationEnvelope {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let envelope = AnswerEnvelope::of(AnswerDocument::deserialize(deserializer)?);
        envelope.and_then(Self::new).ok_or_else(|| D::Error::custom("this is no escalation"))
    }
}

impl serde::Serialize for EscalationEnvelope {
    fn serialize<Z: serde::Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        self.0.serialize(serializer)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for EscalationEnvelope {
    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "EscalationEnvelope".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut escalation = generator.subschema_for::<crate::answer::EscalationAnswer>();
        escalation.insert("description".into(), "An answer envelope whose outcome is an escalation.".into());
        escalation
    }
}
