//! JSON as values with their places.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::conversation::file::fault::{FileFault, Found};
use crate::conversation::file::tree::{Lines, MAX_DEPTH, Node, Text, Value};

pub(super) fn read(text: &str) -> Result<Node, Box<Found>> {
    let raw = parsed(text, text)?;
    read_value(text, raw, 0)
}

/// A value within the text that is read.
fn read_value(text: &str, raw: &RawValue, depth: usize) -> Result<Node, Box<Found>> {
    let (raw, at) = (raw.get(), offset(text, raw.get()));
    let is_nested = raw.starts_with(['{', '[']);
    if is_nested && depth == MAX_DEPTH {
        return Err(Box::new(Found::new(FileFault::TooDeep).at(at).beyond(MAX_DEPTH as u64, None)));
    }
    let value = match raw.as_bytes().first() {
        Some(b'"') => Value::Text(parsed(text, raw)?),
        Some(b'{') => {
            let Members(members) = parsed(text, raw)?;
            let members = members.into_iter().map(|(name, value)| {
                let name = Text { at: offset(text, name.get()), text: parsed(text, name.get())? };
                Ok((name, read_value(text, value, depth + 1)?))
            });
            Value::Table(members.collect::<Result<_, Box<Found>>>()?)
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = parsed(text, raw)?;
            let items = items.into_iter().map(|item| read_value(text, item, depth + 1));
            Value::List(items.collect::<Result<_, _>>()?)
        }
        Some(b't' | b'f') => Value::BOOLEAN,
        Some(b'n') => Value::Null,
        _ if raw.contains(['.', 'e', 'E']) => Value::FLOAT,
        _ => serde_json::from_str(raw).map_or(Value::TOO_LARGE, Value::Integer),
    };
    Ok(Node { at, value })
}

/// A part of the text as its parser gives it.
fn parsed<'t, T: Deserialize<'t>>(text: &str, part: &'t str) -> Result<T, Box<Found>> {
    serde_json::from_str(part).map_err(|error| {
        let at = offset(text, part) + Lines::of(part).byte(error.line(), error.column());
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        Box::new(Found::new(FileFault::Syntax).at(at.min(text.len())).detail(message))
    })
}

/// Where a part of a text begins in it.
fn offset(text: &str, part: &str) -> usize {
    part.as_ptr().addr().saturating_sub(text.as_ptr().addr())
}

/// The members of an object in their order, those that are there twice too.
struct Members<'t>(Vec<(&'t RawValue, &'t RawValue)>);

impl<'de: 't, 't> Deserialize<'de> for Members<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfMembers;
        impl<'de> Visitor<'de> for OfMembers {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(OfMembers)
    }
}
