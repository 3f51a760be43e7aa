//! What all three formats are read into: values with their places.

/// How deep tables and lists may stand in each other; the file of a definition needs four.
pub(super) const MAX_DEPTH: usize = 16;

/// A value, and the byte of the text where it begins.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) at: usize,
    pub(super) value: Value,
}

#[derive(Debug)]
pub(super) enum Value {
    Text(String),
    /// A whole number that is not too large for this type.
    Integer(i64),
    List(Vec<Node>),
    /// Names and values in the order of the file. A name can stand there twice.
    Table(Vec<(Text, Node)>),
    /// Nothing, or the word for it.
    Null,
    /// Something that stands nowhere in the file of a definition, in words.
    Other(&'static str),
}

/// A text, and the byte where it begins.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) at: usize,
    pub(super) text: String,
}

impl Value {
    pub(super) const FLOAT: Self = Self::Other("a floating-point number");
    pub(super) const TOO_LARGE: Self = Self::Other("a number that is too large");
    pub(super) const BOOLEAN: Self = Self::Other("true or false");

    /// What it is, in words.
    pub(super) const fn what(&self) -> &'static str {
        match self {
            Self::Text(_) => "a text",
            Self::Integer(_) => "a whole number",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
            Self::Null => "an empty value (null)",
            Self::Other(what) => what,
        }
    }
}

/// Where the lines of a text begin.
pub(super) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self { text, starts: std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect() }
    }

    /// The line of a byte, and the column in characters, both from 1.
    pub(super) fn place(&self, at: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= at).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        let characters = self.text.get(start..).unwrap_or_default().char_indices();
        (line, 1 + characters.take_while(|(offset, _)| start + offset < at).count())
    }

    /// The byte of a column, in bytes from 1, of a line from 1.
    pub(super) fn byte(&self, line: usize, column: usize) -> usize {
        self.starts.get(line.saturating_sub(1)).copied().unwrap_or(self.text.len()) + column.saturating_sub(1)
    }
}
