//! Reading ordered content while it comes in.

use alloc::vec::Vec;

use memchr::memchr;

use crate::content::decode::{HEADER, MAX_BYTES, MAX_RECORDS, records};
use crate::content::{ContentDiagnostic, ContentPart};

/// Reads ordered content that comes in pieces, cut anywhere.
///
/// Each byte is looked at once. No more is kept than the unfinished line, and that is at most
/// [`Content::MAX_BYTES`](crate::Content::MAX_BYTES) long.
///
/// ```
/// use answerplane_protocol::{ContentPart, ContentReader};
///
/// let mut reader = ContentReader::new();
/// let mut parts = Vec::new();
/// for piece in ["\u{1e}agentskit.chat.con", "tent/1\n{\"kind\":\"te", "xt\",\"text\":\"Hello\"}\n"] {
///     reader.push(piece.as_bytes(), |part| parts.push(part))?;
/// }
/// assert_eq!(parts, [ContentPart::text("Hello").unwrap()]);
/// assert!(reader.is_complete());
/// # Ok::<(), answerplane_protocol::ContentDiagnostic>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ContentReader {
    /// The unfinished header or record.
    pending: Vec<u8>,
    /// How many bytes have come, as far as they are within the limit.
    bytes: usize,
    /// How many records were complete.
    records: usize,
    /// Whether the header has come.
    begun: bool,
    refused: Option<ContentDiagnostic>,
}

impl ContentReader {
    /// A reader at the beginning of a message.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next piece and hands each part that it finishes to `part`.
    ///
    /// # Errors
    ///
    /// The reasons of [`Content::decode`](crate::Content::decode), whichever comes first: since what is still to come
    /// is not known, a bad line is reported before a limit that only later bytes exceed. Parts that came before are
    /// good, and have been handed over already. How the pieces are cut changes neither. After an error every further
    /// piece gives the same error.
    pub fn push(&mut self, piece: &[u8], part: impl FnMut(ContentPart)) -> Result<(), ContentDiagnostic> {
        if let Some(refused) = self.refused {
            return Err(refused);
        }
        self.read(piece, part).inspect_err(|refused| {
            self.refused = Some(*refused);
            self.pending = Vec::new();
        })
    }

    /// Whether there was a part and nothing unfinished stands behind the last one.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.refused.is_none() && self.records > 0 && self.pending.is_empty()
    }

    fn read(&mut self, piece: &[u8], mut part: impl FnMut(ContentPart)) -> Result<(), ContentDiagnostic> {
        let records = self.header(piece)?;
        self.bytes += piece.len() - records.len();
        let (mut rest, beyond) = records.split_at(records.len().min(MAX_BYTES - self.bytes));
        self.bytes += rest.len();
        while let Some(end) = memchr(b'\n', rest) {
            let (line, behind) = rest.split_at(end);
            rest = &behind[1..];
            if self.records == MAX_RECORDS {
                return Err(ContentDiagnostic::TooManyRecords);
            }
            part(self.line(line)?);
            self.records += 1;
        }
        if !beyond.is_empty() {
            return Err(ContentDiagnostic::TooManyBytes);
        }
        self.pending.extend_from_slice(rest);
        Ok(())
    }

    /// What of a piece stands behind the header.
    fn header<'p>(&mut self, piece: &'p [u8]) -> Result<&'p [u8], ContentDiagnostic> {
        if self.begun || piece.is_empty() {
            return Ok(piece);
        }
        let missing = HEADER.len() - self.pending.len();
        let (head, rest) = piece.split_at(missing.min(piece.len()));
        self.pending.extend_from_slice(head);
        if records(&self.pending)?.is_some() {
            self.begun = true;
            self.pending.clear();
        }
        Ok(rest)
    }

    /// Reads a line whose beginning may have come before.
    fn line(&mut self, end: &[u8]) -> Result<ContentPart, ContentDiagnostic> {
        let read = |line: &[u8]| {
            let line = core::str::from_utf8(line).map_err(|_| ContentDiagnostic::InvalidRecord)?;
            ContentPart::decode(line)
        };
        if self.pending.is_empty() {
            return read(end);
        }
        self.pending.extend_from_slice(end);
        let part = read(&self.pending);
        self.pending.clear();
        part
    }
}
