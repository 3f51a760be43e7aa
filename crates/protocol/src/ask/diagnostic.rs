//! What an Ask service reports, and what it measures.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::document::Refused;
use crate::wire::wire_enum;

/// Why an Ask service gives no answer. Never holds any of the request.
///
/// On the wire `{ version: 1, code, message, retryable }` before the answer has begun, and an error record after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum AskDiagnostic {
    /// The request breaks a rule of its schema, or is too large.
    #[error("The request is not a valid Ask request.")]
    InvalidRequest,
    /// Nobody is known to have sent the request.
    #[error("The request is not authenticated.")]
    Unauthorized,
    /// Whoever sent the request may not ask this here.
    #[error("The request is not allowed here.")]
    Forbidden,
    /// There have been too many requests.
    #[error("Too many requests. Try again later.")]
    RateLimited,
    /// A step took too long.
    #[error("The answer took too long.")]
    Timeout,
    /// Whoever asked went away.
    #[error("The request was cancelled.")]
    Cancelled,
    /// Sources could not be looked for.
    #[error("Sources could not be retrieved.")]
    RetrievalFailed,
    /// Nothing was found that an answer could rest on.
    #[error("No source supports an answer.")]
    NoGroundedSources,
    /// The answer could not be written.
    #[error("The answer could not be generated.")]
    GenerationFailed,
    /// The session has changed, or another turn of it is running.
    #[error("The session was changed by another request.")]
    PersistenceConflict,
    /// Something else.
    #[error("The request failed.")]
    Internal,
}

impl AskDiagnostic {
    /// Every reason.
    pub const ALL: &'static [Self] = &[
        Self::InvalidRequest,
        Self::Unauthorized,
        Self::Forbidden,
        Self::RateLimited,
        Self::Timeout,
        Self::Cancelled,
        Self::RetrievalFailed,
        Self::NoGroundedSources,
        Self::GenerationFailed,
        Self::PersistenceConflict,
        Self::Internal,
    ];

    /// The stable code of the reason.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::InvalidRequest => "ASK_INVALID_REQUEST",
            Self::Unauthorized => "ASK_UNAUTHORIZED",
            Self::Forbidden => "ASK_FORBIDDEN",
            Self::RateLimited => "ASK_RATE_LIMITED",
            Self::Timeout => "ASK_TIMEOUT",
            Self::Cancelled => "ASK_CANCELLED",
            Self::RetrievalFailed => "ASK_RETRIEVAL_FAILED",
            Self::NoGroundedSources => "ASK_NO_GROUNDED_SOURCES",
            Self::GenerationFailed => "ASK_GENERATION_FAILED",
            Self::PersistenceConflict => "ASK_PERSISTENCE_CONFLICT",
            Self::Internal => "ASK_INTERNAL",
        }
    }

    /// Whether the same request may succeed another time.
    #[must_use]
    pub const fn is_retryable(self) -> bool {
        match self {
            Self::RateLimited
            | Self::Timeout
            | Self::RetrievalFailed
            | Self::GenerationFailed
            | Self::PersistenceConflict
            | Self::Internal => true,
            Self::InvalidRequest
            | Self::Unauthorized
            | Self::Forbidden
            | Self::Cancelled
            | Self::NoGroundedSources => false,
        }
    }
}

impl From<Refused> for AskDiagnostic {
    fn from(_: Refused) -> Self {
        Self::InvalidRequest
    }
}

impl Serialize for AskDiagnostic {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let mut diagnostic = serializer.serialize_struct("Diagnostic", 4)?;
        diagnostic.serialize_field("version", &1)?;
        diagnostic.serialize_field("code", self.code())?;
        diagnostic.serialize_field("message", &alloc::format!("{self}"))?;
        diagnostic.serialize_field("retryable", &self.is_retryable())?;
        diagnostic.end()
    }
}

wire_enum! {
    /// What an Ask service measures; never any content.
    pub enum AskMetric {
        /// How long a request took, in milliseconds.
        RequestTotal = "request.total_ms",
        /// How long until the first record, in milliseconds.
        FirstEvent = "stream.first_event_ms",
        /// How long until the first text, in milliseconds.
        FirstToken = "stream.first_token_ms",
        /// How many bytes were sent.
        StreamBytes = "stream.bytes",
        /// How many records were sent.
        StreamEvents = "stream.events",
        /// How often a declared answer was missing.
        Fallback = "deterministic.fallback",
        /// How long looking for sources took, in milliseconds.
        RetrievalTotal = "retrieval.total_ms",
        /// How many sources were found.
        RetrievalDocuments = "retrieval.documents",
        /// How long saving took, in milliseconds.
        PersistenceTotal = "persistence.total_ms",
        /// How often whoever asked went away.
        Cancellations = "cancellation.count",
        /// How often a session had been changed.
        Conflicts = "conflict.count",
        /// How often there was no answer.
        Errors = "error.count",
        /// How many tokens were read.
        InputTokens = "usage.input_tokens",
        /// How many tokens were written.
        OutputTokens = "usage.output_tokens",
        /// How many tokens there were together.
        TotalTokens = "usage.total_tokens",
        /// What it cost, in US dollars.
        Cost = "cost.usd",
    }
}
