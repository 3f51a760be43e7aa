//! The folded form: what of a key is compared while somebody types.

use alloc::string::String;

use unicode_normalization::char::decompose_canonical;

/// Appends the folded form of a normalized key.
///
/// Quotes and diacritics go, dashes become spaces, runs of spaces one space, and punctuation at the end goes. What
/// has nothing else stays as it is, so that it can be found too. Characters stay decomposed, so that the folded form of
/// what is typed first is the beginning of that of the whole, also in Hangul.
pub(super) fn push_folded(key: &str, folded: &mut String) {
    let start = folded.len();
    let mut is_apart = false;
    for character in key.chars() {
        if is_quote(character) || (folded.len() == start && is_opening(character)) {
            continue;
        }
        if character == ' ' || is_dash(character) {
            is_apart = true;
            continue;
        }
        decompose_canonical(character, |part| {
            if is_diacritic(part) {
                return;
            }
            if core::mem::take(&mut is_apart) && folded.len() > start {
                folded.push(' ');
            }
            // The small sigma at the end of a word is an inner one once more is typed.
            folded.push(if part == 'ς' { 'σ' } else { part });
        });
    }
    let end = folded.trim_end_matches(|last| last == ' ' || is_terminal(last)).len().max(start);
    folded.truncate(end);
    if end == start {
        folded.push_str(key);
    }
}

fn is_quote(character: char) -> bool {
    matches!(
        character,
        '"' | '\'' | '`' | '«' | '»' | 'ʼ' | '‘'..='‟' | '′' | '‹' | '›' | '「'..='』'
    )
}

fn is_dash(character: char) -> bool {
    matches!(character, '-' | '‐'..='―' | '−')
}

/// What opens a question in Spanish.
fn is_opening(character: char) -> bool {
    matches!(character, '¿' | '¡')
}

/// What ends a question or a sentence, in several scripts.
fn is_terminal(character: char) -> bool {
    matches!(character, '.' | '?' | '!' | ',' | ';' | ':' | '։' | '؟' | '،' | '؛' | '۔' | '।' | '。' | '、')
}

/// Marks that people leave out when they type. The vowels of Indic scripts and Thai are no such marks.
fn is_diacritic(character: char) -> bool {
    matches!(
        character,
        '\u{300}'..='\u{36f}'
            | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}'..='\u{5c2}' | '\u{5c4}'..='\u{5c5}' | '\u{5c7}'
            | '\u{64b}'..='\u{65f}' | '\u{670}'
            | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
    )
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use answerplane_normalize::normalize_key;
    use proptest::prelude::*;

    use super::push_folded;

    fn fold(text: &str) -> String {
        let mut folded = String::from("before. ");
        push_folded(normalize_key(text).as_str(), &mut folded);
        folded.split_off("before. ".len())
    }

    #[test]
    fn typing_variants_have_one_folded_form() {
        for (form, variants) in [
            (
                "how do i install it",
                &["How do I install it?", "how do I  install it !", "\"How do I install it?\""][..],
            ),
            ("whats new", &["What's new?", "what’s new", "What‘s new…", "`whats` «new»"]),
            ("read me", &["read-me", "Read–me", "read — me", "READ ME.", "read‑me", "--read-me"]),
            ("cafe", &["Café", "cafe\u{301}", "CAFÉ?"]),
            ("donde esta", &["¿Dónde está?", "donde esta"]),
            ("οδοσ", &["Οδός", "ΟΔΟΣ;"]),
            ("什么是所有权", &["什么是所有权？", "「什么是所有权」。"]),
            ("find files", &["ﬁnd ﬁles", "Ｆｉｎｄ　ｆｉｌｅｓ？"]),
            ("كيف", &["كَيْفَ؟", "كيف"]),
        ] {
            for variant in variants {
                assert_eq!(fold(variant), form, "{variant}");
            }
        }
    }

    #[test]
    fn what_matters_stays() {
        for text in ["c++", "node.js", ".gitignore", "snake_case", "a/b", "हिन्दी", "ไทย"] {
            assert_eq!(fold(text), text);
        }
        for text in ["?", "--", "!?.", "'", "\u{301}", ""] {
            assert_eq!(fold(text), text, "nothing else is there");
        }
    }

    #[test]
    fn what_is_typed_first_is_the_beginning() {
        for text in ["한국어 문서", "Οδός Αθηνών", "naïve café", "well-known — it's"] {
            for (end, _) in text.char_indices() {
                assert!(fold(text).starts_with(&fold(&text[..end])), "{} of {text}", &text[..end]);
            }
        }
    }

    proptest! {
        #[test]
        fn every_text_folds(text in any::<String>()) {
            let folded = fold(&text);
            prop_assert!(!folded.contains("  ") && !folded.starts_with(' '));
            prop_assert_eq!(folded.is_empty(), normalize_key(&text).as_str().is_empty());
        }
    }
}
