//! What a person or a program is told, safe for a terminal.
//!
//! Everything that is printed passes through here, so that no text of an artifact can steer a terminal, a closed
//! pipe ends quietly, and nothing else in the program has to think of either.

use std::borrow::Cow;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use serde::Serialize;

use crate::problem::Problem;

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

/// Standard output.
pub(crate) struct Output {
    stream: BufWriter<Stdout>,
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

    /// Whether a person is looking.
    pub(crate) fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Whether nobody takes what is written any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.failure.is_some()
    }

    /// Prints a text without its control characters.
    pub(crate) fn print(&mut self, text: &str) -> &mut Self {
        self.write(visible(text).as_bytes());
        self
    }

    /// Prints a text without its control characters, in a style.
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

    /// Prints a line without its control characters.
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
    let line = visible(message).replace('\n', " ");
    let _ = writeln!(io::stderr(), "answerplane: {line}");
}

/// The text with a visible sign in place of every control character but tab and line feed.
///
/// A carriage return before a line feed is dropped.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_steering) {
        return Cow::Borrowed(text);
    }
    let sign = |character: char| match u32::from(character) {
        code @ 0..=0x1f => char::from_u32(0x2400 + code).unwrap_or(char::REPLACEMENT_CHARACTER),
        0x7f => '\u{2421}',
        _ => char::REPLACEMENT_CHARACTER,
    };
    let text = text.replace("\r\n", "\n");
    Cow::Owned(
        text.chars()
            .map(|character| if is_steering(character) { sign(character) } else { character })
            .collect(),
    )
}

fn is_steering(character: char) -> bool {
    character.is_control() && !matches!(character, '\t' | '\n')
}

/// Compact JSON in which every control character is an escape, also those that JSON allows.
struct TerminalSafe;

impl serde_json::ser::Formatter for TerminalSafe {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, control)) = rest.char_indices().find(|(_, character)| character.is_control()) {
            writer.write_all(&rest.as_bytes()[..at])?;
            write!(writer, "\\u{:04x}", u32::from(control))?;
            rest = &rest[at + control.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn control_characters_become_visible() {
        assert_eq!(visible("a\tb\nc"), "a\tb\nc");
        assert_eq!(visible("\u{1b}[31mred\u{7}\u{7f}\u{9b}0m\0"), "␛[31mred␇␡\u{fffd}0m␀");
        assert_eq!(visible("one\r\ntwo\rthree"), "one\ntwo␍three");
    }

    #[test]
    fn no_control_character_is_left() {
        for character in '\0'..=char::MAX {
            let shown = visible(character.encode_utf8(&mut [0; 4])).into_owned();
            assert!(!shown.chars().any(|c| c.is_control() && c != '\t' && c != '\n'), "{character:?}");
        }
    }
}
