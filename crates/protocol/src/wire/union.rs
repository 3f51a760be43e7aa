//! Objects whose fields depend on a word inside them.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error, IgnoredAny, IntoDeserializer, MapAccess, Visitor,
};
use serde_json::value::RawValue;

/// A union of objects, as `wire_union!` declares it.
pub(crate) trait Union: Sized {
    /// The name of the field whose word says which variant it is.
    const TAG: &'static str;
    /// The field names of each variant.
    const NAMES: &'static [&'static [&'static str]];
    /// Whether some variant refuses unknown fields, so that they may not be skipped.
    const STRICT: bool;

    /// The word itself, when exactly one variant has it.
    fn sole(word: &str) -> Option<&'static str>;
    /// Reads the only variant that has this word.
    fn read_sole<'de, D: Deserializer<'de>>(word: &'static str, deserializer: D) -> Result<Self, D::Error>;
    /// Reads the first variant with the word of the members that fits them.
    fn read_members<E: Error>(members: &Members) -> Result<Self, E>;
}

/// Reads a union.
///
/// Where the word comes first and one variant has it, the rest of the object goes straight into that variant.
/// Otherwise the fields are kept as they stand until the word is known.
pub(crate) fn read_union<'de, U: Union, D: Deserializer<'de>>(deserializer: D) -> Result<U, D::Error> {
    struct UnionVisitor<U>(PhantomData<U>);

    impl<'de, U: Union> Visitor<'de> for UnionVisitor<U> {
        type Value = U;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<U, A::Error> {
            let mut members = Members(Vec::new());
            match map.next_key_seed(KnownName(U::NAMES))? {
                Some(Some(name)) if name == U::TAG => match map.next_value_seed(Tag::<U>(PhantomData))? {
                    Sole::Word(word) => {
                        let rest = Tagged { tag: U::TAG, word, given: Given::Nothing, map };
                        return U::read_sole(word, MapAccessDeserializer::new(rest));
                    }
                    Sole::Another(value) => members.0.push((name, value)),
                },
                Some(name) => members.read(name, U::STRICT, &mut map)?,
                None => {}
            }
            while let Some(name) = map.next_key_seed(KnownName(U::NAMES))? {
                members.read(name, U::STRICT, &mut map)?;
            }
            U::read_members(&members)
        }
    }

    deserializer.deserialize_map(UnionVisitor(PhantomData))
}

/// The fields of an object, each as the JSON text that stood there, before it is known which of them count.
pub(crate) struct Members(Vec<(&'static str, Box<RawValue>)>);

impl Members {
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        name: Option<&'static str>,
        strict: bool,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match name {
            Some(name) => self.0.push((name, map.next_value()?)),
            None if strict => return Err(A::Error::custom("a field is unknown")),
            None => {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }

    /// The text under `name`, when it is there and a text.
    pub(crate) fn word(&self, name: &str) -> Option<Cow<'_, str>> {
        let (_, value) = self.0.iter().find(|(member, _)| *member == name)?;
        match unescaped(value.get()) {
            Some(word) => Some(word.into()),
            None => serde_json::from_str(value.get()).ok(),
        }
    }

    /// Whether there is a text under `name`, if only one that cannot be built.
    pub(crate) fn is_text(&self, name: &str) -> bool {
        self.0
            .iter()
            .find(|(member, _)| *member == name)
            .is_some_and(|(_, value)| value.get().starts_with('"'))
    }

    /// Reads the object as a `T`.
    pub(crate) fn read_as<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        T::deserialize(MapAccessDeserializer::new(Rest { members: &self.0 }))
    }
}

/// The text that a JSON text is, where nothing in it is escaped.
fn unescaped(value: &str) -> Option<&str> {
    let text = value.strip_prefix('"')?.strip_suffix('"')?;
    (!text.contains('\\')).then_some(text)
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

/// The value of a tag that came first: a word that one variant has, or whatever else stood there.
enum Sole {
    Word(&'static str),
    Another(Box<RawValue>),
}

struct Tag<U>(PhantomData<U>);

impl<'de, U: Union> DeserializeSeed<'de> for Tag<U> {
    type Value = Sole;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Sole, D::Error> {
        use serde::de::Deserialize as _;
        let value = Box::<RawValue>::deserialize(deserializer)?;
        Ok(unescaped(value.get()).and_then(U::sole).map_or(Sole::Another(value), Sole::Word))
    }
}

/// The fields of an object whose tag has been read already, the tag first.
struct Tagged<A> {
    tag: &'static str,
    word: &'static str,
    given: Given,
    map: A,
}

/// How much of the tag has been given again.
enum Given {
    Nothing,
    Name,
    All,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Tagged<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        if matches!(self.given, Given::Nothing) {
            self.given = Given::Name;
            let name: StrDeserializer<'_, A::Error> = self.tag.into_deserializer();
            return seed.deserialize(name).map(Some);
        }
        self.map.next_key_seed(seed)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        if matches!(self.given, Given::Name) {
            self.given = Given::All;
            let word: StrDeserializer<'_, A::Error> = self.word.into_deserializer();
            return seed.deserialize(word);
        }
        self.map.next_value_seed(seed)
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
/// Several variants may stand under one word; the first that fits is taken. One variant may stand under several
/// words. With `document` behind the tag the union can be read by this crate alone. A field that the variant does not declare is an unknown field, however malformed.
macro_rules! wire_union {
    (
        $(#[doc = $doc:literal])*
        $(#[derive($($derive:ident),*)])?
        $visibility:vis enum $name:ident by $tag:literal $($marker:ident)? {
            $( $(#[doc = $variant_doc:literal])* $($word:literal)|+ => $variant:ident($object:ident), )*
        }
    ) => {
        $(#[doc = $doc])*
        $(#[derive($($derive),*)])?
        $visibility enum $name {
            $( $(#[doc = $variant_doc])* $variant($object), )*
        }

        impl $crate::wire::Union for $name {
            const TAG: &'static str = $tag;
            const NAMES: &'static [&'static [&'static str]] = &[$($object::NAMES),*];
            const STRICT: bool = false $(|| $object::STRICT)*;

            fn sole(word: &str) -> Option<&'static str> {
                const WORDS: &[&str] = &[$($($word),+),*];
                let mut known = WORDS.iter().filter(|known| **known == word);
                known.next().filter(|_| known.next().is_none()).copied()
            }

            fn read_sole<'de, D: serde::Deserializer<'de>>(
                word: &'static str,
                deserializer: D,
            ) -> Result<Self, D::Error> {
                match word {
                    $(
                        #[allow(unreachable_patterns)] // several variants under one word
                        $($word)|+ => {
                            serde::Deserialize::deserialize(deserializer).map(Self::$variant)
                        }
                    )*
                    _ => Err(serde::de::Error::custom("no variant has this word")),
                }
            }

            fn read_members<E: serde::de::Error>(members: &$crate::wire::Members) -> Result<Self, E> {
                let word = members.word($tag);
                let mut unbuildable = word.is_none() && members.is_text($tag);
                $(
                    if matches!(word.as_deref(), $(Some($word))|+) {
                        match members.read_as::<$object>() {
                            Ok(object) => return Ok(Self::$variant(object)),
                            Err(error) => unbuildable |= $crate::document::is_unbuildable(&error),
                        }
                    }
                )*
                Err(E::custom(if unbuildable { $crate::document::UNBUILDABLE } else { "no variant fits" }))
            }
        }

        impl<'de> serde::Deserialize<'de> for $crate::deserialized!($name: $($marker)?) {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::wire::read_union::<$name, D>(deserializer).map(Self::from)
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
