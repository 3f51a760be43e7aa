//! What is reported of a refused session snapshot.

use crate::diagnostic::write_diagnostic;
use crate::document::{Refusal, Refused};

/// Why a session snapshot was refused. Never holds any of the snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum SessionDiagnostic {
    /// The text is not JSON, or holds a text that UTF-8 cannot.
    #[error("Session snapshot is not valid JSON.")]
    NotJson,
    /// The snapshot breaks a rule of its schema.
    #[error("Session snapshot payload is invalid.")]
    Invalid,
    /// The snapshot is of a version that cannot be read.
    #[error("Session snapshot uses an unsupported version.")]
    UnsupportedVersion,
}

impl SessionDiagnostic {
    /// Every reason.
    pub const ALL: &'static [Self] = &[Self::NotJson, Self::Invalid, Self::UnsupportedVersion];

    /// The stable code of the reason; several reasons share one.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotJson | Self::Invalid => "SESSION_INVALID_SNAPSHOT",
            Self::UnsupportedVersion => "SESSION_UNSUPPORTED_VERSION",
        }
    }
}

impl From<Refused> for SessionDiagnostic {
    fn from(refused: Refused) -> Self {
        match refused.why {
            Refusal::NotJson => Self::NotJson,
            Refusal::UnsupportedVersion => Self::UnsupportedVersion,
            Refusal::TooLarge | Refusal::UnknownKind | Refusal::Invalid => Self::Invalid,
        }
    }
}

write_diagnostic!(SessionDiagnostic);
