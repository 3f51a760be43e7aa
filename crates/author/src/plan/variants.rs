//! Typing variants of an alias: what people write instead of what was declared.
//!
//! Case, padding and full-width forms need none of these: the key of a text has them already.

use std::fmt;

use answerplane_normalize::normalize_key;
use answerplane_protocol::EntryKind;
use icu_properties::CodePointMapData;
use icu_properties::props::Script;
use serde::Serialize;

/// A reason for which a text is typed otherwise than it was declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum VariantRule {
    /// With and without a final `?`, `.`, `!` or, in their scripts, `؟` and `;`.
    FinalPunctuation,
    /// Straight and curly quotation marks.
    Quotes,
    /// A straight apostrophe, a curly one, or none.
    Apostrophe,
    /// A hyphen where a space was declared, and the reverse.
    HyphenSpace,
    /// A hyphen where a dash was declared, and the reverse.
    Dashes,
    /// Without the backticks around code.
    Backticks,
    /// A command with and without `npx ` or `$ ` before it.
    CommandPrefix,
    /// Without words that say nothing.
    Boilerplate,
}

impl VariantRule {
    /// Every rule, in the order in which their variants take slots.
    pub const ALL: &'static [Self] = &[
        Self::FinalPunctuation,
        Self::Quotes,
        Self::Apostrophe,
        Self::HyphenSpace,
        Self::Dashes,
        Self::Backticks,
        Self::CommandPrefix,
        Self::Boilerplate,
    ];

    /// The name of the rule, as in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::FinalPunctuation => "final-punctuation",
            Self::Quotes => "quotes",
            Self::Apostrophe => "apostrophe",
            Self::HyphenSpace => "hyphen-space",
            Self::Dashes => "dashes",
            Self::Backticks => "backticks",
            Self::CommandPrefix => "command-prefix",
            Self::Boilerplate => "boilerplate",
        }
    }

    /// The variants of `alias` by this rule alone; `kind` is that of its entry, `boilerplate` what people leave out.
    ///
    /// They may repeat, and may have the same key as `alias`.
    #[must_use]
    pub fn variants(self, alias: &str, kind: EntryKind, boilerplate: &[String]) -> Vec<String> {
        match self {
            Self::FinalPunctuation => final_punctuation(alias),
            // A keyboard that writes curly quotes writes them in a question too.
            Self::Quotes => with_final_punctuation(quotes(alias)),
            Self::Apostrophe => with_final_punctuation(apostrophes(alias)),
            Self::HyphenSpace => hyphens_and_spaces(alias),
            Self::Dashes => dashes(alias),
            Self::Backticks => alias.contains('`').then(|| alias.replace('`', "")).into_iter().collect(),
            Self::CommandPrefix if kind == EntryKind::Command => command_prefix(alias),
            Self::CommandPrefix => Vec::new(),
            Self::Boilerplate => without_words(alias, boilerplate),
        }
    }
}

impl fmt::Display for VariantRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Every variant of an alias with another key, once for each key, by the first rule that gives it.
#[must_use]
pub fn variants(alias: &str, kind: EntryKind, boilerplate: &[String]) -> Vec<(VariantRule, String)> {
    let own = normalize_key(alias);
    let mut found: Vec<(VariantRule, String)> = Vec::new();
    let mut keys = vec![own.as_str().to_owned()];
    for rule in VariantRule::ALL {
        for variant in rule.variants(alias, kind, boilerplate) {
            let key = normalize_key(&variant);
            if !key.as_str().is_empty() && !keys.iter().any(|known| known == key.as_str()) {
                keys.push(key.as_str().to_owned());
                found.push((*rule, variant));
            }
        }
    }
    found
}

/// What may end a sentence.
const FINAL: [char; 8] = ['?', '？', '؟', '.', '!', '！', ';', '\u{37e}'];

fn final_punctuation(alias: &str) -> Vec<String> {
    let bare = alias.trim_end_matches(|character: char| FINAL.contains(&character) || character == ' ');
    if bare.is_empty() {
        return Vec::new();
    }
    let has =
        |script| bare.chars().any(|character| CodePointMapData::<Script>::new().get(character) == script);
    let mut ends = vec!["", "?", ".", "!"];
    if has(Script::Arabic) {
        ends.push("؟");
    }
    if has(Script::Greek) {
        ends.push(";");
    }
    ends.into_iter().map(|end| format!("{bare}{end}")).collect()
}

/// The texts, and then each with other final punctuation.
fn with_final_punctuation(texts: Vec<String>) -> Vec<String> {
    let ended: Vec<String> = texts.iter().flat_map(|text| final_punctuation(text)).collect();
    texts.into_iter().chain(ended).collect()
}

fn quotes(alias: &str) -> Vec<String> {
    const DOUBLE: [char; 7] = ['"', '“', '”', '„', '‟', '«', '»'];
    if !alias.contains(DOUBLE) {
        return Vec::new();
    }
    let mut opens = true;
    let curly = alias.chars().map(|character| {
        if !DOUBLE.contains(&character) {
            return character;
        }
        opens = !opens;
        if opens { '”' } else { '“' }
    });
    let curly: String = curly.collect();
    vec![alias.replace(DOUBLE, "\""), curly, alias.replace(DOUBLE, "")]
}

fn apostrophes(alias: &str) -> Vec<String> {
    const SINGLE: [char; 5] = ['\'', '’', '‘', 'ʼ', '´'];
    if !alias.contains(SINGLE) {
        return Vec::new();
    }
    // One that begins a word opens a quotation.
    let mut before = ' ';
    let curly = alias.chars().map(|character| {
        let opens = before == ' ' || before == '(';
        before = character;
        match character {
            _ if !SINGLE.contains(&character) => character,
            _ if opens => '‘',
            _ => '’',
        }
    });
    let curly: String = curly.collect();
    vec![alias.replace(SINGLE, "'"), alias.replace(SINGLE, "’"), curly, alias.replace(SINGLE, "")]
}

/// Hyphens and what is typed or set for them.
const DASHES: [char; 7] = ['-', '‐', '‑', '‒', '–', '—', '−'];

fn hyphens_and_spaces(alias: &str) -> Vec<String> {
    let inner = |at: usize, dash: char| {
        let after = &alias[at + dash.len_utf8()..];
        at > 0 && !after.is_empty() && !after.starts_with(DASHES) && !alias[..at].ends_with(DASHES)
    };
    let mut variants = Vec::new();
    let places: Vec<(usize, char)> = alias
        .char_indices()
        .filter(|(at, character)| DASHES.contains(character) && inner(*at, *character))
        .collect();
    let without = |places: &[(usize, char)]| {
        let mut text = String::with_capacity(alias.len());
        let mut rest = 0;
        for (at, dash) in places {
            text.push_str(&alias[rest..*at]);
            text.push(' ');
            rest = at + dash.len_utf8();
        }
        text.push_str(&alias[rest..]);
        text
    };
    if !places.is_empty() {
        variants.push(without(&places));
        if (2..=3).contains(&places.len()) {
            variants.extend(places.iter().map(|place| without(&[*place])));
        }
    }
    if alias.contains(' ') {
        variants.push(alias.split_whitespace().collect::<Vec<_>>().join("-"));
    }
    variants
}

fn dashes(alias: &str) -> Vec<String> {
    if !alias.contains(DASHES) {
        return Vec::new();
    }
    vec![alias.replace(DASHES, "-"), alias.replace(DASHES, "–"), alias.replace(DASHES, "—")]
}

fn command_prefix(alias: &str) -> Vec<String> {
    const PREFIXES: [&str; 2] = ["$ ", "npx "];
    let mut bare = alias;
    for prefix in PREFIXES {
        bare = bare.strip_prefix(prefix).unwrap_or(bare).trim_start();
    }
    std::iter::once(bare.to_owned()).chain(PREFIXES.iter().map(|prefix| format!("{prefix}{bare}"))).collect()
}

fn without_words(alias: &str, boilerplate: &[String]) -> Vec<String> {
    if boilerplate.is_empty() {
        return Vec::new();
    }
    let words: Vec<&str> = alias.split_whitespace().collect();
    let mut kept: Vec<&str> = Vec::with_capacity(words.len());
    let mut at = 0;
    'words: while at < words.len() {
        for phrase in boilerplate {
            let length = phrase.split_whitespace().count();
            let here = words.get(at..at + length).unwrap_or_default();
            if length > 0 && normalize_key(&here.join(" ")) == normalize_key(phrase) {
                at += length;
                continue 'words;
            }
        }
        kept.push(words[at]);
        at += 1;
    }
    if kept.is_empty() || kept.len() == words.len() { Vec::new() } else { vec![kept.join(" ")] }
}

#[cfg(test)]
mod tests {
    use answerplane_protocol::EntryKind;

    use super::variants;

    fn texts(alias: &str, kind: EntryKind, boilerplate: &[&str]) -> Vec<String> {
        let boilerplate: Vec<String> = boilerplate.iter().map(ToString::to_string).collect();
        variants(alias, kind, &boilerplate).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn a_question_is_typed_with_and_without_its_mark() {
        assert_eq!(
            texts("What is tock?", EntryKind::Document, &[]),
            ["What is tock", "What is tock.", "What is tock!", "What-is-tock?"]
        );
        assert!(texts("ما هذا", EntryKind::Document, &[]).contains(&"ما هذا؟".to_owned()));
        assert!(texts("τι είναι", EntryKind::Document, &[]).contains(&"τι είναι;".to_owned()));
    }

    #[test]
    fn only_final_punctuation_goes() {
        let all = texts("email me@example.com", EntryKind::Document, &[]);
        assert!(all.iter().all(|text| text.contains("me@example.com")), "{all:?}");
        assert!(texts("???", EntryKind::Document, &[]).is_empty());
    }

    #[test]
    fn quotes_and_apostrophes_change_their_form() {
        let all = texts("what's \"new\"", EntryKind::Document, &[]);
        for text in ["what’s \"new\"?", "what’s \"new\"", "whats \"new\"", "what's “new”", "what's new"]
        {
            assert!(all.contains(&text.to_owned()), "{text} of {all:?}");
        }
    }

    #[test]
    fn hyphens_dashes_and_spaces_stand_for_each_other() {
        let all = texts("add-on set-up", EntryKind::Document, &[]);
        for text in ["add on set up", "add on set-up", "add-on set up", "add-on-set-up", "add–on set–up"]
        {
            assert!(all.contains(&text.to_owned()), "{text} of {all:?}");
        }
        assert!(!texts("--flag -f", EntryKind::Document, &[]).iter().any(|text| text.contains(" flag")));
    }

    #[test]
    fn commands_have_a_prompt_before_them() {
        let all = texts("npx create-app", EntryKind::Command, &[]);
        assert!(
            all.contains(&"create-app".to_owned()) && all.contains(&"$ create-app".to_owned()),
            "{all:?}"
        );
        assert!(!texts("create-app", EntryKind::Document, &[]).iter().any(|text| text.starts_with("npx")));
        assert!(texts("`rg --files`", EntryKind::Document, &[]).contains(&"rg --files".to_owned()));
    }

    #[test]
    fn boilerplate_is_left_out() {
        let words = ["please", "how do i"];
        let all = texts("How do I install it, please", EntryKind::Document, &words);
        assert!(all.contains(&"install it,".to_owned()), "{all:?}");
        assert!(!texts("please", EntryKind::Document, &words).iter().any(String::is_empty));
    }
}
