//! What is done with the database itself: schemas, encryption, and that nothing of what was deleted is left in it.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic)]

mod schemas;

use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::sync::Arc;
use std::time::Duration;

use answerplane_store::{Expected, Fault, Key, Store, Write};
use answerplane_store_conformance::servers::Kind;
use answerplane_store_postgres::PostgresOptions;
use schemas::{emptied, execute};
use tokio::task::JoinSet;

fn key(name: &str) -> Key {
    Key::new(["database", name]).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn many_may_make_the_schema_at_once() {
    let Some(url) = Kind::Postgres.url() else { return };
    let schema = emptied(&url).await;
    let options = PostgresOptions::new(&url).schema(&schema);
    let mut opening: JoinSet<_> = (0..8).map(|_| options.clone().open()).collect();
    while let Some(opened) = opening.join_next().await {
        opened.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_schema_of_a_newer_release_is_refused() {
    let Some(url) = Kind::Postgres.url() else { return };
    let schema = emptied(&url).await;
    let options = PostgresOptions::new(&url).schema(&schema);
    options.clone().open().await.unwrap();
    execute(&url, &format!("UPDATE {schema}.schema_steps SET made = 1000")).await;
    let refused = options.open().await.unwrap_err();
    assert_eq!((refused.fault(), refused.fault().code()), (Fault::TooNew, "STORE_TOO_NEW"));
}

#[tokio::test]
async fn what_cannot_be_used_is_refused_without_a_word_of_the_password() {
    for (url, schema) in [
        ("postgres://chat:hunter2@localhost:1/chat", "answerplane"),
        ("postgres://chat:hunter2@localhost:none/chat", "answerplane"),
        ("postgres://chat:hunter2@localhost/chat", "Robert'); DROP TABLE documents; --"),
    ] {
        let options = PostgresOptions::new(url).schema(schema);
        assert!(!format!("{options:?}").contains("hunter2"));
        let refused = options.open().await.unwrap_err();
        assert_eq!(refused.fault(), Fault::Unavailable);
        assert!(!format!("{refused:?}").contains("hunter2"));
    }
}

/// The command of `docs/stores.md`.
#[tokio::test]
async fn a_raised_counter_does_not_count_back() {
    let Some(url) = Kind::Postgres.url() else { return };
    let schema = emptied(&url).await;
    let options = PostgresOptions::new(&url).schema(&schema);
    let store = options.open().await.unwrap();
    let before = store.replace(&key("a"), Expected::Absent, Write::new(""), 0).await.unwrap();
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/stores.md")).unwrap();
    let (_, command) = page.split_once("psql \"$URL\" -c \"").unwrap();
    let (raise, _) = command.split_once('"').unwrap();
    execute(&url, &raise.replace("answerplane.", &format!("{schema}."))).await;
    let after = store.replace(&key("b"), Expected::Absent, Write::new(""), 0).await.unwrap();
    assert!(after.get() > before.get() + 1_000_000);
}

#[tokio::test]
async fn what_was_deleted_is_in_no_row() {
    let Some(url) = Kind::Postgres.url() else { return };
    let schema = emptied(&url).await;
    let options = PostgresOptions::new(&url).schema(&schema);
    let store = options.open().await.unwrap();
    let secret = "what a visitor said";
    store
        .replace(&key("kept"), Expected::Absent, Write::new("what is kept").append("j", ["r"]), 0)
        .await
        .unwrap();
    for end in ["deleted", "replaced", "expired", "made anew"] {
        let key = key(end);
        let write = Write::new(secret).append("j", [secret; 3]).append(secret, [secret]);
        let write = if ["expired", "made anew"].contains(&end) { write.expires_at(1) } else { write };
        let version = store.replace(&key, Expected::Absent, write, 0).await.unwrap();
        match end {
            "deleted" => store.delete(&key, version, 0).await.unwrap(),
            "made anew" => {
                store.replace(&key, Expected::Absent, Write::new(""), 1).await.unwrap();
            }
            "expired" => {}
            _ => {
                let write = Write::new("").cut("j", 3).cut(secret, 1);
                let version = store.replace(&key, Expected::At(version), write, 0).await.unwrap();
                store.delete(&key, version, 0).await.unwrap();
            }
        }
    }
    assert_eq!(store.purge(1, 10).await.unwrap(), 1);

    let (client, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    let tables = "SELECT tablename::text FROM pg_tables WHERE schemaname = $1";
    for table in client.query(tables, &[&schema]).await.unwrap() {
        let table: String = table.get(0);
        let rows = client.query(&format!("SELECT t::text FROM {schema}.{table} t"), &[]).await.unwrap();
        let hex: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
        for row in rows {
            let row: String = row.get(0);
            assert!(!row.contains(&hex) && !row.contains(secret), "{table}: {row}");
        }
        let count: i64 =
            client.query_one(&format!("SELECT count(*) FROM {schema}.{table}"), &[]).await.unwrap().get(0);
        assert_eq!(
            count,
            match table.as_str() {
                "documents" => 2,
                _ => 1,
            },
            "{table}"
        );
    }
}

#[tokio::test]
async fn an_encrypted_connection_needs_a_certificate_that_is_trusted() {
    let Some(mut server) = Kind::Postgres.server() else { return };
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let owner = server.folder().metadata().unwrap();
    let folder = server.folder().to_owned();
    for (name, text) in [("server.crt", made.cert.pem()), ("server.key", made.signing_key.serialize_pem())] {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        chown(&path, Some(owner.uid()), Some(owner.gid())).unwrap();
        let setting = if name == "server.crt" { "ssl_cert_file" } else { "ssl_key_file" };
        server.set(setting, &path.display().to_string());
    }
    server.set("ssl", "on");
    server.start().unwrap();
    let url = format!("{}?sslmode=require", server.url().replace("127.0.0.1", "localhost"));
    let refused = PostgresOptions::new(&url).open().await.unwrap_err();
    assert_eq!(refused.fault(), Fault::Unavailable);
    let store = PostgresOptions::new(&url).root_certificates(made.cert.pem()).open().await.unwrap();
    store.replace(&key("a"), Expected::Absent, Write::new(""), 0).await.unwrap();
}

/// Writers that make what is always expired, while it is purged: each is alone with its document, so none conflicts.
#[tokio::test(flavor = "multi_thread")]
async fn what_has_expired_is_absent_also_while_it_is_purged() {
    let Some(url) = Kind::Postgres.url() else { return };
    let schema = emptied(&url).await;
    let store = Arc::new(PostgresOptions::new(&url).schema(&schema).open().await.unwrap());
    let mut tasks = JoinSet::new();
    for writer in 0..4 {
        let store = store.clone();
        tasks.spawn(async move {
            let key = key(&format!("expired-{writer}"));
            for _ in 0..150 {
                let write = Write::new("0").expires_at(1);
                store.replace(&key, Expected::Absent, write, 1).await.unwrap();
            }
        });
    }
    let purges: Vec<_> = (0..4)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move {
                loop {
                    store.purge(1, 100).await.unwrap();
                }
            })
        })
        .collect();
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
    purges.iter().for_each(tokio::task::JoinHandle::abort);
}

#[tokio::test]
async fn a_purge_may_be_as_large_as_one_likes() {
    let Some(url) = Kind::Postgres.url() else { return };
    let schema = emptied(&url).await;
    let options = PostgresOptions::new(&url).schema(&schema).timeout(Duration::MAX);
    let store = options.open().await.unwrap();
    for number in 0..450 {
        let write = Write::new("0").expires_at(1).append("j", ["r"]);
        store.replace(&key(&number.to_string()), Expected::Absent, write, 0).await.unwrap();
    }
    assert_eq!(store.purge(1, 430).await.unwrap(), 430);
    assert_eq!(store.purge(1, usize::MAX).await.unwrap(), 20);
}
