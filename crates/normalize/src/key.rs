//! The normalized key of a text.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;
use core::str::Chars;

use unicode_normalization::UnicodeNormalization;

use crate::class::{CASE_IGNORABLE, CASED, ClassId, SIMPLE, SPACE};
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

    /// The key as a string, borrowed from the original text where that is evenly spaced and in lower-case ASCII.
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
    let shape = Shape::of(text);
    if shape.evenly_spaced && shape.lower_ascii {
        return NormalizedKey(Cow::Borrowed(text));
    }
    let mut key = String::with_capacity(text.len());
    push_key(text, &shape, &mut key);
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
    push_key(text, &Shape::of(text), out);
}

fn push_key(text: &str, shape: &Shape, out: &mut String) {
    let start = out.len();
    let done =
        if shape.evenly_spaced { push_simple(text, out) } else { push_simple(&collapsed(text.chars()), out) };
    if !done {
        out.truncate(start);
        out.push_str(&collapsed(text.nfkc()).to_lowercase());
    }
}

/// What a look at the bytes tells.
struct Shape {
    /// The ASCII white space is single spaces between other characters.
    evenly_spaced: bool,
    /// There is nothing but ASCII, and no capital.
    lower_ascii: bool,
}

impl Shape {
    fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let (eights, rest) = bytes.as_chunks();
        let mut last = [b'a'; 8];
        last[..rest.len()].copy_from_slice(rest);

        let (mut uneven, mut other, mut space_before) = (0, 0, 0);
        for eight in eights.iter().chain([&last]) {
            let word = u64::from_le_bytes(*eight);
            let spaces = ascii_between(word, b' ', b' ');
            uneven |= ascii_between(word, 0x09, 0x0d) | (spaces & (spaces << 8 | space_before));
            other |= ascii_between(word, b'A', b'Z') | (word & HIGH_BITS);
            space_before = spaces >> 56;
        }
        let edges = bytes.first() == Some(&b' ') || bytes.last() == Some(&b' ');
        Self { evenly_spaced: uneven == 0 && !edges, lower_ascii: other == 0 }
    }
}

const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// The high bit of each of eight bytes that is ASCII and from `least` to `greatest`.
fn ascii_between(word: u64, least: u8, greatest: u8) -> u64 {
    let every = |byte: u8| u64::from_ne_bytes([byte; 8]);
    let low = word & !HIGH_BITS;
    let reaches = low + every(0x80 - least);
    let exceeds = low + every(0x7f - greatest);
    reaches & !exceeds & !word & HIGH_BITS
}

/// The text without white space at both ends, each run of it inside as one space.
fn collapsed(text: impl Iterator<Item = char>) -> String {
    let mut out = String::new();
    let mut after_space = false;
    for character in text {
        if is_space(character) {
            after_space = true;
            continue;
        }
        if after_space && !out.is_empty() {
            out.push(' ');
        }
        after_space = false;
        out.push(character);
    }
    out
}

/// One pass over evenly spaced text whose characters NFKC leaves alone; false where it holds any other.
///
/// Only what is not ASCII is looked at. What stays as it is gets copied in pieces as long as possible, and ASCII
/// capitals are lowered at the end.
fn push_simple(text: &str, out: &mut String) -> bool {
    let start = out.len();
    let mut copied = 0;
    let mut at = 0;
    let (mut last_end, mut last_combining) = (0, 0);
    while at < text.len() {
        let Some((character, end)) = foreign_at(text, at) else {
            at = next_foreign(text.as_bytes(), at);
            continue;
        };
        let id = ClassId::of(character);
        if !id.is_plain() {
            let class = id.class();
            let disordered = class.combining != 0 && at == last_end && class.combining < last_combining;
            if !class.has(SIMPLE) || class.has(SPACE) || disordered {
                return false;
            }
            (last_end, last_combining) = (end, class.combining);
            if class.to_lower != 0 {
                out.push_str(&text[copied..at]);
                copied = end;
                out.push(match character {
                    'Σ' => lower_sigma(&out[start..], text[end..].chars()),
                    _ => class.lower(character),
                });
            }
        }
        at = end;
    }
    out.push_str(&text[copied..]);
    out[start..].make_ascii_lowercase();
    true
}

/// The character that begins at `at`, and where it ends, unless it is ASCII.
#[inline]
fn foreign_at(text: &str, at: usize) -> Option<(char, usize)> {
    // Two bytes, as in most alphabets, are worth a shorter way.
    if let Some(&[lead @ 0xc2..=0xdf, next, ..]) = text.as_bytes().get(at..) {
        let code_point = u32::from(lead & 0x1f) << 6 | u32::from(next & 0x3f);
        return char::from_u32(code_point).map(|character| (character, at + 2));
    }
    let character = text.get(at..)?.chars().next().filter(|character| !character.is_ascii())?;
    Some((character, at + character.len_utf8()))
}

/// The place of the first byte from `at` on that is not ASCII, or the length.
fn next_foreign(bytes: &[u8], mut at: usize) -> usize {
    while let Some((eight, _)) = bytes.get(at..).and_then(<[u8]>::split_first_chunk) {
        let foreign = u64::from_le_bytes(*eight) & HIGH_BITS;
        if foreign != 0 {
            return at + foreign.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter().position(|byte| !byte.is_ascii()).map_or(bytes.len(), |foreign| at + foreign)
}

/// A sigma is final after a cased letter and before none, case-ignorable characters on the way not counted.
/// What comes before is normalized already; what comes after is not.
fn lower_sigma(before: &str, mut after: Chars<'_>) -> char {
    let is_cased = |character: char| ClassId::of(character).class().has(CASED);
    let counts = |character: &char| !ClassId::of(*character).class().has(CASE_IGNORABLE);
    let follows = before.chars().rev().find(counts).is_some_and(is_cased);
    if follows && !after.find(counts).is_some_and(is_cased) { 'ς' } else { 'σ' }
}
