//! What SQLite says, as what a store says.

use answerplane_store::{Fault, ReadError, ReplaceError, StoreError};
use rusqlite::ErrorCode;
use rusqlite::ffi::SQLITE_IOERR_SHMSIZE;

/// Why something could not be done in a database.
#[derive(Debug)]
pub(crate) struct Failure(StoreError);

impl Failure {
    /// What is stored cannot be what was written.
    pub(crate) fn damaged(why: &'static str) -> Self {
        Self(StoreError::new(Fault::Damaged, why))
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        let fault = match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Fault::TimedOut,
            Some(ErrorCode::DiskFull) => Fault::Full,
            // There is no room for the index of the log.
            _ if extended(&error) == Some(SQLITE_IOERR_SHMSIZE) => Fault::Full,
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Fault::ReadOnly,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::TypeMismatch) => {
                Fault::Damaged
            }
            Some(ErrorCode::TooBig) => Fault::TooLarge,
            _ => Fault::Unavailable,
        };
        Self(StoreError::new(fault, error))
    }
}

fn extended(error: &rusqlite::Error) -> Option<i32> {
    error.sqlite_error().map(|error| error.extended_code)
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self(fault.into())
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self(error)
    }
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> Self {
        failure.0
    }
}

impl From<Failure> for ReadError {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure.0)
    }
}

/// What went wrong before anything was to be made lasting.
impl From<Failure> for ReplaceError {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure.0)
    }
}

/// What has become of a transaction whose COMMIT failed.
///
/// It certainly did not happen where SQLite refused before it wrote (busy, read-only, a limit), and where the disk was
/// full: then a part of what it had to write is missing, and a transaction in the log counts only with all its parts.
/// After any other error, say of a flush, the log may hold it whole, and a restart would find it.
pub(crate) fn of_commit(error: rusqlite::Error) -> ReplaceError {
    let is_certain = matches!(
        error.sqlite_error_code(),
        Some(
            ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::DiskFull
                | ErrorCode::ReadOnly
                | ErrorCode::ConstraintViolation
        )
    );
    let error = Failure::from(error).0;
    if is_certain { ReplaceError::Failed(error) } else { ReplaceError::Unknown(error) }
}
