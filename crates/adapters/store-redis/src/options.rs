//! How a server is connected to.

use std::fmt;
use std::time::Duration;

use answerplane_store::StoreError;

use crate::store::RedisStore;

/// The longest time limit.
const DAY: Duration = Duration::from_secs(86_400);

/// How a server is connected to.
///
/// ```no_run
/// use std::time::Duration;
/// use answerplane_store_redis::RedisOptions;
///
/// # async fn open() -> Result<(), answerplane_store::StoreError> {
/// let options = RedisOptions::new("rediss://redis.example/").prefix("support").timeout(Duration::from_secs(2));
/// let store = options.open().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct RedisOptions {
    pub(crate) url: String,
    pub(crate) prefix: String,
    pub(crate) timeout: Duration,
    pub(crate) certificates: Option<Vec<u8>>,
}

impl RedisOptions {
    /// A server, given as `redis://…`, or `rediss://…` for TLS, with the prefix `answerplane` and a time limit of five seconds.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            prefix: "answerplane".to_owned(),
            timeout: Duration::from_secs(5),
            certificates: None,
        }
    }

    /// What every key in Redis begins with: 1 to 64 ASCII letters, digits, `-` and `_`. Each is a store of its own.
    #[must_use]
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// How long a call may take, connecting included: at most a day.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout.min(DAY);
        self
    }

    /// Certificates in PEM that may vouch for the server, in place of those of the system.
    #[must_use]
    pub fn root_certificates(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.certificates = Some(pem.into());
        self
    }

    /// Connects, and makes what is needed.
    ///
    /// # Errors
    /// [`StoreError`] where that cannot be done, with [`Fault::TooNew`](answerplane_store::Fault::TooNew) where a newer
    /// release has written there.
    pub async fn open(self) -> Result<RedisStore, StoreError> {
        RedisStore::open_with(&self).await
    }
}

/// Without the address, which may hold a password.
impl fmt::Debug for RedisOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisOptions")
            .field("prefix", &self.prefix)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}
