//! What is reported of refused content.

use crate::diagnostic::write_diagnostic;

/// Why ordered content was refused. Never holds any of the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum ContentDiagnostic {
    /// It does not begin as ordered content does.
    #[error("Assistant content envelope is invalid.")]
    InvalidHeader,
    /// It begins as ordered content of another version does.
    #[error("Assistant content envelope uses an unsupported version.")]
    UnsupportedVersion,
    /// It has more bytes than are allowed.
    #[error("Assistant content envelope exceeds its safety limit.")]
    TooManyBytes,
    /// It has more records than are allowed.
    #[error("Assistant content envelope exceeds its record limit.")]
    TooManyRecords,
    /// A line is no record.
    #[error("Assistant content record is invalid.")]
    InvalidRecord,
}

impl ContentDiagnostic {
    /// Every reason.
    pub const ALL: &'static [Self] = &[
        Self::InvalidHeader,
        Self::UnsupportedVersion,
        Self::TooManyBytes,
        Self::TooManyRecords,
        Self::InvalidRecord,
    ];

    /// The stable code of the reason; several reasons share one.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::InvalidHeader | Self::InvalidRecord => "ASSISTANT_CONTENT_INVALID_RECORD",
            Self::UnsupportedVersion => "ASSISTANT_CONTENT_UNSUPPORTED_VERSION",
            Self::TooManyBytes | Self::TooManyRecords => "ASSISTANT_CONTENT_LIMIT_EXCEEDED",
        }
    }
}

write_diagnostic!(ContentDiagnostic);
