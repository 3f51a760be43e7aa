//! Keys as bytes, and the sizes of writes.
#![allow(clippy::unwrap_used)]

use answerplane_store::{InvalidKey, Key, KeyPrefix, MAX_KEY_BYTES, Version, Write};
use proptest::prelude::*;

fn part() -> impl Strategy<Value = String> {
    prop_oneof!["[a\0\x01\x02]{0,3}", "\\PC{0,4}", Just("\u{10ffff}".to_string())]
}

proptest! {
    #[test]
    fn bytes_are_in_the_order_of_keys_and_read_back(
        a in prop::collection::vec(part(), 1..=8),
        b in prop::collection::vec(part(), 1..=8),
    ) {
        let (a, b) = (Key::new(a).unwrap(), Key::new(b).unwrap());
        prop_assert_eq!(a.to_bytes().cmp(&b.to_bytes()), a.cmp(&b));
        prop_assert_eq!(Key::from_bytes(&a.to_bytes()), Ok(a));
    }

    #[test]
    fn the_bytes_of_a_prefix_begin_those_of_its_keys_only(
        key in prop::collection::vec(part(), 1..=8),
        prefix in prop::collection::vec(part(), 0..=3),
        taken in 0_usize..=3,
    ) {
        for parts in [prefix, key[..taken.min(key.len())].to_vec()] {
            let (key, prefix) = (Key::new(key.clone()).unwrap(), KeyPrefix::new(parts).unwrap());
            prop_assert_eq!(key.to_bytes().starts_with(&prefix.to_bytes()), key.starts_with(&prefix));
        }
    }

    #[test]
    fn bytes_of_no_key_are_refused(bytes in prop::collection::vec(prop_oneof![0_u8..4, any::<u8>()], 0..9)) {
        if let Ok(key) = Key::from_bytes(&bytes) {
            prop_assert_eq!(key.to_bytes(), bytes);
        }
    }
}

#[test]
fn a_key_has_one_to_eight_parts_and_a_greatest_length() {
    assert_eq!(Key::new([""; 0]), Err(InvalidKey));
    assert!(Key::new([""; 8]).is_ok());
    assert_eq!(Key::new([""; 9]), Err(InvalidKey));
    assert!(KeyPrefix::new([""; 0]).is_ok());
    assert_eq!(KeyPrefix::new([""; 9]), Err(InvalidKey));
    for (text, taken) in [("x", 1), ("ü", 2), ("\0", 2)] {
        let most = (MAX_KEY_BYTES - 1) / taken;
        assert!(Key::new([text.repeat(most)]).is_ok(), "{text:?}");
        assert_eq!(Key::new([text.repeat(most + 1)]), Err(InvalidKey), "{text:?}");
    }
    // A list without end is not read to its end.
    assert_eq!(Key::new(std::iter::repeat("x")), Err(InvalidKey));
}

#[test]
fn nothing_that_may_belong_to_a_visitor_is_in_debug_output() {
    let key = Key::new(["canary"]).unwrap();
    let write = Write::new("canary").append("nodes", ["canary"]);
    assert_eq!(format!("{key:?}"), "Key(1 parts)");
    assert!(!format!("{write:?}").contains("canary"));
    assert!(format!("{write:?}").contains("nodes"));
}

#[test]
fn a_version_fits_a_signed_integer() {
    assert_eq!(Version::new(0), None);
    assert_eq!(Version::new(1).map(Version::get), Some(1));
    assert_eq!(Version::new(Version::MAX).map(Version::get), Some(i64::MAX as u64));
    assert_eq!(Version::new(Version::MAX + 1), None);
}
