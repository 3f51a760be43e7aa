//! The key against its definition, which is written out here a second time, plainly.
#![allow(clippy::unwrap_used)]

use answerplane_normalize::{
    SPACES, UNICODE_VERSION, is_blank, is_space, normalize_key, push_normalized_key, trim, truncate_utf16,
    utf16_len,
};
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

fn definition(text: &str) -> String {
    let composed: String = text.nfkc().collect();
    let words: Vec<&str> = composed.split(is_space).filter(|word| !word.is_empty()).collect();
    words.join(" ").to_lowercase()
}

#[test]
fn the_three_unicode_versions_are_one() {
    assert_eq!(UNICODE_VERSION, unicode_normalization::UNICODE_VERSION);
    assert_eq!(UNICODE_VERSION, char::UNICODE_VERSION);
}

#[test]
fn every_code_point_in_every_context_follows_the_definition() {
    for character in '\0'..=char::MAX {
        for text in [
            format!("{character}"),
            format!("x{character}y"),
            format!("АΣ{character}"),
            format!("АΣ{character}Я"),
            format!("é{character}Σ"),
            format!(" {character}\u{301} {character}"),
        ] {
            assert_eq!(normalize_key(&text).as_str(), definition(&text), "U+{:04X}", character as u32);
        }
    }
}

#[test]
fn white_space_is_the_ecmascript_set() {
    let set: Vec<char> = ('\0'..=char::MAX).filter(|character| is_space(*character)).collect();
    assert_eq!(set, SPACES);
    for other in ['\u{85}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{180e}'] {
        assert!(!is_space(other));
    }
    assert!(is_blank("") && is_blank("\u{feff}\u{3000}") && !is_blank("\u{200b}"));
    assert_eq!(trim("\u{a0}\u{85} x \u{2029}"), "\u{85} x");
    assert_eq!(trim("\u{3000}"), "");
}

#[test]
fn a_key_can_be_empty_and_need_not_be_its_own_key() {
    assert!(normalize_key(" \t\u{feff}").is_empty());
    // There is no capital for this pair, but its lower case composes to one character.
    let once = normalize_key("J\u{30c}").into_cow().into_owned();
    assert_ne!(normalize_key(&once).as_str(), once);
}

#[test]
fn capitals_follow_special_casing() {
    assert_eq!(normalize_key("İstanbul").as_str(), "i\u{307}stanbul");
    assert_eq!(normalize_key("ΟΔΥΣΣΕΥΣ ΣΑΣ").as_str(), "οδυσσευς σας");
    assert_eq!(normalize_key("Α\u{feff}Σ").as_str(), "α σ");
    assert_eq!(normalize_key("ΑΣ'Α").as_str(), "ασ'α");
    assert_eq!(normalize_key("STRAẞE straße").as_str(), "straße straße");
}

#[test]
fn a_text_that_is_its_own_key_is_borrowed() {
    for text in ["", "install cli", "a-b_c/d?", "x"] {
        assert!(matches!(normalize_key(text).into_cow(), std::borrow::Cow::Borrowed(_)), "{text:?}");
    }
}

#[test]
fn cuts_fall_on_scalar_values() {
    assert_eq!(truncate_utf16("", 0), "");
    assert_eq!(truncate_utf16("🚀🚀", 3), "🚀");
    assert_eq!(truncate_utf16("🚀🚀", 4), "🚀🚀");
    assert_eq!(truncate_utf16("ééé", 2), "éé");
}

#[test]
fn every_vector_gives_its_key() {
    let vectors = include_str!("../../../fixtures/conformance/normalize.jsonl");
    for line in vectors.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let key = normalize_key(case["value"].as_str().unwrap());
        assert_eq!(key.as_str(), case["expect"]["output"], "{}", case["id"]);
        assert_eq!(key.utf16_len(), case["expect"]["length"], "{}", case["id"]);
    }
}

/// So many cases, or as many as a long run asks for.
fn cases(usual: u32) -> u32 {
    std::env::var("ANSWERPLANE_CASES").map_or(usual, |cases| cases.parse().unwrap())
}

/// Texts rich in what the rules treat differently.
fn text() -> impl Strategy<Value = String> {
    let character = prop_oneof![
        4 => proptest::char::range(' ', '~'),
        2 => proptest::sample::select(SPACES.to_vec()),
        2 => proptest::sample::select("ΣσςİIıßẞ'’·:\u{ad}\u{301}\u{323}\u{345}\u{307}\u{3099}".chars().collect::<Vec<_>>()),
        2 => proptest::char::ranges(vec!['À'..='ɏ', 'Ͱ'..='ӿ', 'ऀ'..='ॿ', 'ก'..='๛', 'ᄀ'..='ᇿ', 'ἀ'..='῾', '가'..='힣', 'ﬀ'..='ﭏ', '！'..='￮'].into()),
        1 => any::<char>(),
    ];
    proptest::collection::vec(character, 0..40).prop_map(|characters| characters.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(4_096)))]

    #[test]
    fn any_text_follows_the_definition(text in text()) {
        prop_assert_eq!(normalize_key(&text).into_cow(), definition(&text));
        let mut buffer = String::from("before");
        push_normalized_key(&text, &mut buffer);
        prop_assert_eq!(buffer, format!("before{}", definition(&text)));
    }

    #[test]
    fn lengths_and_cuts_count_utf16_units(text in text(), units in 0usize..50) {
        prop_assert_eq!(utf16_len(&text), text.encode_utf16().count());
        let cut = truncate_utf16(&text, units);
        prop_assert!(text.starts_with(cut) && utf16_len(cut) <= units);
        if let Some(next) = text[cut.len()..].chars().next() {
            prop_assert!(utf16_len(cut) + next.len_utf16() > units);
        }
    }
}
