//! Foreign values: what stands in rows and written entries, whatever the format.

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::read::front_matter::TWICE;

/// A value of YAML, JSON or TOML.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Nothing.
    Null,
    /// A text, or a number or truth value as a text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// Names and values, in order.
    Map(Vec<(String, Value)>),
}

impl Value {
    /// The text, trimmed; nothing where it is empty or no text.
    pub(super) fn text(&self) -> Option<&str> {
        let Self::Text(text) = self else { return None };
        let text = answerplane_normalize::trim(text);
        (!text.is_empty()).then_some(text)
    }

    /// The value under a name, in which dots lead into objects.
    pub(super) fn get(&self, path: &str) -> Option<&Self> {
        let Self::Map(fields) = self else { return None };
        if let Some((_, value)) = fields.iter().find(|(name, _)| name == path) {
            return Some(value);
        }
        path.match_indices('.').find_map(|(dot, _)| {
            let (_, value) = fields.iter().find(|(name, _)| *name == path[..dot])?;
            value.get(&path[dot + 1..])
        })
    }
}

/// Reads a value that may not become larger than the text it comes from, so that YAML's aliases cannot multiply it.
pub(super) struct Read<'b>(&'b Cell<usize>);

impl<'b> Read<'b> {
    /// Reads within what is left of a budget.
    pub(super) fn within(budget: &'b Cell<usize>) -> Self {
        Self(budget)
    }

    /// What is left for a text of this length.
    pub(super) fn budget(text: &str) -> Cell<usize> {
        Cell::new(text.len() * 4 + 4_096)
    }

    fn spend<E: Error>(&self, size: usize) -> Result<(), E> {
        // A value of no length takes room too.
        let left = self.0.get().checked_sub(size + 1);
        self.0.set(left.ok_or_else(|| E::custom("aliases make it many times larger than it is written"))?);
        Ok(())
    }

    fn text<E: Error>(self, text: String) -> Result<Value, E> {
        self.spend(text.len())?;
        Ok(Value::Text(text))
    }
}

impl<'de> DeserializeSeed<'de> for Read<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Read<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        self.spend(0)?;
        Ok(Value::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        self.text(value.to_string())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        self.text(value.to_string())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        self.text(value.to_string())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        self.text(value.to_string())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        self.text(text.to_owned())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Value, E> {
        self.text(text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        self.spend(0)?;
        let mut values = Vec::new();
        while let Some(value) = list.next_element_seed(Read(self.0))? {
            values.push(value);
        }
        Ok(Value::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        self.spend(0)?;
        let mut fields: Vec<(String, Value)> = Vec::new();
        let mut seen = HashSet::new();
        while let Some(name) = map.next_key_seed(Read(self.0))? {
            let name = match name {
                Value::Text(name) => name,
                Value::Null => "null".to_owned(),
                _ => return Err(A::Error::custom("a name is no text")),
            };
            let value = map.next_value_seed(Read(self.0))?;
            if !seen.insert(name.clone()) {
                return Err(A::Error::custom(format_args!("{}{name}{}", TWICE.0, TWICE.1)));
            }
            fields.push((name, value));
        }
        Ok(Value::Map(fields))
    }
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeSeed;

    use super::{Read, Value};

    fn yaml(text: &str) -> Result<Value, serde_yaml_ng::Error> {
        Read::within(&Read::budget(text)).deserialize(serde_yaml_ng::Deserializer::from_str(text))
    }

    #[test]
    fn names_with_dots_lead_into_objects() {
        let value = yaml("a: {b: {c: ' x '}, b.c: y}\na.d: 1\n").unwrap();
        assert_eq!(value.get("a.b").and_then(|b| b.get("c")).and_then(Value::text), Some("x"));
        assert_eq!(value.get("a.b.c").and_then(Value::text), Some("y"));
        assert_eq!(value.get("a.d").and_then(Value::text), Some("1"));
        assert_eq!(value.get("a.x"), None);
    }

    #[test]
    fn aliases_cannot_multiply_a_text() {
        let mut text = String::from("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
        for level in 1..9 {
            let below = format!("*a{},", level - 1).repeat(10);
            text.push_str(&format!("a{level}: &a{level} [{below}]\n"));
        }
        let message = yaml(&text).unwrap_err().to_string();
        assert!(message.contains("many times larger"), "{message}");
    }

    #[test]
    fn a_field_stands_there_once() {
        assert!(yaml("a: 1\na: 2").unwrap_err().to_string().contains("stands there twice"));
    }
}
