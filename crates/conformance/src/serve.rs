//! The contract over a pipe.

use std::io::{BufRead, BufReader, Read, Write};

use crate::ops::respond;

/// The greatest number of bytes of a request; a longer line is no request.
pub const MAX_REQUEST_BYTES: usize = 64 << 20;

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
        input.by_ref().take(MAX_REQUEST_BYTES as u64 + 1).read_until(b'\n', &mut line)?;
        match line.pop() {
            None => return output.flush(),
            Some(b'\n') => {}
            Some(_) if line.len() == MAX_REQUEST_BYTES => {
                line.clear();
                input.skip_until(b'\n')?;
            }
            Some(last) => line.push(last),
        }
        writeln!(output, "{}", respond(&line))?;
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
    }
}
