//! Why a store did not do what it was asked.

use std::error::Error;

/// The store could not do it. What the database said is the [source](Error::source).
#[derive(Debug, thiserror::Error)]
#[error("{fault}")]
pub struct StoreError {
    fault: Fault,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl StoreError {
    /// An error with what the database said.
    pub fn new(fault: Fault, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { fault, source: Some(source.into()) }
    }

    /// What is the matter.
    #[must_use]
    pub const fn fault(&self) -> Fault {
        self.fault
    }
}

impl From<Fault> for StoreError {
    fn from(fault: Fault) -> Self {
        Self { fault, source: None }
    }
}

/// What is the matter with a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// It cannot be reached, or refuses to work.
    #[error("the store is unavailable")]
    Unavailable,
    /// It did not answer in time.
    #[error("the store did not answer in time")]
    TimedOut,
    /// It has no room left.
    #[error("the store is full")]
    Full,
    /// It can only be read.
    #[error("the store is read-only")]
    ReadOnly,
    /// What is stored cannot be what was written.
    #[error("the store is damaged")]
    Damaged,
    /// It was written by a newer release of this program, which keeps it in another way.
    #[error("the store was written by a newer release")]
    TooNew,
    /// A write of more than [`MAX_WRITE_BYTES`](crate::MAX_WRITE_BYTES).
    #[error("the write is larger than 16777216 bytes")]
    TooLarge,
}

impl Fault {
    /// Every fault.
    pub const ALL: [Self; 7] = [
        Self::Unavailable,
        Self::TimedOut,
        Self::Full,
        Self::ReadOnly,
        Self::Damaged,
        Self::TooNew,
        Self::TooLarge,
    ];

    /// A stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Unavailable => "STORE_UNAVAILABLE",
            Self::TimedOut => "STORE_TIMED_OUT",
            Self::Full => "STORE_FULL",
            Self::ReadOnly => "STORE_READ_ONLY",
            Self::Damaged => "STORE_DAMAGED",
            Self::TooNew => "STORE_TOO_NEW",
            Self::TooLarge => "STORE_TOO_LARGE",
        }
    }
}

/// Why a [replace](crate::Store::replace) or a [delete](crate::Store::delete) did not give a definite success.
#[derive(Debug, thiserror::Error)]
pub enum ReplaceError {
    /// The document is not at the expected version. Nothing was written by this call; an earlier one whose outcome is
    /// unknown may have been.
    #[error("the document is at another version")]
    Conflict,
    /// It was certainly not written, and will not be.
    #[error(transparent)]
    Failed(StoreError),
    /// Whether it was written, or still will be, could not be learned. Repeat the same call until it is definite.
    #[error("whether it was written is unknown")]
    Unknown(#[source] StoreError),
}

/// Why records could not be [read](crate::Store::read).
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The document is another one now, or the range begins below what is kept: load it again.
    #[error("the records are gone")]
    Gone,
    /// The store could not read them.
    #[error(transparent)]
    Failed(#[from] StoreError),
}

impl ReplaceError {
    /// A stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Conflict => "STORE_CONFLICT",
            Self::Failed(error) => error.fault.code(),
            Self::Unknown(_) => "STORE_OUTCOME_UNKNOWN",
        }
    }
}

impl ReadError {
    /// A stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Gone => "STORE_GONE",
            Self::Failed(error) => error.fault.code(),
        }
    }
}
