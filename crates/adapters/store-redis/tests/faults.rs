//! What can go wrong with a server, and that nothing acknowledged is lost and nothing applied twice.
#![allow(clippy::unwrap_used, clippy::panic)]

mod prefixes;

use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use answerplane_store::{Expected, Fault, Key, ReplaceError, Store, Version, Write};
use answerplane_store_conformance::endurance::{check, endure};
use answerplane_store_conformance::proxy::{Cut, Proxy};
use answerplane_store_conformance::servers::{Kind, SmallDisk};
use answerplane_store_redis::{RedisOptions, RedisStore};
use prefixes::{command, emptied};
use redis::ConnectionAddr;

fn key() -> Key {
    Key::new(["faults", "a"]).unwrap()
}

async fn records(store: &RedisStore, birth: Version) -> Vec<Vec<u8>> {
    store.read(&key(), birth, "j", 0..u64::MAX, 0).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_loses_nothing_that_was_acknowledged() {
    let Some(mut server) = Kind::Redis.server() else { return };
    server.start().unwrap();
    let options = RedisOptions::new(server.url()).timeout(Duration::from_secs(2));
    let store = Arc::new(options.open().await.unwrap());
    let (ended, end) = tokio::sync::oneshot::channel();
    let killing = std::thread::spawn(move || {
        for _ in 0..6 {
            std::thread::sleep(Duration::from_millis(300));
            server.kill();
            server.start().unwrap();
        }
        std::thread::sleep(Duration::from_millis(200));
        ended.send(()).unwrap();
        server
    });
    let seen = endure(store.clone(), async { end.await.unwrap() }).await;
    assert!(seen.acknowledged > 50 && seen.unknown > 0, "{seen:?}");
    let server = killing.join().unwrap();
    check(&RedisStore::open(server.url()).await.unwrap(), &seen).await;
}

/// A store through a proxy, with a document, and one beside it.
async fn behind_a_proxy() -> Option<(Proxy, RedisStore, RedisStore, Version)> {
    let url = Kind::Redis.url()?;
    let client = redis::Client::open(url.as_str()).unwrap();
    let ConnectionAddr::Tcp(host, port) = client.get_connection_info().addr() else { panic!("no TCP") };
    let server = format!("{host}:{port}");
    let proxy = Proxy::new(server.clone()).await;
    let prefix = emptied(&url).await;
    let direct = RedisOptions::new(&url).prefix(&prefix).open().await.unwrap();
    let through = RedisOptions::new(url.replace(&server, &proxy.address())).prefix(&prefix);
    let store = through.timeout(Duration::from_millis(500)).open().await.unwrap();
    let version =
        store.replace(&key(), Expected::Absent, Write::new("0").append("j", ["0"]), 0).await.unwrap();
    // The script is known to the server from here on.
    assert!(matches!(store.delete(&key(), Version::new(1 << 60)?, 0).await, Err(ReplaceError::Conflict)));
    Some((proxy, store, direct, version))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cut_connection_leaves_the_outcome_unknown_and_a_repeat_settles_it() {
    let Some((proxy, store, _, birth)) = behind_a_proxy().await else { return };
    let mut version = birth;
    let mut expected = vec![b"0".to_vec()];
    for (number, cut) in
        [Cut::Before, Cut::After, Cut::Silence, Cut::Before, Cut::After].into_iter().enumerate()
    {
        let id = format!("{cut:?} {number}");
        let write = Write::new(id.as_str()).append("j", [id.as_str()]);
        proxy.cut(cut);
        let lost = store.replace(&key(), Expected::At(version), write.clone(), 0).await;
        let Err(ReplaceError::Unknown(error)) = lost else { panic!("{lost:?}") };
        let fault = if cut == Cut::Silence { Fault::TimedOut } else { Fault::Unavailable };
        assert_eq!(error.fault(), fault, "{error:?}");
        let again = store.replace(&key(), Expected::At(version), write, 0).await;
        let found = store.load(&key(), 0).await.unwrap().unwrap();
        match cut {
            Cut::Before => assert_eq!(again.unwrap(), found.version),
            _ => assert!(matches!(again, Err(ReplaceError::Conflict)), "{again:?}"),
        }
        assert_eq!(found.body, id.as_bytes());
        version = found.version;
        expected.push(id.into_bytes());
        assert_eq!(records(&store, birth).await, expected);
    }
    proxy.cut(Cut::After);
    assert!(matches!(store.delete(&key(), version, 0).await, Err(ReplaceError::Unknown(_))));
    assert!(matches!(store.delete(&key(), version, 0).await, Err(ReplaceError::Conflict)));
    assert_eq!(store.load(&key(), 0).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_lands_late_meets_what_came_before_it() {
    let Some((proxy, store, direct, birth)) = behind_a_proxy().await else { return };
    proxy.cut(Cut::Late);
    let late = Write::new("late").append("j", ["late"]);
    let lost = store.replace(&key(), Expected::At(birth), late.clone(), 0).await;
    assert!(matches!(lost, Err(ReplaceError::Unknown(_))), "{lost:?}");
    let version = direct.replace(&key(), Expected::At(birth), Write::new("first"), 0).await.unwrap();
    proxy.land().await;
    assert_eq!(direct.load(&key(), 0).await.unwrap().unwrap().version, version);
    assert_eq!(records(&direct, birth).await, [b"0"]);

    // One that was not overtaken lands, and its repeat conflicts.
    let version = store.replace(&key(), Expected::At(version), Write::new("next"), 0).await.unwrap();
    proxy.cut(Cut::Late);
    assert!(store.replace(&key(), Expected::At(version), late.clone(), 0).await.is_err());
    proxy.land().await;
    let again = store.replace(&key(), Expected::At(version), late, 0).await;
    assert!(matches!(again, Err(ReplaceError::Conflict)));
    assert_eq!(records(&direct, birth).await, [&b"0"[..], b"late"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_cannot_be_reached_has_certainly_not_written() {
    let Some((proxy, store, direct, birth)) = behind_a_proxy().await else { return };
    proxy.set_down(true);
    tokio::time::sleep(Duration::from_millis(50)).await;
    // The connection that was there is found to have ended.
    assert_eq!(store.load(&key(), 0).await.unwrap_err().fault(), Fault::Unavailable);
    for _ in 0..3 {
        let refused = store.replace(&key(), Expected::At(birth), Write::new("a"), 0).await;
        assert!(
            matches!(&refused, Err(ReplaceError::Failed(error)) if error.fault() == Fault::Unavailable),
            "{refused:?}"
        );
    }
    assert_eq!(direct.load(&key(), 0).await.unwrap().unwrap().version, birth);
    proxy.set_down(false);
    store.replace(&key(), Expected::At(birth), Write::new("a"), 0).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_takes_no_more_connections_has_not_written() {
    let Some(mut server) = Kind::Redis.server() else { return };
    server.set("maxclients", "3");
    server.start().unwrap();
    let client = redis::Client::open(server.url()).unwrap();
    let others = connections(&client, 3).await;
    let refused = RedisStore::open(server.url()).await.unwrap_err();
    assert_eq!(refused.fault(), Fault::Unavailable, "{refused:?}");
    drop(others);
    tokio::time::sleep(Duration::from_millis(50)).await;
    let store = RedisStore::open(server.url()).await.unwrap();
    let version = store.replace(&key(), Expected::Absent, Write::new("0"), 0).await.unwrap();

    // The store loses its only connection, and somebody else takes its place.
    server.kill();
    server.start().unwrap();
    let others = connections(&client, 3).await;
    let lost = store.load(&key(), 0).await.unwrap_err();
    assert_eq!(lost.fault(), Fault::Unavailable);
    let refused = store.replace(&key(), Expected::At(version), Write::new("1"), 0).await;
    assert!(
        matches!(&refused, Err(ReplaceError::Failed(error)) if error.fault() == Fault::Unavailable),
        "{refused:?}"
    );
    drop(others);
    tokio::time::sleep(Duration::from_millis(50)).await;
    store.replace(&key(), Expected::At(version), Write::new("1"), 0).await.unwrap();
}

async fn connections(client: &redis::Client, count: usize) -> Vec<redis::aio::MultiplexedConnection> {
    let mut made = Vec::new();
    while made.len() < count {
        // One that was just closed may still be counted.
        match client.get_multiplexed_async_connection().await {
            Ok(connection) => made.push(connection),
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
    made
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_busy_is_waited_for_so_long() {
    let Some(mut server) = Kind::Redis.server() else { return };
    server.start().unwrap();
    let store = RedisOptions::new(server.url()).timeout(Duration::from_millis(300)).open().await.unwrap();
    let store = Arc::new(store);
    let birth = store.replace(&key(), Expected::Absent, Write::new("0"), 0).await.unwrap();
    let _: () = command(&server.url(), redis::cmd("CLIENT").arg("PAUSE").arg(1_000)).await;
    let start = Instant::now();
    let calls: Vec<_> = (0..20)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move { store.replace(&key(), Expected::At(birth), Write::new("1"), 0).await })
        })
        .collect();
    for call in calls {
        match call.await.unwrap() {
            Err(ReplaceError::Failed(error) | ReplaceError::Unknown(error)) => {
                assert_eq!(error.fault(), Fault::TimedOut, "{error:?}");
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(start.elapsed() < Duration::from_secs(1));
    tokio::time::sleep(Duration::from_secs(1)).await;
    let found = store.load(&key(), 0).await.unwrap().unwrap();
    store.replace(&key(), Expected::At(found.version), Write::new("2"), 0).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_loses_nothing() {
    let Some(mut server) = Kind::Redis.server() else { return };
    let Some(disk) = SmallDisk::new(24 << 20) else { return };
    server.set("dir", &disk.path().display().to_string());
    server.start().unwrap();
    let store = RedisOptions::new(server.url()).timeout(Duration::from_secs(2)).open().await.unwrap();
    let ballast = disk.path().join("ballast");
    let (ended, end) = tokio::sync::oneshot::channel();
    let filling = std::thread::spawn(move || {
        for _ in 0..3 {
            std::thread::sleep(Duration::from_millis(200));
            let mut file = std::fs::File::create(&ballast).unwrap();
            while file.write_all(&[0; 64]).is_ok() {}
            drop(file);
            // With `appendfsync always`, Redis ends rather than acknowledge what it cannot keep.
            let start = Instant::now();
            while server.is_running() {
                assert!(start.elapsed() < Duration::from_secs(20));
                std::thread::sleep(Duration::from_millis(10));
            }
            std::fs::remove_file(&ballast).unwrap();
            server.start().unwrap();
        }
        std::thread::sleep(Duration::from_millis(200));
        ended.send(()).unwrap();
        server
    });
    let seen = endure(Arc::new(store), async { end.await.unwrap() }).await;
    assert!(seen.acknowledged > 50 && seen.unknown > 0, "{seen:?}");
    let server = filling.join().unwrap();
    check(&RedisStore::open(server.url()).await.unwrap(), &seen).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_memory_takes_nothing_and_loses_nothing() {
    let Some(mut server) = Kind::Redis.server() else { return };
    server.set("maxmemory", "8mb");
    server.start().unwrap();
    let store = RedisStore::open(server.url()).await.unwrap();
    let mut kept = Vec::new();
    for number in 0.. {
        let key = Key::new([number.to_string()]).unwrap();
        let write = Write::new(vec![7; 40_000]).append("j", ["r"]).append("k", ["r"]);
        match store.replace(&key, Expected::Absent, write, 0).await {
            Ok(version) => kept.push((key, version)),
            Err(ReplaceError::Failed(error)) => {
                assert_eq!(error.fault(), Fault::Full, "{error:?}");
                break;
            }
            Err(error) => panic!("{error:?}"),
        }
    }
    assert!(kept.len() > 5);
    assert_eq!(store.list(&Default::default(), None, 10_000, 0).await.unwrap().len(), kept.len());
    for (key, version) in &kept {
        let found = store.load(key, 0).await.unwrap().unwrap();
        assert_eq!((found.version, found.extent("k").length), (*version, 1));
    }
    // What is deleted makes room.
    for (key, version) in &kept {
        store.delete(key, *version, 0).await.unwrap();
    }
    store.replace(&key(), Expected::Absent, Write::new(vec![7; 40_000]), 0).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_says_that_it_can_only_be_read() {
    let Some(mut server) = Kind::Redis.server() else { return };
    server.start().unwrap();
    let store = RedisStore::open(server.url()).await.unwrap();
    let birth = store.replace(&key(), Expected::Absent, Write::new("0"), 0).await.unwrap();
    let replica_of = |host: &str, port: &str| {
        let mut command = redis::cmd("REPLICAOF");
        command.arg(host).arg(port);
        command
    };
    let _: () = command(&server.url(), &replica_of("127.0.0.1", "1")).await;
    assert_eq!(store.load(&key(), 0).await.unwrap().unwrap().version, birth);
    for _ in 0..2 {
        let refused = store.replace(&key(), Expected::At(birth), Write::new("1"), 0).await;
        assert!(
            matches!(&refused, Err(ReplaceError::Failed(error)) if error.fault() == Fault::ReadOnly),
            "{refused:?}"
        );
    }
    let _: () = command(&server.url(), &replica_of("NO", "ONE")).await;
    store.replace(&key(), Expected::At(birth), Write::new("1"), 0).await.unwrap();
}
