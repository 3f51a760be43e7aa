//! Reading records: a buffer at once, or a stream while it comes in.

use alloc::vec::Vec;

use answerplane_normalize::trim;
use memchr::memchr;

use crate::ask::AskRecord;

/// The greatest number of lines of a buffer that are read.
const MAX_LINES: usize = 4_096;
/// The greatest number of bytes of a line.
pub(super) const MAX_LINE_BYTES: usize = 1_048_576;

/// What a buffer holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskBuffer<'b> {
    /// The records, in order.
    pub records: Vec<AskRecord>,
    /// The unfinished last line, to be put in front of what comes next.
    pub rest: &'b str,
    /// Whether an unfinished last line was too long and has been discarded: what comes next is to be discarded
    /// through its first line feed.
    pub discarded_partial: bool,
}

impl<'b> AskBuffer<'b> {
    /// The greatest number of lines that are read; further complete ones are dropped.
    pub const MAX_LINES: usize = MAX_LINES;

    /// The greatest number of bytes of a line.
    pub const MAX_LINE_BYTES: usize = MAX_LINE_BYTES;

    /// Reads the lines of a buffer. Those that are blank, too long or no record do nothing but count.
    ///
    /// ```
    /// use answerplane_protocol::ask::AskBuffer;
    ///
    /// let buffer = AskBuffer::decode("{\"type\":\"text\",\"delta\":\"Hello\"}\n\n{\"type\":\"do");
    /// assert_eq!(buffer.records.len(), 1);
    /// assert_eq!(buffer.rest, "{\"type\":\"do");
    /// ```
    #[must_use]
    pub fn decode(buffer: &'b str) -> Self {
        let (lines, rest) = buffer
            .rsplit_once('\n')
            .map_or(("", buffer), |(_, rest)| (&buffer[..buffer.len() - rest.len()], rest));
        let records = lines.split_terminator('\n').take(MAX_LINES).filter_map(record).collect();
        let discarded_partial = rest.len() > MAX_LINE_BYTES;
        Self { records, rest: if discarded_partial { "" } else { rest }, discarded_partial }
    }
}

/// Reads one line.
fn record(line: &str) -> Option<AskRecord> {
    if line.len() > MAX_LINE_BYTES {
        return None;
    }
    AskRecord::decode(trim(line))
}

/// Reads records that come in pieces, cut anywhere, without a limit on how many.
///
/// Each byte is looked at once, and no more is kept than an unfinished line of at most
/// [`AskBuffer::MAX_LINE_BYTES`]. How the pieces are cut never changes what is read.
///
/// ```
/// use answerplane_protocol::ask::AskReader;
///
/// let mut reader = AskReader::new();
/// let mut records = Vec::new();
/// for piece in ["{\"type\":\"te", "xt\",\"delta\":\"Hello\"}\n{\"type\":\"done\"}"] {
///     reader.push(piece.as_bytes(), |record| records.push(record));
/// }
/// records.extend(reader.finish());
/// assert_eq!(records.len(), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct AskReader {
    /// The unfinished line.
    pending: Vec<u8>,
    /// Whether the unfinished line is too long already.
    oversized: bool,
}

impl AskReader {
    /// A reader at the beginning of a stream.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next piece and hands each record that it finishes to `record`.
    pub fn push(&mut self, piece: &[u8], mut record: impl FnMut(AskRecord)) {
        let mut rest = piece;
        while let Some(end) = memchr(b'\n', rest) {
            let (line, behind) = rest.split_at(end);
            rest = &behind[1..];
            if let Some(read) = self.line(line) {
                record(read);
            }
        }
        self.keep(rest);
    }

    /// The record of the last line, when the stream ended without a line feed behind it.
    #[must_use]
    pub fn finish(mut self) -> Option<AskRecord> {
        self.line(&[])
    }

    /// Reads a line whose beginning may have come before.
    fn line(&mut self, end: &[u8]) -> Option<AskRecord> {
        let read = if self.pending.is_empty() && !self.oversized {
            core::str::from_utf8(end).ok().and_then(self::record)
        } else {
            self.keep(end);
            core::str::from_utf8(&self.pending).ok().filter(|_| !self.oversized).and_then(self::record)
        };
        self.pending.clear();
        self.oversized = false;
        read
    }

    fn keep(&mut self, piece: &[u8]) {
        if self.oversized || self.pending.len() + piece.len() > MAX_LINE_BYTES {
            self.oversized = true;
            self.pending = Vec::new();
        } else {
            self.pending.extend_from_slice(piece);
        }
    }
}
