//! What a person or a program is told, safe for a terminal.
//!
//! Everything that is printed passes through here, so that no text of an artifact can steer a terminal, a closed
//! pipe ends quietly, and nothing else in the program has to think of either.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use serde::Serialize;

use crate::problem::Problem;
use crate::visible::{MARK, is_hidden, visible, visible_line};

/// What is most important in a line.
pub(crate) const STRONG: Style = Style::new().bold();
/// What accompanies it.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// What is as it should be.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// What is not.
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
/// What needs a look.
pub(crate) const CAUTION: Style = AnsiColor::Yellow.on_default();

/// Where a person or a program reads: standard output, or a text that is kept.
pub(crate) struct Output<W: Write = Stdout> {
    stream: BufWriter<W>,
    colours: bool,
    terminal: bool,
    failure: Option<io::Error>,
}

impl Output {
    /// Standard output, in colours on a terminal that wants them.
    pub(crate) fn new() -> Self {
        let stdout = io::stdout();
        Self {
            colours: AutoStream::choice(&stdout) != ColorChoice::Never,
            terminal: stdout.is_terminal(),
            stream: BufWriter::new(stdout),
            failure: None,
        }
    }
}

impl Output<Vec<u8>> {
    /// A text that is kept, without colours.
    pub(crate) fn kept() -> Self {
        Self { colours: false, terminal: false, stream: BufWriter::new(Vec::new()), failure: None }
    }

    /// The text.
    pub(crate) fn into_text(mut self) -> io::Result<Vec<u8>> {
        self.flush();
        match self.failure {
            Some(error) => Err(error),
            None => Ok(self.stream.into_parts().0),
        }
    }
}

impl<W: Write> Output<W> {
    /// Whether a person is looking.
    pub(crate) fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Whether what is printed may be in colours.
    pub(crate) fn has_colours(&self) -> bool {
        self.colours
    }

    /// Whether nobody takes what is written any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.failure.is_some()
    }

    /// Prints a text on one line, with visible signs for what steers or hides.
    pub(crate) fn print(&mut self, text: &str) -> &mut Self {
        self.write(visible_line(text).as_bytes());
        self
    }

    /// Prints a text on the lines that it has, with visible signs for what steers or hides, and ends the last.
    pub(crate) fn lines(&mut self, text: &str) {
        self.write(visible(text).as_bytes());
        self.end_line();
    }

    /// Prints the mark of a line of ours. No text that is printed otherwise holds it.
    pub(crate) fn mark(&mut self) -> &mut Self {
        let mut mark = [0; 4];
        let mark = MARK.encode_utf8(&mut mark).as_bytes();
        self.write(mark);
        self.write(b" ");
        self
    }

    /// Prints a text as `print` does, in a style.
    pub(crate) fn styled(&mut self, style: Style, text: &str) -> &mut Self {
        if !self.colours {
            return self.print(text);
        }
        let (start, end) = (style.render().to_string(), style.render_reset().to_string());
        self.write(start.as_bytes());
        self.print(text);
        self.write(end.as_bytes());
        self
    }

    /// Ends a line.
    pub(crate) fn end_line(&mut self) {
        self.write(b"\n");
    }

    /// Prints a line as `print` does.
    pub(crate) fn line(&mut self, text: &str) {
        self.print(text).end_line();
    }

    /// Prints a value as one line of JSON.
    pub(crate) fn json(&mut self, value: &impl Serialize) {
        let mut text = Vec::new();
        let mut serializer = serde_json::Serializer::with_formatter(&mut text, TerminalSafe);
        if let Err(error) = value.serialize(&mut serializer) {
            self.failure.get_or_insert(error.into());
            return;
        }
        text.push(b'\n');
        self.write(&text);
    }

    /// Writes bytes that are no text of anybody else's.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        if self.failure.is_none() {
            self.failure = self.stream.write_all(bytes).err();
        }
    }

    /// Hands everything over to whoever reads.
    pub(crate) fn flush(&mut self) {
        if self.failure.is_none() {
            self.failure = self.stream.flush().err();
        }
    }

    /// Says on standard error what is wrong, after everything that was printed before.
    pub(crate) fn report(&mut self, problem: &Problem) {
        self.flush();
        complain(&problem.to_string());
    }

    /// Hands over what is left. A reader that has gone away wants no more, and that is no failure.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.flush();
        // A buffer that could not be written is not tried again.
        let (_, _) = self.stream.into_parts();
        match self.failure {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => Ok(()),
        }
    }
}

/// Prints one line on standard error; when that fails there is nobody left to tell.
pub(crate) fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "answerplane: {}", visible_line(message));
}

/// Shows where to type on standard error, behind everything that was printed before.
pub(crate) fn prompt() {
    let _ = io::stderr().write_all(b"> ");
}

/// Ends a line on standard error.
pub(crate) fn end_prompt() {
    let _ = io::stderr().write_all(b"\n");
}

/// Compact JSON in which everything that is not seen, or steers a terminal, is an escape, also where JSON allows it.
struct TerminalSafe;

impl serde_json::ser::Formatter for TerminalSafe {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        let is_unsafe = |(_, character): &(usize, char)| character.is_control() || is_hidden(*character);
        while let Some((at, hidden)) = rest.char_indices().find(is_unsafe) {
            writer.write_all(&rest.as_bytes()[..at])?;
            for unit in hidden.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = &rest[at + hidden.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }
}
