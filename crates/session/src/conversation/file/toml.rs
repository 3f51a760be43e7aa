//! TOML as values with their places.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::conversation::file::decode::below;
use crate::conversation::file::fault::{FileFault, Found};
use crate::conversation::file::tree::{MAX_DEPTH, Node, Text, Value};

pub(super) fn read(text: &str) -> Result<Node, Box<Found>> {
    let table = DeTable::parse(text).map_err(|error| {
        let span = error.span().unwrap_or_default();
        let message = error.message();
        if message.starts_with("duplicate key") {
            return Found::new(FileFault::Repeated).at(span.start).field(path(text, span));
        }
        let is_depth = message.contains("recursion") || message.contains("recurse");
        let fault = if is_depth { FileFault::TooDeep } else { FileFault::Syntax };
        Found::new(fault).at(span.start).detail(message.trim())
    })?;
    Ok(Node { at: 0, value: read_table(table.into_inner(), 1)? })
}

fn read_value(value: Spanned<DeValue<'_>>, depth: usize) -> Result<Node, Box<Found>> {
    let at = value.span().start;
    let value = match value.into_inner() {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).map_or(Value::TOO_LARGE, Value::Integer)
        }
        DeValue::Float(_) => Value::FLOAT,
        DeValue::Boolean(_) => Value::BOOLEAN,
        DeValue::Datetime(_) => Value::Other("a date or time"),
        DeValue::Array(_) | DeValue::Table(_) if depth == MAX_DEPTH => {
            return Err(Box::new(Found::new(FileFault::TooDeep).at(at).beyond(MAX_DEPTH as u64, None)));
        }
        DeValue::Array(items) => {
            let items = items.into_iter().map(|item| read_value(item, depth + 1));
            Value::List(items.collect::<Result<_, _>>()?)
        }
        DeValue::Table(table) => read_table(table, depth + 1)?,
    };
    Ok(Node { at, value })
}

fn read_table(table: DeTable<'_>, depth: usize) -> Result<Value, Box<Found>> {
    let entries = table.into_iter().map(|(name, value)| {
        let at = name.span().start;
        Ok((Text { at, text: name.into_inner().into_owned() }, read_value(value, depth)?))
    });
    let mut entries: Vec<(Text, Node)> = entries.collect::<Result<_, Box<Found>>>()?;
    // The parser sorts them by name.
    entries.sort_by_key(|(name, _)| name.at);
    Ok(Value::Table(entries))
}

/// The path of a key, as far as its line and the headers above it tell.
fn path(text: &str, key: Range<usize>) -> String {
    let before = text.get(..key.start).unwrap_or_default();
    let (above, line) = before.rsplit_once('\n').unwrap_or(("", before));
    let (line, name) = (line.trim_start(), text.get(key).unwrap_or_default());
    if line.starts_with('[') {
        return table(above, &keys(&format!("{line}{name}")));
    }
    let header = above.lines().rfind(|line| line.trim_start().starts_with('['));
    let header = header.map(|header| table(above, &keys(header)));
    let within = match line.split_once('=') {
        None => keys(&format!("{line}{name}")),
        Some((outer, rest))
            if rest.trim_start().starts_with('{') && rest.matches(['{', '[']).count() == 1 =>
        {
            [keys(outer), keys(name)].concat()
        }
        // Deeper than this is not looked for.
        Some(_) => return keys(name).iter().fold(String::new(), |path, key| below(&path, key)),
    };
    within.iter().fold(header.unwrap_or_default(), |path, key| below(&path, key))
}

/// The path of a table by its header, with its number where it is one of a list.
fn table(above: &str, header: &[String]) -> String {
    let Some((first, rest)) = header.split_first() else { return String::new() };
    let opened = |line: &str| line.trim_start().strip_prefix("[[").map(keys);
    let list = std::slice::from_ref(first);
    let items = above.lines().filter(|line| opened(line).is_some_and(|keys| keys == list)).count();
    let first =
        below("", first) + &items.checked_sub(1).map_or(String::new(), |number| format!("[{number}]"));
    rest.iter().fold(first, |path, key| below(&path, key))
}

/// The names of a dotted key, perhaps with the brackets of a header around it.
fn keys(dotted: &str) -> Vec<String> {
    let (mut keys, mut key, mut quote) = (Vec::new(), String::new(), None);
    for character in dotted.trim_start().trim_start_matches('[').chars() {
        match character {
            _ if quote == Some(character) => quote = None,
            '"' | '\'' if quote.is_none() => quote = Some(character),
            ']' | '=' if quote.is_none() => break,
            '.' if quote.is_none() => keys.push(std::mem::take(&mut key)),
            _ if quote.is_none() && character.is_whitespace() => {}
            _ => key.push(character),
        }
    }
    keys.push(key);
    keys
}
