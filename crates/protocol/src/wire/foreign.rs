//! JSON that belongs to somebody else: bounded, kept, never interpreted.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::Cell;
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
        text: usize::MAX,
        outer_key: usize::MAX,
        key: usize::MAX,
        object: false,
    };
}

/// Reads a value within limits.
///
/// What lies too deep or is too much is skipped without being built. It refuses the whole only if it is still
/// there in the end: of two equal keys the last one wins.
pub(crate) fn read_foreign<'de, D: Deserializer<'de>>(
    deserializer: D,
    limits: Limits,
) -> Result<Value, D::Error> {
    let nodes = Cell::new(0);
    let built = Build { limits: &limits, nodes: &nodes, depth: 0 }.deserialize(deserializer)?;
    match built.0 {
        Some(value) if value.is_object() || !limits.object => Ok(value),
        Some(_) => Err(D::Error::custom("an object is needed")),
        None => Err(D::Error::custom("a value exceeds its limits")),
    }
}

/// A value, or nothing where it exceeds the limits.
struct Built(Option<Value>);

#[derive(Clone, Copy)]
struct Build<'l> {
    limits: &'l Limits,
    /// How many values have been kept so far.
    nodes: &'l Cell<usize>,
    depth: usize,
}

impl Build<'_> {
    /// Counts one more value; `false` where that is one too many.
    fn enter(&self) -> bool {
        let nodes = self.nodes.get() + 1;
        self.nodes.set(nodes);
        nodes <= self.limits.nodes && self.depth <= self.limits.depth
    }

    fn scalar(self, value: Value) -> Built {
        Built(self.enter().then_some(value))
    }

    fn deeper(self) -> Self {
        Self { depth: self.depth + 1, ..self }
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
        if self.depth > self.limits.depth || self.nodes.get() >= self.limits.nodes {
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
        let fits = is_within(text, self.limits.text) && self.enter();
        Ok(Built(fits.then(|| text.into())))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Built, E> {
        let fits = is_within(&text, self.limits.text) && self.enter();
        Ok(Built(fits.then_some(Value::String(text))))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Built, A::Error> {
        let before = self.nodes.get();
        let mut fits = self.enter();
        let mut items = Vec::new();
        while fits {
            match seq.next_element_seed(self.deeper())? {
                Some(Built(Some(item))) => items.push(item),
                Some(Built(None)) => fits = false,
                None => return Ok(Built(Some(Value::Array(items)))),
            }
        }
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        self.nodes.set(before);
        Ok(Built(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Built, A::Error> {
        let before = self.nodes.get();
        let mut fits = self.enter();
        let mut members = Map::new();
        // The keys whose last value so far exceeds the limits.
        let mut exceeding: BTreeSet<String> = BTreeSet::new();
        while let Some(key) = map.next_key::<String>()? {
            if !fits || !self.accepts_key(&key) {
                fits = false;
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            if let Some(replaced) = members.remove(&key) {
                self.nodes.set(self.nodes.get() - count(&replaced));
            }
            exceeding.remove(&key);
            match map.next_value_seed(self.deeper())?.0 {
                Some(value) => {
                    members.insert(key, value);
                }
                None => {
                    exceeding.insert(key);
                }
            }
        }
        if fits && exceeding.is_empty() {
            return Ok(Built(Some(Value::Object(members))));
        }
        self.nodes.set(before);
        Ok(Built(None))
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
