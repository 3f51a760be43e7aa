//! Keys, names and values of any kind and size.

use std::sync::Arc;

use answerplane_store::{
    Expected, Fault, Key, KeyPrefix, MAX_KEY_BYTES, MAX_WRITE_BYTES, ReplaceError, Store, Write,
};

use crate::{NOW, key, make};

const TEXTS: [&str; 22] = [
    "",
    " ",
    "a",
    "A",
    "a ",
    "\0",
    "a\0b",
    "\0\u{ff}",
    "\n",
    "a/b",
    "a:b",
    "a%",
    "a_",
    "*",
    "[a]",
    "{a}",
    "'; DROP TABLE documents; --",
    "\\",
    "ü",
    "u\u{308}",
    "\u{feff}",
    "\u{10ffff}",
];

/// Any text is a part of a key, and keys of other parts are other keys.
pub async fn any_text_is_a_part_of_a_key(store: Arc<dyn Store>) {
    let mut keys: Vec<Key> = TEXTS.iter().map(|text| Key::new([*text]).unwrap()).collect();
    keys.extend(TEXTS.iter().map(|text| Key::new(["a", text]).unwrap()));
    keys.extend(TEXTS.iter().map(|text| Key::new([text, "a"]).unwrap()));
    keys.push(Key::new(["x"; 8]).unwrap());
    keys.push(Key::new(["x".repeat(MAX_KEY_BYTES - 1)]).unwrap());
    keys.push(Key::new(["ü".repeat(MAX_KEY_BYTES / 2 - 1)]).unwrap());
    keys.sort();
    keys.dedup();
    for (number, key) in keys.iter().enumerate() {
        store.replace(key, Expected::Absent, Write::new(number.to_string()), NOW).await.unwrap();
    }
    for (number, key) in keys.iter().enumerate() {
        let found = store.load(key, NOW).await.unwrap().unwrap();
        assert_eq!(found.body, number.to_string().into_bytes());
    }
    assert_eq!(store.list(&KeyPrefix::default(), None, 1_000, NOW).await.unwrap(), keys);
}

/// Any text names a journal.
pub async fn any_text_names_a_journal(store: Arc<dyn Store>) {
    let key = key("a");
    let write = TEXTS.iter().fold(Write::new(""), |write, text| write.append(text, [*text]));
    let birth = make(&*store, &key, write).await;
    let found = store.load(&key, NOW).await.unwrap().unwrap();
    assert_eq!(found.journals.len(), TEXTS.len());
    for text in TEXTS {
        assert_eq!(found.extent(text).length, 1);
        assert_eq!(store.read(&key, birth, text, 0..9, NOW).await.unwrap(), [text.as_bytes()]);
    }
}

/// Body and records are bytes of any value, empty ones too.
pub async fn bytes_are_kept_as_they_are(store: Arc<dyn Store>) {
    let key = key("a");
    let bytes: Vec<u8> = (0..=u8::MAX).cycle().take(5_000).collect();
    let birth =
        make(&*store, &key, Write::new(bytes.clone()).append("j", [vec![], bytes.clone(), vec![0]])).await;
    assert_eq!(store.load(&key, NOW).await.unwrap().unwrap().body, bytes);
    assert_eq!(store.read(&key, birth, "j", 0..3, NOW).await.unwrap(), [vec![], bytes, vec![0]]);
}

/// A write of the greatest size is kept, a larger one certainly not.
pub async fn a_write_has_a_limit(store: Arc<dyn Store>) {
    let key = key("a");
    let (body, record) = (vec![1; MAX_WRITE_BYTES / 4], vec![2; MAX_WRITE_BYTES - MAX_WRITE_BYTES / 4]);
    let larger = Write::new([&body[..], &[0]].concat()).append("j", [record.clone()]);
    let refused = store.replace(&key, Expected::Absent, larger, NOW).await;
    assert!(matches!(refused, Err(ReplaceError::Failed(error)) if error.fault() == Fault::TooLarge));
    assert_eq!(store.load(&key, NOW).await.unwrap(), None);

    let birth = make(&*store, &key, Write::new(body.clone()).append("j", [record.clone()])).await;
    assert_eq!(store.load(&key, NOW).await.unwrap().unwrap().body, body);
    assert_eq!(store.read(&key, birth, "j", 0..1, NOW).await.unwrap(), [record]);
}

/// Many records in one write, and many journals.
pub async fn many_records_in_one_write(store: Arc<dyn Store>) {
    let key = key("a");
    let records: Vec<String> = (0..10_000).map(|number| number.to_string()).collect();
    let journals: Vec<String> = (0..100).map(|number| format!("journal {number}")).collect();
    let write = Write::new("").append("j", records.clone());
    let write = journals.iter().fold(write, |write, journal| write.append(journal, ["r"]));
    let birth = make(&*store, &key, write).await;
    let found = store.read(&key, birth, "j", 0..10_000, NOW).await.unwrap();
    assert!(found.iter().zip(&records).all(|(found, record)| found == record.as_bytes()));
    assert_eq!(found.len(), records.len());
    assert_eq!(store.load(&key, NOW).await.unwrap().unwrap().journals.len(), 101);
}
