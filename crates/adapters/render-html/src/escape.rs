//! Texts of somebody else's as text of HTML, in elements and in attributes.

use std::fmt::Write as _;

use answerplane_protocol::render::steers;
use maud::Render;

/// A text that becomes nothing but text: markup is escaped, and what steers becomes U+FFFD.
pub(crate) struct Shown<'t>(pub(crate) &'t str);

impl Render for Shown<'_> {
    fn render_to(&self, out: &mut String) {
        escape(self.0, out);
    }
}

/// An address in an attribute: what steers in it is percent-encoded, as browsers do, and leads where it did.
pub(crate) struct Href<'t>(pub(crate) &'t str);

impl Render for Href<'_> {
    fn render_to(&self, out: &mut String) {
        escape_href(self.0, out);
    }
}

/// Writes an address as [`Href`] does.
pub(crate) fn escape_href(href: &str, out: &mut String) {
    let mut copied = 0;
    for (at, steering) in href.match_indices(steers) {
        escape(&href[copied..at], out);
        for byte in steering.bytes() {
            let _ = write!(out, "%{byte:02X}");
        }
        copied = at + steering.len();
    }
    escape(&href[copied..], out);
}

/// Writes a text so that it is nothing but text, between tags and in an attribute between double quotes.
pub(crate) fn escape(text: &str, out: &mut String) {
    let mut copied = 0;
    for (at, byte) in text.bytes().enumerate() {
        if !IS_SUSPECT[usize::from(byte)] {
            continue;
        }
        let entity = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            _ => {
                if !text[at..].starts_with(steers) {
                    continue;
                }
                "\u{fffd}"
            }
        };
        out.push_str(&text[copied..at]);
        out.push_str(entity);
        copied = at + if byte.is_ascii() { 1 } else { text[at..].chars().next().map_or(1, char::len_utf8) };
    }
    out.push_str(&text[copied..]);
}

/// Bytes that are markup, or with which a character that steers begins.
const IS_SUSPECT: [bool; 256] = {
    let mut suspect = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        suspect[byte] = byte != b'\n' as usize && byte != b'\t' as usize;
        byte += 1;
    }
    let others = [b'&', b'<', b'>', b'"', 0x7f, 0xc2, 0xe2, 0xef];
    let mut at = 0;
    while at < others.len() {
        suspect[others[at] as usize] = true;
        at += 1;
    }
    suspect
};

#[cfg(test)]
mod tests {
    use answerplane_protocol::render::steers;

    use super::{escape, escape_href};

    #[test]
    fn an_address_leads_where_it_did() {
        let mut out = String::new();
        escape_href("https://x.test/a?b&c=\u{202e}gnp.exe", &mut out);
        assert_eq!(out, "https://x.test/a?b&amp;c=%E2%80%AEgnp.exe");
    }

    #[test]
    fn every_character_that_steers_is_found() {
        for character in '\0'..=char::MAX {
            let mut out = String::new();
            escape(&format!("a{character}b"), &mut out);
            let expected = match character {
                '&' => "&amp;".to_string(),
                '<' => "&lt;".to_string(),
                '>' => "&gt;".to_string(),
                '"' => "&quot;".to_string(),
                _ if steers(character) => "\u{fffd}".to_string(),
                _ => character.to_string(),
            };
            assert_eq!(out, format!("a{expected}b"), "U+{:04X}", u32::from(character));
        }
    }
}
