//! A store in memory.

use std::collections::{BTreeMap, VecDeque};
use std::ops::{Bound, Range};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use crate::document::{Document, Expected, Extent, Version, Write};
use crate::error::{Fault, ReadError, ReplaceError, StoreError};
use crate::key::{Key, KeyPrefix};
use crate::port::{MAX_WRITE_BYTES, Store};

/// A store in memory: what it holds ends with it. It never fails, but for a write that is too large.
#[derive(Debug, Default)]
pub struct MemoryStore {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    /// The last version that was given out.
    version: u64,
    documents: BTreeMap<Key, Stored>,
}

#[derive(Debug)]
struct Stored {
    version: Version,
    birth: Version,
    body: Vec<u8>,
    journals: BTreeMap<String, Journal>,
    expires_at: Option<i64>,
}

#[derive(Debug, Default)]
struct Journal {
    /// The number of the first record that is kept.
    first: u64,
    records: VecDeque<Vec<u8>>,
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stored {
    fn is_live(&self, now: i64) -> bool {
        self.expires_at.is_none_or(|time| time > now)
    }
}

impl Kept {
    fn live(&self, key: &Key, now: i64) -> Option<&Stored> {
        self.documents.get(key).filter(|stored| stored.is_live(now))
    }

    fn next_version(&mut self) -> Result<Version, ReplaceError> {
        let next = Version::new(self.version + 1).ok_or(ReplaceError::Failed(Fault::Full.into()))?;
        self.version = next.get();
        Ok(next)
    }
}

impl Journal {
    fn extent(&self) -> Extent {
        Extent { first: self.first, length: self.first + self.records.len() as u64 }
    }

    fn cut(&mut self, below: u64) {
        let Extent { first, length } = self.extent();
        let cut = below.min(length).saturating_sub(first);
        self.records.drain(..usize::try_from(cut).unwrap_or(usize::MAX).min(self.records.len()));
        self.first += cut;
    }

    /// The records in a range, which begins at one that is kept.
    fn read(&self, range: Range<u64>) -> Vec<Vec<u8>> {
        let place = |number: u64| {
            usize::try_from(number.saturating_sub(self.first)).unwrap_or(usize::MAX).min(self.records.len())
        };
        let (start, end) = (place(range.start), place(range.end));
        self.records.range(start..end.max(start)).cloned().collect()
    }
}

#[async_trait]
impl Store for MemoryStore {
    async fn load(&self, key: &Key, now: i64) -> Result<Option<Document>, StoreError> {
        Ok(self.kept().live(key, now).map(|stored| Document {
            version: stored.version,
            birth: stored.birth,
            body: stored.body.clone(),
            journals: stored.journals.iter().map(|(name, kept)| (name.clone(), kept.extent())).collect(),
        }))
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
        let mut kept = self.kept();
        let found = kept.live(key, now).map(|stored| Expected::At(stored.version));
        if found.unwrap_or(Expected::Absent) != expected {
            return Err(ReplaceError::Conflict);
        }
        let version = kept.next_version()?;
        let fresh =
            Stored { version, birth: version, body: Vec::new(), journals: BTreeMap::new(), expires_at: None };
        if expected == Expected::Absent {
            kept.documents.insert(key.clone(), fresh);
        }
        let Some(stored) = kept.documents.get_mut(key) else { return Err(ReplaceError::Conflict) };
        stored.version = version;
        stored.body = write.body;
        stored.expires_at = write.expires_at;
        for (journal, records) in write.append.into_iter().filter(|(_, records)| !records.is_empty()) {
            stored.journals.entry(journal).or_default().records.extend(records);
        }
        for (journal, below) in write.cut {
            if let Some(journal) = stored.journals.get_mut(&journal) {
                journal.cut(below);
            }
        }
        Ok(version)
    }

    async fn read(
        &self,
        key: &Key,
        birth: Version,
        journal: &str,
        range: Range<u64>,
        now: i64,
    ) -> Result<Vec<Vec<u8>>, ReadError> {
        let kept = self.kept();
        let stored = kept.live(key, now).filter(|stored| stored.birth == birth).ok_or(ReadError::Gone)?;
        match stored.journals.get(journal) {
            Some(journal) if range.start < journal.first => Err(ReadError::Gone),
            Some(journal) => Ok(journal.read(range)),
            None => Ok(Vec::new()),
        }
    }

    async fn delete(&self, key: &Key, expected: Version, now: i64) -> Result<(), ReplaceError> {
        let mut kept = self.kept();
        kept.live(key, now).filter(|stored| stored.version == expected).ok_or(ReplaceError::Conflict)?;
        kept.documents.remove(key);
        Ok(())
    }

    async fn list(
        &self,
        prefix: &KeyPrefix,
        after: Option<&Key>,
        limit: usize,
        now: i64,
    ) -> Result<Vec<Key>, StoreError> {
        let kept = self.kept();
        let first = Key::new(prefix.parts()).ok();
        let from = match (after, &first) {
            (Some(after), Some(first)) if after < first => Bound::Included(first),
            (Some(after), _) => Bound::Excluded(after),
            (None, Some(first)) => Bound::Included(first),
            (None, None) => Bound::Unbounded,
        };
        let listed = kept.documents.range((from, Bound::Unbounded));
        let listed = listed.take_while(|(key, _)| key.starts_with(prefix));
        let live = listed.filter(|(_, stored)| stored.is_live(now));
        Ok(live.take(limit).map(|(key, _)| key.clone()).collect())
    }

    async fn purge(&self, now: i64, limit: usize) -> Result<usize, StoreError> {
        let mut kept = self.kept();
        let expired = kept.documents.iter().filter(|(_, stored)| !stored.is_live(now));
        let expired: Vec<Key> = expired.take(limit).map(|(key, _)| key.clone()).collect();
        expired.iter().for_each(|key| drop(kept.documents.remove(key)));
        Ok(expired.len())
    }
}
