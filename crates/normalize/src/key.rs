//! The normalized key of a text.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use unicode_normalization::UnicodeNormalization;

use crate::class::{CASE_IGNORABLE, CASED, Class, SIMPLE};
use crate::{is_space, tables, utf16_len};

/// The Unicode version of the tables behind [`normalize_key`].
pub const UNICODE_VERSION: (u8, u8, u8) = tables::UNICODE_VERSION;

/// A text after normalization: the only thing that is ever compared to find an answer.
///
/// Made by [`normalize_key`] and in no other way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NormalizedKey<'a>(Cow<'a, str>);

impl<'a> NormalizedKey<'a> {
    /// The key's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The key's length in UTF-16 code units.
    #[must_use]
    pub fn utf16_len(&self) -> usize {
        utf16_len(&self.0)
    }

    /// Whether the key is that of an empty text or of white space only.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The key as a string, borrowed from the original text where that was its own key.
    #[must_use]
    pub fn into_cow(self) -> Cow<'a, str> {
        self.0
    }
}

impl fmt::Display for NormalizedKey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The normalized key of `text`: NFKC, trimmed, runs of white space as one space, full lower case.
///
/// Total: every text has a key, and the key of white space is empty. Not idempotent for every text, so it is
/// called exactly once on each side of a comparison.
///
/// ```
/// use answerplane_normalize::normalize_key;
///
/// assert_eq!(normalize_key("ＩＮＳＴＡＬＬ  the CLI"), normalize_key("Install the cli"));
/// assert_ne!(normalize_key("install"), normalize_key("install?"));
/// ```
#[must_use]
pub fn normalize_key(text: &str) -> NormalizedKey<'_> {
    if is_lower_ascii(text.as_bytes()) {
        return NormalizedKey(Cow::Borrowed(text));
    }
    let mut key = String::with_capacity(text.len());
    push_normalized_key(text, &mut key);
    NormalizedKey(Cow::Owned(key))
}

/// Appends the normalized key of `text` to `out`, for callers that keep many keys in one buffer.
///
/// ```
/// let mut keys = String::from("…");
/// answerplane_normalize::push_normalized_key("Plot 12", &mut keys);
/// assert_eq!(keys, "…plot 12");
/// ```
pub fn push_normalized_key(text: &str, out: &mut String) {
    let start = out.len();
    let done = if text.is_ascii() { push_ascii(text, out) } else { push_simple(text, out) };
    if !done {
        out.truncate(start);
        push_any(text, out);
    }
}

/// Whether `text` is ASCII and its own key: no capitals, no edge space, no run of spaces, no other space.
fn is_lower_ascii(text: &[u8]) -> bool {
    let mut foreign = false;
    let mut after_space = true;
    for &byte in text {
        let space = byte == b' ';
        foreign |= byte >= 0x80 || byte.is_ascii_uppercase() || matches!(byte, 0x09..=0x0d);
        foreign |= space && after_space;
        after_space = space;
    }
    !foreign && (!after_space || text.is_empty())
}

fn push_ascii(text: &str, out: &mut String) -> bool {
    for (position, word) in
        text.split(|c: char| matches!(c, '\u{9}'..='\u{d}' | ' ')).filter(|word| !word.is_empty()).enumerate()
    {
        if position > 0 {
            out.push(' ');
        }
        let at = out.len();
        out.push_str(word);
        out[at..].make_ascii_lowercase();
    }
    true
}

/// One pass over characters that NFKC leaves alone; false where the text holds any other.
fn push_simple(text: &str, out: &mut String) -> bool {
    let start = out.len();
    let mut last_combining = 0;
    let mut pending_space = false;
    let mut after_cased = false;
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        if character == ' ' {
            pending_space = true;
            last_combining = 0;
            continue;
        }
        let class = Class::of(character);
        if !class.has(SIMPLE) || (class.combining != 0 && class.combining < last_combining) {
            return false;
        }
        last_combining = class.combining;
        if is_space(character) {
            pending_space = true;
            continue;
        }
        if pending_space {
            pending_space = false;
            after_cased = false;
            if out.len() > start {
                out.push(' ');
            }
        }
        if character == 'Σ' {
            out.push(if after_cased && !is_followed_by_cased(rest.clone()) { 'ς' } else { 'σ' });
        } else if class.to_lower == 0 {
            out.push(character);
        } else {
            let Some(lower) = (character as u32).checked_add_signed(class.to_lower).and_then(char::from_u32)
            else {
                return false;
            };
            out.push(lower);
        }
        if !class.has(CASE_IGNORABLE) {
            after_cased = class.has(CASED);
        }
    }
    true
}

/// The second half of the final sigma rule, on text that is still to be collapsed.
fn is_followed_by_cased(mut rest: core::str::Chars<'_>) -> bool {
    rest.find(|&character| is_space(character) || !Class::of(character).has(CASE_IGNORABLE))
        .is_some_and(|character| !is_space(character) && Class::of(character).has(CASED))
}

/// The definition itself, for everything that the passes above leave.
fn push_any(text: &str, out: &mut String) {
    let mut collapsed = String::with_capacity(text.len());
    let mut pending_space = false;
    for character in text.nfkc() {
        if is_space(character) {
            pending_space = true;
            continue;
        }
        if pending_space && !collapsed.is_empty() {
            collapsed.push(' ');
        }
        pending_space = false;
        collapsed.push(character);
    }
    out.push_str(&collapsed.to_lowercase());
}
