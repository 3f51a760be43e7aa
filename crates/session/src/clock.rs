//! What time it is.

use std::future::{Future, pending};
use std::pin::Pin;
use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use answerplane_protocol::Timestamp;

use crate::panics::caught;

/// A clock. A host that has another source of time than the system, or a test, brings its own.
pub trait Clock: Send + Sync {
    /// The present moment.
    fn now(&self) -> Timestamp;

    /// The time since some moment that stays the same. Unlike [`now`](Self::now) it never goes back or jumps.
    fn elapsed(&self) -> Duration;

    /// Ends when so much has [elapsed](Self::elapsed).
    fn until(&self, elapsed: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>>;
}

/// The system's clock. Waiting needs tokio's timer; where there is none, a wait never ends.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_millis(i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX))
    }

    fn elapsed(&self) -> Duration {
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed()
    }

    fn until(&self, elapsed: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let left = elapsed.saturating_sub(self.elapsed());
        let has_runtime = tokio::runtime::Handle::try_current().is_ok();
        match has_runtime.then(|| caught(|| tokio::time::sleep(left))).flatten() {
            Some(sleep) => Box::pin(sleep),
            None => Box::pin(pending()),
        }
    }
}
