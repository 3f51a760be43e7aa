//! Texts of somebody else's, as they may be shown: what steers a terminal, changes the order of what is read, or is
//! not seen at all becomes a visible sign.
//!
//! Emoji and several scripts need characters that are not seen. Those stay where they do their work and nowhere else:
//! a joiner between two letters, marks or emoji, or after a virama; one variation selector after what it varies.

use std::borrow::Cow;

use icu_properties::props::{
    BidiControl, CanonicalCombiningClass, DefaultIgnorableCodePoint, EmojiModifier, ExtendedPictographic,
    GeneralCategory, GeneralCategoryGroup, JoinControl, RegionalIndicator, VariationSelector,
};
use icu_properties::{CodePointMapData, CodePointSetData};

/// The sign that begins a line of ours beside texts of a site. In a text of somebody else's it never stands.
pub(crate) const MARK: char = '▌';

/// A text on however many lines it has. A carriage return before a line feed is dropped.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    shown(text, true)
}

/// A text on one line: its line feeds become visible too.
pub(crate) fn visible_line(text: &str) -> Cow<'_, str> {
    shown(text, false)
}

/// Whether a character is not seen, or changes how others are seen.
pub(crate) fn is_hidden(character: char) -> bool {
    use GeneralCategory as G;
    !character.is_ascii()
        && (CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(character)
            || CodePointSetData::new::<BidiControl>().contains(character)
            || matches!(character, '\u{fff9}'..='\u{fffb}')
            || matches!(category(character), G::LineSeparator | G::ParagraphSeparator))
}

fn shown(text: &str, keep_lines: bool) -> Cow<'_, str> {
    let is_plain = |character: char| match character {
        '\n' => keep_lines,
        '\t' => true,
        MARK => false,
        _ => !character.is_control() && !is_hidden(character),
    };
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let text = if keep_lines { text.replace("\r\n", "\n").into() } else { Cow::Borrowed(text) };
    let mut shown = String::with_capacity(text.len());
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        let stays = is_plain(character) || has_work(before, character, rest.peek().copied());
        if stays {
            shown.push(character);
        } else {
            push_sign(character, &mut shown);
        }
        before = stays.then_some(character);
    }
    Cow::Owned(shown)
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

fn category(character: char) -> GeneralCategory {
    CodePointMapData::<GeneralCategory>::new().get(character)
}

fn is(character: char, set: icu_properties::CodePointSetDataBorrowed<'static>) -> bool {
    set.contains(character)
}

fn push_sign(character: char, shown: &mut String) {
    let picture = |code: u32| char::from_u32(0x2400 + code).unwrap_or(char::REPLACEMENT_CHARACTER);
    match u32::from(character) {
        code @ 0..=0x1f => shown.push(picture(code)),
        0x7f => shown.push('\u{2421}'),
        0x80..=0x9f => shown.push(char::REPLACEMENT_CHARACTER),
        code => shown.push_str(&format!("<U+{code:04X}>")),
    }
}

#[cfg(test)]
mod tests {
    use super::{MARK, is_hidden, visible, visible_line};

    #[test]
    fn control_characters_become_visible() {
        assert_eq!(visible("a\tb\nc"), "a\tb\nc");
        assert_eq!(visible("\u{1b}[31mred\u{7}\u{7f}\u{9b}0m\0"), "␛[31mred␇␡\u{fffd}0m␀");
        assert_eq!(visible("one\r\ntwo\rthree"), "one\ntwo␍three");
        assert_eq!(visible_line("one\r\ntwo\tthree\n"), "one␍␊two\tthree␊");
    }

    #[test]
    fn what_is_not_seen_becomes_visible() {
        for (text, seen) in [
            ("pay\u{202e}lap\u{202c}", "pay<U+202E>lap<U+202C>"),
            ("\u{2066}a\u{2069}\u{61c}\u{200e}\u{200f}", "<U+2066>a<U+2069><U+061C><U+200E><U+200F>"),
            ("a\u{2028}b\u{2029}", "a<U+2028>b<U+2029>"),
            ("a\u{200b}b\u{2060}c\u{feff}\u{ad}", "a<U+200B>b<U+2060>c<U+FEFF><U+00AD>"),
            ("a\u{e0041}\u{e007f}", "a<U+E0041><U+E007F>"),
            ("\u{3164}\u{ffa0}\u{fffa}", "<U+3164><U+FFA0><U+FFFA>"),
            ("a▌b", "a<U+258C>b"),
        ] {
            assert_eq!(visible(text), seen);
            assert_eq!(visible_line(text), seen);
        }
    }

    #[test]
    fn what_writing_needs_stays() {
        for text in [
            // Persian, Marathi, Malayalam (a joiner at the end of a word), Sinhala.
            "می\u{200c}خواهم",
            "श\u{94d}\u{200d}य क\u{94d}\u{200c}ष",
            "അവന\u{d4d}\u{200d} വന്നു",
            "ශ\u{dca}\u{200d}රී",
            // A family, a flag, a heart on fire, a key, a fair-skinned pilot, an old form of a sign.
            "👨\u{200d}👩\u{200d}👧 🏳\u{fe0f}\u{200d}🌈 ❤\u{fe0f}\u{200d}🔥 1\u{fe0f}\u{20e3} 👩🏻\u{200d}✈\u{fe0f}",
            "葛\u{e0100}飾",
        ] {
            assert_eq!(visible(text), text);
        }
    }

    #[test]
    fn what_writing_does_not_need_is_shown() {
        for (text, seen) in [
            ("\u{200d}a\u{200d}", "<U+200D>a<U+200D>"),
            ("a \u{200c}b, 1\u{200d}2", "a <U+200C>b, 1<U+200D>2"),
            ("a\u{200c}\u{200c}b", "a<U+200C><U+200C>b"),
            ("\u{fe0f}a\u{fe0f}\u{fe01}\u{e0100} \u{fe0f}", "<U+FE0F>a\u{fe0f}<U+FE01><U+E0100> <U+FE0F>"),
        ] {
            assert_eq!(visible(text), seen);
        }
    }

    #[test]
    fn nothing_that_is_hidden_is_left() {
        for character in '\0'..=char::MAX {
            let shown = visible(character.encode_utf8(&mut [0; 4])).into_owned();
            let bad = |c: char| is_hidden(c) || c == MARK || (c.is_control() && c != '\t' && c != '\n');
            assert!(!shown.chars().any(bad), "{character:?}");
        }
    }

    #[test]
    fn the_properties_are_those_of_unicode() {
        let ranges = [
            0xad..=0xad,
            0x34f..=0x34f,
            0x61c..=0x61c,
            0x115f..=0x1160,
            0x17b4..=0x17b5,
            0x180b..=0x180f,
            0x200b..=0x200f,
            0x2028..=0x202e,
            0x2060..=0x206f,
            0x3164..=0x3164,
            0xfe00..=0xfe0f,
            0xfeff..=0xfeff,
            0xffa0..=0xffa0,
            0xfff0..=0xfffb,
            0x1bca0..=0x1bca3,
            0x1d173..=0x1d17a,
            0xe0000..=0xe0fff,
        ];
        for character in '\0'..=char::MAX {
            let expected = ranges.iter().any(|range| range.contains(&u32::from(character)));
            assert_eq!(is_hidden(character), expected, "{character:?}");
        }
    }
}
