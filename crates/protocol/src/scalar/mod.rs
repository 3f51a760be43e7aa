//! Scalars whose types prove their rule: once one exists, nobody checks it again.

mod content_hash;
mod date_time;
mod identifier;
mod name;
mod safe_link;
mod text;

pub use content_hash::ContentHash;
pub use date_time::{DateTime, Timestamp, UtcTime};
pub use identifier::Identifier;
pub use name::{ComponentKey, DiagnosticCode, EventName};
pub use safe_link::SafeLink;
pub use text::{BoundedText, FreeText, NotBlank, TrimmedText};

/// Why a text is not the scalar it should be. Never holds any of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum InvalidScalar {
    /// Not an [`Identifier`].
    #[error("not an identifier: 1 to 128 of A-Z a-z 0-9 . _ : -, beginning with a letter or digit")]
    Identifier,
    /// Not a [`ContentHash`].
    #[error("not a content hash: sha256: and 64 lower-case hexadecimal digits")]
    ContentHash,
    /// Not a [`DateTime`].
    #[error("not a date-time: YYYY-MM-DDTHH:MM[:SS[.fraction]] on a real day, with Z or an offset")]
    DateTime,
    /// Not a [`SafeLink`].
    #[error("not a safe link: a path that begins with one /, or an http or https URL without credentials")]
    SafeLink,
    /// Not a [`UtcTime`].
    #[error("not a time in UTC: YYYY-MM-DDTHH:MM:SS.mmmZ on a real day")]
    UtcTime,
    /// Not a [`ComponentKey`].
    #[error("not a component key: 1 to 64 of a-z 0-9 -, beginning with a letter")]
    ComponentKey,
    /// Not an [`EventName`].
    #[error("not an event name: 1 to 64 of a-z 0-9 -, beginning with a letter")]
    EventName,
    /// Not a [`DiagnosticCode`].
    #[error("not a diagnostic code: A-Z 0-9 _, beginning with a letter")]
    DiagnosticCode,
    /// Nothing but white space.
    #[error("a text that is not blank is needed")]
    Blank,
    /// Too short or too long for a [`BoundedText`] or [`TrimmedText`].
    #[error("a text of {min} to {max} UTF-16 units is needed")]
    Text {
        /// The least number of UTF-16 units.
        min: usize,
        /// The greatest number of UTF-16 units.
        max: usize,
    },
}

impl InvalidScalar {
    /// The stable code of the reason.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Identifier => "SCALAR_IDENTIFIER",
            Self::ContentHash => "SCALAR_CONTENT_HASH",
            Self::DateTime => "SCALAR_DATE_TIME",
            Self::SafeLink => "SCALAR_SAFE_LINK",
            Self::UtcTime => "SCALAR_UTC_TIME",
            Self::ComponentKey => "SCALAR_COMPONENT_KEY",
            Self::EventName => "SCALAR_EVENT_NAME",
            Self::DiagnosticCode => "SCALAR_DIAGNOSTIC_CODE",
            Self::Blank => "SCALAR_BLANK",
            Self::Text { .. } => "SCALAR_TEXT",
        }
    }

    /// One value for each code, for documentation and tests.
    pub const ALL: &'static [Self] = &[
        Self::Identifier,
        Self::ContentHash,
        Self::DateTime,
        Self::SafeLink,
        Self::UtcTime,
        Self::ComponentKey,
        Self::EventName,
        Self::DiagnosticCode,
        Self::Blank,
        Self::Text { min: 1, max: 256 },
    ];
}
