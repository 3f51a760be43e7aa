//! A JSON object built from its text, exactly as it stands there.
//!
//! `serde_json::Value` reads an object with one name of its own (that of its raw values) as something else, so a
//! context that holds that name would not come back from its snapshot.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Reads untrusted JSON text as an object: a context, or whatever else an instance or an event is made of.
///
/// `None` where it is no object, or holds what cannot be built: half a surrogate pair, a number beyond a double, 128
/// levels. Of two equal keys the last one wins, and no key means anything. Read untrusted text with this and never as a
/// [`Value`]: where `serde_json` has its feature `raw_value`, as it has here, a `Value` takes a text under one special
/// key for JSON and parses it again.
///
/// ```
/// use answerplane_statechart::{Definition, NonBlank, State, read_object};
///
/// let door = Definition::builder("door", "1", "closed").state(State::new("closed")).build()?;
/// let context = read_object(r#"{ "note": { "$serde_json::private::RawValue": "[1]" } }"#).unwrap();
/// assert_eq!(context["note"]["$serde_json::private::RawValue"], "[1]");
/// let now = NonBlank::new("2031-04-05T06:07:08Z").unwrap();
/// assert_eq!(door.start(&NonBlank::new("d-1").unwrap(), context.clone(), &now).unwrap().context(), &context);
/// # Ok::<(), answerplane_statechart::InvalidDefinition>(())
/// ```
#[must_use]
pub fn read_object(text: &str) -> Option<Map<String, Value>> {
    match serde_json::from_str(text) {
        Ok(Plain(Value::Object(object))) => Some(object),
        _ => None,
    }
}

struct Plain(Value);

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Building).map(Self)
    }
}

struct Building;

impl<'de> Visitor<'de> for Building {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(Plain(item)) = list.next_element()? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((name, Plain(value))) = map.next_entry()? {
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}
