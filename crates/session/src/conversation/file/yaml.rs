//! YAML as values with their places.

use saphyr_parser::{Event, Marker, Parser, ScalarStyle};

use crate::conversation::file::fault::{FileFault, Found};
use crate::conversation::file::tree::{MAX_DEPTH, Node, Text, Value};

pub(super) fn read(text: &str) -> Result<Node, Box<Found>> {
    let bytes = Bytes::of(text);
    let mut tree = Tree { root: None, open: Vec::new() };
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let is_depth = error.info().contains("recursion");
            let fault = if is_depth { FileFault::TooDeep } else { FileFault::Syntax };
            Found::new(fault).at(bytes.at(*error.marker())).detail(error.info())
        })?;
        let at = bytes.at(span.start);
        tree.take(event, at)?;
    }
    Ok(tree.root.unwrap_or(Node { at: 0, value: Value::Null }))
}

/// The byte of each character; nothing where they are the same.
struct Bytes(Option<Vec<usize>>, usize);

impl Bytes {
    fn of(text: &str) -> Self {
        let starts = (!text.is_ascii()).then(|| text.char_indices().map(|(at, _)| at).collect());
        Self(starts, text.len())
    }

    fn at(&self, marker: Marker) -> usize {
        let index = marker.index();
        match &self.0 {
            Some(starts) => starts.get(index).copied().unwrap_or(self.1),
            None => index.min(self.1),
        }
    }
}

/// What has been read so far.
struct Tree {
    root: Option<Node>,
    open: Vec<Open>,
}

/// A list or table that has not ended yet.
enum Open {
    List(usize, Vec<Node>),
    /// With the name whose value comes next.
    Table(usize, Vec<(Text, Node)>, Option<Text>),
}

impl Tree {
    fn take(&mut self, event: Event<'_>, at: usize) -> Result<(), Box<Found>> {
        let unread = |what: &str| Err(Box::new(Found::new(FileFault::UnreadYaml).at(at).detail(what)));
        match event {
            Event::Scalar(_, _, _, Some(_))
            | Event::SequenceStart(_, Some(_))
            | Event::MappingStart(_, Some(_)) => unread("a tag"),
            Event::Alias(_) => unread("an alias"),
            Event::DocumentStart(_) if self.root.is_some() => unread("a second document"),
            Event::SequenceStart(..) | Event::MappingStart(..) if self.is_name_next() => {
                unread("a name that is no text")
            }
            Event::SequenceStart(..) | Event::MappingStart(..) if self.open.len() == MAX_DEPTH => {
                Err(Box::new(Found::new(FileFault::TooDeep).at(at).beyond(MAX_DEPTH as u64, None)))
            }
            Event::SequenceStart(..) => {
                self.open.push(Open::List(at, Vec::new()));
                Ok(())
            }
            Event::MappingStart(..) => {
                self.open.push(Open::Table(at, Vec::new(), None));
                Ok(())
            }
            Event::SequenceEnd | Event::MappingEnd => {
                match self.open.pop() {
                    Some(Open::List(at, items)) => self.close(Node { at, value: Value::List(items) }),
                    Some(Open::Table(at, entries, _)) => {
                        self.close(Node { at, value: Value::Table(entries) })
                    }
                    None => {}
                }
                Ok(())
            }
            Event::Scalar(text, style, ..) => {
                if let Some(Open::Table(_, _, name @ None)) = self.open.last_mut() {
                    *name = Some(Text { at, text: text.into_owned() });
                } else {
                    let is_plain = style == ScalarStyle::Plain;
                    let value = if is_plain { plain(&text) } else { None };
                    self.close(Node { at, value: value.unwrap_or_else(|| Value::Text(text.into_owned())) });
                }
                Ok(())
            }
            Event::DocumentStart(_)
            | Event::DocumentEnd
            | Event::StreamStart
            | Event::StreamEnd
            | Event::Nothing => Ok(()),
        }
    }

    fn is_name_next(&self) -> bool {
        matches!(self.open.last(), Some(Open::Table(_, _, None)))
    }

    /// Puts a value that has ended where it belongs.
    fn close(&mut self, node: Node) {
        match self.open.last_mut() {
            Some(Open::List(_, items)) => items.push(node),
            Some(Open::Table(_, entries, name)) => entries.extend(name.take().map(|name| (name, node))),
            None => self.root = Some(node),
        }
    }
}

/// What a text without quotes is by the core schema, where it is no text.
fn plain(text: &str) -> Option<Value> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Some(Value::Null),
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => return Some(Value::BOOLEAN),
        _ => {}
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Some(Value::FLOAT);
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        if let Some(digits) = text.strip_prefix(prefix)
            && !digits.is_empty()
            && digits.chars().all(|digit| digit.is_digit(radix))
        {
            return Some(i64::from_str_radix(digits, radix).map_or(Value::TOO_LARGE, Value::Integer));
        }
    }
    if !unsigned.is_empty() && unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(text.parse().map_or(Value::TOO_LARGE, Value::Integer));
    }
    let is_float = unsigned.starts_with(|first: char| first == '.' || first.is_ascii_digit());
    (is_float && text.parse::<f64>().is_ok()).then_some(Value::FLOAT)
}
