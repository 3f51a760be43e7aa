//! JSON that belongs to somebody else: bounded, kept, never interpreted.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use answerplane_normalize::utf16_len;
use serde::de::{
    Deserialize as _, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_json::{Map, Value};

use crate::wire::number::integer;

/// How much of somebody else's JSON is accepted.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// The greatest number of values, the outermost counted.
    pub(crate) nodes: usize,
    /// How deep the deepest value may lie; the outermost lies at 0.
    pub(crate) depth: usize,
    /// How many objects and lists may lie within each other, the outermost counted. More are an error, even where a
    /// later key would replace them: the parser, which counts what lies around the value too, may see no more.
    pub(crate) levels: usize,
    /// The greatest length of a text in UTF-16 code units.
    pub(crate) text: usize,
    /// The greatest length of a key in UTF-16 code units, in the outermost object.
    pub(crate) outer_key: usize,
    /// The same in all other objects.
    pub(crate) key: usize,
    /// Whether only an object is accepted.
    pub(crate) object: bool,
}

impl Limits {
    /// No limit but the reader's own: fewer than 128 nested levels.
    pub(crate) const NONE: Self = Self {
        nodes: usize::MAX,
        depth: usize::MAX,
        levels: 127,
        text: usize::MAX,
        outer_key: usize::MAX,
        key: usize::MAX,
        object: false,
    };
}

/// Reads a value within limits.
///
/// What lies too deep, or is too much on its own, is skipped without being built. It refuses the whole only if it is
/// still there in the end: of two equal keys the last one wins. So an object is counted when it has ended.
pub(crate) fn read_foreign<'de, D: Deserializer<'de>>(
    deserializer: D,
    limits: Limits,
) -> Result<Value, D::Error> {
    match (Build { limits: &limits, depth: 0 }).deserialize(deserializer)?.0 {
        Some((value, _)) if value.is_object() || !limits.object => Ok(value),
        Some(_) => Err(D::Error::custom("an object is needed")),
        None => Err(D::Error::custom("a value exceeds its limits")),
    }
}

/// A value and how many values it consists of, or nothing where it exceeds the limits.
struct Built(Option<(Value, usize)>);

#[derive(Clone, Copy)]
struct Build<'l> {
    limits: &'l Limits,
    depth: usize,
}

impl Build<'_> {
    /// Only what does not lie too deep is built, so a value alone is within the limits.
    fn scalar(self, value: Value) -> Built {
        Built(Some((value, 1)))
    }

    /// The members of an object or list.
    fn deeper<E: Error>(self) -> Result<Self, E> {
        if self.depth >= self.limits.levels {
            return Err(E::custom("a value nests too deep"));
        }
        Ok(Self { depth: self.depth + 1, ..self })
    }

    fn accepts_key(&self, key: &str) -> bool {
        is_within(key, if self.depth == 0 { self.limits.outer_key } else { self.limits.key })
    }
}

/// A text has at most as many UTF-16 units as bytes.
fn is_within(text: &str, units: usize) -> bool {
    text.len() <= units || utf16_len(text) <= units
}

impl<'de> DeserializeSeed<'de> for Build<'_> {
    type Value = Built;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Built, D::Error> {
        if self.depth > self.limits.depth {
            IgnoredAny::deserialize(deserializer)?;
            return Ok(Built(None));
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Build<'_> {
    type Value = Built;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Built, E> {
        Ok(self.scalar(Value::Null))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Built, E> {
        Ok(self.scalar(value.into()))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Built, E> {
        self.visit_f64(number as f64)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Built, E> {
        self.visit_f64(number as f64)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Built, E> {
        Ok(self.scalar(integer(number).map_or_else(|| number.into(), Value::from)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Built, E> {
        Ok(if is_within(text, self.limits.text) { self.scalar(text.into()) } else { Built(None) })
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Built, E> {
        Ok(if is_within(&text, self.limits.text) { self.scalar(text.into()) } else { Built(None) })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Built, A::Error> {
        let member = self.deeper()?;
        let mut items = Vec::new();
        let mut nodes = 1;
        while nodes <= self.limits.nodes {
            match seq.next_element_seed(member)? {
                Some(Built(Some((item, more)))) => {
                    items.push(item);
                    nodes += more;
                }
                Some(Built(None)) => break,
                None => return Ok(Built(Some((Value::Array(items), nodes)))),
            }
        }
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Built(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Built, A::Error> {
        let member = self.deeper()?;
        let mut members = Map::new();
        let mut nodes = 1;
        // The keys whose last value so far exceeds the limits.
        let mut exceeding: BTreeSet<String> = BTreeSet::new();
        // Whether no later key can make it fit.
        let mut is_lost = false;
        while let Some(key) = map.next_key::<String>()? {
            is_lost |= !self.accepts_key(&key) || members.len() + exceeding.len() > self.limits.nodes;
            if is_lost {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            if let Some(replaced) = members.remove(&key) {
                nodes -= count(&replaced);
            }
            exceeding.remove(&key);
            match map.next_value_seed(member)?.0 {
                Some((value, more)) => {
                    members.insert(key, value);
                    nodes += more;
                }
                None => {
                    exceeding.insert(key);
                }
            }
        }
        let fits = !is_lost && exceeding.is_empty() && nodes <= self.limits.nodes;
        Ok(Built(fits.then_some((Value::Object(members), nodes))))
    }
}

/// How many values a value consists of.
fn count(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(count).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(count).sum::<usize>(),
        _ => 1,
    }
}

/// Declares a type around JSON that belongs to somebody else, with its limits.
macro_rules! foreign_json {
    (
        $(#[doc = $doc:literal])*
        pub struct $name:ident: $limits:expr
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name(serde_json::Value);

        impl Eq for $name {}

        impl $name {
            /// The value within its limits, or `None` where it exceeds them. Numbers become their nearest double.
            #[must_use]
            pub fn new(value: &serde_json::Value) -> Option<Self> {
                serde::Deserialize::deserialize(value).ok()
            }

            /// The value.
            #[must_use]
            pub fn as_value(&self) -> &serde_json::Value {
                &self.0
            }

            /// The value, no longer known to be within its limits.
            #[must_use]
            pub fn into_value(self) -> serde_json::Value {
                self.0
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::wire::read_foreign(deserializer, $limits).map(Self)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<Z: serde::Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
                self.0.serialize(serializer)
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> alloc::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let mut schema = schemars::json_schema!({ "description": $crate::schema::text(&[$($doc),*]) });
                if $limits.object {
                    schema.insert("type".into(), "object".into());
                    if $limits.outer_key != usize::MAX {
                        let names = serde_json::json!({ "maxLength": $limits.outer_key });
                        schema.insert("propertyNames".into(), names);
                    }
                }
                schema
            }
        }
    };
}

foreign_json! {
    /// Any JSON that nests less than 128 levels deep. Of equal keys the last one wins, numbers become their nearest
    /// double, and no key means anything. Read untrusted text as this and never as a `serde_json::Value`: with that
    /// crate's feature `raw_value`, which this crate turns on, a `Value` takes a text under one special key for JSON and
    /// parses it again, without a common limit on nesting.
    pub struct ForeignValue: Limits::NONE
}

pub(crate) use foreign_json;
