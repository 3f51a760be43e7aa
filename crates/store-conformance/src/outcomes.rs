//! Writes that fail, whose outcome is unknown, that wait, and that come late: what a caller finds then.

use std::sync::Arc;

use answerplane_store::testing::{FaultyStore, Trouble};
use answerplane_store::{Document, Expected, Key, ReplaceError, Store, Version, Write};

use crate::{NOW, key, make};

fn write(body: &str) -> Write {
    Write::new(body).append("j", [body])
}

async fn loaded(store: &dyn Store, key: &Key) -> Document {
    store.load(key, NOW).await.unwrap().unwrap()
}

async fn records(store: &dyn Store, key: &Key, birth: Version) -> Vec<String> {
    let records = store.read(key, birth, "j", 0..99, NOW).await.unwrap();
    records.into_iter().map(|record| String::from_utf8(record).expect("as written")).collect()
}

/// A process whose next write goes wrong.
fn process(store: &Arc<dyn Store>, trouble: Trouble) -> FaultyStore {
    let process = FaultyStore::new(store.clone());
    process.plan(0, trouble);
    process
}

/// Of two that write the same at the same version, one meets a conflict: equal content is not the same write.
pub async fn equal_content_is_no_success(store: Arc<dyn Store>) {
    let key = key("a");
    let birth = make(&*store, &key, write("base")).await;
    let lost = process(&store, Trouble::LosesAcknowledgement);
    let unknown = lost.replace(&key, Expected::At(birth), write("same"), NOW).await;
    assert!(matches!(unknown, Err(ReplaceError::Unknown(_))));
    let other = store.replace(&key, Expected::At(birth), write("same"), NOW).await;
    assert!(matches!(other, Err(ReplaceError::Conflict)));
    let again = lost.replace(&key, Expected::At(birth), write("same"), NOW).await;
    assert!(matches!(again, Err(ReplaceError::Conflict)));
    assert_eq!(records(&*store, &key, birth).await, ["base", "same"]);

    // The same for two that make it.
    let made = Key::new(["made"]).unwrap();
    let birth = make(&*store, &made, write("same")).await;
    let other = store.replace(&made, Expected::Absent, write("same"), NOW).await;
    assert!(matches!(other, Err(ReplaceError::Conflict)));
    assert_eq!(records(&*store, &made, birth).await, ["same"]);
}

/// A write that failed leaves the document as it was.
pub async fn a_failed_write_leaves_no_record(store: Arc<dyn Store>) {
    leaves_nothing(store, Trouble::Fails).await;
}

/// A write that never arrived leaves the document as it was, and succeeds when it is repeated.
pub async fn a_lost_request_leaves_no_record(store: Arc<dyn Store>) {
    leaves_nothing(store, Trouble::LosesRequest).await;
}

async fn leaves_nothing(store: Arc<dyn Store>, trouble: Trouble) {
    let key = key("a");
    let birth = make(&*store, &key, write("base")).await;
    let before = loaded(&*store, &key).await;
    let process = process(&store, trouble);
    let refused = process.replace(&key, Expected::At(birth), write("one"), NOW).await;
    assert!(matches!(refused, Err(ReplaceError::Failed(_) | ReplaceError::Unknown(_))));
    assert_eq!(loaded(&*store, &key).await, before);
    process.replace(&key, Expected::At(birth), write("one"), NOW).await.unwrap();
    assert_eq!(records(&*store, &key, birth).await, ["base", "one"]);
}

/// A write that happened unheard conflicts when it is repeated, and stands there once.
pub async fn a_lost_acknowledgement_conflicts_when_repeated(store: Arc<dyn Store>) {
    let key = key("a");
    let birth = make(&*store, &key, write("base")).await;
    let lost = process(&store, Trouble::LosesAcknowledgement);
    assert!(lost.replace(&key, Expected::At(birth), write("one"), NOW).await.is_err());
    let again = lost.replace(&key, Expected::At(birth), write("one"), NOW).await;
    assert!(matches!(again, Err(ReplaceError::Conflict)));
    assert_eq!(loaded(&*store, &key).await.body, b"one");
    assert_eq!(records(&*store, &key, birth).await, ["base", "one"]);

    let version = loaded(&*store, &key).await.version;
    let lost = process(&store, Trouble::LosesAcknowledgement);
    assert!(lost.delete(&key, version, NOW).await.is_err());
    assert!(matches!(lost.delete(&key, version, NOW).await, Err(ReplaceError::Conflict)));
    assert_eq!(store.load(&key, NOW).await.unwrap(), None);
}

/// After somebody else's write, the repeat of one whose outcome is unknown conflicts, whether it had happened or not.
pub async fn a_foreign_write_ends_an_unknown_one(store: Arc<dyn Store>) {
    for (trouble, expected) in [
        (Trouble::LosesRequest, &["base", "foreign"][..]),
        (Trouble::LosesAcknowledgement, &["base", "mine", "foreign"]),
    ] {
        let key = key(&format!("{trouble:?}"));
        let birth = make(&*store, &key, write("base")).await;
        let lost = process(&store, trouble);
        assert!(lost.replace(&key, Expected::At(birth), write("mine"), NOW).await.is_err());
        let version = loaded(&*store, &key).await.version;
        store.replace(&key, Expected::At(version), write("foreign"), NOW).await.unwrap();
        let again = lost.replace(&key, Expected::At(birth), write("mine"), NOW).await;
        assert!(matches!(again, Err(ReplaceError::Conflict)));
        assert_eq!(records(&*store, &key, birth).await, expected);
    }
}

/// A write that was held up meets what was written meanwhile.
pub async fn a_delayed_write_meets_what_came_before_it(store: Arc<dyn Store>) {
    let key = key("a");
    let birth = make(&*store, &key, write("base")).await;
    let slow = Arc::new(process(&store, Trouble::Delays));
    let writing = tokio::spawn({
        let (slow, key) = (slow.clone(), key.clone());
        async move { slow.replace(&key, Expected::At(birth), write("slow"), NOW).await }
    });
    slow.delayed().await;
    assert_eq!(records(&*store, &key, birth).await, ["base"]);
    store.replace(&key, Expected::At(birth), write("quick"), NOW).await.unwrap();
    slow.resume();
    assert!(matches!(writing.await.unwrap(), Err(ReplaceError::Conflict)));
    assert_eq!(records(&*store, &key, birth).await, ["base", "quick"]);
}

/// A write that lands after the document was deleted, expired or made anew has no effect, since its version never comes
/// back.
pub async fn a_late_write_never_reaches_the_next_life(store: Arc<dyn Store>) {
    let key = key("a");
    let old = make(&*store, &key, write("old")).await;
    let slow = process(&store, Trouble::LandsLate);
    assert!(slow.replace(&key, Expected::At(old), write("late"), NOW).await.is_err());
    store.delete(&key, old, NOW).await.unwrap();
    let birth = make(&*store, &key, write("new")).await;
    assert_eq!(slow.land().await, 0);
    assert_eq!(records(&*store, &key, birth).await, ["new"]);

    // One that was not overtaken lands.
    slow.plan(0, Trouble::LandsLate);
    assert!(slow.replace(&key, Expected::At(birth), write("next"), NOW).await.is_err());
    assert_eq!(slow.land().await, 1);
    assert_eq!(records(&*store, &key, birth).await, ["new", "next"]);
}

/// The same for a delete.
pub async fn a_late_delete_never_reaches_the_next_life(store: Arc<dyn Store>) {
    let key = key("a");
    let old = make(&*store, &key, write("old")).await;
    let slow = process(&store, Trouble::LandsLate);
    assert!(slow.delete(&key, old, NOW).await.is_err());
    store.delete(&key, old, NOW).await.unwrap();
    let birth = make(&*store, &key, write("new")).await;
    assert_eq!(slow.land().await, 0);
    assert_eq!(loaded(&*store, &key).await.version, birth);
}
