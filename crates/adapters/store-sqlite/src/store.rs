//! The port on SQLite.

use std::ops::Range;
use std::path::PathBuf;

use answerplane_store::{
    Document, Expected, Fault, Key, KeyPrefix, MAX_WRITE_BYTES, ReadError, ReplaceError, Store, StoreError,
    Version, Write,
};
use async_trait::async_trait;

use crate::options::SqliteOptions;
use crate::worker::{Undone, Workers, apart};
use crate::{reading, schema, writing};

/// A store in one SQLite file. Several processes may have it open at once.
///
/// Its threads end when it is dropped; a call whose future was dropped may still have its effect until then.
///
/// ```
/// use answerplane_store::{Expected, Key, Store, Write};
/// use answerplane_store_sqlite::SqliteStore;
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("chat.db");
/// let store = SqliteStore::open(path).await?;
/// let key = Key::new(["session", "docs", "visitor-17"])?;
/// let now = 1_780_000_000_000;
///
/// let version = store.replace(&key, Expected::Absent, Write::new("a head"), now).await?;
/// store.replace(&key, Expected::At(version), Write::new("another head"), now).await?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SqliteStore {
    pub(crate) options: SqliteOptions,
    pub(crate) writer: Workers,
    readers: Workers,
}

impl SqliteStore {
    /// Opens a file as [`SqliteOptions::new`] says.
    ///
    /// # Errors
    /// Those of [`SqliteOptions::open`].
    pub async fn open(path: impl Into<PathBuf>) -> Result<Self, StoreError> {
        SqliteOptions::new(path).open().await
    }

    pub(crate) async fn open_with(options: SqliteOptions) -> Result<Self, StoreError> {
        apart(move || {
            let writer = schema::open(&options)?;
            let readers =
                (0..options.readers).map(|_| schema::open_reader(&options)).collect::<Result<_, _>>()?;
            let writer = Workers::start(vec![writer], options.timeout)?;
            let readers = Workers::start(readers, options.timeout)?;
            Ok(Self { options, writer, readers })
        })
        .await
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn load(&self, key: &Key, now: i64) -> Result<Option<Document>, StoreError> {
        let key = key.to_bytes();
        Ok(self.readers.run(move |connection| reading::load(connection, &key, now)).await??)
    }

    async fn replace(
        &self,
        key: &Key,
        expected: Expected,
        write: Write,
        now: i64,
    ) -> Result<Version, ReplaceError> {
        if write.bytes() > MAX_WRITE_BYTES {
            return Err(ReplaceError::Failed(Fault::TooLarge.into()));
        }
        let key = key.to_bytes();
        self.writer
            .run(move |connection| writing::replace(connection, &key, expected, &write, now))
            .await
            .unwrap_or_else(|undone| Err(unwritten(undone)))
    }

    async fn read(
        &self,
        key: &Key,
        birth: Version,
        journal: &str,
        range: Range<u64>,
        now: i64,
    ) -> Result<Vec<Vec<u8>>, ReadError> {
        let (key, journal, birth) = (key.to_bytes(), journal.to_owned(), writing::number(birth));
        self.readers
            .run(move |connection| reading::read(connection, &key, birth, &journal, &range, now))
            .await
            .unwrap_or_else(|undone| Err(StoreError::from(undone).into()))
    }

    async fn delete(&self, key: &Key, expected: Version, now: i64) -> Result<(), ReplaceError> {
        let key = key.to_bytes();
        self.writer
            .run(move |connection| writing::delete(connection, &key, expected, now))
            .await
            .unwrap_or_else(|undone| Err(unwritten(undone)))
    }

    async fn list(
        &self,
        prefix: &KeyPrefix,
        after: Option<&Key>,
        limit: usize,
        now: i64,
    ) -> Result<Vec<Key>, StoreError> {
        let (prefix, after) = (prefix.clone(), after.cloned());
        let list = move |connection: &_| reading::list(connection, &prefix, after.as_ref(), limit, now);
        Ok(self.readers.run(list).await??)
    }

    async fn purge(&self, now: i64, limit: usize) -> Result<usize, StoreError> {
        match self.writer.run(move |connection| writing::purge(connection, now, limit)).await? {
            Ok(purged) => Ok(purged),
            Err(ReplaceError::Failed(error) | ReplaceError::Unknown(error)) => Err(error),
            Err(ReplaceError::Conflict) => Ok(0),
        }
    }
}

fn unwritten(undone: Undone) -> ReplaceError {
    match undone {
        Undone::NotBegun(error) => ReplaceError::Failed(error),
        Undone::Lost => ReplaceError::Unknown(Fault::Unavailable.into()),
    }
}
