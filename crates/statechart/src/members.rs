//! The members of a JSON object, each value still the text that stood there.
//!
//! So a name that stands there twice can be seen, the order is kept, and what nobody looks at may hold anything
//! that the grammar allows.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Why a text has no members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoMembers {
    NotJson,
    NotObject,
}

/// A name that stands there twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Repeated;

/// The members in their order. A name with half a surrogate pair is no text, and is `None`.
pub(crate) struct Members<'t>(Vec<(Option<String>, &'t str)>);

impl<'t> Members<'t> {
    pub(crate) fn read(text: &'t str) -> Result<Self, NoMembers> {
        let value: &RawValue = serde_json::from_str(text).map_err(|_| NoMembers::NotJson)?;
        if !value.get().starts_with('{') {
            return Err(NoMembers::NotObject);
        }
        let mut reader = serde_json::Deserializer::from_str(value.get());
        reader.deserialize_map(Reading).map_err(|_| NoMembers::NotJson)
    }

    /// The member of this name.
    pub(crate) fn one(&self, name: &str) -> Result<Option<&'t str>, Repeated> {
        let mut found = self.0.iter().filter(|(known, _)| known.as_deref() == Some(name));
        let first = found.next().map(|(_, value)| *value);
        if found.next().is_some() { Err(Repeated) } else { Ok(first) }
    }

    /// All members.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Option<&str>, &'t str)> {
        self.0.iter().map(|(name, value)| (name.as_deref(), *value))
    }
}

/// The JSON text as a text.
pub(crate) fn text(value: &str) -> Option<String> {
    serde_json::from_str(value).ok()
}

/// The JSON text as an integer from 0 that a double holds exactly, however it is spelled.
pub(crate) fn whole_number(value: &str) -> Option<u64> {
    const MAX: f64 = 9_007_199_254_740_991.0;
    let number: f64 = serde_json::from_str(value).ok()?;
    // Within these bounds the conversion loses nothing but a fraction.
    let is_whole = (0.0..=MAX).contains(&number) && (number as u64) as f64 == number;
    is_whole.then_some(number as u64)
}

struct Reading;

impl<'t> Visitor<'t> for Reading {
    type Value = Members<'t>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(name) = map.next_key_seed(Name)? {
            members.push((name, map.next_value::<&RawValue>()?.get()));
        }
        Ok(Members(members))
    }
}

/// A name, read as bytes: half a surrogate pair in it is no error.
struct Name;

impl<'t> DeserializeSeed<'t> for Name {
    type Value = Option<String>;

    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_bytes(self)
    }
}

impl Visitor<'_> for Name {
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member's name")
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<Self::Value, E> {
        Ok(core::str::from_utf8(name).ok().map(ToOwned::to_owned))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(Some(name.to_owned()))
    }
}
