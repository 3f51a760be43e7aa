//! What time it is.

use std::time::{SystemTime, UNIX_EPOCH};

use answerplane_protocol::Timestamp;

/// A clock. A host that has another source of time than the system, or a test, brings its own.
pub trait Clock: Send + Sync {
    /// The present moment.
    fn now(&self) -> Timestamp;
}

/// The system's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}
