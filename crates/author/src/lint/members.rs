//! The members of a JSON object, as they stand in its text.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The members of an object in their order, with repetitions.
pub(super) struct Members<'t>(pub(super) Vec<(Vec<u8>, &'t RawValue)>);

impl<'t> Members<'t> {
    /// The value of a name; of several the last.
    pub(super) fn get(&self, name: &str) -> Option<&'t RawValue> {
        self.0.iter().rev().find(|(member, _)| member == name.as_bytes()).map(|(_, value)| *value)
    }

    /// Whether a name stands there more than once.
    pub(super) fn repeats(&self, name: &str) -> bool {
        self.0.iter().filter(|(member, _)| member == name.as_bytes()).count() > 1
    }
}

/// A name, which may hold what no text can.
struct Name(Vec<u8>);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameVisitor;

        impl Visitor<'_> for NameVisitor {
            type Value = Name;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<Name, E> {
                Ok(Name(name.to_vec()))
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Name, E> {
                Ok(Name(name.as_bytes().to_vec()))
            }
        }

        deserializer.deserialize_bytes(NameVisitor)
    }
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;

        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((Name(name), value)) = map.next_entry()? {
                    members.push((name, value));
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(MembersVisitor)
    }
}
