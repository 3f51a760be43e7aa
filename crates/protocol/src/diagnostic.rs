//! What is reported of a refused document.

use crate::document::{Refusal, Refused};

/// Why a site configuration, an artifact or an answer was refused.
///
/// The text of each reason is fixed; nothing of the document, nor of a parser's own message, is ever in it.
/// On the wire a diagnostic is `{ code, message, retryable: false }` (`docs/protocol/artifact.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum DeterministicDiagnostic {
    /// The text is not JSON, or holds a text that UTF-8 cannot.
    #[error("Deterministic payload is not valid JSON.")]
    NotJson,
    /// The document breaks a rule of its schema.
    #[error("Deterministic payload is invalid.")]
    Invalid,
    /// The document is of another version of its protocol.
    #[error("Deterministic payload uses an unsupported version.")]
    UnsupportedVersion,
    /// The document has more bytes than its protocol allows.
    #[error("Deterministic payload exceeds its safety limit.")]
    LimitExceeded,
    /// The hash or the site that the caller trusts is missing or malformed.
    #[error("Trusted deterministic artifact configuration is invalid.")]
    InvalidTrust,
    /// The artifact declares another hash than the expected one.
    #[error("Deterministic artifact does not match the configured content hash.")]
    UnexpectedHash,
    /// The artifact belongs to another site than the expected one.
    #[error("Deterministic artifact belongs to a different site.")]
    ForeignSite,
    /// The content of the artifact does not have the hash that it declares.
    #[error("Deterministic artifact content does not match its SHA-256 hash.")]
    HashMismatch,
}

impl DeterministicDiagnostic {
    /// Every reason.
    pub const ALL: &'static [Self] = &[
        Self::NotJson,
        Self::Invalid,
        Self::UnsupportedVersion,
        Self::LimitExceeded,
        Self::InvalidTrust,
        Self::UnexpectedHash,
        Self::ForeignSite,
        Self::HashMismatch,
    ];

    /// The stable code of the reason; several reasons share one.
    ///
    /// ```
    /// use answerplane_protocol::{DeterministicDiagnostic, SiteConfig};
    ///
    /// let refused = SiteConfig::decode("{").unwrap_err();
    /// assert_eq!(refused, DeterministicDiagnostic::NotJson);
    /// assert_eq!(refused.code(), "DETERMINISTIC_INVALID_PAYLOAD");
    /// ```
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotJson | Self::Invalid | Self::InvalidTrust | Self::ForeignSite => {
                "DETERMINISTIC_INVALID_PAYLOAD"
            }
            Self::UnsupportedVersion => "DETERMINISTIC_UNSUPPORTED_VERSION",
            Self::LimitExceeded => "DETERMINISTIC_LIMIT_EXCEEDED",
            Self::UnexpectedHash | Self::HashMismatch => "DETERMINISTIC_HASH_MISMATCH",
        }
    }
}

impl From<Refused> for DeterministicDiagnostic {
    fn from(refused: Refused) -> Self {
        match refused.why {
            Refusal::TooLarge => Self::LimitExceeded,
            Refusal::NotJson => Self::NotJson,
            Refusal::UnsupportedVersion => Self::UnsupportedVersion,
            Refusal::UnknownKind | Refusal::Invalid => Self::Invalid,
        }
    }
}

/// Writes a reason as `{ code, message, retryable: false }`.
macro_rules! write_diagnostic {
    ($name:ident) => {
        impl serde::Serialize for $name {
            fn serialize<Z: serde::Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
                use serde::ser::SerializeStruct as _;
                let mut diagnostic = serializer.serialize_struct("Diagnostic", 3)?;
                diagnostic.serialize_field("code", self.code())?;
                diagnostic.serialize_field("message", &alloc::format!("{self}"))?;
                diagnostic.serialize_field("retryable", &false)?;
                diagnostic.end()
            }
        }
    };
}

pub(crate) use write_diagnostic;

write_diagnostic!(DeterministicDiagnostic);
