//! Why an operation of a session was not done.

use answerplane_store::{Fault, StoreError};

use crate::backend::BackendFailed;
use crate::conversation::Unsavable;
use crate::snapshot_session::NotResumable;

/// Why an operation of a session was not done. Except for [`OutcomeUnknown`](Self::OutcomeUnknown) it has changed nothing; a turn
/// that ran here may have been stopped for it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// Another's turn is running, or this very turn. Nothing was asked of any backend.
    #[error("another turn is running")]
    Busy,
    /// The session has moved on since the cursor that the caller names.
    #[error("the session has moved on")]
    CursorStale,
    /// The session that was opened is gone. Going on takes a new `open`.
    #[error("the session was erased")]
    Erased,
    /// Whether it happened could not be learned. The session's next operation finds out.
    #[error("whether it happened is unknown")]
    OutcomeUnknown,
    /// The store could not do it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What is stored is no session of this version of the format.
    #[error("what is stored is no session that can be read")]
    Damaged,
    /// What is stored is the session of another definition, or its decisions do not replay.
    #[error("{0}")]
    NotResumable(#[from] NotResumable),
    /// The store takes no key of this session id and namespace.
    #[error("the session's id and namespace make no key")]
    InvalidKey,
    /// There is no randomness to be had for an id.
    #[error("no random id can be drawn")]
    NoId,
    /// What was said is blank.
    #[error("nothing was said")]
    Blank,
    /// What was said has more than 16,384 UTF-16 code units.
    #[error("what was said has more than 16384 UTF-16 code units")]
    TooLong,
    /// A message has this id already.
    #[error("a message has this id already")]
    MessageIdUsed,
    /// A turn has this id, and something else was said in it.
    #[error("another turn has this id")]
    TurnIdUsed,
    /// No message of the history that is shown has this id, or it is none of those that the operation is about.
    #[error("there is no such message")]
    UnknownMessage,
    /// No node that is kept has this number.
    #[error("there is no such node")]
    UnknownNode,
    /// There is no turn to be retried, or what was said in it is gone or already in the history.
    #[error("there is nothing to retry")]
    NothingToRetry,
    /// The choice was not offered here, not like this, or somebody has taken one already.
    #[error("the choice is not offered")]
    ChoiceUnavailable,
    /// The frame is none that this session offers choices in.
    #[error("the frame offers no choices of this session")]
    NotOurs,
    /// The definition has no conversation, or what is asked for cannot be written as a snapshot.
    #[error("{0}")]
    Unsavable(#[from] Unsavable),
}

impl SessionError {
    /// A stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Busy => "SESSION_BUSY",
            Self::CursorStale => "SESSION_CONFLICT",
            Self::Erased => "SESSION_ERASED",
            Self::OutcomeUnknown => "SESSION_OUTCOME_UNKNOWN",
            Self::Store(error) => error.fault().code(),
            Self::Damaged => "SESSION_DAMAGED",
            Self::NotResumable(reason) => reason.code(),
            Self::InvalidKey => "SESSION_INVALID_KEY",
            Self::NoId => "SESSION_NO_ID",
            Self::Blank => "SESSION_BLANK",
            Self::TooLong => "SESSION_TOO_LONG",
            Self::MessageIdUsed => "SESSION_MESSAGE_ID_USED",
            Self::TurnIdUsed => "SESSION_TURN_ID_USED",
            Self::UnknownMessage => "SESSION_UNKNOWN_MESSAGE",
            Self::UnknownNode => "SESSION_UNKNOWN_NODE",
            Self::NothingToRetry => "SESSION_NOTHING_TO_RETRY",
            Self::ChoiceUnavailable => "SESSION_CHOICE_UNAVAILABLE",
            Self::NotOurs => "SESSION_NOT_OURS",
            Self::Unsavable(reason) => reason.code(),
        }
    }
}

impl From<Fault> for SessionError {
    fn from(fault: Fault) -> Self {
        Self::Store(fault.into())
    }
}

/// Why the stream of a turn did not end well. What had been streamed is kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TurnError {
    /// The backend failed.
    #[error("{0}")]
    Backend(#[from] BackendFailed),
    /// The answer took longer than a turn may.
    #[error("the turn took too long")]
    DeadlinePassed,
    /// The answer is longer than 1,048,576 bytes.
    #[error("the answer is longer than 1048576 bytes")]
    AnswerTooLong,
    /// The route or the backend failed; the stream says no more than it was told.
    #[error("the answer failed")]
    Failed,
    /// A route's answer, or its name, cannot be saved.
    #[error("{0}")]
    Unsavable(#[from] Unsavable),
    /// The turn's lease had ended, and somebody has gone on without it. Its answer is not kept.
    #[error("the turn was given up")]
    Indeterminate,
    /// The turn's record could not be written yet. Asking for the next chunk tries again, and so does every other operation of
    /// the session here that uses the store.
    #[error("{0}")]
    Record(#[from] SessionError),
}

impl TurnError {
    /// A stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Backend(failed) => failed.code(),
            Self::DeadlinePassed => "TURN_DEADLINE_PASSED",
            Self::AnswerTooLong => "TURN_ANSWER_TOO_LONG",
            Self::Failed => "TURN_FAILED",
            Self::Unsavable(reason) => reason.code(),
            Self::Indeterminate => "TURN_INDETERMINATE",
            Self::Record(error) => error.code(),
        }
    }
}
