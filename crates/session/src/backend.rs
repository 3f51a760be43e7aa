//! The port to whatever answers a turn.

use std::error::Error;
use std::pin::Pin;

use futures_util::Stream;

use crate::chunk::Chunk;
use crate::request::TurnRequest;

/// The answer of a turn while it comes in. Dropping it cancels the turn.
pub type ChunkStream = Pin<Box<dyn Stream<Item = Result<Chunk, BackendFailed>> + Send>>;

/// Whatever answers a turn: a model, a service, or an [`AnswerPlane`](crate::AnswerPlane) in front of one.
pub trait Backend: Send + Sync {
    /// Begins the answer of a turn. Nothing waits here: connecting belongs to the stream, and so do failures. When the
    /// stream is dropped, whatever still runs for it is cancelled.
    fn answer(&self, request: TurnRequest) -> ChunkStream;
}

/// A backend did not answer, or stopped in the middle. A person is told no more than that; what happened is the
/// [source](Error::source).
#[derive(Debug, thiserror::Error)]
pub enum BackendFailed {
    /// It says so itself.
    #[error("the backend failed")]
    Failed(#[source] Box<dyn Error + Send + Sync>),
    /// It was not asked, since its quota is used up.
    #[error("the quota is used up")]
    QuotaExceeded,
    /// It panicked, which was caught.
    #[error("the backend panicked")]
    Panicked,
}

impl BackendFailed {
    /// A failure with its cause.
    pub fn new(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Failed(cause.into())
    }

    /// A stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Failed(_) => "BACKEND_FAILED",
            Self::QuotaExceeded => "QUOTA_EXCEEDED",
            Self::Panicked => "BACKEND_PANICKED",
        }
    }
}
