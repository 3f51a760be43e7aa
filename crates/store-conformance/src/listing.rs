//! Listing keys.

use std::sync::Arc;

use answerplane_store::{Expected, Key, KeyPrefix, Store, Write};

use crate::NOW;

async fn filled(store: &dyn Store) -> Vec<Key> {
    let mut keys = Vec::new();
    for parts in [
        &["a"][..],
        &["a", ""],
        &["a", "", ""],
        &["a", "b"],
        &["a", "b", "1"],
        &["a", "b", "10"],
        &["a", "b", "2"],
        &["a", "b\0"],
        &["a", "bb"],
        &["a", "ü"],
        &["a\0"],
        &["aa"],
        &["ab", "b"],
        &["b", "a"],
    ] {
        let key = Key::new(parts.iter().copied()).unwrap();
        store.replace(&key, Expected::Absent, Write::new(""), NOW).await.unwrap();
        keys.push(key);
    }
    keys.sort();
    keys
}

/// Keys are listed in the order of their parts, and a prefix is made of whole parts.
pub async fn keys_are_listed_in_their_order(store: Arc<dyn Store>) {
    let keys = filled(&*store).await;
    for parts in [&[][..], &["a"], &["a", "b"], &["a", ""], &["a\0"], &["b"], &["c"], &[""]] {
        let prefix = KeyPrefix::new(parts.iter().copied()).unwrap();
        let expected: Vec<Key> = keys.iter().filter(|key| key.starts_with(&prefix)).cloned().collect();
        assert_eq!(store.list(&prefix, None, 100, NOW).await.unwrap(), expected, "{parts:?}");
    }
}

/// A page begins after the last key of the page before, whether that is still there, or ever was.
pub async fn keys_are_listed_in_pages(store: Arc<dyn Store>) {
    let keys = filled(&*store).await;
    let prefix = KeyPrefix::new(["a"]).unwrap();
    let expected: Vec<Key> = keys.into_iter().filter(|key| key.starts_with(&prefix)).collect();
    for size in [1, 2, 3, 100] {
        let mut listed: Vec<Key> = Vec::new();
        loop {
            let page = store.list(&prefix, listed.last(), size, NOW).await.unwrap();
            assert!(page.len() <= size);
            let is_last = page.len() < size;
            listed.extend(page);
            if is_last {
                break;
            }
        }
        assert_eq!(listed, expected, "pages of {size}");
    }
    assert!(store.list(&prefix, None, 0, NOW).await.unwrap().is_empty());
    for (after, from) in [("", "a"), ("a\0", "none"), ("z", "none")] {
        let after = Key::new([after]).unwrap();
        let listed = store.list(&prefix, Some(&after), 1, NOW).await.unwrap();
        let first = listed.first().map_or("none", |key| key.parts()[0].as_str());
        assert_eq!(first, from);
    }
    let missing = Key::new(["a", "b", "11"]).unwrap();
    let listed = store.list(&prefix, Some(&missing), 1, NOW).await.unwrap();
    assert_eq!(listed, [Key::new(["a", "b", "2"]).unwrap()]);
}
