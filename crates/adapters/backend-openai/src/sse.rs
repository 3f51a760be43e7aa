//! Server-sent events: the data of each, from bytes that are cut anywhere.

use memchr::memchr2;

/// The greatest number of bytes of a line, and of the data of an event.
const MAX_BYTES: usize = 1_048_576;

/// A line or an event is longer than is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLong;

/// Reads events that come in pieces. Each byte is looked at once, and no more is kept than an unfinished line and the data
/// of an unfinished event.
#[derive(Debug, Default)]
pub(crate) struct SseReader {
    /// The unfinished line.
    line: Vec<u8>,
    /// The data of the unfinished event, a line feed behind each of its lines.
    data: Vec<u8>,
    /// Whether the last byte ended a line as CR, so that an LF behind it ends none.
    after_cr: bool,
    /// Whether a line came: before that a byte order mark may stand.
    begun: bool,
}

impl SseReader {
    /// Takes the next piece and hands the data of each event that it finishes to `event`. Events without data are passed
    /// over, and so is whatever stands behind the last empty line of the stream.
    pub(crate) fn push(&mut self, piece: &[u8], mut event: impl FnMut(&[u8])) -> Result<(), TooLong> {
        let mut rest = piece;
        if self.after_cr && !rest.is_empty() {
            self.after_cr = false;
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        while let Some(at) = memchr2(b'\n', b'\r', rest) {
            let (line, end) = rest.split_at(at);
            rest = match end {
                [b'\r', b'\n', rest @ ..] | [_, rest @ ..] => rest,
                [] => end,
            };
            self.after_cr = end == b"\r";
            if self.line.is_empty() {
                self.take(line, &mut event)?;
            } else {
                self.keep(line)?;
                let mut line = std::mem::take(&mut self.line);
                self.take(&line, &mut event)?;
                line.clear();
                self.line = line;
            }
        }
        self.keep(rest)
    }

    fn keep(&mut self, piece: &[u8]) -> Result<(), TooLong> {
        if self.line.len() + piece.len() > MAX_BYTES {
            return Err(TooLong);
        }
        self.line.extend_from_slice(piece);
        Ok(())
    }

    fn take(&mut self, line: &[u8], event: &mut impl FnMut(&[u8])) -> Result<(), TooLong> {
        let is_first = !std::mem::replace(&mut self.begun, true);
        let mark = if is_first { "\u{feff}".as_bytes() } else { b"" };
        let line = line.strip_prefix(mark).unwrap_or(line);
        if line.is_empty() {
            if !self.data.is_empty() {
                event(&self.data[..self.data.len() - 1]);
                self.data.clear();
            }
        } else if let Some(value) = line.strip_prefix(b"data") {
            let value = match value {
                [] => value,
                [b':', b' ', value @ ..] | [b':', value @ ..] => value,
                _ => return Ok(()),
            };
            if self.data.len() + value.len() > MAX_BYTES {
                return Err(TooLong);
            }
            self.data.extend_from_slice(value);
            self.data.push(b'\n');
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pieces: &[&[u8]]) -> Vec<String> {
        let mut reader = SseReader::default();
        let mut events = Vec::new();
        for piece in pieces {
            reader.push(piece, |data| events.push(String::from_utf8(data.to_vec()).unwrap())).unwrap();
        }
        events
    }

    /// Every line end, a byte order mark, comments, other fields, several lines of data, no space, no colon.
    const STREAM: &str = "\u{feff}data: one\n\n: a comment\r\nevent: x\r\nid: 7\r\nretry: 5\r\ndata:two\r\ndata:  lines\r\n\r\n\
                          data\rdata\r\rdatabase: no\ndata: \u{feff}drei \u{1f331}\n\n\n\nevent: without data\n\ndata: unfinished\n";
    const EVENTS: [&str; 4] = ["one", "two\n lines", "\n", "\u{feff}drei \u{1f331}"];

    #[test]
    fn events_are_read_as_the_standard_says() {
        assert_eq!(read(&[STREAM.as_bytes()]), EVENTS);
    }

    #[test]
    fn how_the_bytes_are_cut_changes_nothing() {
        let bytes = STREAM.as_bytes();
        assert_eq!(read(&bytes.chunks(1).collect::<Vec<_>>()), EVENTS);
        for first in 0..=bytes.len() {
            for second in first..=bytes.len() {
                let pieces = [&bytes[..first], &bytes[first..second], &bytes[second..]];
                assert_eq!(read(&pieces), EVENTS, "cut at {first} and {second}");
            }
        }
    }

    #[test]
    fn a_line_and_an_event_are_bounded() {
        let mut reader = SseReader::default();
        let longest = [b"data:".as_slice(), &vec![b'x'; MAX_BYTES - 5]].concat();
        reader.push(&longest, |_| {}).unwrap();
        assert_eq!(reader.push(b"x", |_| {}), Err(TooLong));

        for line in ["data: some\n", "data\n"] {
            let mut reader = SseReader::default();
            let lines = line.repeat(1_000);
            let refused = (0..2_000).find_map(|_| reader.push(lines.as_bytes(), |_| {}).err());
            assert_eq!(refused, Some(TooLong));
        }
    }
}
