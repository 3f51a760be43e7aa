//! What PostgreSQL says, as what a store says.

use std::error::Error as _;

use answerplane_store::{Fault, ReplaceError, StoreError};
use deadpool_postgres::PoolError;
use tokio_postgres::Error;
use tokio_postgres::error::{DbError, Severity, SqlState};

/// What is the matter. Of what the server said only the code and the first line are kept: what may follow quotes values.
pub(crate) fn of(error: &Error) -> StoreError {
    match error.as_db_error() {
        Some(said) => {
            StoreError::new(fault(said), format!("SQLSTATE {}: {}", said.code().code(), said.message()))
        }
        None => {
            let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
            StoreError::new(Fault::Unavailable, format!("{error}{cause}"))
        }
    }
}

fn fault(said: &DbError) -> Fault {
    match *said.code() {
        SqlState::DISK_FULL | SqlState::SEQUENCE_GENERATOR_LIMIT_EXCEEDED => Fault::Full,
        SqlState::READ_ONLY_SQL_TRANSACTION => Fault::ReadOnly,
        SqlState::QUERY_CANCELED | SqlState::LOCK_NOT_AVAILABLE => Fault::TimedOut,
        SqlState::DATA_CORRUPTED | SqlState::INDEX_CORRUPTED => Fault::Damaged,
        _ => Fault::Unavailable,
    }
}

/// What has become of a statement that was sent, and gave an error.
///
/// PostgreSQL reports an error of the severity ERROR only for a transaction that it takes back. Where the session ends
/// (FATAL), or where nothing was heard, it may be done already.
pub(crate) fn of_write(error: &Error) -> ReplaceError {
    let is_taken_back =
        error.as_db_error().is_some_and(|said| said.parsed_severity() == Some(Severity::Error));
    if is_taken_back { ReplaceError::Failed(of(error)) } else { ReplaceError::Unknown(of(error)) }
}

/// Why there is no connection.
pub(crate) fn of_pool(error: PoolError) -> StoreError {
    match error {
        PoolError::Backend(error) => of(&error),
        PoolError::Timeout(_) => Fault::TimedOut.into(),
        other => StoreError::new(Fault::Unavailable, other.to_string()),
    }
}

/// What is stored cannot be what was written.
pub(crate) fn damaged(why: impl ToString) -> StoreError {
    StoreError::new(Fault::Damaged, why.to_string())
}
