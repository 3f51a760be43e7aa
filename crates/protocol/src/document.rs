//! Reading whole documents: a text or a parsed value becomes a type, or a reason why not.
//!
//! An accepted text is read once. Only a refused one is read again, to say which of the checks it fails first:
//! size, JSON, version, schema.

use alloc::boxed::Box;
use core::fmt;

use serde::de::{Deserialize, DeserializeOwned, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use serde_json::error::Category;
use serde_json::value::RawValue;

use crate::wire::{FieldName, Name, Version1};

/// A wire object that travels on its own, under a protocol name and a version.
pub(crate) trait Document: DeserializeOwned {
    /// The value of its field `protocol`.
    const PROTOCOL: &'static str;
    /// The greatest number of bytes of its text.
    const MAX_TEXT_BYTES: usize;

    /// Whether the accepted value is small enough where no text of its own was measured.
    fn is_within_value_limit(&self) -> bool {
        true
    }
}

/// Which check a document failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    TooLarge,
    NotJson,
    UnsupportedVersion,
    Invalid,
}

/// Reads a text that came alone: the text limit applies before anything is parsed.
pub(crate) fn decode<T: Document>(text: &[u8]) -> Result<T, Refusal> {
    if text.len() > T::MAX_TEXT_BYTES {
        return Err(Refusal::TooLarge);
    }
    let text = core::str::from_utf8(text).map_err(|_| Refusal::NotJson)?;
    read(text)
}

/// Reads a text that was part of a larger one: the limit of a value applies.
pub(crate) fn decode_embedded<T: Document>(text: &str) -> Result<T, Refusal> {
    within_value_limit(read(text)?)
}

fn read<T: Document>(text: &str) -> Result<T, Refusal> {
    serde_json::from_str(text).map_err(|error| explain::<T>(text, &error))
}

fn within_value_limit<T: Document>(document: T) -> Result<T, Refusal> {
    if document.is_within_value_limit() { Ok(document) } else { Err(Refusal::TooLarge) }
}

/// Reads a value that somebody has already parsed.
pub(crate) fn decode_value<T: Document>(value: &Value) -> Result<T, Refusal> {
    let document = T::deserialize(value).map_err(|_| {
        let is_protocol = value.get("protocol").and_then(Value::as_str) == Some(T::PROTOCOL);
        match value.get("version").and_then(Value::as_f64) {
            Some(version) if is_protocol && version != 1.0 => Refusal::UnsupportedVersion,
            _ => Refusal::Invalid,
        }
    })?;
    within_value_limit(document)
}

/// What an error says of a value that is correct JSON but that we cannot hold.
pub(crate) const UNBUILDABLE: &str = "a value cannot be built";

/// Whether reading failed on a value that is correct JSON but that we cannot hold: a lone surrogate.
///
/// A number beyond a double is also reported by the parser where a text or an object is needed; it is then of
/// the wrong type, and nobody needs it built.
pub(crate) fn is_unbuildable(error: &serde_json::Error) -> bool {
    let message = alloc::format!("{error}");
    match error.classify() {
        Category::Syntax | Category::Eof => !message.starts_with("number out of range"),
        _ => message.starts_with(UNBUILDABLE),
    }
}

#[cold]
fn explain<T: Document>(text: &str, error: &serde_json::Error) -> Refusal {
    if serde_json::from_str::<IgnoredAny>(text).is_err() {
        return Refusal::NotJson;
    }
    if serde_json::from_str::<Header>(text).is_ok_and(|header| header.is_other_version_of(T::PROTOCOL)) {
        return Refusal::UnsupportedVersion;
    }
    if is_unbuildable(error) { Refusal::NotJson } else { Refusal::Invalid }
}

/// The tokens of `protocol` and `version`, each present exactly once.
#[derive(Default)]
struct Header {
    protocol: Option<Box<RawValue>>,
    version: Option<Box<RawValue>>,
}

impl Header {
    fn is_other_version_of(&self, protocol: &str) -> bool {
        let (Some(name), Some(version)) = (&self.protocol, &self.version) else {
            return false;
        };
        serde_json::from_str::<alloc::string::String>(name.get()).is_ok_and(|name| name == protocol)
            && Version1::is_one(version.get()) == Some(false)
    }
}

enum HeaderField {
    Protocol,
    Version,
    Unknown,
}

impl FieldName for HeaderField {
    fn named(name: &[u8]) -> Self {
        match name {
            b"protocol" => Self::Protocol,
            b"version" => Self::Version,
            _ => Self::Unknown,
        }
    }
}

impl<'de> Deserialize<'de> for Header {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct HeaderVisitor;

        impl<'de> Visitor<'de> for HeaderVisitor {
            type Value = Header;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Header, A::Error> {
                let mut header = Header::default();
                while let Some(Name(field)) = map.next_key()? {
                    let slot = match field {
                        HeaderField::Protocol => &mut header.protocol,
                        HeaderField::Version => &mut header.version,
                        HeaderField::Unknown => {
                            map.next_value::<IgnoredAny>()?;
                            continue;
                        }
                    };
                    if slot.replace(map.next_value()?).is_some() {
                        return Err(serde::de::Error::custom("a field is repeated"));
                    }
                }
                Ok(header)
            }
        }

        deserializer.deserialize_map(HeaderVisitor)
    }
}

/// Gives a document its three readers.
macro_rules! document {
    ($name:ident: $protocol:literal, at most $bytes:literal bytes $($limit:tt)*) => {
        impl $crate::document::Document for $name {
            const PROTOCOL: &'static str = $protocol;
            const MAX_TEXT_BYTES: usize = $bytes;
            $($limit)*
        }

        impl $name {
            /// The protocol name.
            pub const PROTOCOL: &'static str = $protocol;

            /// The greatest size of the text in bytes.
            pub const MAX_TEXT_BYTES: usize = $bytes;

            /// Reads a JSON text.
            ///
            /// # Errors
            ///
            /// In this order: the text has more than
            #[doc = concat!("[`MAX_TEXT_BYTES`](", stringify!($name), "::MAX_TEXT_BYTES)")]
            /// bytes, is not JSON, is of another version, or breaks a rule of the schema.
            pub fn decode(
                text: impl AsRef<[u8]>,
            ) -> Result<Self, $crate::diagnostic::DeterministicDiagnostic> {
                Ok($crate::document::decode(text.as_ref())?)
            }

            /// Reads a JSON text that was part of a larger one, whose size has been dealt with.
            ///
            /// # Errors
            ///
            /// As [`decode`](Self::decode), but that the size is that of the accepted value, and only where the
            /// protocol limits it.
            pub fn decode_embedded(
                text: &str,
            ) -> Result<Self, $crate::diagnostic::DeterministicDiagnostic> {
                Ok($crate::document::decode_embedded(text)?)
            }

            /// Reads a value that has already been parsed.
            ///
            /// # Errors
            ///
            /// As [`decode_embedded`](Self::decode_embedded). A repeated key can no longer be seen.
            pub fn decode_value(
                value: &serde_json::Value,
            ) -> Result<Self, $crate::diagnostic::DeterministicDiagnostic> {
                Ok($crate::document::decode_value(value)?)
            }
        }
    };
}

pub(crate) use document;
