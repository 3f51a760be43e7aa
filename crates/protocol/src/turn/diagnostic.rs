//! What is reported of a refused turn event.

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::document::{Refusal, Refused};
use crate::scalar::Identifier;

/// Why a turn event was refused, and which one. Of the event it holds its id, where that is one, and nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{reason}")]
pub struct TurnDiagnostic {
    reason: TurnRefusal,
    event_id: Option<Identifier>,
}

/// Why a turn event was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum TurnRefusal {
    /// The text is not JSON, or holds a text that UTF-8 cannot.
    #[error("Turn event is not valid JSON.")]
    NotJson,
    /// The event breaks a rule of its schema.
    #[error("Turn event payload is invalid.")]
    Invalid,
    /// The event is of another version of its protocol.
    #[error("Turn event uses an unsupported protocol version.")]
    UnsupportedVersion,
    /// The event is of a kind that is not known.
    #[error("Turn event kind is unknown.")]
    UnknownEvent,
}

impl TurnDiagnostic {
    /// Why the event was refused.
    #[must_use]
    pub fn reason(&self) -> TurnRefusal {
        self.reason
    }

    /// The event, where its id could be read.
    #[must_use]
    pub fn event_id(&self) -> Option<&Identifier> {
        self.event_id.as_ref()
    }

    /// The stable code of the reason.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.reason.code()
    }
}

impl TurnRefusal {
    /// Every reason.
    pub const ALL: &'static [Self] =
        &[Self::NotJson, Self::Invalid, Self::UnsupportedVersion, Self::UnknownEvent];

    /// The stable code of the reason; several reasons share one.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotJson | Self::Invalid => "PROTOCOL_INVALID_PAYLOAD",
            Self::UnsupportedVersion => "PROTOCOL_UNSUPPORTED_VERSION",
            Self::UnknownEvent => "PROTOCOL_UNKNOWN_EVENT",
        }
    }
}

impl From<Refused> for TurnDiagnostic {
    fn from(refused: Refused) -> Self {
        let reason = match refused.why {
            Refusal::NotJson => TurnRefusal::NotJson,
            Refusal::UnsupportedVersion => TurnRefusal::UnsupportedVersion,
            Refusal::UnknownKind => TurnRefusal::UnknownEvent,
            Refusal::TooLarge | Refusal::Invalid => TurnRefusal::Invalid,
        };
        Self { reason, event_id: refused.event_id }
    }
}

impl Serialize for TurnDiagnostic {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let mut diagnostic = serializer.serialize_map(None)?;
        diagnostic.serialize_entry("code", self.code())?;
        diagnostic.serialize_entry("message", &alloc::format!("{self}"))?;
        diagnostic.serialize_entry("retryable", &false)?;
        if let Some(event_id) = &self.event_id {
            diagnostic.serialize_entry("eventId", event_id)?;
        }
        diagnostic.end()
    }
}
