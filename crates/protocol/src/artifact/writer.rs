//! The compact form of an artifact: canonical bytes, or the whole with its hash.

use core::fmt::{self, Write};

use crate::artifact::content::ArtifactContent;
use crate::artifact::entry::Entry;
use crate::scalar::ContentHash;

/// Writes compact JSON in canonical order; without a hash that is the canonical form.
pub(crate) fn write_artifact(
    content: &ArtifactContent,
    content_hash: Option<ContentHash>,
    out: &mut impl Write,
) -> fmt::Result {
    out.write_str(r#"{"protocol":"agentskit.chat.knowledge","version":1,"artifactId":"#)?;
    write_text(content.artifact_id().as_str(), out)?;
    out.write_str(r#","siteId":"#)?;
    write_text(content.site_id().as_str(), out)?;
    if let Some(content_hash) = content_hash {
        write!(out, r#","contentHash":"{content_hash}""#)?;
    }
    out.write_str(r#","generatedAt":"#)?;
    write_text(content.generated_at().as_str(), out)?;
    if let Some(expires_at) = content.expires_at() {
        out.write_str(r#","expiresAt":"#)?;
        write_text(expires_at.as_str(), out)?;
    }
    out.write_str(r#","entries":["#)?;
    write_list(Entry::all(content.stored_entries()), write_entry, out)?;
    out.write_str("]}")
}

fn write_entry<W: Write>(entry: Entry<'_>, out: &mut W) -> fmt::Result {
    out.write_str(r#"{"id":"#)?;
    write_text(entry.id(), out)?;
    out.write_str(r#","kind":""#)?;
    out.write_str(entry.kind().as_str())?;
    out.write_str(r#"","label":"#)?;
    write_text(entry.label(), out)?;
    out.write_str(r#","match":{"type":"exact","values":["#)?;
    write_list(entry.aliases(), write_text, out)?;
    out.write_str(r#"]},"answer":{"markdown":"#)?;
    write_text(entry.markdown(), out)?;
    out.write_str(r#","citations":["#)?;
    write_list(
        entry.citations(),
        |citation, out: &mut W| {
            out.write_str(r#"{"id":"#)?;
            write_text(citation.id(), out)?;
            out.write_str(r#","title":"#)?;
            write_text(citation.title(), out)?;
            out.write_str(r#","href":"#)?;
            write_text(citation.href(), out)?;
            out.write_char('}')
        },
        out,
    )?;
    out.write_str("]}}")
}

fn write_list<T, W: Write>(
    items: impl Iterator<Item = T>,
    write_item: impl Fn(T, &mut W) -> fmt::Result,
    out: &mut W,
) -> fmt::Result {
    for (position, item) in items.enumerate() {
        if position > 0 {
            out.write_char(',')?;
        }
        write_item(item, out)?;
    }
    Ok(())
}

/// Writes a JSON string, escaped as ECMAScript's `JSON.stringify` does.
fn write_text<W: Write>(text: &str, out: &mut W) -> fmt::Result {
    out.write_char('"')?;
    let is_special = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
    // Without an early exit, so that the compiler can use vector instructions: most texts have none.
    if text.bytes().fold(false, |found, byte| found | is_special(byte)) {
        let mut plain_from = 0;
        for (at, byte) in text.bytes().enumerate().filter(|(_, byte)| is_special(*byte)) {
            out.write_str(&text[plain_from..at])?;
            plain_from = at + 1;
            match byte {
                b'"' => out.write_str("\\\"")?,
                b'\\' => out.write_str("\\\\")?,
                0x08 => out.write_str("\\b")?,
                b'\t' => out.write_str("\\t")?,
                b'\n' => out.write_str("\\n")?,
                0x0c => out.write_str("\\f")?,
                b'\r' => out.write_str("\\r")?,
                control => write!(out, "\\u{control:04x}")?,
            }
        }
        out.write_str(&text[plain_from..])?;
    } else {
        out.write_str(text)?;
    }
    out.write_char('"')
}

/// Counts the bytes that are written to it.
#[derive(Default)]
pub(crate) struct ByteCounter(usize);

impl ByteCounter {
    pub(crate) fn bytes(&self) -> usize {
        self.0
    }
}

impl Write for ByteCounter {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}
