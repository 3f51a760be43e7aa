//! How a file is opened.

use std::path::PathBuf;
use std::time::Duration;

use answerplane_store::StoreError;

use crate::store::SqliteStore;

/// The longest time limit.
const DAY: Duration = Duration::from_secs(86_400);

/// What an acknowledged write outlives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// A loss of power too: each write is flushed to the disk before it is acknowledged (`synchronous=FULL`).
    #[default]
    Full,
    /// The end of the process, also by force. A loss of power can take back the last writes, acknowledged ones too
    /// (`synchronous=NORMAL`); the file stays whole. What the contract promises then holds only without such a loss.
    Normal,
}

/// How a file is opened.
///
/// ```
/// use std::time::Duration;
/// use answerplane_store_sqlite::{Durability, SqliteOptions};
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("chat.db");
/// let options = SqliteOptions::new(path).timeout(Duration::from_secs(2)).durability(Durability::Normal);
/// let store = options.open().await?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SqliteOptions {
    pub(crate) path: PathBuf,
    pub(crate) durability: Durability,
    pub(crate) timeout: Duration,
    pub(crate) readers: usize,
}

impl SqliteOptions {
    /// A file that is made where there is none, with [`Durability::Full`], a time limit of five seconds, and two
    /// readers.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), durability: Durability::Full, timeout: Duration::from_secs(5), readers: 2 }
    }

    /// What an acknowledged write outlives.
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }

    /// How long a call may wait for its turn, and for other processes that use the file: at most a day.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout.min(DAY);
        self
    }

    /// How many threads read at once, at least one. Another one writes.
    #[must_use]
    pub fn readers(mut self, readers: usize) -> Self {
        self.readers = readers.max(1);
        self
    }

    /// Opens the file, makes what it needs, and brings an older one up to date.
    ///
    /// # Errors
    /// [`StoreError`] where that cannot be done, with [`Fault::TooNew`](answerplane_store::Fault::TooNew) where a newer
    /// release has written it.
    pub async fn open(self) -> Result<SqliteStore, StoreError> {
        SqliteStore::open_with(self).await
    }
}
