//! TOML as values with their places.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::conversation::file::fault::{FileFault, Found, shown};
use crate::conversation::file::tree::{MAX_DEPTH, Node, Text, Value};

pub(super) fn read(text: &str) -> Result<Node, Box<Found>> {
    let table = DeTable::parse(text).map_err(|error| {
        let span = error.span().unwrap_or_default();
        let message = error.message();
        if message.starts_with("duplicate key") {
            let name = text.get(span.clone()).unwrap_or_default().trim_matches(['"', '\'']);
            return Found::new(FileFault::Repeated).at(span.start).field(shown(name));
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
            i64::from_str_radix(number.as_str(), number.radix()).map_or(Value::NUMBER, Value::Integer)
        }
        DeValue::Float(_) => Value::NUMBER,
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
