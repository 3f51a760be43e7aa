//! Making, changing and deleting; versions and births.

use std::sync::Arc;

use answerplane_store::{Expected, ReplaceError, Store, Write};

use crate::{NOW, key, make};

/// A document is made from nothing, replaced at its version, loaded as it was written, and deleted.
pub async fn a_document_is_made_changed_and_deleted(store: Arc<dyn Store>) {
    let key = key("a");
    assert_eq!(store.load(&key, NOW).await.unwrap(), None);
    let birth = make(&*store, &key, Write::new("one")).await;
    let found = store.load(&key, NOW).await.unwrap().unwrap();
    assert_eq!((found.version, found.birth, &*found.body), (birth, birth, &b"one"[..]));
    assert!(found.journals.is_empty());

    let version = store.replace(&key, Expected::At(birth), Write::new(""), NOW).await.unwrap();
    assert!(version > birth);
    let found = store.load(&key, NOW).await.unwrap().unwrap();
    assert_eq!((found.version, found.birth, &*found.body), (version, birth, &b""[..]));

    store.delete(&key, version, NOW).await.unwrap();
    assert_eq!(store.load(&key, NOW).await.unwrap(), None);
}

/// A write or delete that expects another version, none, or some where there is none, conflicts.
pub async fn what_is_not_as_expected_conflicts(store: Arc<dyn Store>) {
    let (here, nowhere) = (key("here"), key("nowhere"));
    let old = make(&*store, &here, Write::new("one")).await;
    let version = store.replace(&here, Expected::At(old), Write::new("two"), NOW).await.unwrap();
    for (key, expected) in
        [(&here, Expected::Absent), (&here, Expected::At(old)), (&nowhere, Expected::At(version))]
    {
        let refused = store.replace(key, expected, Write::new("three"), NOW).await;
        assert!(matches!(refused, Err(ReplaceError::Conflict)), "{expected:?}");
    }
    for (key, expected) in [(&here, old), (&nowhere, version)] {
        let refused = store.delete(key, expected, NOW).await;
        assert!(matches!(refused, Err(ReplaceError::Conflict)));
    }
    assert_eq!(store.load(&here, NOW).await.unwrap().unwrap().version, version);
    assert_eq!(store.load(&nowhere, NOW).await.unwrap(), None);
}

/// A write that conflicts leaves neither body, nor record, nor cut, nor expiry.
pub async fn a_conflict_leaves_nothing(store: Arc<dyn Store>) {
    let key = key("a");
    let old = make(&*store, &key, Write::new("one").append("j", ["r0", "r1"])).await;
    let version = store.replace(&key, Expected::At(old), Write::new("two"), NOW).await.unwrap();
    let before = store.load(&key, NOW).await.unwrap().unwrap();
    for expected in [Expected::Absent, Expected::At(old)] {
        let write =
            Write::new("lost").append("j", ["r2"]).append("k", ["r0"]).cut("j", 2).expires_at(NOW + 1);
        let refused = store.replace(&key, expected, write, NOW).await;
        assert!(matches!(refused, Err(ReplaceError::Conflict)));
    }
    let after = store.load(&key, NOW + 2).await.unwrap().unwrap();
    assert_eq!(after, before);
    assert_eq!(after.version, version);
    assert_eq!(store.read(&key, old, "j", 0..9, NOW).await.unwrap(), [b"r0", b"r1"]);
}

/// Versions grow and never come back: not after a delete, an expiry or a purge, and not under another key.
pub async fn versions_never_return(store: Arc<dyn Store>) {
    let (here, there) = (key("here"), key("there"));
    let mut seen = Vec::new();
    for _ in 0..3 {
        let birth = make(&*store, &here, Write::new("one")).await;
        let next = store.replace(&here, Expected::At(birth), Write::new("two"), NOW).await.unwrap();
        let last = store.replace(&here, Expected::At(next), Write::new("three"), NOW).await.unwrap();
        seen.extend([birth, next, last]);
        store.delete(&here, last, NOW).await.unwrap();

        let expiring = Write::new("four").expires_at(NOW + 1);
        seen.push(make(&*store, &here, expiring.clone()).await);
        let over = store.replace(&here, Expected::Absent, expiring, NOW + 1).await.unwrap();
        seen.push(over);
        store.purge(NOW + 1, 10).await.unwrap();
        seen.push(make(&*store, &there, Write::new("five").expires_at(NOW + 1)).await);
        store.purge(NOW + 1, 10).await.unwrap();
    }
    assert!(seen.windows(2).all(|pair| pair[0] < pair[1]), "{seen:?}");
}

/// What is made anew under a key has a birth and journals of its own.
pub async fn a_new_life_has_nothing_of_the_old(store: Arc<dyn Store>) {
    let key = key("a");
    let old = make(&*store, &key, Write::new("old").append("j", ["old"; 3])).await;
    store.delete(&key, old, NOW).await.unwrap();
    let birth = make(&*store, &key, Write::new("new").append("j", ["new"])).await;
    let found = store.load(&key, NOW).await.unwrap().unwrap();
    assert_eq!((found.version, found.birth, found.extent("j").length), (birth, birth, 1));
    assert_eq!(store.read(&key, birth, "j", 0..9, NOW).await.unwrap(), [b"new"]);
    let refused = store.replace(&key, Expected::At(old), Write::new("late"), NOW).await;
    assert!(matches!(refused, Err(ReplaceError::Conflict)));
    assert!(store.read(&key, old, "j", 0..1, NOW).await.is_err());
}
