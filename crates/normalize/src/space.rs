//! White space as every Answerplane protocol means it: the ECMAScript set.

/// Every white space character, in code point order.
///
/// The set differs from Unicode's `White_Space`: U+FEFF belongs to it, U+0085 does not.
pub const SPACES: [char; 25] = [
    '\u{9}', '\u{a}', '\u{b}', '\u{c}', '\u{d}', '\u{20}', '\u{a0}', '\u{1680}', '\u{2000}', '\u{2001}',
    '\u{2002}', '\u{2003}', '\u{2004}', '\u{2005}', '\u{2006}', '\u{2007}', '\u{2008}', '\u{2009}',
    '\u{200a}', '\u{2028}', '\u{2029}', '\u{202f}', '\u{205f}', '\u{3000}', '\u{feff}',
];

/// Whether `character` is white space.
///
/// ```
/// use answerplane_normalize::is_space;
///
/// assert!(is_space('\u{feff}'));
/// assert!(!is_space('\u{85}'));
/// ```
#[must_use]
pub const fn is_space(character: char) -> bool {
    matches!(
        character,
        '\u{9}'..='\u{d}'
            | ' '
            | '\u{a0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200a}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202f}'
            | '\u{205f}'
            | '\u{3000}'
            | '\u{feff}'
    )
}

/// `text` without white space at both ends.
///
/// ```
/// assert_eq!(answerplane_normalize::trim("\u{feff} a b\u{a0}"), "a b");
/// ```
#[must_use]
pub fn trim(text: &str) -> &str {
    let bytes = text.as_bytes();
    if let (Some(first), Some(last)) = (bytes.first(), bytes.last())
        && first.is_ascii_graphic()
        && last.is_ascii_graphic()
    {
        return text;
    }
    text.trim_matches(is_space)
}

/// Whether `text` is empty or white space only.
///
/// ```
/// assert!(answerplane_normalize::is_blank(" \t\u{3000}"));
/// assert!(!answerplane_normalize::is_blank("\u{200b}"));
/// ```
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}
