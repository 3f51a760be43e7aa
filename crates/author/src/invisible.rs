//! Texts without characters that nobody sees or types; which these are is said in [`characters`](crate::characters).

use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};

use crate::characters::unseen;

/// The first character of a text that nobody sees or types, if there is one.
///
/// ```
/// use answerplane_author::invisible::first;
///
/// assert_eq!(first("soft\u{ad}ware"), Some('\u{ad}'));
/// assert_eq!(first("می\u{200c}خواهم"), None);
/// assert_eq!(first("❤\u{fe0f}"), None);
/// ```
#[must_use]
pub fn first(text: &str) -> Option<char> {
    unseen(text).first().map(|(_, character)| *character)
}

/// A text without what nobody sees or types.
#[must_use]
pub fn without(text: &str) -> String {
    let found = unseen(text);
    let mut left = found.iter().map(|(at, _)| *at).peekable();
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    for character in text.chars() {
        if left.next_if_eq(&at).is_none() {
            kept.push(character);
        }
        at += character.len_utf16();
    }
    kept
}

/// Whether a character can stand in a word: a letter, mark, digit or connector.
pub(crate) fn is_word(character: char) -> bool {
    let category = category(character);
    GeneralCategoryGroup::Letter.contains(category)
        || GeneralCategoryGroup::Mark.contains(category)
        || matches!(category, GeneralCategory::DecimalNumber | GeneralCategory::ConnectorPunctuation)
}

fn category(character: char) -> GeneralCategory {
    CodePointMapData::<GeneralCategory>::new().get(character)
}

#[cfg(test)]
mod tests {
    use super::{first, without};

    #[test]
    fn what_nobody_sees_is_found_and_left_out() {
        for (text, found, kept) in [
            ("zero\u{200b}width", '\u{200b}', "zerowidth"),
            ("soft\u{ad}ware", '\u{ad}', "software"),
            ("\u{202e}abc\u{202c}", '\u{202e}', "abc"),
            ("a\u{fe0f}", '\u{fe0f}', "a"),
            ("❤\u{fe0f}\u{fe0f}", '\u{fe0f}', "❤\u{fe0f}"),
            ("1\u{200d}2", '\u{200d}', "12"),
            ("nul\0", '\0', "nul"),
            ("tag\u{e0041}", '\u{e0041}', "tag"),
        ] {
            assert_eq!((first(text), without(text).as_str()), (Some(found), kept), "{text:?}");
        }
    }

    #[test]
    fn what_writing_needs_stays() {
        for text in [
            "plain",
            "größe",
            "می\u{200c}خواهم",
            "👨\u{200d}👩\u{200d}👧",
            "1\u{fe0f}\u{20e3}",
            "葛\u{e0100}飾",
            "",
        ] {
            assert_eq!((first(text), without(text).as_str()), (None, text), "{text:?}");
        }
    }
}
