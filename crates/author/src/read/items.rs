//! The items of a list in JSON, YAML or TOML, with the lines where they begin.

use std::ops::Range;

use serde::de::DeserializeSeed;
use serde_json::value::RawValue;

use crate::config::line_of;
use crate::read::front_matter::{TWICE, begins_field, without_place};
use crate::read::value::{Read, Value};

/// One item of a list.
pub(super) struct Item {
    pub(super) value: Value,
    /// The line where it begins, from 1; 0 where it is not known.
    pub(super) line: usize,
    /// The bytes from its beginning to that of the next; none where they are not known.
    pub(super) range: Range<usize>,
}

/// Why a text is no list, and in which line; 0 where it is not known.
pub(super) struct Problem {
    pub(super) line: usize,
    pub(super) message: String,
}

impl From<serde_json::Error> for Problem {
    fn from(error: serde_json::Error) -> Self {
        Self { line: error.line(), message: without_place(&error.to_string()) }
    }
}

impl From<serde_yaml_ng::Error> for Problem {
    fn from(error: serde_yaml_ng::Error) -> Self {
        let line = error.location().map_or(0, |location| location.line());
        Self { line, message: without_place(&error.to_string()) }
    }
}

/// One value of JSON.
pub(super) fn json_value(text: &str) -> Result<Value, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Read::within(&Read::budget(text)).deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// The items of a JSON list.
pub(super) fn json(text: &str) -> Result<Vec<Item>, Problem> {
    let raw: Vec<&RawValue> = serde_json::from_str(text)?;
    let mut items: Vec<Item> = Vec::with_capacity(raw.len());
    let (mut line, mut at) = (1, 0);
    for item in raw {
        // Where the item lies in the text that it is borrowed from.
        let start = item.get().as_ptr().addr() - text.as_ptr().addr();
        line += newlines(&text[at..start]);
        at = start;
        let value = json_value(item.get()).map_err(|error| {
            let problem = Problem::from(error);
            Problem { line: line + problem.line.saturating_sub(1), ..problem }
        })?;
        items.push(Item { value, line, range: start..start + item.get().len() });
    }
    Ok(items)
}

/// Refuses YAML that nests deeper than anything is read: its parser takes ever longer with each open bracket.
pub(super) fn check_depth(text: &str) -> Result<(), Problem> {
    let (mut depth, mut line) = (0_usize, 1);
    for byte in text.bytes() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'\n' => line += 1,
            _ => {}
        }
        if depth > MAX_OPEN {
            return Err(Problem { line, message: format!("more than {MAX_OPEN} brackets are open") });
        }
    }
    Ok(())
}

/// The greatest number of open brackets.
const MAX_OPEN: usize = 1_000;

/// The items of a YAML list.
pub(super) fn yaml(text: &str) -> Result<Vec<Item>, Problem> {
    check_depth(text)?;
    let value = Read::within(&Read::budget(text)).deserialize(serde_yaml_ng::Deserializer::from_str(text));
    let value = value.map_err(|error| {
        let problem = Problem::from(error);
        twice(text, &problem.message).unwrap_or(problem)
    })?;
    let values = match value {
        Value::List(values) => values,
        Value::Null => Vec::new(),
        _ => return Err(Problem { line: 1, message: "a list is expected".into() }),
    };
    let mut starts = Vec::new();
    let mut indent = None;
    let mut at = 0;
    for (line, number) in text.split_inclusive('\n').zip(1..) {
        let dash = line.len() - line.trim_start_matches(' ').len();
        let is_item = line[dash..].strip_prefix('-').is_some_and(|rest| rest.starts_with([' ', '\r', '\n']));
        if is_item && *indent.get_or_insert(dash) == dash {
            starts.push((number, at));
        }
        at += line.len();
    }
    Ok(placed(values, &starts, text.len()))
}

/// That a field of an item of a YAML list stands there twice, with the second line, which its parser does not tell.
fn twice(text: &str, message: &str) -> Option<Problem> {
    let message = &message[message.find(TWICE.0)?..];
    let name = message.strip_prefix(TWICE.0)?.strip_suffix(TWICE.1)?;
    let dash = |line: &str| line.trim_start().starts_with('-').then(|| line.len() - line.trim_start().len());
    let outermost = text.lines().find_map(dash);
    let mut fields = 0;
    for (line, number) in text.lines().zip(1..) {
        if dash(line).is_some() && dash(line) == outermost {
            fields = 0;
        }
        fields += usize::from(begins_field(line, name));
        if fields == 2 {
            return Some(Problem { line: number, message: message.to_owned() });
        }
    }
    None
}

/// The items of the list `entry` of a TOML text, which holds nothing else.
pub(super) fn toml(text: &str) -> Result<Vec<Item>, Problem> {
    let problem = |error: toml::de::Error| {
        let line = error.span().map_or(0, |span| line_of(text, span.start));
        Problem { line, message: error.message().trim().to_owned() }
    };
    let deserializer = toml::Deserializer::parse(text).map_err(problem)?;
    let value = Read::within(&Read::budget(text)).deserialize(deserializer).map_err(problem)?;
    let Value::Map(fields) = value else { return Ok(Vec::new()) };
    let mut values = Vec::new();
    for (name, value) in fields {
        match value {
            Value::List(list) if name == "entry" => values = list,
            _ => {
                let line = text.lines().position(|line| begins_field(line, &name) || line.contains(&name));
                let message = format!("there is a list `entry` and nothing else, not `{name}`");
                return Err(Problem { line: line.map_or(0, |line| line + 1), message });
            }
        }
    }
    let mut starts = Vec::new();
    let mut at = 0;
    for (line, number) in text.split_inclusive('\n').zip(1..) {
        if line.trim().split('#').next().is_some_and(|line| line.replace(' ', "") == "[[entry]]") {
            starts.push((number, at));
        }
        at += line.len();
    }
    Ok(placed(values, &starts, text.len()))
}

/// Values with their places, where as many places as values were found.
fn placed(values: Vec<Value>, starts: &[(usize, usize)], end: usize) -> Vec<Item> {
    let are_known = starts.len() == values.len();
    let unknown = |value| Item { value, line: 0, range: 0..0 };
    if !are_known {
        return values.into_iter().map(unknown).collect();
    }
    let ends = starts.iter().skip(1).map(|(_, at)| *at).chain([end]);
    let places = starts.iter().zip(ends);
    let item = |(value, ((line, start), end)): (Value, (&(usize, usize), usize))| Item {
        value,
        line: *line,
        range: *start..end,
    };
    values.into_iter().zip(places).map(item).collect()
}

/// The line of a field of an item that begins in `line`, or that line; 0 where it is not known.
pub(super) fn field_line(source: &str, line: usize, name: &str) -> usize {
    let name = name.split(['.', '[']).next().unwrap_or(name);
    let found = source.lines().position(|line| begins_field(line, name));
    if line == 0 { 0 } else { line + found.unwrap_or(0) }
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}
