//! Loading, reading and listing. Each is one statement, which sees one moment.

use std::collections::BTreeMap;
use std::ops::Range;

use answerplane_store::{Document, Extent, Key, KeyPrefix, ReadError, Version};
use rusqlite::{Connection, params};

use crate::failure::Failure;

const LOAD: &str = "
    SELECT d.version, d.birth, d.body, j.name, j.first, j.length
    FROM documents d LEFT JOIN journals j ON j.birth = d.birth
    WHERE d.key = ?1 AND (d.expires_at IS NULL OR d.expires_at > ?2)";

const READ: &str = "
    SELECT j.first, r.record
    FROM documents d
    LEFT JOIN journals j ON j.birth = d.birth AND j.name = ?3
    LEFT JOIN records r ON r.journal = j.id AND r.number >= ?4 AND r.number < ?5
    WHERE d.key = ?1 AND d.birth = ?2 AND (d.expires_at IS NULL OR d.expires_at > ?6)
    ORDER BY r.number";

const LIST: &str = "
    SELECT key FROM documents
    WHERE key >= ?1 AND key > ?2 AND key < ?3 AND (expires_at IS NULL OR expires_at > ?4)
    ORDER BY key LIMIT ?5";

pub(crate) fn load(connection: &Connection, key: &[u8], now: i64) -> Result<Option<Document>, Failure> {
    let mut statement = connection.prepare_cached(LOAD)?;
    let mut rows = statement.query(params![key, now])?;
    let mut document: Option<Document> = None;
    while let Some(row) = rows.next()? {
        let document = match &mut document {
            Some(document) => document,
            none => none.insert(Document {
                version: version(row.get(0)?)?,
                birth: version(row.get(1)?)?,
                body: row.get(2)?,
                journals: BTreeMap::new(),
            }),
        };
        if let Some(name) = row.get::<_, Option<Vec<u8>>>(3)? {
            let name =
                String::from_utf8(name).map_err(|_| Failure::damaged("a journal's name is no text"))?;
            let extent = Extent { first: count(row.get(4)?)?, length: count(row.get(5)?)? };
            document.journals.insert(name, extent);
        }
    }
    Ok(document)
}

pub(crate) fn read(
    connection: &Connection,
    key: &[u8],
    birth: i64,
    journal: &str,
    range: &Range<u64>,
    now: i64,
) -> Result<Vec<Vec<u8>>, ReadError> {
    let rows = read_rows(connection, key, birth, journal, range, now)?;
    match rows.first() {
        None => Err(ReadError::Gone),
        Some((first, _)) if *first > bound(range.start) => Err(ReadError::Gone),
        Some(_) => Ok(rows.into_iter().filter_map(|(_, record)| record).collect()),
    }
}

/// The first record that is kept, and one of the range.
type Row = (i64, Option<Vec<u8>>);

/// The first record that is kept, with each record of the range, or once where there is none; nothing where the document
/// is not there.
fn read_rows(
    connection: &Connection,
    key: &[u8],
    birth: i64,
    journal: &str,
    range: &Range<u64>,
    now: i64,
) -> Result<Vec<Row>, Failure> {
    let mut statement = connection.prepare_cached(READ)?;
    let parameters = params![key, birth, journal.as_bytes(), bound(range.start), bound(range.end), now];
    let rows = statement
        .query_map(parameters, |row| Ok((row.get::<_, Option<i64>>(0)?.unwrap_or(0), row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    Ok(rows)
}

pub(crate) fn list(
    connection: &Connection,
    prefix: &KeyPrefix,
    after: Option<&Key>,
    limit: usize,
    now: i64,
) -> Result<Vec<Key>, Failure> {
    let from = prefix.to_bytes();
    let after = after.map(Key::to_bytes).unwrap_or_default();
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut statement = connection.prepare_cached(LIST)?;
    let parameters = params![from, after, beyond(&from), now, limit];
    let keys = statement.query_map(parameters, |row| row.get::<_, Vec<u8>>(0))?;
    keys.map(|key| Key::from_bytes(&key?).map_err(|_| Failure::damaged("a key is none"))).collect()
}

/// What comes after every key with this prefix. Its last byte is 0, and no key has a byte 255.
fn beyond(prefix: &[u8]) -> Vec<u8> {
    match prefix {
        [parts @ .., _] => [parts, &[1]].concat(),
        [] => vec![u8::MAX],
    }
}

pub(crate) fn version(number: i64) -> Result<Version, Failure> {
    let number = u64::try_from(number).ok().and_then(Version::new);
    number.ok_or_else(|| Failure::damaged("a version is none"))
}

fn count(number: i64) -> Result<u64, Failure> {
    u64::try_from(number).map_err(|_| Failure::damaged("a count is negative"))
}

/// A number of a record as SQLite holds it. There is none beyond its greatest integer.
pub(crate) fn bound(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
