//! Appending, cutting and reading journals.

use std::sync::Arc;

use answerplane_store::{Expected, Extent, ReadError, Store, Version, Write};

use crate::{NOW, key, make};

async fn read(
    store: &dyn Store,
    birth: Version,
    journal: &str,
    range: std::ops::Range<u64>,
) -> Option<Vec<String>> {
    match store.read(&key("a"), birth, journal, range, NOW).await {
        Ok(records) => {
            Some(records.into_iter().map(|record| String::from_utf8(record).expect("as written")).collect())
        }
        Err(ReadError::Gone) => None,
        Err(error) => panic!("{error}"),
    }
}

async fn extents(store: &dyn Store) -> (Extent, Extent) {
    let found = store.load(&key("a"), NOW).await.unwrap().unwrap();
    (found.extent("j"), found.extent("k"))
}

fn texts(range: std::ops::Range<u64>) -> Vec<String> {
    range.map(|number| format!("r{number}")).collect()
}

/// A document with ten records in the journal `j` and two in `k`, written in several steps.
async fn ten(store: &dyn Store) -> (Version, Version) {
    let birth = make(store, &key("a"), Write::new("").append("j", texts(0..4))).await;
    let write = Write::new("").append("k", texts(0..1)).append("j", texts(4..5)).append("j", texts(5..9));
    let version = store.replace(&key("a"), Expected::At(birth), write, NOW).await.unwrap();
    let write = Write::new("").append("j", texts(9..10)).append("k", texts(1..2)).append("l", texts(0..0));
    let version = store.replace(&key("a"), Expected::At(version), write, NOW).await.unwrap();
    (birth, version)
}

/// Records are numbered from 0 in the order in which they were appended, each journal by itself; a range gives what
/// there is of it.
pub async fn records_are_numbered_by_their_order(store: Arc<dyn Store>) {
    let (birth, _) = ten(&*store).await;
    let (j, k) = extents(&*store).await;
    assert_eq!((j, k), (Extent { first: 0, length: 10 }, Extent { first: 0, length: 2 }));
    let found = store.load(&key("a"), NOW).await.unwrap().unwrap();
    assert_eq!(found.journals.len(), 2, "appending nothing makes no journal");
    for range in [0..10, 0..1, 3..7, 9..10, 5..5, 8..100, 10..12, 50..60, 0..u64::MAX] {
        let expected = texts(range.start.min(10)..range.end.min(10));
        assert_eq!(read(&*store, birth, "j", range.clone()).await, Some(expected), "{range:?}");
    }
    assert_eq!(read(&*store, birth, "k", 0..9).await, Some(texts(0..2)));
    assert_eq!(read(&*store, birth, "no such", 0..9).await, Some(vec![]));
}

/// A cut removes records below a number, and neither renumbers nor shrinks.
pub async fn a_cut_keeps_the_numbers(store: Arc<dyn Store>) {
    let (birth, version) = ten(&*store).await;
    let write = Write::new("").cut("j", 6).cut("no such", 3);
    let version = store.replace(&key("a"), Expected::At(version), write, NOW).await.unwrap();
    assert_eq!(extents(&*store).await.0, Extent { first: 6, length: 10 });
    assert_eq!(read(&*store, birth, "j", 6..10).await, Some(texts(6..10)));
    assert_eq!(read(&*store, birth, "k", 0..2).await, Some(texts(0..2)));

    // What is cut already stays cut.
    let write = Write::new("").cut("j", 2).append("j", ["r10"]);
    store.replace(&key("a"), Expected::At(version), write, NOW).await.unwrap();
    assert_eq!(extents(&*store).await.0, Extent { first: 6, length: 11 });
    assert_eq!(read(&*store, birth, "j", 6..99).await, Some(texts(6..11)));
}

/// A cut beyond the length cuts everything, and what is appended next has the next number.
pub async fn a_cut_beyond_the_length_cuts_everything(store: Arc<dyn Store>) {
    let (birth, version) = ten(&*store).await;
    let write = Write::new("").cut("j", u64::MAX);
    let version = store.replace(&key("a"), Expected::At(version), write, NOW).await.unwrap();
    assert_eq!(extents(&*store).await.0, Extent { first: 10, length: 10 });
    assert_eq!(read(&*store, birth, "j", 10..20).await, Some(vec![]));
    store.replace(&key("a"), Expected::At(version), Write::new("").append("j", ["r10"]), NOW).await.unwrap();
    assert_eq!(extents(&*store).await.0, Extent { first: 10, length: 11 });
    assert_eq!(read(&*store, birth, "j", 10..20).await, Some(texts(10..11)));
}

/// A range that begins below what is kept is gone, and so is everything of another birth and of what is absent.
pub async fn what_is_not_kept_is_gone(store: Arc<dyn Store>) {
    let (birth, version) = ten(&*store).await;
    let version =
        store.replace(&key("a"), Expected::At(version), Write::new("").cut("j", 6), NOW).await.unwrap();
    for range in [0..10, 5..6, 5..5, 0..3] {
        assert_eq!(read(&*store, birth, "j", range.clone()).await, None, "{range:?}");
    }
    assert_eq!(read(&*store, version, "j", 6..7).await, None, "not the birth");
    store.delete(&key("a"), version, NOW).await.unwrap();
    assert_eq!(read(&*store, birth, "j", 6..7).await, None);
    assert_eq!(read(&*store, birth, "no such", 0..1).await, None);
}

/// What one write appends and cuts: everything is appended, then cut.
pub async fn appends_come_before_cuts(store: Arc<dyn Store>) {
    let (birth, version) = ten(&*store).await;
    let write = Write::new("").cut("j", 11).append("j", texts(10..13));
    store.replace(&key("a"), Expected::At(version), write, NOW).await.unwrap();
    assert_eq!(extents(&*store).await.0, Extent { first: 11, length: 13 });
    assert_eq!(read(&*store, birth, "j", 11..13).await, Some(texts(11..13)));
}
