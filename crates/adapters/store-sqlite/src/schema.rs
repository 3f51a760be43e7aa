//! What the file holds, and how an older one is brought up to date.

use std::path::Path;
use std::time::{Duration, Instant};

use answerplane_store::{Fault, StoreError};
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::failure::Failure;
use crate::options::{Durability, SqliteOptions};

/// What says that a file is one of ours, in its header: "Answ".
const APPLICATION: i64 = 0x416e_7377;

/// The steps from an empty file to the present schema; the file's `user_version` says how many were made. A step that was
/// released is never changed.
const STEPS: [&str; 1] = [include_str!("schema/1.sql")];

/// Opens a connection that reads and writes, and brings the file up to date.
pub(crate) fn open(options: &SqliteOptions) -> Result<Connection, StoreError> {
    let path =
        std::path::absolute(&options.path).map_err(|error| StoreError::new(Fault::Unavailable, error))?;
    prepare(&path, options).map_err(|failure| {
        let error = StoreError::from(failure);
        // SQLite says only that it cannot open such a file.
        if error.fault() == Fault::Unavailable && is_read_only(&path) {
            return StoreError::new(Fault::ReadOnly, error);
        }
        error
    })
}

/// Opens a connection that only reads.
pub(crate) fn open_reader(options: &SqliteOptions) -> Result<Connection, StoreError> {
    let connection = open(options)?;
    connection.execute_batch("PRAGMA query_only = ON").map_err(Failure::from)?;
    Ok(connection)
}

fn prepare(path: &Path, options: &SqliteOptions) -> Result<Connection, Failure> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_EXRESCODE;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(options.timeout.max(Duration::from_millis(1)))?;
    connection.set_prepared_statement_cache_capacity(64);
    let synchronous = match options.durability {
        Durability::Full => "FULL",
        Durability::Normal => "NORMAL",
    };
    connection.execute_batch(&format!("PRAGMA synchronous = {synchronous}; PRAGMA secure_delete = ON"))?;
    if made_at_once(&connection)? < STEPS.len() {
        keep_log(&connection, options.timeout)?;
        connection.execute_batch("BEGIN IMMEDIATE")?;
        let done = migrate(&connection).and_then(|()| Ok(connection.execute_batch("COMMIT")?));
        if done.is_err() && !connection.is_autocommit() {
            let _ = connection.execute_batch("ROLLBACK");
        }
        done?;
    }
    Ok(connection)
}

/// Has what is written go to a log first. SQLite does not wait by itself for another process that does the same.
fn keep_log(connection: &Connection, timeout: Duration) -> Result<(), Failure> {
    let start = Instant::now();
    loop {
        match connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())) {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && start.elapsed() < timeout =>
            {
                std::thread::sleep(Duration::from_millis(5));
            }
            done => return Ok(done?),
        }
    }
}

/// Makes the steps that are missing, within a transaction.
fn migrate(connection: &Connection) -> Result<(), Failure> {
    for step in STEPS.iter().skip(made(connection)?) {
        connection.execute_batch(step)?;
    }
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", STEPS.len() as i64)?;
    Ok(())
}

/// How many steps were made, at one moment: another opener may make them meanwhile.
fn made_at_once(connection: &Connection) -> Result<usize, Failure> {
    connection.execute_batch("BEGIN")?;
    let made = made(connection);
    connection.execute_batch("ROLLBACK")?;
    made
}

/// How many steps were made, within a transaction. An error where the file is no store, or a newer release has written it.
fn made(connection: &Connection) -> Result<usize, Failure> {
    let number = |pragma: &str| connection.query_row(pragma, [], |row| row.get::<_, i64>(0));
    let application = number("PRAGMA application_id")?;
    let tables = number("SELECT count(*) FROM sqlite_schema")?;
    match (application, tables) {
        (APPLICATION, _) => {}
        (0, 0) => return Ok(0),
        _ => return Err(Failure::damaged("the file belongs to another program")),
    }
    match usize::try_from(number("PRAGMA user_version")?) {
        Ok(steps) if steps <= STEPS.len() => Ok(steps),
        Ok(_) => Err(Fault::TooNew.into()),
        Err(_) => Err(Failure::damaged("the file has no schema of this program")),
    }
}

/// Whether this program may not write the file, or may not make one there.
fn is_read_only(path: &Path) -> bool {
    use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    let opened = std::fs::OpenOptions::new().append(true).create(true).open(path);
    opened.is_err_and(|error| matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem))
}
