//! Writers who keep on through whatever happens to a store, and what must hold afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use answerplane_store::{Document, Expected, Fault, Key, ReadError, ReplaceError, Store, StoreError, Write};
use tokio::task::JoinSet;

use crate::key;

/// How many write at once, to how many documents.
const WRITERS: u64 = 8;
const DOCUMENTS: u64 = 3;

/// How long a single write may take to become definite.
const PATIENCE: Duration = Duration::from_secs(60);

/// What the writers have seen.
#[derive(Debug, Default)]
pub struct Seen {
    /// How many writes were acknowledged.
    pub acknowledged: usize,
    /// How many calls had an outcome that could not be learned at first.
    pub unknown: usize,
    /// How many calls failed for certain.
    pub failed: usize,
    /// Everything that was the matter with the store.
    pub faults: Vec<Fault>,
    records: Vec<Record>,
}

/// One write, and what is known about it.
#[derive(Debug)]
struct Record {
    id: String,
    document: u64,
    fate: Fate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Happened,
    DidNot,
}

/// Lets writers write to a store while something happens to it, until that has ended and every one of them has written
/// once more. Afterwards everything that was acknowledged is there once, and nothing that was reported otherwise is there.
///
/// The clock of the writers jumps all the time: none of the documents expires.
///
/// # Panics
/// Where that does not hold.
pub async fn endure(store: Arc<dyn Store>, happening: impl Future<Output = ()>) -> Seen {
    let over = Arc::new(AtomicBool::new(false));
    let mut writers = JoinSet::new();
    for writer in 0..WRITERS {
        writers.spawn(write(store.clone(), writer, over.clone()));
    }
    happening.await;
    over.store(true, Ordering::Relaxed);
    let mut all = Seen::default();
    for mut seen in writers.join_all().await {
        all.acknowledged += seen.acknowledged;
        all.unknown += seen.unknown;
        all.failed += seen.failed;
        all.faults.append(&mut seen.faults);
        all.records.append(&mut seen.records);
    }
    all.faults.sort_by_key(|fault| fault.code());
    all.faults.dedup();
    check(&*store, &all).await;
    all
}

/// Whether what was written through one store is there in another, or in the same one after it was opened anew.
///
/// # Panics
/// Where it is not.
pub async fn check(store: &dyn Store, seen: &Seen) {
    let mut kept: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for document in 0..DOCUMENTS {
        if let Some(found) = store.load(&name(document), 0).await.unwrap() {
            let records = store.read(&name(document), found.birth, "j", 0..u64::MAX, 0).await.unwrap();
            let records: Vec<String> = records.into_iter().map(|id| String::from_utf8(id).unwrap()).collect();
            assert_eq!(records.last().map(String::as_bytes), Some(&*found.body), "body and journal part");
            assert_eq!(found.extent("j").length, records.len() as u64);
            let once: BTreeSet<&String> = records.iter().collect();
            assert_eq!(once.len(), records.len(), "something was applied twice");
            kept.insert(document, records);
        }
    }
    let mut count = 0;
    for Record { id, document, fate } in &seen.records {
        let is_there = kept.get(document).is_some_and(|records| records.contains(id));
        assert_eq!(is_there, *fate == Fate::Happened, "{id} is another fate than was reported");
        count += usize::from(is_there);
    }
    assert_eq!(count, kept.values().map(Vec::len).sum::<usize>(), "something is there that nobody wrote");
}

fn name(document: u64) -> Key {
    key(&format!("endurance {document}"))
}

async fn write(store: Arc<dyn Store>, writer: u64, over: Arc<AtomicBool>) -> Seen {
    let mut seen = Seen::default();
    let mut random = Random(writer + 1);
    let mut end = Instant::now();
    for number in 0.. {
        let is_last = over.load(Ordering::Relaxed);
        if !is_last {
            end = Instant::now();
        }
        assert!(end.elapsed() < PATIENCE, "nothing can be written any more: {:?}", seen.faults);
        let document = random.next() % DOCUMENTS;
        let id = format!("{writer}/{number}");
        let fate = write_once(&*store, &name(document), &id, &mut random, &mut seen).await;
        seen.records.push(Record { id, document, fate });
        if is_last && fate == Fate::Happened {
            return seen;
        }
    }
    seen
}

/// Writes once, and repeats the same call until its outcome is definite.
async fn write_once(store: &dyn Store, key: &Key, id: &str, random: &mut Random, seen: &mut Seen) -> Fate {
    let start = Instant::now();
    let found = load(store, key, random, seen).await;
    let expected = found.as_ref().map_or(Expected::Absent, |found| Expected::At(found.version));
    let write = Write::new(id).append("j", [id]);
    let mut is_unknown = false;
    loop {
        assert!(start.elapsed() < PATIENCE, "a write has no outcome: {:?}", seen.faults);
        match store.replace(key, expected, write.clone(), random.moment()).await {
            Ok(version) => {
                let before = found.map(|found| found.version);
                assert!(before.is_none_or(|before| version > before), "a version came back");
                seen.acknowledged += 1;
                return Fate::Happened;
            }
            Err(ReplaceError::Conflict) if is_unknown => {
                return settle(store, key, id, random, seen).await;
            }
            Err(ReplaceError::Conflict) => return Fate::DidNot,
            Err(ReplaceError::Failed(error)) => {
                seen.failed += 1;
                note(&error, seen).await;
                // It says nothing about an earlier call whose outcome is unknown.
                if !is_unknown {
                    return Fate::DidNot;
                }
            }
            Err(ReplaceError::Unknown(error)) => {
                is_unknown = true;
                seen.unknown += 1;
                note(&error, seen).await;
            }
        }
    }
}

/// Looks whether a write has happened, when it can no longer happen.
async fn settle(store: &dyn Store, key: &Key, id: &str, random: &mut Random, seen: &mut Seen) -> Fate {
    let start = Instant::now();
    loop {
        assert!(start.elapsed() < PATIENCE, "nothing can be read: {:?}", seen.faults);
        let Some(found) = load(store, key, random, seen).await else { return Fate::DidNot };
        match store.read(key, found.birth, "j", 0..u64::MAX, random.moment()).await {
            Ok(records) if records.iter().any(|record| record == id.as_bytes()) => return Fate::Happened,
            Ok(_) => return Fate::DidNot,
            Err(ReadError::Gone) => {}
            Err(ReadError::Failed(error)) => note(&error, seen).await,
        }
    }
}

async fn load(store: &dyn Store, key: &Key, random: &mut Random, seen: &mut Seen) -> Option<Document> {
    let start = Instant::now();
    loop {
        assert!(start.elapsed() < PATIENCE, "nothing can be loaded: {:?}", seen.faults);
        match store.load(key, random.moment()).await {
            Ok(found) => return found,
            Err(error) => note(&error, seen).await,
        }
    }
}

async fn note(error: &StoreError, seen: &mut Seen) {
    if !seen.faults.contains(&error.fault()) {
        seen.faults.push(error.fault());
    }
    tokio::time::sleep(Duration::from_millis(20)).await;
}

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 8
    }

    /// Any time, before 1970 and far in the future too.
    fn moment(&mut self) -> i64 {
        [i64::MIN, -1, 0, 1_780_000_000_000, 1_780_000_000_001, i64::MAX][(self.next() % 6) as usize]
    }
}
