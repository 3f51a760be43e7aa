//! How a database is connected to.

use std::fmt;
use std::time::Duration;

use answerplane_store::StoreError;

use crate::store::PostgresStore;

/// The longest time limit.
const DAY: Duration = Duration::from_secs(86_400);

/// How a database is connected to.
///
/// ```no_run
/// use std::time::Duration;
/// use answerplane_store_postgres::PostgresOptions;
///
/// # async fn open() -> Result<(), answerplane_store::StoreError> {
/// let options = PostgresOptions::new("postgres://chat@db.example/chat").connections(8).timeout(Duration::from_secs(2));
/// let store = options.open().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct PostgresOptions {
    pub(crate) url: String,
    pub(crate) schema: String,
    pub(crate) connections: usize,
    pub(crate) timeout: Duration,
    pub(crate) certificates: Vec<u8>,
}

impl PostgresOptions {
    /// A database, given as a URL or as `host=… user=…`, in the schema `answerplane`, with ten connections and a time limit of five
    /// seconds.
    ///
    /// A server on another machine has to show a certificate that this one trusts, unless `sslmode=disable` is said; one on this
    /// machine is spoken to in the clear, unless `sslmode=require` is.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            schema: "answerplane".to_owned(),
            connections: 10,
            timeout: Duration::from_secs(5),
            certificates: Vec::new(),
        }
    }

    /// The schema that holds the tables: lower-case letters, digits and `_`. Each is a store of its own.
    #[must_use]
    pub fn schema(mut self, schema: impl Into<String>) -> Self {
        self.schema = schema.into();
        self
    }

    /// How many connections there are at most, at least one.
    #[must_use]
    pub fn connections(mut self, connections: usize) -> Self {
        self.connections = connections.max(1);
        self
    }

    /// How long a call may take, waiting for a connection included: at most a day. The server gives up on a request after as long, so one
    /// that nobody waits for any more cannot have its effect much later.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout.min(DAY);
        self
    }

    /// Certificates in PEM, beside those of the system, that may vouch for the server.
    #[must_use]
    pub fn root_certificates(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.certificates = pem.into();
        self
    }

    /// Connects, makes what is needed, and brings an older schema up to date.
    ///
    /// # Errors
    /// [`StoreError`] where that cannot be done, with [`Fault::TooNew`](answerplane_store::Fault::TooNew) where a newer
    /// release has made the schema.
    pub async fn open(self) -> Result<PostgresStore, StoreError> {
        PostgresStore::open_with(&self).await
    }
}

/// Without the address, which may hold a password.
impl fmt::Debug for PostgresOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresOptions")
            .field("schema", &self.schema)
            .field("connections", &self.connections)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}
