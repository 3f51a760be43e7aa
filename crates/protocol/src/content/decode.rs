//! Reading ordered content that is there as a whole, as far as it has come.

use alloc::vec::Vec;

use memchr::memchr_iter;

use crate::content::{ContentDiagnostic, ContentPart};

/// What ordered content begins with.
pub(crate) const HEADER: &str = "\u{1e}agentskit.chat.content/1\n";
/// What ordered content of every version begins with.
const NAME: &str = "\u{1e}agentskit.chat.content/";
/// The greatest number of bytes, the header and an unfinished record included.
pub(crate) const MAX_BYTES: usize = 262_144;
/// The greatest number of complete records.
pub(crate) const MAX_RECORDS: usize = 512;

/// The ordered content of a message: its parts, and whether the last of them is finished.
///
/// ```
/// use answerplane_protocol::{Content, ContentPart};
///
/// let content = Content::decode("\u{1e}agentskit.chat.content/1\n{\"kind\":\"text\",\"text\":\"Hello\"}\n{\"ki")?;
/// assert_eq!(content.parts(), [ContentPart::text("Hello").unwrap()]);
/// assert!(!content.is_complete());
/// # Ok::<(), answerplane_protocol::ContentDiagnostic>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    parts: Vec<ContentPart>,
    complete: bool,
}

impl Content {
    /// The greatest number of bytes of ordered content.
    pub const MAX_BYTES: usize = MAX_BYTES;

    /// The greatest number of complete records of ordered content.
    pub const MAX_RECORDS: usize = MAX_RECORDS;

    /// Whether a message is ordered content rather than ordinary text.
    #[must_use]
    pub fn is_ordered(message: &str) -> bool {
        message.starts_with('\u{1e}')
    }

    /// Reads ordered content, or the part of it that has come so far.
    ///
    /// # Errors
    ///
    /// In this order: it does not begin with the header or a part of it (another version has a reason of its
    /// own), it has more than [`MAX_BYTES`](Self::MAX_BYTES) bytes, it has more than
    /// [`MAX_RECORDS`](Self::MAX_RECORDS) complete lines, a complete line is no record.
    pub fn decode(text: &str) -> Result<Self, ContentDiagnostic> {
        let Some(records) = records(text.as_bytes())? else { return Ok(Self::default()) };
        if text.len() > MAX_BYTES {
            return Err(ContentDiagnostic::TooManyBytes);
        }
        let records = &text[text.len() - records.len()..];
        let lines = memchr_iter(b'\n', records.as_bytes()).count();
        if lines > MAX_RECORDS {
            return Err(ContentDiagnostic::TooManyRecords);
        }
        let mut parts = Vec::with_capacity(lines);
        let mut begin = 0;
        for end in memchr_iter(b'\n', records.as_bytes()) {
            parts.push(ContentPart::decode(&records[begin..end])?);
            begin = end + 1;
        }
        Ok(Self { complete: begin == records.len() && !parts.is_empty(), parts })
    }

    /// The parts that are finished, in order.
    #[must_use]
    pub fn parts(&self) -> &[ContentPart] {
        &self.parts
    }

    /// The parts that are finished, in order.
    #[must_use]
    pub fn into_parts(self) -> Vec<ContentPart> {
        self.parts
    }

    /// Whether there is a part and nothing unfinished behind the last one.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.complete
    }
}

/// What stands behind the header, or nothing where only a part of the header has come.
pub(crate) fn records(content: &[u8]) -> Result<Option<&[u8]>, ContentDiagnostic> {
    if let Some(records) = content.strip_prefix(HEADER.as_bytes()) {
        return Ok(Some(records));
    }
    if !content.is_empty() && HEADER.as_bytes().starts_with(content) {
        return Ok(None);
    }
    Err(if content.starts_with(NAME.as_bytes()) {
        ContentDiagnostic::UnsupportedVersion
    } else {
        ContentDiagnostic::InvalidHeader
    })
}
