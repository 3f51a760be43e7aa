//! What can go wrong with a file, and that nothing acknowledged is lost and nothing applied twice.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use answerplane_store::{Expected, Fault, Key, ReplaceError, Store, Write};
use answerplane_store_conformance::endurance::{check, endure};
use answerplane_store_conformance::servers::SmallDisk;
use answerplane_store_sqlite::{Durability, SqliteOptions, SqliteStore};
use rusqlite::Connection;

/// What a child of this process is to do: the file, and how many writes.
const FILE: &str = "ANSWERPLANE_TEST_FILE";
const WRITES: &str = "ANSWERPLANE_TEST_WRITES";

fn key() -> Key {
    Key::new(["faults", "a"]).unwrap()
}

/// Another process with the same file.
fn process(file: &Path, writes: usize) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "as_a_child", "--nocapture"])
        .env(FILE, file)
        .env(WRITES, writes.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Not a test by itself: what a child of the tests below does. It counts up, and prints what was acknowledged.
#[tokio::test]
async fn as_a_child() {
    let Some(file) = std::env::var_os(FILE) else { return };
    let writes: usize = std::env::var(WRITES).unwrap().parse().unwrap();
    let store = SqliteStore::open(file).await.unwrap();
    let process = std::process::id();
    let mut count = 0;
    while count < writes {
        let found = store.load(&key(), 0).await.unwrap();
        let expected = found.map_or(Expected::Absent, |found| Expected::At(found.version));
        let id = format!("{process}/{count}");
        match store.replace(&key(), expected, Write::new(id.as_str()).append("j", [id.as_str()]), 0).await {
            Ok(_) => {
                count += 1;
                println!("wrote {id}");
                std::io::stdout().flush().unwrap();
            }
            Err(ReplaceError::Conflict) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

fn acknowledged(child: &mut Child) -> impl Iterator<Item = String> + use<> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    lines.filter_map(|line| line.split_once("wrote ").map(|(_, id)| id.to_owned()))
}

async fn records(store: &SqliteStore) -> Vec<String> {
    let found = store.load(&key(), 0).await.unwrap().unwrap();
    let records = store.read(&key(), found.birth, "j", 0..u64::MAX, 0).await.unwrap();
    assert_eq!(records.last(), Some(&found.body));
    records.into_iter().map(|record| String::from_utf8(record).unwrap()).collect()
}

#[tokio::test]
async fn a_killed_process_loses_nothing_that_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store.db");
    let mut expected = Vec::new();
    for round in 1..=10 {
        let mut child = process(&file, usize::MAX);
        let mut lines = acknowledged(&mut child);
        expected.extend(lines.by_ref().take(round * 7));
        child.kill().unwrap();
        expected.extend(lines);
        child.wait().unwrap();
        let store = SqliteStore::open(&file).await.unwrap();
        let found = records(&store).await;
        let in_flight: Vec<_> = found.iter().filter(|id| !expected.contains(id)).cloned().collect();
        assert!(in_flight.len() <= 1, "{in_flight:?}");
        assert_eq!(found, [&expected[..], &in_flight].concat());
        expected = found;
    }
}

#[tokio::test]
async fn two_processes_on_one_file_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store.db");
    // All of them make the file at once.
    let mut children: Vec<_> = (0..3).map(|_| process(&file, 60)).collect();
    let mut expected: Vec<String> = children.iter_mut().flat_map(acknowledged).collect();
    assert!(children.iter_mut().all(|child| child.wait().unwrap().success()));
    assert_eq!(expected.len(), 180);
    let mut found = records(&SqliteStore::open(&file).await.unwrap()).await;
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_jumps_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store.db");
    let seen = {
        let store = Arc::new(SqliteStore::open(&file).await.unwrap());
        endure(store, tokio::time::sleep(Duration::from_millis(300))).await
    };
    assert!(seen.acknowledged > 8 && seen.failed + seen.unknown == 0, "{seen:?}");
    check(&SqliteStore::open(&file).await.unwrap(), &seen).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_somebody_else_holds_is_waited_for_so_long() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store.db");
    let options = SqliteOptions::new(&file).timeout(Duration::from_millis(300));
    let store = Arc::new(options.open().await.unwrap());
    let other = Connection::open(&file).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();

    // More than there are threads: those that do not get their turn fail too, and all of them in time.
    let start = Instant::now();
    let writes: Vec<_> = (0..20)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move { store.replace(&key(), Expected::Absent, Write::new("a"), 0).await })
        })
        .collect();
    for write in writes {
        let refused = write.await.unwrap();
        assert!(matches!(refused, Err(ReplaceError::Failed(error)) if error.fault() == Fault::TimedOut));
    }
    assert!(start.elapsed() < Duration::from_secs(3));
    assert_eq!(store.load(&key(), 0).await.unwrap(), None, "readers are not held up");

    other.execute_batch("ROLLBACK").unwrap();
    store.replace(&key(), Expected::Absent, Write::new("a"), 0).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_takes_nothing_and_loses_nothing() {
    let Some(disk) = SmallDisk::new(24 << 20) else { return };
    let ballast = disk.path().join("ballast");
    std::fs::write(&ballast, vec![0; 21 << 20]).unwrap();
    let store = Arc::new(SqliteStore::open(disk.path().join("store.db")).await.unwrap());
    let mut kept = Vec::new();
    for number in 0.. {
        let key = Key::new([number.to_string()]).unwrap();
        match store.replace(&key, Expected::Absent, Write::new(vec![7; 40_000]).append("j", ["r"]), 0).await {
            Ok(version) => kept.push((key, version)),
            Err(ReplaceError::Failed(error)) => {
                assert_eq!(error.fault(), Fault::Full, "{error:?}");
                break;
            }
            Err(error) => panic!("{error:?}"),
        }
    }
    assert!(kept.len() > 5);
    let keys = store.list(&Default::default(), None, 1_000, 0).await.unwrap();
    assert_eq!(keys.len(), kept.len());
    for (key, version) in &kept {
        assert_eq!(store.load(key, 0).await.unwrap().unwrap().version, *version);
    }
    // With room again, and while the room ends in mid-run.
    std::fs::remove_file(&ballast).unwrap();
    let path = ballast.clone();
    let seen = endure(store.clone(), async move {
        for _ in 0..5 {
            tokio::time::sleep(Duration::from_millis(100)).await;
            let mut file = std::fs::File::create(&path).unwrap();
            while file.write_all(&[0; 1024]).is_ok() {}
            tokio::time::sleep(Duration::from_millis(100)).await;
            std::fs::remove_file(&path).unwrap();
        }
    })
    .await;
    assert!(seen.faults.contains(&Fault::Full), "{seen:?}");
    drop(store);
    check(&SqliteStore::open(disk.path().join("store.db")).await.unwrap(), &seen).await;
}

#[tokio::test]
async fn a_read_only_file_is_said_to_be_one() {
    let Some(disk) = SmallDisk::new(3 << 20) else { return };
    let file = disk.path().join("store.db");
    let store = SqliteStore::open(&file).await.unwrap();
    store.replace(&key(), Expected::Absent, Write::new("a"), 0).await.unwrap();
    drop(store);
    disk.set_read_only();
    let refused = SqliteStore::open(&file).await.unwrap_err();
    assert_eq!(refused.fault(), Fault::ReadOnly, "{refused:?}");
    let refused = SqliteStore::open(disk.path().join("none.db")).await.unwrap_err();
    assert_eq!(refused.fault(), Fault::ReadOnly, "{refused:?}");
}

#[tokio::test]
async fn the_lesser_durability_outlives_the_store() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store.db");
    let store = SqliteOptions::new(&file).durability(Durability::Normal).open().await.unwrap();
    let version = store.replace(&key(), Expected::Absent, Write::new("a"), 0).await.unwrap();
    drop(store);
    let store = SqliteStore::open(&file).await.unwrap();
    assert_eq!(store.load(&key(), 0).await.unwrap().unwrap().version, version);
}

#[tokio::test]
async fn a_store_on_a_disk_that_is_full_says_so() {
    let Some(disk) = SmallDisk::new(2 << 20) else { return };
    let path = disk.path().join("store.db");
    drop(SqliteStore::open(&path).await.unwrap());
    // The last connection takes the log away when it ends.
    while disk.path().join("store.db-shm").exists() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let mut file = std::fs::File::create(disk.path().join("ballast")).unwrap();
    while file.write_all(&[0; 512]).is_ok() {}
    assert_eq!(SqliteStore::open(&path).await.unwrap_err().fault(), Fault::Full);
}
