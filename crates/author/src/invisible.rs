//! Characters that nobody sees or types.
//!
//! Emoji and several scripts need characters that are not seen. Those count as seen where they do their work and
//! nowhere else: a joiner between two letters, marks or emoji, or after a virama; one variation selector after what it
//! varies. The rule is that of the program's output (`crates/cli/src/visible.rs`).

use icu_properties::props::{
    BidiControl, CanonicalCombiningClass, DefaultIgnorableCodePoint, EmojiModifier, ExtendedPictographic,
    GeneralCategory, GeneralCategoryGroup, JoinControl, RegionalIndicator, VariationSelector,
};
use icu_properties::{CodePointMapData, CodePointSetData, CodePointSetDataBorrowed};

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
    if !may_hide(text) {
        return None;
    }
    let mut first = None;
    sift(text, |character, is_seen| {
        if !is_seen && first.is_none() {
            first = Some(character);
        }
    });
    first
}

/// A text without what nobody sees or types.
#[must_use]
pub fn without(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    sift(text, |character, is_seen| {
        if is_seen {
            kept.push(character);
        }
    });
    kept
}

fn may_hide(text: &str) -> bool {
    text.bytes().any(|byte| !(b' '..0x7f).contains(&byte))
}

fn sift(text: &str, mut each: impl FnMut(char, bool)) {
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        let is_seen = !is_hidden(character) || has_work(before, character, rest.peek().copied());
        each(character, is_seen);
        before = is_seen.then_some(character);
    }
}

/// Whether a character is not seen, or changes how others are seen.
fn is_hidden(character: char) -> bool {
    use GeneralCategory as G;
    if character.is_ascii() {
        return character.is_control();
    }
    character.is_control()
        || CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(character)
        || CodePointSetData::new::<BidiControl>().contains(character)
        || matches!(character, '\u{fff9}'..='\u{fffb}')
        || matches!(category(character), G::LineSeparator | G::ParagraphSeparator)
}

/// Whether a character that is not seen changes the characters around it as it should.
fn has_work(before: Option<char>, character: char, after: Option<char>) -> bool {
    let Some(before) = before else { return false };
    if is(character, CodePointSetData::new::<VariationSelector>()) {
        !before.is_whitespace() && !is_hidden(before)
    } else if is(character, CodePointSetData::new::<JoinControl>()) {
        (joins(before) && after.is_some_and(joins)) || is_virama(before)
    } else {
        false
    }
}

/// Letters, marks (among them variation selectors) and emoji.
fn joins(character: char) -> bool {
    let category = category(character);
    GeneralCategoryGroup::Letter.contains(category)
        || GeneralCategoryGroup::Mark.contains(category)
        || is(character, CodePointSetData::new::<ExtendedPictographic>())
        || is(character, CodePointSetData::new::<EmojiModifier>())
        || is(character, CodePointSetData::new::<RegionalIndicator>())
}

/// The sign that takes the vowel from a letter, after which joiners choose between forms.
fn is_virama(character: char) -> bool {
    CodePointMapData::<CanonicalCombiningClass>::new().get(character) == CanonicalCombiningClass::Virama
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

fn is(character: char, set: CodePointSetDataBorrowed<'static>) -> bool {
    set.contains(character)
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
            ("a\u{fe0f}\u{fe0f}", '\u{fe0f}', "a\u{fe0f}"),
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
