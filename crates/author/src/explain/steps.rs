//! The steps from a text to its key.

use answerplane_normalize::{SPACES, is_space, normalize_key, trim};
use serde::Serialize;
use unicode_normalization::UnicodeNormalization;

use crate::characters::{CodePoint, is_unseen};

/// A step of normalization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// What is done.
    pub name: &'static str,
    /// The text after it.
    pub text: String,
    /// Whether it changed anything.
    pub changed: bool,
}

/// A character that is not plain, and what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Special {
    /// Where it stands, in UTF-16 units.
    pub position: usize,
    /// What it is.
    #[serde(flatten)]
    pub character: CodePoint,
    /// What becomes of it.
    pub fate: Fate,
    /// What it becomes by itself, if it changes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub becomes: Vec<CodePoint>,
}

/// What becomes of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// It stays.
    Kept,
    /// It stays, and nobody sees it.
    KeptUnseen,
    /// It is white space: dropped at the ends, one space elsewhere.
    Space,
    /// It becomes something else by itself. Composition with its neighbours is seen in the steps.
    Changed,
}

/// The steps from `text` to its key: as received, NFKC, trimmed, white space collapsed, lower case.
///
/// ```
/// use answerplane_author::explain::steps;
///
/// let steps = steps(" ＡＢ  c");
/// assert_eq!(steps.iter().map(|step| step.text.as_str()).collect::<Vec<_>>(), [" ＡＢ  c", " AB  c", "AB  c", "AB c", "ab c"]);
/// assert_eq!(steps[4].text, answerplane_normalize::normalize_key(" ＡＢ  c").as_str());
/// ```
#[must_use]
pub fn steps(text: &str) -> Vec<Step> {
    let composed: String = text.nfkc().collect();
    let trimmed = trim(&composed).to_owned();
    let mut collapsed = String::with_capacity(trimmed.len());
    for character in trimmed.chars() {
        match character {
            _ if !is_space(character) => collapsed.push(character),
            _ if collapsed.ends_with(SPACES) => {}
            _ => collapsed.push(' '),
        }
    }
    let key = normalize_key(text).into_cow().into_owned();
    let names = ["as received", "Unicode NFKC", "trimmed", "white space collapsed", "lower case"];
    let texts = [text.to_owned(), composed, trimmed, collapsed, key];
    let mut before: Option<String> = None;
    names
        .into_iter()
        .zip(texts)
        .map(|(name, text)| {
            let changed = before.replace(text.clone()).is_some_and(|before| before != text);
            Step { name, text, changed }
        })
        .collect()
}

/// The first characters of a text that are not plain.
pub(super) fn special(text: &str) -> Vec<Special> {
    const MOST: usize = 64;
    let mut at = 0;
    let placed = text.chars().map(|character| {
        let position = at;
        at += character.len_utf16();
        (position, character)
    });
    placed
        .filter(|(_, character)| !matches!(character, ' '..='~'))
        .take(MOST)
        .map(|(position, character)| {
            // A letter beside it keeps white space and final sigmas apart from the ends.
            let framed = normalize_key(&format!("a{character}a")).into_cow().into_owned();
            let alone: Vec<char> = framed
                .strip_prefix('a')
                .and_then(|rest| rest.strip_suffix('a'))
                .map_or_else(Vec::new, |rest| rest.chars().collect());
            let is_same = alone == [character] || alone.is_empty();
            let fate = match character {
                _ if is_space(character) => Fate::Space,
                _ if is_unseen(character) && is_same => Fate::KeptUnseen,
                _ if is_same => Fate::Kept,
                _ => Fate::Changed,
            };
            let becomes =
                if fate == Fate::Changed { alone.into_iter().map(CodePoint).collect() } else { Vec::new() };
            Special { position, character: CodePoint(character), fate, becomes }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Fate, special, steps};

    #[test]
    fn lower_case_is_what_the_last_step_does() {
        for text in
            ["ΟΔΟΣ", "İstanbul", "STRASSE ẞ", " \u{feff}A\u{3000}\tB ", "ﬁeld", "\u{1100}\u{1161}", "…"]
        {
            let steps = steps(text);
            assert_eq!(steps[3].text.to_lowercase(), steps[4].text, "{text:?}");
        }
    }

    #[test]
    fn special_characters_have_a_fate() {
        let found = special("a\u{200b}\u{a0}ı…é😀");
        let fates: Vec<(usize, Fate)> =
            found.iter().map(|special| (special.position, special.fate)).collect();
        assert_eq!(
            fates,
            [
                (1, Fate::KeptUnseen),
                (2, Fate::Space),
                (3, Fate::Kept),
                (4, Fate::Changed),
                (5, Fate::Kept),
                (6, Fate::Kept)
            ]
        );
        assert_eq!(found[3].becomes.len(), 3);
        assert_eq!(special(&"é".repeat(100)).len(), 64);
    }
}
