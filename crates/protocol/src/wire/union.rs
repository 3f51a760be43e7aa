//! Objects whose fields depend on a word inside them.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error, IgnoredAny, IntoDeserializer, MapAccess, Visitor,
};
use serde_json::value::RawValue;

use crate::document::{UNBUILDABLE, is_unbuildable};

/// The fields of an object, each as the JSON text that stood there, before it is known which of them count.
pub(crate) struct Members(Vec<(&'static str, Box<RawValue>)>);

impl Members {
    /// Collects the fields whose names some variant declares; all others are skipped.
    pub(crate) fn read<'de, D: Deserializer<'de>>(
        deserializer: D,
        names: &[&[&'static str]],
    ) -> Result<Self, D::Error> {
        struct MembersVisitor<'n>(&'n [&'n [&'static str]]);

        impl<'de> Visitor<'de> for MembersVisitor<'_> {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(name) = map.next_key_seed(KnownName(self.0))? {
                    match name {
                        Some(name) => members.push((name, map.next_value()?)),
                        None => {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(MembersVisitor(names))
    }

    /// The text under `name`, when it is there and a text.
    pub(crate) fn word(&self, name: &str) -> Option<Cow<'_, str>> {
        let (_, value) = self.0.iter().find(|(member, _)| *member == name)?;
        serde_json::from_str(value.get()).ok()
    }

    /// Reads the object as a `T`.
    pub(crate) fn read_as<T: DeserializeOwned, E: Error>(&self) -> Result<T, E> {
        T::deserialize(MapAccessDeserializer::new(Rest { members: &self.0 })).map_err(|error| {
            E::custom(if is_unbuildable(&error) { UNBUILDABLE } else { "no variant of the object fits" })
        })
    }
}

struct KnownName<'n>(&'n [&'n [&'static str]]);

impl<'de> DeserializeSeed<'de> for KnownName<'_> {
    type Value = Option<&'static str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_bytes(self)
    }
}

impl Visitor<'_> for KnownName<'_> {
    type Value = Option<&'static str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a field name")
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<Self::Value, E> {
        Ok(self.0.iter().copied().flatten().copied().find(|known| known.as_bytes() == name))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        self.visit_bytes(name.as_bytes())
    }
}

struct Rest<'m> {
    members: &'m [(&'static str, Box<RawValue>)],
}

impl<'m> MapAccess<'m> for Rest<'m> {
    type Error = serde_json::Error;

    fn next_key_seed<K: DeserializeSeed<'m>>(&mut self, seed: K) -> Result<Option<K::Value>, Self::Error> {
        self.members
            .first()
            .map(|(name, _)| {
                let name: StrDeserializer<'_, Self::Error> = (*name).into_deserializer();
                seed.deserialize(name)
            })
            .transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'m>>(&mut self, seed: V) -> Result<V::Value, Self::Error> {
        let Some(((_, value), rest)) = self.members.split_first() else {
            return Err(Self::Error::custom("a value without a name"));
        };
        self.members = rest;
        seed.deserialize(&mut serde_json::Deserializer::from_str(value.get()))
    }
}

/// Declares a union of objects that share a field whose word says which of them it is.
///
/// Several variants may stand under one word; the first that fits is taken. A field that the variant does not
/// declare is an unknown field, however malformed.
macro_rules! wire_union {
    (
        $(#[doc = $doc:literal])*
        $visibility:vis enum $name:ident by $tag:literal {
            $( $word:literal => $variant:ident($object:ident), )*
        }
    ) => {
        $(#[doc = $doc])*
        $visibility enum $name {
            $( $variant($object), )*
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let members = $crate::wire::Members::read(deserializer, &[$($object::NAMES),*])?;
                let word = members.word($tag);
                let mut refused = None;
                $(
                    if word.as_deref() == Some($word) {
                        match members.read_as::<$object, D::Error>() {
                            Ok(object) => return Ok(Self::$variant(object)),
                            Err(error) => refused = Some(error),
                        }
                    }
                )*
                Err(refused.unwrap_or_else(|| serde::de::Error::custom("no variant has this word")))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<Z: serde::Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
                match self {
                    $( Self::$variant(object) => object.serialize(serializer), )*
                }
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> alloc::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({
                    "description": $crate::schema::text(&[$($doc),*]),
                    "oneOf": [$( generator.subschema_for::<$object>() ),*],
                })
            }
        }
    };
}

pub(crate) use wire_union;
