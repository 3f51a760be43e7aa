//! Lines from a stream, of whatever length.

use std::io::{self, BufRead};

/// The next line without its end, `Some(None)` where it is no text, or nothing at the end of input.
///
/// Of a line only the first `keep` bytes are kept: more than whoever reads it can use.
pub(crate) fn next_line(input: &mut impl BufRead, keep: usize) -> io::Result<Option<Option<String>>> {
    let mut line = Vec::new();
    let mut began = false;
    loop {
        let available = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            available => available?,
        };
        if available.is_empty() {
            break;
        }
        began = true;
        let end = available.iter().position(|byte| *byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        line.extend_from_slice(&part[..part.len().min(keep.saturating_sub(line.len()))]);
        let taken = end.map_or(available.len(), |end| end + 1);
        input.consume(taken);
        if end.is_some() {
            break;
        }
    }
    if !began {
        return Ok(None);
    }
    if line.len() < keep && line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(Some(text(line, keep)))
}

/// The line as text; one that was cut may have lost part of its last character.
fn text(mut line: Vec<u8>, keep: usize) -> Option<String> {
    if let Err(error) = std::str::from_utf8(&line)
        && error.error_len().is_none()
        && line.len() == keep
    {
        line.truncate(error.valid_up_to());
    }
    String::from_utf8(line).ok()
}

#[cfg(test)]
mod tests {
    use super::next_line;

    const KEEP: usize = 4_096;

    fn lines(mut input: &[u8]) -> Vec<Option<String>> {
        std::iter::from_fn(|| next_line(&mut input, KEEP).unwrap()).collect()
    }

    #[test]
    fn lines_end_at_line_feeds() {
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"a\r\n\nb\rc"), [text("a"), text(""), text("b\rc")]);
        assert_eq!(lines(b"\xff\na\n"), [None, text("a")]);
    }

    #[test]
    fn of_a_long_line_the_beginning_is_kept() {
        let long = "é".repeat(KEEP);
        for before in ["", "a"] {
            let read = lines(format!("{before}{long}\nb").as_bytes());
            let kept = read[0].as_deref().unwrap();
            assert!(kept.len() > 3 * 512 && kept.len() <= KEEP && long.starts_with(&kept[before.len()..]));
            assert_eq!(read[1].as_deref(), Some("b"));
        }
    }
}
