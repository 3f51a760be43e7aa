//! What is done with the file itself: schemas, backups, and that nothing of what was deleted is left in it.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;
use std::time::Duration;

use answerplane_store::{Expected, Fault, Key, Store, Version, Write};
use answerplane_store_sqlite::{SqliteOptions, SqliteStore};
use rusqlite::Connection;

fn key(name: &str) -> Key {
    Key::new(["file", name]).unwrap()
}

#[test]
fn many_may_make_the_file_at_once() {
    for round in 0..40_u64 {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("store.db");
        std::thread::scope(|scope| {
            for opener in 0..6_u64 {
                let file = &file;
                scope.spawn(move || {
                    std::thread::sleep(Duration::from_micros(opener * round * 20));
                    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                    runtime.block_on(SqliteStore::open(file)).unwrap();
                });
            }
        });
    }
}

#[tokio::test]
async fn a_time_limit_may_be_as_long_as_one_likes() {
    let folder = tempfile::tempdir().unwrap();
    let options = SqliteOptions::new(folder.path().join("store.db")).timeout(Duration::MAX);
    let store = options.open().await.unwrap();
    store.replace(&key("long"), Expected::Absent, Write::new("0"), 0).await.unwrap();
}

#[tokio::test]
async fn a_file_of_a_newer_release_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store.db");
    drop(SqliteStore::open(&file).await.unwrap());
    let connection = Connection::open(&file).unwrap();
    connection.execute_batch("PRAGMA user_version = 1000").unwrap();
    let refused = SqliteStore::open(&file).await.unwrap_err();
    assert_eq!((refused.fault(), refused.fault().code()), (Fault::TooNew, "STORE_TOO_NEW"));
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
    assert_eq!(version, 1000);
}

#[tokio::test]
async fn a_file_that_is_no_store_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other.db");
    Connection::open(&other).unwrap().execute_batch("CREATE TABLE theirs (a)").unwrap();
    let text = folder.path().join("text.db");
    std::fs::write(&text, "a text ".repeat(1_000)).unwrap();
    for file in [&other, &text] {
        let before = std::fs::read(file).unwrap();
        assert_eq!(SqliteStore::open(file).await.unwrap_err().fault(), Fault::Damaged);
        assert_eq!(std::fs::read(file).unwrap(), before);
    }
    let nowhere = SqliteStore::open(folder.path().join("none/store.db")).await.unwrap_err();
    assert_eq!(nowhere.fault(), Fault::Unavailable);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_is_one_moment_of_a_store_that_is_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let store = std::sync::Arc::new(SqliteStore::open(folder.path().join("store.db")).await.unwrap());
    let birth = store.replace(&key("a"), Expected::Absent, Write::new("0"), 0).await.unwrap();
    let writer = tokio::spawn({
        let store = store.clone();
        async move {
            let mut version = birth;
            for number in 1..=300 {
                let write = Write::new(number.to_string()).append("j", [number.to_string()]);
                version = store.replace(&key("a"), Expected::At(version), write, 0).await.unwrap();
            }
            version
        }
    });
    let mut last = 0;
    for number in 0.. {
        if writer.is_finished() {
            break;
        }
        let to = folder.path().join(format!("backup {number}.db"));
        store.backup(&to).await.unwrap();
        let copy = SqliteStore::open(&to).await.unwrap();
        let found = copy.load(&key("a"), 0).await.unwrap().unwrap();
        let count: u64 = String::from_utf8(found.body.clone()).unwrap().parse().unwrap();
        assert_eq!(found.extent("j").length, count);
        assert!(count >= last);
        last = count;
        assert_eq!(store.backup(&to).await.unwrap_err().fault(), Fault::Unavailable, "it is there already");
    }
    assert!(writer.await.unwrap() > birth);
    let names = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    assert!(names.into_iter().all(|path| path.extension().is_none_or(|extension| extension != "partial")));
}

/// The command of `docs/stores.md`.
#[tokio::test]
async fn a_restored_store_whose_counter_was_raised_does_not_count_back() {
    let folder = tempfile::tempdir().unwrap();
    let (file, backup) = (folder.path().join("chat.db"), folder.path().join("backup.db"));
    let store = SqliteStore::open(&file).await.unwrap();
    store.replace(&key("a"), Expected::Absent, Write::new(""), 0).await.unwrap();
    store.backup(&backup).await.unwrap();
    let later = store.replace(&key("b"), Expected::Absent, Write::new(""), 0).await.unwrap();

    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/stores.md")).unwrap();
    let (_, command) = page.split_once("sqlite3 chat.db \"UPDATE").unwrap();
    let (raise, _) = command.split_once('"').unwrap();
    Connection::open(&backup).unwrap().execute_batch(&format!("UPDATE{raise}")).unwrap();
    let restored = SqliteStore::open(&backup).await.unwrap();
    let next = restored.replace(&key("b"), Expected::Absent, Write::new(""), 0).await.unwrap();
    assert!(next.get() > later.get() + 1_000_000);
}

#[tokio::test]
async fn the_greatest_version_is_the_last() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store.db");
    let store = SqliteStore::open(&file).await.unwrap();
    let raise = format!("UPDATE counter SET version = {}", Version::MAX - 1);
    Connection::open(&file).unwrap().execute_batch(&raise).unwrap();
    let last = store.replace(&key("a"), Expected::Absent, Write::new(""), 0).await.unwrap();
    assert_eq!(last.get(), Version::MAX);
    let refused = store.replace(&key("a"), Expected::At(last), Write::new(""), 0).await.unwrap_err();
    assert_eq!(refused.code(), "STORE_FULL");
    assert_eq!(store.load(&key("a"), 0).await.unwrap().unwrap().version, last);
}

#[tokio::test]
async fn a_vacuum_leaves_no_byte_of_what_was_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("store.db")).await.unwrap();
    let secret = "what a visitor said";
    let long = secret.repeat(5_000);
    let keep = store.replace(&key("kept"), Expected::Absent, Write::new("what is kept"), 0).await.unwrap();
    for (number, end) in ["deleted", "replaced", "expired", "cut"].into_iter().enumerate() {
        let key = key(end);
        let write = Write::new(secret).append("j", [secret, &long, secret]);
        let write = if end == "expired" { write.expires_at(1) } else { write };
        let version = store.replace(&key, Expected::Absent, write, 0).await.unwrap();
        match number {
            0 => store.delete(&key, version, 0).await.unwrap(),
            2 => assert_eq!(store.purge(1, 10).await.unwrap(), 1),
            _ => {
                let write = Write::new("a head").cut("j", 3);
                store.replace(&key, Expected::At(version), write, 0).await.unwrap();
            }
        }
    }
    store.vacuum().await.unwrap();
    assert!(holds(folder.path(), b"what is kept"));
    assert!(!holds(folder.path(), secret.as_bytes()));
    assert_eq!(store.load(&key("kept"), 0).await.unwrap().unwrap().version, keep);
}

/// Whether any file of a folder holds these bytes.
fn holds(folder: &Path, bytes: &[u8]) -> bool {
    std::fs::read_dir(folder).unwrap().any(|entry| {
        let content = std::fs::read(entry.unwrap().path()).unwrap();
        content.windows(bytes.len()).any(|window| window == bytes)
    })
}
