//! The members of a JSON object, as they stand in its text.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The members of an object in the order of its text, repeated ones too.
///
/// Names are bytes: one that no text can hold (a lone surrogate) is still a name. Raw control characters in names
/// are not refused, so a text is to be known as JSON before.
pub struct RawMembers<'t>(pub Vec<(Cow<'t, [u8]>, &'t RawValue)>);

impl<'t> RawMembers<'t> {
    /// The value of a name; of several the last.
    pub fn get(&self, name: &str) -> Option<&'t RawValue> {
        self.0.iter().rev().find(|(member, _)| **member == *name.as_bytes()).map(|(_, value)| *value)
    }

    /// Whether a name stands there more than once.
    pub fn repeats(&self, name: &str) -> bool {
        self.0.iter().filter(|(member, _)| **member == *name.as_bytes()).count() > 1
    }
}

struct Name<'t>(Cow<'t, [u8]>);

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameVisitor;

        impl<'de> Visitor<'de> for NameVisitor {
            type Value = Name<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_borrowed_bytes<E: Error>(self, name: &'de [u8]) -> Result<Self::Value, E> {
                Ok(Name(name.into()))
            }

            fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<Self::Value, E> {
                Ok(Name(name.to_vec().into()))
            }
        }

        deserializer.deserialize_bytes(NameVisitor)
    }
}

impl<'de> Deserialize<'de> for RawMembers<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;

        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = RawMembers<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((Name(name), value)) = map.next_entry()? {
                    members.push((name, value));
                }
                Ok(RawMembers(members))
            }
        }

        deserializer.deserialize_map(MembersVisitor)
    }
}
