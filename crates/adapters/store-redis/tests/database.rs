//! What is done with the database itself: schemas, encryption, and that nothing of what was deleted is left in it.
#![allow(clippy::unwrap_used, clippy::panic)]

mod prefixes;

use answerplane_store::{Expected, Fault, Key, Store, Write};
use answerplane_store_conformance::servers::Kind;
use answerplane_store_redis::RedisOptions;
use prefixes::{command, emptied, keys};

fn key(name: &str) -> Key {
    Key::new(["database", name]).unwrap()
}

#[tokio::test]
async fn what_a_newer_release_has_written_is_refused() {
    let Some(url) = Kind::Redis.url() else { return };
    let prefix = emptied(&url).await;
    let options = RedisOptions::new(&url).prefix(&prefix);
    options.clone().open().await.unwrap();
    let _: () = command(&url, redis::cmd("SET").arg(format!("{prefix}:s")).arg(1_000)).await;
    let refused = options.open().await.unwrap_err();
    assert_eq!((refused.fault(), refused.fault().code()), (Fault::TooNew, "STORE_TOO_NEW"));
}

#[tokio::test]
async fn what_cannot_be_used_is_refused_without_a_word_of_the_password() {
    for (url, prefix) in [
        ("redis://chat:hunter2@localhost:1/", "answerplane"),
        ("redis://chat:hunter2@localhost:none/", "answerplane"),
        ("hunter2", "answerplane"),
        ("redis://chat:hunter2@localhost/", "a:b"),
        ("redis://chat:hunter2@localhost/", ""),
    ] {
        let options = RedisOptions::new(url).prefix(prefix);
        assert!(!format!("{options:?}").contains("hunter2"));
        let refused = options.open().await.unwrap_err();
        assert_eq!(refused.fault(), Fault::Unavailable);
        assert!(!format!("{refused:?}").contains("hunter2"), "{refused:?}");
    }
}

/// The command of `docs/stores.md`.
#[tokio::test]
async fn a_raised_counter_does_not_count_back() {
    let Some(url) = Kind::Redis.url() else { return };
    let prefix = emptied(&url).await;
    let store = RedisOptions::new(&url).prefix(&prefix).open().await.unwrap();
    let before = store.replace(&key("a"), Expected::Absent, Write::new(""), 0).await.unwrap();
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/stores.md")).unwrap();
    let (_, raise) = page.split_once("redis-cli -u \"$URL\" INCRBY ").unwrap();
    let words: Vec<&str> = raise.lines().next().unwrap().split(' ').collect();
    let [counter, by] = words[..] else { panic!("{words:?}") };
    assert_eq!(counter, "answerplane:v");
    let _: u64 = command(&url, redis::cmd("INCRBY").arg(format!("{prefix}:v")).arg(by)).await;
    let after = store.replace(&key("b"), Expected::Absent, Write::new(""), 0).await.unwrap();
    assert!(after.get() > before.get() + 1_000_000);
}

#[tokio::test]
async fn versions_are_exact_to_the_last() {
    let Some(url) = Kind::Redis.url() else { return };
    let prefix = emptied(&url).await;
    let store = RedisOptions::new(&url).prefix(&prefix).open().await.unwrap();
    let _: () = command(&url, redis::cmd("SET").arg(format!("{prefix}:v")).arg(i64::MAX - 2)).await;
    let birth =
        store.replace(&key("a"), Expected::Absent, Write::new("").append("j", ["r"]), 0).await.unwrap();
    let last =
        store.replace(&key("a"), Expected::At(birth), Write::new("").append("j", ["r"]), 0).await.unwrap();
    assert_eq!((birth.get(), last.get()), (i64::MAX as u64 - 1, i64::MAX as u64));
    let refused =
        store.replace(&key("a"), Expected::At(last), Write::new("late").append("j", ["r"]), 0).await;
    assert_eq!(refused.unwrap_err().code(), "STORE_FULL");
    let found = store.load(&key("a"), 0).await.unwrap().unwrap();
    assert_eq!((found.version, found.extent("j").length), (last, 2));
    assert_eq!(store.read(&key("a"), birth, "j", 0..9, 0).await.unwrap().len(), 2);
}

#[tokio::test]
async fn what_was_deleted_is_under_no_key() {
    let Some(url) = Kind::Redis.url() else { return };
    let prefix = emptied(&url).await;
    let store = RedisOptions::new(&url).prefix(&prefix).open().await.unwrap();
    let secret = "what a visitor said";
    store
        .replace(&key("kept"), Expected::Absent, Write::new("what is kept").append("j", ["r"]), 0)
        .await
        .unwrap();
    for end in ["deleted", "replaced", "expired", "made anew"] {
        let key = Key::new([secret, end]).unwrap();
        let write = Write::new(secret).append("j", [secret; 3]).append(secret, [secret]);
        let write = if ["expired", "made anew"].contains(&end) { write.expires_at(1) } else { write };
        let version = store.replace(&key, Expected::Absent, write, 0).await.unwrap();
        match end {
            "deleted" => store.delete(&key, version, 0).await.unwrap(),
            "made anew" => {
                let version = store.replace(&key, Expected::Absent, Write::new(""), 1).await.unwrap();
                store.delete(&key, version, 1).await.unwrap();
            }
            "expired" => {}
            _ => {
                let write = Write::new("").cut("j", 3).cut(secret, 1).expires_at(9);
                let version = store.replace(&key, Expected::At(version), write, 0).await.unwrap();
                store.delete(&key, version, 0).await.unwrap();
            }
        }
    }
    assert_eq!(store.purge(1, 10).await.unwrap(), 1);

    // What is left: schema, counter, keys, the document that is kept and its list.
    let left = keys(&url, &prefix).await;
    assert_eq!(left.len(), 5, "{left:?}");
    let mut all = left.concat();
    for key in &left {
        let kind: String = command(&url, redis::cmd("TYPE").arg(key)).await;
        let content: Vec<Vec<u8>> = match kind.as_str() {
            "string" => vec![command(&url, redis::cmd("GET").arg(key)).await],
            "hash" => command(&url, redis::cmd("HGETALL").arg(key)).await,
            "list" => command(&url, redis::cmd("LRANGE").arg(key).arg(0).arg(-1)).await,
            "zset" => command(&url, redis::cmd("ZRANGE").arg(key).arg(0).arg(-1)).await,
            other => panic!("{other}"),
        };
        all.extend(content.concat());
    }
    let holds = |text: &str| all.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(holds("what is kept") && !holds(secret));
}

#[tokio::test]
async fn an_encrypted_connection_needs_a_certificate_that_is_trusted() {
    let Some(mut server) = Kind::Redis.server() else { return };
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    for (setting, text) in
        [("tls-cert-file", made.cert.pem()), ("tls-key-file", made.signing_key.serialize_pem())]
    {
        let path = server.folder().join(setting);
        std::fs::write(&path, text).unwrap();
        server.set(setting, &path.display().to_string());
    }
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    server.set("tls-port", &port.to_string());
    server.set("tls-auth-clients", "no");
    server.start().unwrap();
    let url = format!("rediss://localhost:{port}/");
    let refused = RedisOptions::new(&url).open().await.unwrap_err();
    assert_eq!(refused.fault(), Fault::Unavailable);
    let store = RedisOptions::new(&url).root_certificates(made.cert.pem()).open().await.unwrap();
    store.replace(&key("a"), Expected::Absent, Write::new(""), 0).await.unwrap();
}
