//! The body of an answer: records, or plain text where it is none.

use answerplane_normalize::{is_blank, trim};
use answerplane_protocol::ask::{AskBuffer, AskReader, AskRecord};
use memchr::memchr;
use serde_json::Value;

use crate::answer::Answer;

/// How many bytes of an unfinished line tell whether it may be a record.
const PEEKED: usize = 1_024;

/// Reads a body that comes in pieces, cut anywhere.
pub(crate) enum Body {
    /// What it is, its first line says.
    Unknown(FirstLine),
    Records(AskReader),
    /// With the beginning of a character that is not finished.
    Text(Vec<u8>),
}

/// What came before the first line that is not blank was finished.
#[derive(Default)]
pub(crate) struct FirstLine {
    held: Vec<u8>,
    /// Where the unfinished line begins.
    begin: usize,
}

impl Body {
    /// A body of this content type.
    pub(crate) fn new(content_type: Option<&[u8]>) -> Self {
        let is_ndjson = content_type
            .is_some_and(|name| name.to_ascii_lowercase().windows(6).any(|part| part == b"ndjson"));
        if is_ndjson { Self::Records(AskReader::new()) } else { Self::Unknown(FirstLine::default()) }
    }

    /// Takes the next piece.
    pub(crate) fn push(&mut self, piece: &[u8], answer: &mut Answer) {
        match self {
            Self::Records(reader) => reader.push(piece, |record| answer.record(record)),
            Self::Text(unfinished) => text(unfinished, piece, answer),
            Self::Unknown(first) => {
                if let Some(is_records) = first.push(piece) {
                    let held = std::mem::take(&mut first.held);
                    *self = if is_records { Self::Records(AskReader::new()) } else { Self::Text(Vec::new()) };
                    self.push(&held, answer);
                }
            }
        }
    }

    /// The body is over. Says whether it was whole, as far as that can be known.
    pub(crate) fn finish(self, answer: &mut Answer) -> bool {
        match self {
            Self::Records(reader) => {
                if let Some(record) = reader.finish() {
                    answer.record(record);
                }
                answer.flush();
                answer.is_over()
            }
            Self::Text(unfinished) => {
                answer.text(&String::from_utf8_lossy(&unfinished));
                answer.done(None);
                true
            }
            Self::Unknown(FirstLine { held, .. }) => {
                if is_record(&held) {
                    let mut reader = AskReader::new();
                    reader.push(&held, |record| answer.record(record));
                    return Self::Records(reader).finish(answer);
                }
                let text = String::from_utf8_lossy(&held);
                if is_blank(&text) || is_cut(&text) {
                    return false;
                }
                answer.text(&text);
                answer.done(None);
                true
            }
        }
    }
}

impl FirstLine {
    /// Whether the first line that is not blank is a record; nothing as long as that is not known.
    fn push(&mut self, piece: &[u8]) -> Option<bool> {
        let mut from = self.held.len();
        self.held.extend_from_slice(piece);
        while let Some(end) = memchr(b'\n', &self.held[from..]).map(|at| from + at) {
            let line = &self.held[self.begin..end];
            if !std::str::from_utf8(line).is_ok_and(is_blank) {
                return Some(is_record(line));
            }
            from = end + 1;
            self.begin = from;
        }
        let line = &self.held[self.begin..];
        let line = &line[..line.len().min(PEEKED)];
        let valid = line.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        let is_text = match trim(valid).bytes().next() {
            Some(first) => first != b'{',
            // A character may be cut.
            None => line.len() >= valid.len() + 4,
        };
        (is_text || self.held.len() > AskBuffer::MAX_LINE_BYTES).then_some(false)
    }
}

/// Whether a text is the beginning of a JSON object: a record, most likely.
fn is_cut(text: &str) -> bool {
    let text = trim(text);
    text.starts_with('{') && serde_json::from_str::<Value>(text).is_err_and(|error| error.is_eof())
}

fn is_record(line: &[u8]) -> bool {
    std::str::from_utf8(line).is_ok_and(|line| AskRecord::decode(trim(line)).is_some())
}

/// Text that may be cut within a character. What is no UTF-8 is shown as U+FFFD.
fn text(unfinished: &mut Vec<u8>, piece: &[u8], answer: &mut Answer) {
    let joined;
    let mut rest = if unfinished.is_empty() {
        piece
    } else {
        unfinished.extend_from_slice(piece);
        joined = std::mem::take(unfinished);
        &joined
    };
    loop {
        match std::str::from_utf8(rest) {
            Ok(text) => return answer.text(text),
            Err(error) => {
                let (good, bad) = rest.split_at(error.valid_up_to());
                answer.text(std::str::from_utf8(good).unwrap_or_default());
                let Some(length) = error.error_len() else {
                    unfinished.extend_from_slice(bad);
                    return;
                };
                answer.text("\u{fffd}");
                rest = &bad[length..];
            }
        }
    }
}
