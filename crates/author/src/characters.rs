//! Characters as authors are told of them: by number and name, and whether anybody sees or types them.

use std::fmt;

use answerplane_normalize::is_space;
use icu_properties::props::{
    BidiControl, CanonicalCombiningClass, DefaultIgnorableCodePoint, EmojiModifier, ExtendedPictographic,
    Ideographic, JoiningType, Script, VariationSelector,
};
use icu_properties::{CodePointMapData, CodePointSetData, CodePointSetDataBorrowed, PropertyNamesLong};
use serde::ser::{Serialize, SerializeStruct, Serializer};

/// A character by its number and name, as in `U+200B ZERO WIDTH SPACE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodePoint(pub char);

impl CodePoint {
    /// The name of the Unicode Standard; what has none is named by its number, such as `<control-0085>`.
    #[must_use]
    pub fn name(self) -> String {
        let number = u32::from(self.0);
        match unicode_names2::name(self.0) {
            Some(name) => name.to_string(),
            None if self.0.is_control() => format!("<control-{number:04X}>"),
            None => format!("<unnamed-{number:04X}>"),
        }
    }

    /// The number as it is usually written, such as `U+200B`.
    #[must_use]
    pub fn number(self) -> String {
        format!("U+{:04X}", u32::from(self.0))
    }
}

impl fmt::Display for CodePoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.number(), self.name())
    }
}

impl Serialize for CodePoint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut point = serializer.serialize_struct("CodePoint", 2)?;
        point.serialize_field("codePoint", &self.number())?;
        point.serialize_field("name", &self.name())?;
        point.end()
    }
}

/// The characters of a text that nobody sees or types, each with its place in UTF-16 units.
///
/// These are the characters of the Unicode properties `Default_Ignorable_Code_Point` and `Bidi_Control`, controls that
/// are no white space, and separators of lines and annotations. What emoji and scripts need stays out where it does its
/// work: joiners as RFC 5892 (A.1 and A.2) allows them and between emoji, and one variation selector after an emoji, an
/// ideograph or a Mongolian letter.
///
/// ```
/// use answerplane_author::characters::unseen;
///
/// assert_eq!(unseen("install\u{200b}cli"), [(7, '\u{200b}')]);
/// assert!(unseen("می\u{200c}خواهم").is_empty());
/// ```
#[must_use]
pub fn unseen(text: &str) -> Vec<(usize, char)> {
    let mut found = Vec::new();
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return found;
    }
    let characters: Vec<char> = text.chars().collect();
    let mut at = 0;
    for (number, character) in characters.iter().enumerate() {
        if is_unseen(*character) && !is_needed(&characters, number) {
            found.push((at, *character));
        }
        at += character.len_utf16();
    }
    found
}

/// Whether a character by itself is one that nobody sees or types.
#[must_use]
pub fn is_unseen(character: char) -> bool {
    if character.is_ascii() {
        return character.is_control() && !is_space(character);
    }
    is(character, CodePointSetData::new::<DefaultIgnorableCodePoint>())
        || is(character, CodePointSetData::new::<BidiControl>())
        || (character.is_control() && !is_space(character))
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{fff9}'..='\u{fffb}')
}

/// Whether a character that is not seen does its work where it stands.
fn is_needed(characters: &[char], at: usize) -> bool {
    let (before, after) = (&characters[..at], &characters[at + 1..]);
    let Some(last) = before.last() else { return false };
    match characters[at] {
        '\u{200c}' => is_virama(*last) || joins_letters(before, after),
        '\u{200d}' => is_virama(*last) || joins_emoji(before, after),
        '\u{fe00}'..='\u{fe0f}' => is_emoji(*last) || after.first() == Some(&'\u{20e3}'),
        '\u{e0100}'..='\u{e01ef}' => is(*last, CodePointSetData::new::<Ideographic>()),
        '\u{180b}'..='\u{180d}' | '\u{180f}' => script(*last) == Script::Mongolian,
        _ => false,
    }
}

/// Whether what is not joined here would be.
fn joins_letters(before: &[char], after: &[char]) -> bool {
    let joining = |character: &char| CodePointMapData::<JoiningType>::new().get(*character);
    let is_solid = |kind: &JoiningType| *kind != JoiningType::Transparent;
    let left = before.iter().rev().map(joining).find(is_solid);
    let right = after.iter().map(joining).find(is_solid);
    matches!(left, Some(JoiningType::LeftJoining | JoiningType::DualJoining))
        && matches!(right, Some(JoiningType::RightJoining | JoiningType::DualJoining))
}

fn joins_emoji(before: &[char], after: &[char]) -> bool {
    let is_addition = |character: &char| {
        is(*character, CodePointSetData::new::<EmojiModifier>())
            || is(*character, CodePointSetData::new::<VariationSelector>())
    };
    let left = before.iter().rev().find(|character| !is_addition(character));
    left.is_some_and(|character| is_emoji(*character))
        && after.first().is_some_and(|character| is_emoji(*character))
}

fn is_emoji(character: char) -> bool {
    is(character, CodePointSetData::new::<ExtendedPictographic>())
}

/// The sign that takes the vowel from a letter, after which joiners choose between forms.
fn is_virama(character: char) -> bool {
    CodePointMapData::<CanonicalCombiningClass>::new().get(character) == CanonicalCombiningClass::Virama
}

fn is(character: char, set: CodePointSetDataBorrowed<'static>) -> bool {
    set.contains(character)
}

/// The first word of a text that mixes scripts as no writing does, and the names of the scripts.
///
/// Words of one script are fine, and so are Latin, Han, Kana, Bopomofo and Hangul among each other, and Latin with one
/// other script than Cyrillic and Greek, whose letters look like Latin ones (the levels of UTS #39).
///
/// ```
/// use answerplane_author::characters::mixed_scripts;
///
/// let (word, scripts) = mixed_scripts("reset p\u{430}ssword").unwrap();
/// assert_eq!((word, scripts.as_slice()), ("p\u{430}ssword", &["Latin", "Cyrillic"][..]));
/// assert!(mixed_scripts("Gitの使い方 и API-ключ").is_none());
/// ```
#[must_use]
pub fn mixed_scripts(text: &str) -> Option<(&str, Vec<&'static str>)> {
    if text.is_ascii() {
        return None;
    }
    let is_boundary = |character: char| {
        is_space(character) || (script(character) == Script::Common && !is_unseen(character))
    };
    text.split(is_boundary).find_map(|word| {
        let mut scripts: Vec<Script> = Vec::new();
        for script in word.chars().map(script) {
            let is_neutral = matches!(script, Script::Common | Script::Inherited | Script::Unknown);
            if !is_neutral && !scripts.contains(&script) {
                scripts.push(script);
            }
        }
        is_mix(&scripts).then(|| {
            let names = PropertyNamesLong::<Script>::new();
            (word, scripts.iter().map(|script| names.get(*script).unwrap_or("another")).collect())
        })
    })
}

fn script(character: char) -> Script {
    CodePointMapData::<Script>::new().get(character)
}

fn is_mix(scripts: &[Script]) -> bool {
    let is_eastern = |script: &Script| {
        matches!(
            *script,
            Script::Latin
                | Script::Han
                | Script::Hiragana
                | Script::Katakana
                | Script::Bopomofo
                | Script::Hangul
        )
    };
    let is_look_alike = |script: &Script| matches!(*script, Script::Cyrillic | Script::Greek);
    let with_latin = scripts.len() == 2 && scripts.contains(&Script::Latin);
    scripts.len() > 1 && !scripts.iter().all(is_eastern) && (!with_latin || scripts.iter().any(is_look_alike))
}

/// A text as it stands in a message: cut after 60 units, in quotation marks.
pub(crate) fn quoted(text: &str) -> String {
    let cut = answerplane_normalize::truncate_utf16(text, 60);
    if cut.len() == text.len() { format!("\"{text}\"") } else { format!("\"{cut}…\"") }
}

#[cfg(test)]
mod tests {
    use icu_properties::CodePointSetData;
    use icu_properties::props::{BidiControl, DefaultIgnorableCodePoint};

    use super::{CodePoint, mixed_scripts, unseen};

    #[test]
    fn characters_have_numbers_and_names() {
        for (character, name) in [
            ('\u{131}', "U+0131 LATIN SMALL LETTER DOTLESS I"),
            ('\u{85}', "U+0085 <control-0085>"),
            ('가', "U+AC00 HANGUL SYLLABLE GA"),
            ('😀', "U+1F600 GRINNING FACE"),
            ('\u{10ffff}', "U+10FFFF <unnamed-10FFFF>"),
        ] {
            assert_eq!(CodePoint(character).to_string(), name);
        }
    }

    #[test]
    fn every_character_of_the_properties_is_found() {
        let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
        let bidi = CodePointSetData::new::<BidiControl>();
        let mut count = 0;
        for character in ('\0'..=char::MAX).filter(|c| ignorable.contains(*c) || bidi.contains(*c)) {
            assert_eq!(unseen(&format!("🚀c{character}b")), [(3, character)]);
            count += 1;
        }
        assert!(count > 4_000, "{count}");
    }

    #[test]
    fn what_writing_needs_is_no_finding() {
        for text in [
            "می\u{200c}خواهم",
            "क\u{94d}\u{200d}ष",
            "👨\u{200d}👩\u{200d}👧",
            "👩🏻\u{200d}🚀",
            "❤\u{fe0f}\u{200d}🔥 1\u{fe0f}\u{20e3} ⚠\u{fe0f}",
            "葛\u{e0100}飾",
            "a\tb\u{3000}c",
        ] {
            assert_eq!(unseen(text), [], "{text:?}");
        }
        for text in [
            "a\u{200c}b",
            "\u{200d}a",
            "ab\u{200d}",
            "a\u{85}b",
            "a\u{fe0f}",
            "1\u{fe0f}",
            "\u{e0100}",
            "a\u{1b}[0m",
            "a\u{2028}b",
        ] {
            assert_eq!(unseen(text).len(), 1, "{text:?}");
        }
    }

    #[test]
    fn scripts_are_mixed_in_a_word_only() {
        for text in ["Gitの使い方", "Привет world", "API-ключ", "한글漢字", "سلامAPI", "naïve café", "5µm"]
        {
            assert_eq!(mixed_scripts(text), None, "{text:?}");
        }
        for text in ["pаypal", "ΑBC", "кaй", "раураl.com", "日本語д"] {
            assert!(mixed_scripts(text).is_some(), "{text:?}");
        }
    }
}
