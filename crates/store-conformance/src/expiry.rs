//! Documents that expire.

use std::sync::Arc;

use answerplane_store::{Expected, KeyPrefix, ReadError, ReplaceError, Store, Write};

use crate::{NOW, key, make};

/// From the moment it expires at, a document is absent in every call; until then it is there.
pub async fn what_has_expired_is_absent(store: Arc<dyn Store>) {
    let (key, prefix) = (key("a"), KeyPrefix::new(["conformance"]).unwrap());
    let birth = make(&*store, &key, Write::new("").append("j", ["r"]).expires_at(NOW + 10)).await;
    assert!(store.load(&key, NOW + 9).await.unwrap().is_some());
    assert_eq!(store.list(&prefix, None, 9, NOW + 9).await.unwrap().len(), 1);
    assert_eq!(store.read(&key, birth, "j", 0..1, NOW + 9).await.unwrap().len(), 1);

    for late in [NOW + 10, NOW + 11, i64::MAX] {
        assert_eq!(store.load(&key, late).await.unwrap(), None);
        assert!(store.list(&prefix, None, 9, late).await.unwrap().is_empty());
        assert!(matches!(store.read(&key, birth, "j", 0..1, late).await, Err(ReadError::Gone)));
        assert!(matches!(store.delete(&key, birth, late).await, Err(ReplaceError::Conflict)));
        let replaced = store.replace(&key, Expected::At(birth), Write::new("late"), late).await;
        assert!(matches!(replaced, Err(ReplaceError::Conflict)));
    }
}

/// Each write says anew when the document expires, and may say never.
pub async fn the_last_write_decides_about_expiry(store: Arc<dyn Store>) {
    let key = key("a");
    let version = make(&*store, &key, Write::new("").expires_at(NOW + 10)).await;
    let later = Write::new("").expires_at(NOW + 20);
    let version = store.replace(&key, Expected::At(version), later, NOW + 9).await.unwrap();
    assert!(store.load(&key, NOW + 19).await.unwrap().is_some());
    let version = store.replace(&key, Expected::At(version), Write::new(""), NOW + 19).await.unwrap();
    assert!(store.load(&key, i64::MAX).await.unwrap().is_some());
    let sooner = Write::new("").expires_at(NOW + 5);
    store.replace(&key, Expected::At(version), sooner, NOW).await.unwrap();
    assert_eq!(store.load(&key, NOW + 5).await.unwrap(), None);
}

/// Where something has expired, only a write that expects nothing succeeds, and begins a new life.
pub async fn an_expired_document_is_replaced_as_absent(store: Arc<dyn Store>) {
    let key = key("a");
    let old = make(&*store, &key, Write::new("old").append("j", ["old"; 3]).expires_at(NOW + 1)).await;
    let write = Write::new("new").append("j", ["new"]);
    let birth = store.replace(&key, Expected::Absent, write, NOW + 1).await.unwrap();
    assert!(birth > old);
    let found = store.load(&key, NOW + 1).await.unwrap().unwrap();
    assert_eq!((found.birth, found.version, found.extent("j").length), (birth, birth, 1));
    assert!(matches!(store.read(&key, old, "j", 0..1, NOW).await, Err(ReadError::Gone)));
    assert_eq!(store.read(&key, birth, "j", 0..9, i64::MAX).await.unwrap(), [b"new"]);
}

/// Whether something has expired is judged by the time that the caller gives, whatever the store's own clock says.
pub async fn only_the_callers_clock_counts(store: Arc<dyn Store>) {
    for (name, expires_at) in [("past", 1), ("before 1970", -5), ("future", i64::MAX)] {
        let key = key(name);
        let write = Write::new("").expires_at(expires_at);
        store.replace(&key, Expected::Absent, write, expires_at - 1).await.unwrap();
        assert!(store.load(&key, expires_at - 1).await.unwrap().is_some(), "{name}");
        assert_eq!(store.load(&key, expires_at).await.unwrap(), None, "{name}");
        // A clock that is set back finds it again, as long as nobody has purged it.
        assert!(store.load(&key, expires_at - 1).await.unwrap().is_some(), "{name}");
    }
}

/// A purge removes what has expired and nothing else, up to its limit, and says how many.
pub async fn a_purge_removes_what_has_expired(store: Arc<dyn Store>) {
    for number in 0..10 {
        let write = Write::new("").append("j", ["r"; 3]).expires_at(NOW + number % 2 * 100);
        make_at(&*store, &format!("{number}"), write).await;
    }
    let kept = make(&*store, &key("kept"), Write::new("").append("j", ["r"])).await;
    assert_eq!(store.purge(NOW - 1, 100).await.unwrap(), 0);
    assert_eq!(store.purge(NOW, 0).await.unwrap(), 0);
    assert_eq!(store.purge(NOW, 3).await.unwrap(), 3);
    assert_eq!(store.purge(NOW, 3).await.unwrap(), 2);
    assert_eq!(store.purge(NOW, 3).await.unwrap(), 0);
    // Those that were purged are gone for a clock that is set back too; the others are not.
    let all = KeyPrefix::new(["conformance"]).unwrap();
    assert_eq!(store.list(&all, None, 100, NOW - 1).await.unwrap().len(), 6);
    assert_eq!(store.read(&key("kept"), kept, "j", 0..9, NOW).await.unwrap(), [b"r"]);
    assert_eq!(store.purge(NOW + 100, 100).await.unwrap(), 5);
    assert_eq!(store.list(&all, None, 100, NOW).await.unwrap(), [key("kept")]);
}

async fn make_at(store: &dyn Store, name: &str, write: Write) {
    store.replace(&key(name), Expected::Absent, write, NOW - 1).await.unwrap();
}
