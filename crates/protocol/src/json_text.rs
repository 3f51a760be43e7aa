//! The one way in which untrusted JSON text is read.

use serde::de::{DeserializeOwned, IgnoredAny};

/// Reads a text as one JSON value.
///
/// Names are read as bytes, and there the parser lets control characters pass that JSON does not allow.
pub(crate) fn read_text<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    if has_control_characters(text) && hides_control_characters(text) {
        serde_json::from_str::<IgnoredAny>(text)?;
    }
    serde_json::from_str(text)
}

/// Whether there are control characters in the text, which may be white space between its tokens.
///
/// Without an early exit, so that the compiler can use vector instructions.
fn has_control_characters(text: &str) -> bool {
    let text = text.trim_matches([' ', '\t', '\n', '\r']);
    text.bytes().fold(false, |found, byte| found | (byte < 0x20))
}

/// Whether some of them stand between quotation marks.
fn hides_control_characters(text: &str) -> bool {
    let mut inside = false;
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => inside = !inside,
            b'\\' => {
                bytes.next();
            }
            0..0x20 if inside => return true,
            _ => {}
        }
    }
    false
}
