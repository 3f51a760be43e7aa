//! The contract over a pipe.

use std::io::{BufRead, BufReader, Read, Write};

use crate::ops::respond;

/// Reads one request a line and writes one result a line, in order, until the end of input.
///
/// Lines end at byte 0x0A and nowhere else. What has been written is flushed whenever no further request has
/// arrived yet.
///
/// # Errors
///
/// Those of reading and writing.
pub fn serve(input: &mut BufReader<impl Read>, output: &mut impl Write) -> std::io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return output.flush();
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        }
        writeln!(output, "{}", respond(&line))?;
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
    }
}
