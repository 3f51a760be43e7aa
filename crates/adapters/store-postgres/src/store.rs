//! The port on PostgreSQL.

use std::fmt;
use std::ops::Range;

use answerplane_store::{
    Document, Expected, Extent, Fault, Key, KeyPrefix, MAX_WRITE_BYTES, ReadError, ReplaceError, Store,
    StoreError, Version, Write,
};
use async_trait::async_trait;
use tokio_postgres::Row;
use tokio_postgres::types::FromSqlOwned;

use crate::calls::Calls;
use crate::failure::{damaged, of_pool};
use crate::options::PostgresOptions;
use crate::{connections, schema};

const LOAD: &str = "
    SELECT version, birth, body, names, firsts, lengths FROM {schema}.documents
    WHERE key = $1 AND (expires_at IS NULL OR expires_at > $2)";

const READ: &str = "
    SELECT coalesce(d.firsts[place], 0), r.record
    FROM {schema}.documents d
    CROSS JOIN LATERAL (SELECT array_position(d.names, $3) AS place) j
    LEFT JOIN {schema}.records r
      ON r.birth = $2 AND r.journal = place AND r.number >= $4 AND r.number < $5
    WHERE d.key = $1 AND d.birth = $2 AND (d.expires_at IS NULL OR d.expires_at > $6)
    ORDER BY r.number";

const LIST: &str = "
    SELECT key FROM {schema}.documents
    WHERE key >= $1 AND key > $2 AND key < $3 AND (expires_at IS NULL OR expires_at > $4)
    ORDER BY key LIMIT $5";

const REPLACE: &str = "SELECT {schema}.replace_document($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
const DELETE: &str = "SELECT {schema}.delete_document($1, $2, $3)";
/// How many documents are purged in one transaction, so that a large purge gets on.
const PURGED_AT_ONCE: usize = 200;
const PURGE: &str = "SELECT {schema}.purge_documents($1, $2)";

/// A store in a PostgreSQL database, which many processes may share.
///
/// ```no_run
/// use answerplane_store::{Expected, Key, Store, Write};
/// use answerplane_store_postgres::PostgresStore;
///
/// # async fn chat() -> Result<(), Box<dyn std::error::Error>> {
/// let store = PostgresStore::open("postgres://chat@localhost/chat").await?;
/// let key = Key::new(["session", "docs", "visitor-17"])?;
/// let now = 1_780_000_000_000;
///
/// let version = store.replace(&key, Expected::Absent, Write::new("a head"), now).await?;
/// store.replace(&key, Expected::At(version), Write::new("another head"), now).await?;
/// # Ok(())
/// # }
/// ```
pub struct PostgresStore {
    calls: Calls,
    statements: Statements,
}

/// The statements, with the name of the schema.
struct Statements {
    load: String,
    read: String,
    list: String,
    replace: String,
    delete: String,
    purge: String,
}

impl PostgresStore {
    /// Connects as [`PostgresOptions::new`] says.
    ///
    /// # Errors
    /// Those of [`PostgresOptions::open`].
    pub async fn open(url: impl Into<String>) -> Result<Self, StoreError> {
        PostgresOptions::new(url).open().await
    }

    pub(crate) async fn open_with(options: &PostgresOptions) -> Result<Self, StoreError> {
        if !schema::is_plain(&options.schema) {
            return Err(StoreError::new(Fault::Unavailable, "the name of the schema needs quotes"));
        }
        let (pool, tls) = connections::pool(options)?;
        let migrated = async {
            let mut client = pool.get().await.map_err(of_pool)?;
            schema::migrate(&mut client, &options.schema).await
        };
        tokio::time::timeout(options.timeout, migrated)
            .await
            .map_err(|_| StoreError::from(Fault::TimedOut))??;
        let statement = |sql: &str| sql.replace("{schema}", &options.schema);
        let statements = Statements {
            load: statement(LOAD),
            read: statement(READ),
            list: statement(LIST),
            replace: statement(REPLACE),
            delete: statement(DELETE),
            purge: statement(PURGE),
        };
        Ok(Self { calls: Calls { pool, tls, timeout: options.timeout }, statements })
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn load(&self, key: &Key, now: i64) -> Result<Option<Document>, StoreError> {
        let rows = self.calls.read(&self.statements.load, &[&key.to_bytes(), &now]).await?;
        rows.first().map(document).transpose()
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
        let expected = match expected {
            Expected::Absent => None,
            Expected::At(version) => Some(integer(version.get())),
        };
        let append: Vec<_> = write.append.iter().filter(|(_, records)| !records.is_empty()).collect();
        let journals: Vec<&[u8]> = append.iter().map(|(journal, _)| journal.as_bytes()).collect();
        let counts: Vec<i32> =
            append.iter().map(|(_, records)| i32::try_from(records.len()).unwrap_or(i32::MAX)).collect();
        let records: Vec<&[u8]> = append.iter().flat_map(|(_, records)| records).map(Vec::as_slice).collect();
        let cut: Vec<&[u8]> = write.cut.iter().map(|(journal, _)| journal.as_bytes()).collect();
        let below: Vec<i64> = write.cut.iter().map(|(_, below)| integer(*below)).collect();
        let key = key.to_bytes();
        let row = self
            .calls
            .write(
                &self.statements.replace,
                &[
                    &key,
                    &expected,
                    &write.body,
                    &write.expires_at,
                    &now,
                    &journals,
                    &counts,
                    &records,
                    &cut,
                    &below,
                ],
            )
            .await?;
        // It has happened: what cannot be read of it is the matter of who loads it.
        let written: Option<i64> = column(&row, 0).map_err(ReplaceError::Unknown)?;
        version(written.ok_or(ReplaceError::Conflict)?).map_err(ReplaceError::Unknown)
    }

    async fn read(
        &self,
        key: &Key,
        birth: Version,
        journal: &str,
        range: Range<u64>,
        now: i64,
    ) -> Result<Vec<Vec<u8>>, ReadError> {
        let (key, birth) = (key.to_bytes(), integer(birth.get()));
        let (start, end) = (integer(range.start), integer(range.end));
        let rows = self
            .calls
            .read(&self.statements.read, &[&key, &birth, &journal.as_bytes(), &start, &end, &now])
            .await?;
        let first: i64 = column(rows.first().ok_or(ReadError::Gone)?, 0)?;
        if start < first {
            return Err(ReadError::Gone);
        }
        let records = rows.iter().filter_map(|row| column(row, 1).transpose());
        Ok(records.collect::<Result<_, _>>()?)
    }

    async fn delete(&self, key: &Key, expected: Version, now: i64) -> Result<(), ReplaceError> {
        let (key, expected) = (key.to_bytes(), integer(expected.get()));
        let row = self.calls.write(&self.statements.delete, &[&key, &expected, &now]).await?;
        let is_deleted: bool = column(&row, 0).map_err(ReplaceError::Unknown)?;
        if is_deleted { Ok(()) } else { Err(ReplaceError::Conflict) }
    }

    async fn list(
        &self,
        prefix: &KeyPrefix,
        after: Option<&Key>,
        limit: usize,
        now: i64,
    ) -> Result<Vec<Key>, StoreError> {
        let from = prefix.to_bytes();
        let after = after.map(Key::to_bytes).unwrap_or_default();
        let (beyond, limit) = (beyond(&from), integer(limit as u64));
        let rows = self.calls.read(&self.statements.list, &[&from, &after, &beyond, &now, &limit]).await?;
        rows.iter().map(|row| Key::from_bytes(&column::<Vec<u8>>(row, 0)?).map_err(damaged)).collect()
    }

    async fn purge(&self, now: i64, limit: usize) -> Result<usize, StoreError> {
        let mut purged = 0;
        while purged < limit {
            let wanted = (limit - purged).min(PURGED_AT_ONCE);
            let row = match self.calls.write(&self.statements.purge, &[&now, &integer(wanted as u64)]).await {
                Ok(row) => row,
                Err(ReplaceError::Failed(error) | ReplaceError::Unknown(error)) => return Err(error),
                Err(ReplaceError::Conflict) => break,
            };
            let count = usize::try_from(count(column(&row, 0)?)?).map_err(damaged)?;
            purged += count;
            if count < wanted {
                break;
            }
        }
        Ok(purged)
    }
}

fn document(row: &Row) -> Result<Document, StoreError> {
    let names: Vec<Vec<u8>> = column(row, 3)?;
    let (firsts, lengths): (Vec<i64>, Vec<i64>) = (column(row, 4)?, column(row, 5)?);
    let extents = firsts.into_iter().zip(lengths);
    let journals = names.into_iter().zip(extents).map(|(name, (first, length))| {
        let extent = Extent { first: count(first)?, length: count(length)? };
        Ok((String::from_utf8(name).map_err(|_| damaged("a journal's name is no text"))?, extent))
    });
    Ok(Document {
        version: version(column(row, 0)?)?,
        birth: version(column(row, 1)?)?,
        body: column(row, 2)?,
        journals: journals.collect::<Result<_, StoreError>>()?,
    })
}

fn column<T: FromSqlOwned>(row: &Row, place: usize) -> Result<T, StoreError> {
    row.try_get(place).map_err(damaged)
}

fn version(number: i64) -> Result<Version, StoreError> {
    Version::new(count(number)?).ok_or_else(|| damaged("a version is none"))
}

fn count(number: i64) -> Result<u64, StoreError> {
    u64::try_from(number).map_err(damaged)
}

/// A number as PostgreSQL holds it. No version or number of a record is beyond its greatest one.
fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// What comes after every key with this prefix. Its last byte is 0, and no key has a byte 255.
fn beyond(prefix: &[u8]) -> Vec<u8> {
    match prefix {
        [parts @ .., _] => [parts, &[1]].concat(),
        [] => vec![u8::MAX],
    }
}

/// Without the address, which may hold a password.
impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresStore")
            .field("connections", &self.calls.pool.status().size)
            .finish_non_exhaustive()
    }
}
