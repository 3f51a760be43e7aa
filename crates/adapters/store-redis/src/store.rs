//! The port on Redis.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use answerplane_store::{
    Document, Expected, Extent, Fault, Key, KeyPrefix, MAX_WRITE_BYTES, ReadError, ReplaceError, Store,
    StoreError, Version, Write,
};
use async_trait::async_trait;
use redis::Script;

use crate::calls::{Calls, Request};
use crate::failure::damaged;
use crate::names::{Names, moment};
use crate::options::RedisOptions;

/// How things are kept. A store that a newer release has written has a greater number.
const SCHEMA: u64 = 1;

/// The greatest number that a script counts with exactly.
const EXACT: u64 = 1 << 53;

/// How many keys or documents one script looks at, since nothing else is served meanwhile.
const AT_ONCE: usize = 200;

/// A store in Redis, which many processes may share: one primary, no cluster.
///
/// ```no_run
/// use answerplane_store::{Expected, Key, Store, Write};
/// use answerplane_store_redis::RedisStore;
///
/// # async fn chat() -> Result<(), Box<dyn std::error::Error>> {
/// let store = RedisStore::open("redis://localhost/").await?;
/// let key = Key::new(["session", "docs", "visitor-17"])?;
/// let now = 1_780_000_000_000;
///
/// let version = store.replace(&key, Expected::Absent, Write::new("a head"), now).await?;
/// store.replace(&key, Expected::At(version), Write::new("another head"), now).await?;
/// # Ok(())
/// # }
/// ```
pub struct RedisStore {
    calls: Calls,
    names: Names,
    scripts: Scripts,
}

struct Scripts {
    replace: Script,
    delete: Script,
    purge: Script,
    read: Script,
    list: Script,
}

impl RedisStore {
    /// Connects as [`RedisOptions::new`] says.
    ///
    /// # Errors
    /// Those of [`RedisOptions::open`].
    pub async fn open(url: impl Into<String>) -> Result<Self, StoreError> {
        RedisOptions::new(url).open().await
    }

    pub(crate) async fn open_with(options: &RedisOptions) -> Result<Self, StoreError> {
        let names = Names::new(&options.prefix)
            .ok_or_else(|| StoreError::new(Fault::Unavailable, "the prefix is none"))?;
        let calls = Calls::new(options)?;
        let open = Script::new(include_str!("scripts/open.lua"));
        let schema: u64 = calls.read(Request::Script(open.key(&names.schema).arg(SCHEMA))).await?;
        if schema > SCHEMA {
            return Err(Fault::TooNew.into());
        }
        let scripts = Scripts {
            replace: Script::new(include_str!("scripts/replace.lua")),
            delete: Script::new(include_str!("scripts/delete.lua")),
            purge: Script::new(include_str!("scripts/purge.lua")),
            read: Script::new(include_str!("scripts/read.lua")),
            list: Script::new(include_str!("scripts/list.lua")),
        };
        Ok(Self { calls, names, scripts })
    }
}

#[async_trait]
impl Store for RedisStore {
    async fn load(&self, key: &Key, now: i64) -> Result<Option<Document>, StoreError> {
        let mut command = redis::cmd("HGETALL");
        command.arg(self.names.document(&key.to_bytes()));
        let fields: Vec<(Vec<u8>, Vec<u8>)> = self.calls.read(Request::Command(&command)).await?;
        document(fields, &moment(now))
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
        let mut script = self.scripts.replace.prepare_invoke();
        script.key(&self.names.counter).key(&self.names.keys).key(&self.names.expiries);
        script.key(self.names.document(&key)).arg(&self.names.records).arg(key).arg(moment(now));
        script.arg(match expected {
            Expected::Absent => String::new(),
            Expected::At(version) => version.to_string(),
        });
        script.arg(&write.body[..]).arg(write.expires_at.map(moment).unwrap_or_default());
        let append = || write.append.iter().filter(|(_, records)| !records.is_empty());
        script.arg(append().count());
        for (journal, records) in append() {
            script.arg(journal).arg(records.len());
            for record in records {
                script.arg(&record[..]);
            }
        }
        script.arg(write.cut.len());
        for (journal, below) in &write.cut {
            script.arg(journal).arg((*below).min(EXACT));
        }
        let written: Option<u64> = self.calls.write(Request::Script(&script)).await?;
        let version = Version::new(written.ok_or(ReplaceError::Conflict)?);
        version.ok_or_else(|| ReplaceError::Unknown(damaged("a version is none")))
    }

    async fn read(
        &self,
        key: &Key,
        birth: Version,
        journal: &str,
        range: Range<u64>,
        now: i64,
    ) -> Result<Vec<Vec<u8>>, ReadError> {
        let mut script = self.scripts.read.prepare_invoke();
        script.key(self.names.document(&key.to_bytes())).arg(&self.names.records);
        script.arg(birth.get()).arg(moment(now)).arg(journal);
        script.arg(range.start.min(EXACT)).arg(range.end.min(EXACT));
        let records: Option<Vec<Vec<u8>>> = self.calls.read(Request::Script(&script)).await?;
        records.ok_or(ReadError::Gone)
    }

    async fn delete(&self, key: &Key, expected: Version, now: i64) -> Result<(), ReplaceError> {
        let key = key.to_bytes();
        let mut script = self.scripts.delete.prepare_invoke();
        script.key(&self.names.keys).key(&self.names.expiries).key(self.names.document(&key));
        script.arg(&self.names.records).arg(key).arg(moment(now)).arg(expected.get());
        let deleted: Option<u64> = self.calls.write(Request::Script(&script)).await?;
        deleted.map(drop).ok_or(ReplaceError::Conflict)
    }

    async fn list(
        &self,
        prefix: &KeyPrefix,
        after: Option<&Key>,
        limit: usize,
        now: i64,
    ) -> Result<Vec<Key>, StoreError> {
        let (first, beyond) = bounds(prefix);
        let after = after.map(|after| [b"(", &after.to_bytes()[..]].concat());
        // Without the sign before each: what comes later begins later.
        let mut from = match after {
            Some(after) if after[1..] >= first[1..] => after,
            _ => first,
        };
        let mut keys = Vec::new();
        while keys.len() < limit {
            let wanted = AT_ONCE.min(limit - keys.len());
            let mut script = self.scripts.list.prepare_invoke();
            script.key(&self.names.keys).arg(&self.names.documents).arg(&from[..]).arg(&beyond[..]);
            script.arg(wanted).arg(moment(now));
            let answer: Vec<Vec<u8>> = self.calls.read(Request::Script(&script)).await?;
            let [looked, last, found @ ..] = &answer[..] else { return Err(damaged("a list is none")) };
            for key in found {
                keys.push(Key::from_bytes(key).map_err(damaged)?);
            }
            if number(looked)? < wanted as u64 {
                break;
            }
            from = [b"(", &last[..]].concat();
        }
        Ok(keys)
    }

    async fn purge(&self, now: i64, limit: usize) -> Result<usize, StoreError> {
        let mut purged = 0;
        while purged < limit {
            let wanted = AT_ONCE.min(limit - purged);
            let mut script = self.scripts.purge.prepare_invoke();
            script.key(&self.names.keys).key(&self.names.expiries).arg(&self.names.documents);
            script.arg(&self.names.records).arg(moment(now)).arg(wanted);
            let count: usize = self.calls.read(Request::Script(&script)).await?;
            purged += count;
            if count < wanted {
                break;
            }
        }
        Ok(purged)
    }
}

/// Where the keys with a prefix begin and end, as Redis is told: its last byte is 0.
fn bounds(prefix: &KeyPrefix) -> (Vec<u8>, Vec<u8>) {
    match &prefix.to_bytes()[..] {
        [] => (b"-".to_vec(), b"+".to_vec()),
        from @ [parts @ .., _] => ([b"[", from].concat(), [b"(", parts, &[1]].concat()),
    }
}

fn document(fields: Vec<(Vec<u8>, Vec<u8>)>, now: &str) -> Result<Option<Document>, StoreError> {
    let (mut found_version, mut birth, mut body, mut journals) = (None, None, None, BTreeMap::new());
    for (field, value) in fields {
        match &field[..] {
            b"v" => found_version = Some(version(&value)?),
            b"b" => birth = Some(version(&value)?),
            b"d" => body = Some(value),
            b"e" if *value <= *now.as_bytes() => return Ok(None),
            [b'j', name @ ..] => {
                let name =
                    String::from_utf8(name.to_vec()).map_err(|_| damaged("a journal's name is no text"))?;
                let mut numbers = value.split(|byte| *byte == b' ').skip(1).map(number);
                let (Some(first), Some(length)) = (numbers.next(), numbers.next()) else {
                    return Err(damaged("a journal has no extent"));
                };
                journals.insert(name, Extent { first: first?, length: length? });
            }
            _ => {}
        }
    }
    match (found_version, birth, body) {
        (Some(version), Some(birth), Some(body)) => Ok(Some(Document { version, birth, body, journals })),
        (None, None, None) => Ok(None),
        _ => Err(damaged("a document is not whole")),
    }
}

fn version(text: &[u8]) -> Result<Version, StoreError> {
    Version::new(number(text)?).ok_or_else(|| damaged("a version is none"))
}

fn number(text: &[u8]) -> Result<u64, StoreError> {
    let number = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
    number.ok_or_else(|| damaged("a number is none"))
}

/// Without the address, which may hold a password.
impl fmt::Debug for RedisStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisStore").field("names", &self.names).finish_non_exhaustive()
    }
}
