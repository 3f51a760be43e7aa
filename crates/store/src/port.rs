//! The storage port.

use std::ops::Range;

use async_trait::async_trait;

use crate::document::{Document, Expected, Version, Write};
use crate::error::{ReadError, ReplaceError, StoreError};
use crate::key::{Key, KeyPrefix};

/// The greatest number of bytes that one write takes, body and records together.
pub const MAX_WRITE_BYTES: usize = 16 << 20;

/// A store of versioned documents with journals hanging on them. Contract: `docs/storage.md`.
///
/// Times are milliseconds since 1970 and the caller's: a store has no clock. What has expired at `now`
/// (`expires_at <= now`) counts as absent in every call; it may be dropped later, never earlier.
///
/// A future that is dropped before it ends may still have its effect, now or later.
///
/// ```
/// use answerplane_store::{Expected, Key, MemoryStore, Store, Write};
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let store = MemoryStore::new();
/// let key = Key::new(["session", "docs", "visitor-17"])?;
/// let now = 1_780_000_000_000;
///
/// let birth = store.replace(&key, Expected::Absent, Write::new("a head"), now).await?;
/// let write = Write::new("another head").append("nodes", ["a message"]);
/// let version = store.replace(&key, Expected::At(birth), write, now).await?;
///
/// let found = store.load(&key, now).await?.expect("it was written");
/// assert_eq!((found.version, found.birth, found.body.as_slice()), (version, birth, &b"another head"[..]));
/// assert_eq!(store.read(&key, birth, "nodes", 0..1, now).await?, [b"a message"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[async_trait]
pub trait Store: Send + Sync {
    /// The document, with what there is of each journal; nothing where it is absent.
    ///
    /// # Errors
    /// [`StoreError`] where the store could not tell.
    async fn load(&self, key: &Key, now: i64) -> Result<Option<Document>, StoreError>;

    /// Writes the document if it is as expected, and gives its new version. Made from nothing, it begins a new life: the
    /// version is its birth, and its journals begin at 0.
    ///
    /// # Errors
    /// [`ReplaceError::Conflict`] where it is not as expected, [`Failed`](ReplaceError::Failed) where it was
    /// certainly not written, [`Unknown`](ReplaceError::Unknown) where that could not be learned.
    async fn replace(
        &self,
        key: &Key,
        expected: Expected,
        write: Write,
        now: i64,
    ) -> Result<Version, ReplaceError>;

    /// The records of a journal with these numbers, as far as there are any.
    ///
    /// # Errors
    /// [`ReadError::Gone`] where the document is absent, has another birth, or keeps no record from so far back;
    /// [`Failed`](ReadError::Failed) where the store could not tell.
    async fn read(
        &self,
        key: &Key,
        birth: Version,
        journal: &str,
        range: Range<u64>,
        now: i64,
    ) -> Result<Vec<Vec<u8>>, ReadError>;

    /// Deletes the document if it is at the expected version, its journals in the same step.
    ///
    /// # Errors
    /// As for [`replace`](Self::replace).
    async fn delete(&self, key: &Key, expected: Version, now: i64) -> Result<(), ReplaceError>;

    /// Up to `limit` keys with this prefix, in their order, from the first one after `after`.
    ///
    /// # Errors
    /// [`StoreError`] where the store could not tell.
    async fn list(
        &self,
        prefix: &KeyPrefix,
        after: Option<&Key>,
        limit: usize,
        now: i64,
    ) -> Result<Vec<Key>, StoreError>;

    /// Removes up to `limit` documents that have expired, and says how many. Fewer than `limit`: there was no other.
    ///
    /// # Errors
    /// [`StoreError`] where the store could not do it, or not all of it.
    async fn purge(&self, now: i64, limit: usize) -> Result<usize, StoreError>;
}
