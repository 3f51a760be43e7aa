//! What can go wrong with a server, and that nothing acknowledged is lost and nothing applied twice.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic)]

mod schemas;

use std::os::unix::fs::{MetadataExt, chown};
use std::sync::Arc;
use std::time::{Duration, Instant};

use answerplane_store::{Expected, Fault, Key, ReplaceError, Store, Version, Write};
use answerplane_store_conformance::endurance::{check, endure};
use answerplane_store_conformance::proxy::{Cut, Proxy};
use answerplane_store_conformance::servers::{Kind, SmallDisk};
use answerplane_store_postgres::{PostgresOptions, PostgresStore};
use schemas::{emptied, execute};

fn key() -> Key {
    Key::new(["faults", "a"]).unwrap()
}

async fn records(store: &PostgresStore, birth: Version) -> Vec<Vec<u8>> {
    store.read(&key(), birth, "j", 0..u64::MAX, 0).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_loses_nothing_that_was_acknowledged() {
    let Some(mut server) = Kind::Postgres.server() else { return };
    server.start().unwrap();
    let options = PostgresOptions::new(server.url()).timeout(Duration::from_secs(2)).connections(4);
    let store = Arc::new(options.open().await.unwrap());
    let (ended, end) = tokio::sync::oneshot::channel();
    let killing = std::thread::spawn(move || {
        for _ in 0..4 {
            std::thread::sleep(Duration::from_millis(400));
            server.kill();
            server.start().unwrap();
        }
        std::thread::sleep(Duration::from_millis(200));
        ended.send(()).unwrap();
        server
    });
    let seen = endure(store.clone(), async { end.await.unwrap() }).await;
    assert!(seen.acknowledged > 50 && seen.failed > 0, "{seen:?}");
    assert!(seen.faults.contains(&Fault::Unavailable), "{seen:?}");
    let server = killing.join().unwrap();
    check(&PostgresStore::open(server.url()).await.unwrap(), &seen).await;
}

/// A store with one connection through a proxy, with a document, and every statement prepared.
async fn behind_a_proxy() -> Option<(Proxy, PostgresStore, PostgresStore, Version)> {
    let url = Kind::Postgres.url()?;
    let config: tokio_postgres::Config = url.parse().unwrap();
    let tokio_postgres::config::Host::Tcp(host) = &config.get_hosts()[0] else { panic!("no TCP") };
    let server = format!("{host}:{}", config.get_ports()[0]);
    let proxy = Proxy::new(server.clone()).await;
    let schema = emptied(&url).await;
    let options = PostgresOptions::new(&url).schema(&schema);
    let direct = options.clone().open().await.unwrap();
    let through = url.replace(&server, &proxy.address());
    let through =
        PostgresOptions::new(through).schema(&schema).connections(1).timeout(Duration::from_millis(500));
    let store = through.open().await.unwrap();
    let version =
        store.replace(&key(), Expected::Absent, Write::new("0").append("j", ["0"]), 0).await.unwrap();
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
        // The statement is prepared on the new connection.
        let write = Write::new("between");
        version = store.replace(&key(), Expected::At(version), write, 0).await.unwrap();
    }
    // Prepares the statement.
    assert!(matches!(store.delete(&key(), birth, 0).await, Err(ReplaceError::Conflict)));
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
    for _ in 0..3 {
        let refused = store.replace(&key(), Expected::At(birth), Write::new("a"), 0).await;
        assert!(
            matches!(&refused, Err(ReplaceError::Failed(error)) if error.fault() == Fault::Unavailable),
            "{refused:?}"
        );
        assert_eq!(store.load(&key(), 0).await.unwrap_err().fault(), Fault::Unavailable);
    }
    assert_eq!(direct.load(&key(), 0).await.unwrap().unwrap().version, birth);
    proxy.set_down(false);
    store.replace(&key(), Expected::At(birth), Write::new("a"), 0).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn with_every_connection_taken_a_call_fails_in_time() {
    let Some(url) = Kind::Postgres.url() else { return };
    let schema = emptied(&url).await;
    let options =
        PostgresOptions::new(&url).schema(&schema).connections(2).timeout(Duration::from_millis(600));
    let store = Arc::new(options.open().await.unwrap());
    let birth = store.replace(&key(), Expected::Absent, Write::new("0"), 0).await.unwrap();
    let (holder, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    holder.batch_execute(&format!("BEGIN; LOCK {schema}.documents")).await.unwrap();

    let start = Instant::now();
    let calls: Vec<_> = (0..12)
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
    assert!(start.elapsed() < Duration::from_secs(2));
    holder.batch_execute("ROLLBACK").await.unwrap();
    // The server has given up on all of them by now or will at once.
    tokio::time::sleep(Duration::from_millis(600)).await;
    let found = store.load(&key(), 0).await.unwrap().unwrap();
    store.replace(&key(), Expected::At(found.version), Write::new("2"), 0).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_takes_no_more_connections_has_not_written() {
    let Some(mut server) = Kind::Postgres.server() else { return };
    server.set("max_connections", "6");
    server.set("superuser_reserved_connections", "0");
    server.start().unwrap();
    let options = PostgresOptions::new(server.url()).connections(20).timeout(Duration::from_secs(2));
    let store = Arc::new(options.open().await.unwrap());
    let seen = endure(store, tokio::time::sleep(Duration::from_millis(500))).await;
    assert!(seen.acknowledged > 8 && seen.unknown == 0, "{seen:?}");
    assert_eq!(seen.faults, [Fault::Unavailable], "{seen:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_takes_nothing_and_loses_nothing() {
    let Some(mut server) = Kind::Postgres.server() else { return };
    let Some(disk) = SmallDisk::new(40 << 20) else { return };
    server.start().unwrap();
    let space = disk.path().join("space");
    std::fs::create_dir(&space).unwrap();
    let owner = server.folder().metadata().unwrap();
    chown(&space, Some(owner.uid()), Some(owner.gid())).unwrap();
    execute(&server.url(), &format!("CREATE TABLESPACE small LOCATION '{}'", space.display())).await;
    execute(&server.url(), "CREATE DATABASE small TABLESPACE small").await;
    let url = server.url().replace("/postgres", "/small").replace("//small", "//postgres");
    let store = Arc::new(PostgresStore::open(url).await.unwrap());
    let ballast = disk.path().join("ballast");
    std::fs::write(&ballast, vec![0; 8 << 20]).unwrap();

    let mut kept = Vec::new();
    for number in 0_u64.. {
        let key = Key::new([number.to_string()]).unwrap();
        let body: Vec<u8> = (0..60_000_u64).map(|at| ((at * at * (number + 3)) >> 5) as u8).collect();
        match store.replace(&key, Expected::Absent, Write::new(body).append("j", ["r"]), 0).await {
            Ok(version) => kept.push((key, version)),
            Err(ReplaceError::Failed(error)) => {
                assert_eq!(error.fault(), Fault::Full, "{error:?}");
                break;
            }
            Err(error) => panic!("{error:?}"),
        }
    }
    assert!(kept.len() > 5);
    let keys = store.list(&Default::default(), None, 10_000, 0).await.unwrap();
    assert_eq!(keys.len(), kept.len());
    for (key, version) in &kept {
        assert_eq!(store.load(key, 0).await.unwrap().unwrap().version, *version);
    }
    // With room again.
    std::fs::remove_file(&ballast).unwrap();
    let seen = endure(store, tokio::time::sleep(Duration::from_millis(300))).await;
    assert!(seen.acknowledged > 8, "{seen:?}");
}

#[tokio::test]
async fn a_server_that_can_only_be_read_says_so() {
    let Some(url) = Kind::Postgres.url() else { return };
    let schema = emptied(&url).await;
    let options = PostgresOptions::new(&url).schema(&schema);
    let store = options.clone().open().await.unwrap();
    let birth = store.replace(&key(), Expected::Absent, Write::new("0"), 0).await.unwrap();
    let read_only = format!("{url}?options=-c%20default_transaction_read_only%3Don");
    let store = PostgresOptions::new(read_only).schema(&schema).open().await.unwrap();
    assert_eq!(store.load(&key(), 0).await.unwrap().unwrap().version, birth);
    let refused = store.replace(&key(), Expected::At(birth), Write::new("1"), 0).await;
    assert!(
        matches!(&refused, Err(ReplaceError::Failed(error)) if error.fault() == Fault::ReadOnly),
        "{refused:?}"
    );
}

/// A server that waits for a replica that is not there: a write that is given up does not keep its connection.
#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_given_up_leaves_no_connection_behind() {
    let Some(mut server) = Kind::Postgres.server() else { return };
    server.start().unwrap();
    let options = PostgresOptions::new(server.url()).connections(4).timeout(Duration::from_millis(300));
    let store = options.open().await.unwrap();
    let birth = store.replace(&key(), Expected::Absent, Write::new("0"), 0).await.unwrap();
    execute(&server.url(), "ALTER SYSTEM SET synchronous_standby_names = 'nobody'").await;
    execute(&server.url(), "SELECT pg_reload_conf()").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    for _ in 0..8 {
        let given_up = store.replace(&key(), Expected::At(birth), Write::new("1"), 0).await;
        assert!(given_up.is_err());
    }
    let (client, connection) = tokio_postgres::connect(&server.url(), tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    let start = Instant::now();
    loop {
        let sql = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'answerplane'";
        let left: i64 = client.query_one(sql, &[]).await.unwrap().get(0);
        if left <= 4 {
            break;
        }
        assert!(start.elapsed() < Duration::from_secs(10), "{left} are left");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
