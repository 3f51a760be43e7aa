//! Lengths in UTF-16 code units, the unit of every character limit of the protocols.

/// The length of `text` in UTF-16 code units.
///
/// ```
/// use answerplane_normalize::utf16_len;
///
/// assert_eq!(utf16_len("naïve"), 5);
/// assert_eq!(utf16_len("🚀"), 2);
/// ```
#[must_use]
pub fn utf16_len(text: &str) -> usize {
    // One unit for each scalar value, and a second one for each that takes four bytes. Counted in blocks
    // small enough for a byte to hold the sum, which lets the compiler use vector instructions.
    let mut units = 0;
    for block in text.as_bytes().chunks(224) {
        let mut sum = 0u8;
        for byte in block {
            sum += u8::from(*byte as i8 >= -64) + u8::from(*byte >= 0xf0);
        }
        units += usize::from(sum);
    }
    units
}

/// The longest prefix of `text` of at most `units` UTF-16 code units that ends on a scalar value.
///
/// ```
/// use answerplane_normalize::truncate_utf16;
///
/// assert_eq!(truncate_utf16("ab", 1), "a");
/// assert_eq!(truncate_utf16("a🚀", 2), "a");
/// ```
#[must_use]
pub fn truncate_utf16(text: &str, units: usize) -> &str {
    if text.len() <= units {
        return text;
    }
    let mut taken = 0;
    for (at, character) in text.char_indices() {
        taken += character.len_utf16();
        if taken > units {
            return &text[..at];
        }
    }
    text
}
