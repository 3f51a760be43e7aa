//! Many at once.

use std::sync::Arc;
use std::time::Duration;

use answerplane_store::{Expected, ReadError, ReplaceError, Store, Write};
use tokio::task::JoinSet;

use crate::{NOW, key, make};

/// How many write at once.
const WRITERS: usize = 16;

/// Of many that make a document at once, one succeeds and the others meet a conflict.
pub async fn of_many_that_make_one_wins(store: Arc<dyn Store>) {
    for round in 0..10 {
        let key = key(&format!("round {round}"));
        let mut writers = JoinSet::new();
        for writer in 0..WRITERS {
            let (store, key) = (store.clone(), key.clone());
            writers.spawn(async move {
                let write = Write::new(writer.to_string()).append("j", [writer.to_string()]);
                match store.replace(&key, Expected::Absent, write, NOW).await {
                    Ok(version) => Some((version, writer)),
                    Err(ReplaceError::Conflict) => None,
                    Err(error) => panic!("{error}"),
                }
            });
        }
        let won: Vec<_> = writers.join_all().await.into_iter().flatten().collect();
        let [(version, winner)] = won[..] else { panic!("{} have won", won.len()) };
        let found = store.load(&key, NOW).await.unwrap().unwrap();
        assert_eq!((found.version, found.body), (version, winner.to_string().into_bytes()));
        let records = store.read(&key, version, "j", 0..99, NOW).await.unwrap();
        assert_eq!(records, [winner.to_string().into_bytes()]);
    }
}

/// Writers that load, count one up and write at what they loaded lose no count and no record.
pub async fn of_many_that_change_none_is_lost(store: Arc<dyn Store>) {
    const EACH: usize = 10;
    let key = key("a");
    let birth = make(&*store, &key, Write::new("0")).await;
    let mut writers = JoinSet::new();
    for _ in 0..WRITERS {
        let (store, key) = (store.clone(), key.clone());
        writers.spawn(async move {
            let mut written = 0;
            while written < EACH {
                let found = store.load(&key, NOW).await.unwrap().unwrap();
                let count = text(&found.body).parse::<usize>().unwrap() + 1;
                let write = Write::new(count.to_string()).append("j", [count.to_string()]);
                match store.replace(&key, Expected::At(found.version), write, NOW).await {
                    Ok(version) => {
                        assert!(version > found.version);
                        written += 1;
                    }
                    Err(ReplaceError::Conflict) => {}
                    Err(error) => panic!("{error}"),
                }
            }
        });
    }
    writers.join_all().await;
    let total = WRITERS * EACH;
    let found = store.load(&key, NOW).await.unwrap().unwrap();
    assert_eq!(text(&found.body), total.to_string());
    let records = store.read(&key, birth, "j", 0..u64::MAX, NOW).await.unwrap();
    let expected: Vec<_> = (1..=total).map(|count| count.to_string().into_bytes()).collect();
    assert_eq!(records, expected);
}

/// While somebody appends and cuts, a reader finds a body and journals of one moment, and every record under its number
/// or none.
pub async fn a_reader_never_sees_half_a_write(store: Arc<dyn Store>) {
    const WRITES: u64 = 100;
    let key = key("a");
    let birth = make(&*store, &key, Write::new("1").append("j", ["0"])).await;
    let writer = tokio::spawn({
        let (store, key) = (store.clone(), key.clone());
        async move {
            let mut version = birth;
            for number in 1..WRITES {
                let write = Write::new((number + 1).to_string()).append("j", [number.to_string()]);
                let write = write.cut("j", number.saturating_sub(5));
                version = store.replace(&key, Expected::At(version), write, NOW).await.unwrap();
            }
        }
    });
    let mut length = 0;
    while length < WRITES {
        let found = store.load(&key, NOW).await.unwrap().unwrap();
        let extent = found.extent("j");
        length = extent.length;
        assert_eq!(text(&found.body), length.to_string());
        match store.read(&key, birth, "j", extent.first..u64::MAX, NOW).await {
            Ok(records) => {
                for (number, record) in (extent.first..).zip(&records) {
                    assert_eq!(text(record), number.to_string());
                }
                assert!(records.len() as u64 >= length - extent.first);
            }
            Err(ReadError::Gone) => {}
            Err(error) => panic!("{error}"),
        }
    }
    writer.await.unwrap();
}

/// A write whose future was dropped is there whole, or not at all, and later writes find one of both.
pub async fn a_dropped_write_is_whole_or_nothing(store: Arc<dyn Store>) {
    let key = key("a");
    let birth = make(&*store, &key, Write::new("0")).await;
    for number in 1..=20_u64 {
        let before = store.load(&key, NOW).await.unwrap().unwrap();
        let write = Write::new(number.to_string()).append("j", [number.to_string()]);
        let patience = Duration::from_micros(number * 50);
        let _ = tokio::time::timeout(patience, store.replace(&key, Expected::At(before.version), write, NOW))
            .await;
        // What still is on its way conflicts from here on, or has come before.
        let settled = loop {
            let found = store.load(&key, NOW).await.unwrap().unwrap();
            let write = Write::new(found.body.clone());
            match store.replace(&key, Expected::At(found.version), write, NOW).await {
                Ok(_) => break found,
                Err(ReplaceError::Conflict) => {}
                Err(error) => panic!("{error}"),
            }
        };
        let happened = settled.version > before.version;
        let body = if happened { number.to_string().into_bytes() } else { before.body.clone() };
        assert_eq!(settled.body, body);
        assert_eq!(settled.extent("j").length, before.extent("j").length + u64::from(happened));
        assert_eq!(settled.birth, birth);
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("as written")
}
