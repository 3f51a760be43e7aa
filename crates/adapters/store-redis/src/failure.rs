//! What Redis says, as what a store says.

use answerplane_store::{Fault, ReplaceError, StoreError};
use redis::{ErrorKind, RedisError};

/// What is the matter. Of what the server said only the first word is kept: what follows may quote values.
pub(crate) fn of(error: &RedisError) -> StoreError {
    match error.code() {
        Some(code) => StoreError::new(fault(code, error.detail()), format!("Redis says {code}")),
        None if matches!(error.kind(), ErrorKind::Parse | ErrorKind::UnexpectedReturnType) => {
            StoreError::new(Fault::Damaged, "Redis answers with something else than what was asked for")
        }
        None => {
            let fault = if error.is_timeout() { Fault::TimedOut } else { Fault::Unavailable };
            StoreError::new(fault, error.to_string())
        }
    }
}

/// Before Redis 7 an error within a script is an `ERR` that quotes the one that it is.
fn fault(code: &str, detail: Option<&str>) -> Fault {
    let said =
        |word: &str| code == word || detail.is_some_and(|detail| detail.contains(&format!("-{word} ")));
    let quotes = |text: &str| detail.is_some_and(|detail| detail.contains(text));
    if said("OOM") || quotes("would overflow") || (said("MISCONF") && quotes("No space left")) {
        Fault::Full
    } else if said("READONLY") {
        Fault::ReadOnly
    } else if said("BUSY") {
        Fault::TimedOut
    } else if said("WRONGTYPE") {
        Fault::Damaged
    } else {
        Fault::Unavailable
    }
}

/// What has become of a script that was sent, and gave an error.
///
/// Where Redis answers with an error, it has refused the script or its first write, and nothing has happened: once a script
/// has written, Redis lets it write on. Where nothing was heard, it may be done already, or may still be.
pub(crate) fn of_write(error: &RedisError) -> ReplaceError {
    if error.code().is_some() { ReplaceError::Failed(of(error)) } else { ReplaceError::Unknown(of(error)) }
}

/// What is stored cannot be what was written.
pub(crate) fn damaged(why: impl ToString) -> StoreError {
    StoreError::new(Fault::Damaged, why.to_string())
}
