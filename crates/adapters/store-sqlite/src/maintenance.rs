//! Backup, and leaving nothing of what was deleted.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use answerplane_store::{Fault, StoreError};
use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use crate::failure::Failure;
use crate::schema;
use crate::store::SqliteStore;
use crate::worker::apart;

impl SqliteStore {
    /// Copies the store as it is at one moment to another file, while calls go on. The file is there whole or not at all.
    /// One that is there already is left alone, and an error: its log beside it would become a part of the copy.
    ///
    /// A store that was restored from it must not give out versions again that were given out after the copy: raise the
    /// counter, as `docs/stores.md` says, before anybody uses it.
    ///
    /// ```
    /// use answerplane_store_sqlite::SqliteStore;
    ///
    /// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
    /// # let folder = tempfile::tempdir()?;
    /// # let folder = folder.path();
    /// let store = SqliteStore::open(folder.join("chat.db")).await?;
    /// store.backup(folder.join("backup.db")).await?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`StoreError`] where the copy could not be made.
    pub async fn backup(&self, to: impl Into<PathBuf>) -> Result<(), StoreError> {
        let (options, to) = (self.options.clone(), to.into());
        apart(move || {
            let unavailable = |error| StoreError::new(Fault::Unavailable, error);
            let to = std::path::absolute(to).map_err(unavailable)?;
            if to.exists() || beside(&to, "-wal").exists() {
                return Err(StoreError::new(Fault::Unavailable, "the file is there already"));
            }
            let partial = beside(&to, ".partial");
            let _ = std::fs::remove_file(&partial);
            let copied = schema::open_reader(&options)
                .and_then(|from| copy(&from, &partial).map_err(StoreError::from));
            let copied = copied.and_then(|()| std::fs::rename(&partial, &to).map_err(unavailable));
            if copied.is_err() {
                let _ = std::fs::remove_file(&partial);
            }
            copied
        })
        .await
    }

    /// Writes the file anew with only what is in it, and empties the log beside it. Then the two hold no byte of what was
    /// deleted, cut or purged before.
    ///
    /// Writes wait meanwhile, and so does this for readers in other processes: [`Fault::TimedOut`] where they take too
    /// long, and then call it again.
    ///
    /// # Errors
    /// [`StoreError`] where it could not be done, or not all of it.
    pub async fn vacuum(&self) -> Result<(), StoreError> {
        Ok(self.writer.run(vacuum).await??)
    }
}

fn vacuum(connection: &Connection) -> Result<(), Failure> {
    connection.execute_batch("VACUUM")?;
    let is_busy: bool = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    if is_busy { Err(Fault::TimedOut.into()) } else { Ok(()) }
}

fn copy(from: &Connection, to: &Path) -> Result<(), Failure> {
    let mut to = Connection::open(to)?;
    // All of it in one step, which reads one moment and does not hold up who writes.
    let copied = Backup::new(from, &mut to)?.step(-1)?;
    let is_done = matches!(copied, StepResult::Done);
    to.close().map_err(|(_, error)| error)?;
    if is_done { Ok(()) } else { Err(Fault::TimedOut.into()) }
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name: OsString = path.into();
    name.push(suffix);
    name.into()
}
