//! Replacing, deleting and purging, each in one transaction.

use answerplane_store::{Expected, Fault, ReplaceError, Version, Write};
use rusqlite::{Connection, OptionalExtension, params};

use crate::failure::{Failure, of_commit};
use crate::reading::{bound, version};

pub(crate) fn replace(
    connection: &Connection,
    key: &[u8],
    expected: Expected,
    write: &Write,
    now: i64,
) -> Result<Version, ReplaceError> {
    transaction(connection, || {
        let made = match expected {
            Expected::Absent => make(connection, key, write, now)?,
            Expected::At(expected) => change(connection, key, expected, write, now)?,
        };
        let Some((birth, number)) = made else { return Ok(None) };
        for (journal, records) in write.append.iter().filter(|(_, records)| !records.is_empty()) {
            append(connection, birth, journal, records)?;
        }
        for (journal, below) in &write.cut {
            cut(connection, birth, journal, *below)?;
        }
        version(number).map(Some)
    })
}

pub(crate) fn delete(
    connection: &Connection,
    key: &[u8],
    expected: Version,
    now: i64,
) -> Result<(), ReplaceError> {
    transaction(connection, || {
        let mut statement = connection.prepare_cached(
            "SELECT birth FROM documents
             WHERE key = ?1 AND version = ?2 AND (expires_at IS NULL OR expires_at > ?3)",
        )?;
        let birth = statement.query_row(params![key, number(expected), now], |row| row.get(0)).optional()?;
        birth.map(|birth| remove(connection, birth)).transpose()
    })
}

pub(crate) fn purge(connection: &Connection, now: i64, limit: usize) -> Result<usize, ReplaceError> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    transaction(connection, || {
        let mut statement = connection.prepare_cached(
            "SELECT birth FROM documents WHERE expires_at IS NOT NULL AND expires_at <= ?1
             ORDER BY expires_at LIMIT ?2",
        )?;
        let expired =
            statement.query_map([now, limit], |row| row.get(0))?.collect::<Result<Vec<i64>, _>>()?;
        for birth in &expired {
            remove(connection, *birth)?;
        }
        Ok(Some(expired.len()))
    })
}

/// What is done happens all at once, or not at all; not where there is nothing to do, which is a conflict.
fn transaction<T>(
    connection: &Connection,
    body: impl FnOnce() -> Result<Option<T>, Failure>,
) -> Result<T, ReplaceError> {
    let step = |sql: &str| connection.prepare_cached(sql)?.execute([]);
    step("BEGIN IMMEDIATE").map_err(Failure::from)?;
    let result = match body() {
        Ok(Some(done)) => match step("COMMIT") {
            Ok(_) => return Ok(done),
            Err(error) => Err(of_commit(error)),
        },
        Ok(None) => Err(ReplaceError::Conflict),
        Err(failure) => Err(failure.into()),
    };
    // After some errors SQLite has rolled back by itself.
    if !connection.is_autocommit() {
        let _ = step("ROLLBACK");
    }
    result
}

/// A version as SQLite holds it, which the greatest one fits.
pub(crate) fn number(version: Version) -> i64 {
    bound(version.get())
}

fn next_version(connection: &Connection) -> Result<i64, Failure> {
    let mut statement = connection.prepare_cached(
        "UPDATE counter SET version = version + 1 WHERE version < 9223372036854775807 RETURNING version",
    )?;
    statement.query_row([], |row| row.get(0)).optional()?.ok_or_else(|| Fault::Full.into())
}

/// Birth and version, which are the same; nothing where there is a document that has not expired.
fn make(connection: &Connection, key: &[u8], write: &Write, now: i64) -> Result<Option<(i64, i64)>, Failure> {
    let mut statement = connection.prepare_cached(
        "SELECT birth, expires_at IS NOT NULL AND expires_at <= ?2 FROM documents WHERE key = ?1",
    )?;
    let found = statement.query_row(params![key, now], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    match found {
        None => {}
        Some((birth, true)) => remove(connection, birth)?,
        Some((_, false)) => return Ok(None),
    }
    let birth = next_version(connection)?;
    connection
        .prepare_cached(
            "INSERT INTO documents (birth, key, version, expires_at, body) VALUES (?1, ?2, ?1, ?3, ?4)",
        )?
        .execute(params![birth, key, write.expires_at, write.body])?;
    Ok(Some((birth, birth)))
}

/// Birth and new version; nothing where the document is not as expected, and then nothing is kept of this.
fn change(
    connection: &Connection,
    key: &[u8],
    expected: Version,
    write: &Write,
    now: i64,
) -> Result<Option<(i64, i64)>, Failure> {
    let version = next_version(connection)?;
    let mut statement = connection.prepare_cached(
        "UPDATE documents SET version = ?4, expires_at = ?5, body = ?6
         WHERE key = ?1 AND version = ?2 AND (expires_at IS NULL OR expires_at > ?3)
         RETURNING birth",
    )?;
    let parameters = params![key, number(expected), now, version, write.expires_at, write.body];
    Ok(statement.query_row(parameters, |row| Ok((row.get(0)?, version))).optional()?)
}

fn append(connection: &Connection, birth: i64, journal: &str, records: &[Vec<u8>]) -> Result<(), Failure> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO journals (birth, name, first, length) VALUES (?1, ?2, 0, ?3)
         ON CONFLICT (birth, name) DO UPDATE SET length = length + excluded.length
         RETURNING id, length",
    )?;
    let more = bound(records.len() as u64);
    let (id, length) = statement.query_row(params![birth, journal.as_bytes(), more], |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?))
    })?;
    let mut insert =
        connection.prepare_cached("INSERT INTO records (journal, number, record) VALUES (?1, ?2, ?3)")?;
    for (number, record) in (length - more..length).zip(records) {
        insert.execute(params![id, number, record])?;
    }
    Ok(())
}

fn cut(connection: &Connection, birth: i64, journal: &str, below: u64) -> Result<(), Failure> {
    let mut statement = connection.prepare_cached(
        "UPDATE journals SET first = min(?3, length) WHERE birth = ?1 AND name = ?2 AND first < ?3
         RETURNING id, first",
    )?;
    let kept = statement
        .query_row(params![birth, journal.as_bytes(), bound(below)], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?))
        })
        .optional()?;
    if let Some((id, first)) = kept {
        connection
            .prepare_cached("DELETE FROM records WHERE journal = ?1 AND number < ?2")?
            .execute([id, first])?;
    }
    Ok(())
}

/// Removes a document with its journals.
fn remove(connection: &Connection, birth: i64) -> Result<(), Failure> {
    for statement in [
        "DELETE FROM records WHERE journal IN (SELECT id FROM journals WHERE birth = ?1)",
        "DELETE FROM journals WHERE birth = ?1",
        "DELETE FROM documents WHERE birth = ?1",
    ] {
        connection.prepare_cached(statement)?.execute([birth])?;
    }
    Ok(())
}
