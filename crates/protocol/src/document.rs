//! Reading whole documents: a text or a parsed value becomes a type, or a reason why not.
//!
//! An accepted text is read once. Only a refused one is read again, to say which of the checks it fails first:
//! size, JSON, version, kind, schema.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Deserialize as _, DeserializeOwned, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use serde_json::error::Category;
use serde_json::value::RawValue;

use crate::json_text::read_text;
use crate::scalar::Identifier;
use crate::wire::{FieldName, Name, Version1};

/// A wire object that travels on its own, under a protocol name and a version.
pub(crate) trait Document: Sized {
    /// What is reported of a refused document.
    type Diagnostic: From<Refused>;
    /// The object as it is declared. Only the readers here make a document of it, so that none gets around its
    /// limits.
    type Wire: DeserializeOwned;

    /// The value of its field `protocol`.
    const PROTOCOL: &'static str;
    /// The greatest number of bytes of its text.
    const MAX_TEXT_BYTES: usize = usize::MAX;
    /// The field that says of what kind the document is, where a kind that is not known has a reason of its own.
    const KIND: &'static str = "";

    /// The document, unless a rule across its fields is broken.
    fn from_wire(wire: Self::Wire) -> Option<Self>;

    /// Whether the accepted value is small enough where no text of its own was measured.
    fn is_within_value_limit(&self) -> bool {
        true
    }

    /// Which check a document of correct JSON with this header failed.
    fn explain(header: &Header) -> Refusal {
        header.explain(Self::PROTOCOL)
    }
}

/// Which check a document failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    TooLarge,
    NotJson,
    UnsupportedVersion,
    UnknownKind,
    Invalid,
}

/// A refused document: the check that it failed, and its name where it has one and it could be read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    pub(crate) why: Refusal,
    pub(crate) event_id: Option<Identifier>,
}

impl From<Refusal> for Refused {
    fn from(why: Refusal) -> Self {
        Self { why, event_id: None }
    }
}

/// Reads a text that came alone: the text limit applies before anything is parsed.
pub(crate) fn decode<T: Document>(text: &[u8]) -> Result<T, T::Diagnostic> {
    if text.len() > T::MAX_TEXT_BYTES {
        return Err(Refused::from(Refusal::TooLarge).into());
    }
    let text = core::str::from_utf8(text).map_err(|_| Refused::from(Refusal::NotJson))?;
    Ok(read(text)?)
}

/// Reads a text that was part of a larger one: the limit of a value applies.
pub(crate) fn decode_embedded<T: Document>(text: &str) -> Result<T, T::Diagnostic> {
    Ok(within_value_limit(read(text)?)?)
}

fn read<T: Document>(text: &str) -> Result<T, Refused> {
    let wire = read_text(text).map_err(|error| explain::<T>(text, &error))?;
    T::from_wire(wire).ok_or_else(|| Header::read(text, T::KIND).refused::<T>())
}

fn within_value_limit<T: Document>(document: T) -> Result<T, Refused> {
    if document.is_within_value_limit() { Ok(document) } else { Err(Refusal::TooLarge.into()) }
}

/// Reads a value that somebody has already parsed.
pub(crate) fn decode_value<T: Document>(value: &Value) -> Result<T, T::Diagnostic> {
    let shallow = (!is_within(value, MAX_LEVELS)).then(|| cut(value, MAX_LEVELS));
    let value = shallow.as_ref().unwrap_or(value);
    let document = T::Wire::deserialize(value).ok().and_then(T::from_wire);
    let document = document.ok_or_else(|| Header::of(value, T::KIND).refused::<T>())?;
    Ok(within_value_limit(document)?)
}

/// More levels than are accepted anywhere, and fewer than exhaust a stack.
const MAX_LEVELS: usize = 200;

/// Whether a value nests no deeper. Goes no deeper than that itself, however deep the value is.
fn is_within(value: &Value, levels: usize) -> bool {
    match value {
        Value::Array(items) => levels > 0 && items.iter().all(|item| is_within(item, levels - 1)),
        Value::Object(members) => levels > 0 && members.values().all(|member| is_within(member, levels - 1)),
        _ => true,
    }
}

/// The value with nothing below so many levels. What was cut is refused, or nobody looks at it.
fn cut(value: &Value, levels: usize) -> Value {
    match value {
        Value::Array(_) | Value::Object(_) if levels == 0 => Value::Null,
        Value::Array(items) => items.iter().map(|item| cut(item, levels - 1)).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, member)| (name.clone(), cut(member, levels - 1))).collect()
        }
        scalar => scalar.clone(),
    }
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
fn explain<T: Document>(text: &str, error: &serde_json::Error) -> Refused {
    if serde_json::from_str::<IgnoredAny>(text).is_err() {
        return Refusal::NotJson.into();
    }
    let mut refused = Header::read(text, T::KIND).refused::<T>();
    if refused.why == Refusal::Invalid && is_unbuildable(error) {
        refused.why = Refusal::NotJson;
    }
    refused
}

/// The tokens of the fields that say what a document is.
#[derive(Default)]
pub(crate) struct Header {
    protocol: Token,
    version: Token,
    kind: Token,
    event_id: Token,
}

/// The JSON text of a field.
#[derive(Default)]
pub(crate) enum Token {
    #[default]
    Absent,
    Once(Box<RawValue>),
    Repeated,
}

impl Token {
    /// The token of a JSON text.
    fn once(text: String) -> Self {
        RawValue::from_string(text).map_or(Self::Absent, Self::Once)
    }

    fn add(&mut self, value: Box<RawValue>) {
        *self = if matches!(self, Self::Absent) { Self::Once(value) } else { Self::Repeated };
    }

    fn text(&self) -> Option<String> {
        match self {
            Self::Once(value) => serde_json::from_str(value.get()).ok(),
            _ => None,
        }
    }
}

/// A version that is a number.
pub(crate) enum Version {
    /// 0, however spelled.
    Zero,
    /// 1, however spelled.
    One,
    /// Any other number.
    Other,
}

impl Header {
    fn read(text: &str, kind: &'static str) -> Self {
        let mut header = Self::default();
        // The text is known to be JSON; where it is no object there is no header.
        let mut reader = serde_json::Deserializer::from_str(text);
        let _ = reader.deserialize_map(HeaderVisitor { header: &mut header, kind });
        header
    }

    fn of(value: &Value, kind: &'static str) -> Self {
        // A header's field is a scalar. Another value is kept as an empty list: it may nest too deep to be written.
        let token = |name: &str| match value.get(name) {
            None => Token::Absent,
            Some(Value::Array(_) | Value::Object(_)) => Token::once("[]".into()),
            Some(scalar) => Token::once(alloc::format!("{scalar}")),
        };
        let [protocol, version, event_id] = ["protocol", "version", "eventId"].map(token);
        Self { protocol, version, kind: token(kind), event_id }
    }

    fn refused<T: Document>(&self) -> Refused {
        Refused { why: T::explain(self), event_id: self.event_id.text().and_then(|id| id.parse().ok()) }
    }

    /// The version, when it is a number and stands there once.
    pub(crate) fn version(&self) -> Option<Version> {
        match &self.version {
            Token::Once(value) => Version1::number(value.get()),
            _ => None,
        }
    }

    /// Whether the document has this protocol name, once.
    pub(crate) fn is_of(&self, protocol: &str) -> bool {
        self.protocol.text().is_some_and(|name| name == protocol)
    }

    /// The kind of the document.
    pub(crate) fn kind(&self) -> &Token {
        &self.kind
    }

    /// The kind of the document, when it is a text.
    pub(crate) fn kind_text(&self) -> Option<String> {
        self.kind.text()
    }

    /// Another version than 1 of the right protocol is unsupported; everything else is invalid.
    pub(crate) fn explain(&self, protocol: &str) -> Refusal {
        match self.version() {
            Some(Version::Zero | Version::Other) if self.is_of(protocol) => Refusal::UnsupportedVersion,
            _ => Refusal::Invalid,
        }
    }
}

struct HeaderVisitor<'h> {
    header: &'h mut Header,
    kind: &'static str,
}

impl<'de> Visitor<'de> for HeaderVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(Name(field)) = map.next_key()? {
            let token = match field {
                HeaderField::Named(name) => match name.as_slice() {
                    b"protocol" => Some(&mut self.header.protocol),
                    b"version" => Some(&mut self.header.version),
                    b"eventId" => Some(&mut self.header.event_id),
                    name if name == self.kind.as_bytes() => Some(&mut self.header.kind),
                    _ => None,
                },
                HeaderField::Unknown => None,
            };
            match token {
                Some(token) => token.add(map.next_value()?),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

/// A field name, unless it is too long to be one of a header.
enum HeaderField {
    Named(Vec<u8>),
    Unknown,
}

impl FieldName for HeaderField {
    fn named(name: &[u8]) -> Self {
        if name.len() <= 8 { Self::Named(name.to_vec()) } else { Self::Unknown }
    }
}

/// Gives a document its three readers.
macro_rules! document {
    ($name:ident read as $wire:ty: $protocol:literal, at most $bytes:literal bytes, $($item:tt)*) => {
        $crate::document::document!(
            @readers $name, $protocol, $crate::diagnostic::DeterministicDiagnostic,
            "the text has more than [`MAX_TEXT_BYTES`](Self::MAX_TEXT_BYTES) bytes, is not JSON, \
             is of another version, or breaks a rule of the schema.",
            "As [`decode`](Self::decode), but that the size is that of the accepted value, and only where the \
             protocol limits it.",
            { type Wire = $wire; const MAX_TEXT_BYTES: usize = $bytes; $($item)* }
        );

        impl $name {
            /// The greatest size of the text in bytes.
            pub const MAX_TEXT_BYTES: usize = $bytes;
        }
    };
    ($name:ident: $protocol:literal, refused as $diagnostic:ty, $($item:tt)*) => {
        $crate::document::document!($name read as $crate::wire::Wire<Self>: $protocol, refused as $diagnostic,
            fn from_wire(wire: Self::Wire) -> Option<Self> {
                Some(wire.0)
            }

            $($item)*
        );
    };
    ($name:ident read as $wire:ty: $protocol:literal, refused as $diagnostic:ty, $($item:tt)*) => {
        $crate::document::document!(
            @readers $name, $protocol, $diagnostic,
            "the text is not JSON, is of another version, is of an unknown kind where the protocol has kinds, \
             or breaks a rule of the schema.",
            "As [`decode`](Self::decode).",
            { type Wire = $wire; $($item)* }
        );
    };
    (@readers $name:ident, $protocol:literal, $diagnostic:ty, $errors:literal, $embedded:literal, { $($item:tt)* }) => {
        impl $crate::document::Document for $name {
            type Diagnostic = $diagnostic;

            const PROTOCOL: &'static str = $protocol;
            $($item)*
        }

        impl $name {
            /// The protocol name.
            pub const PROTOCOL: &'static str = $protocol;

            /// Reads a JSON text.
            ///
            /// # Errors
            ///
            #[doc = concat!("In this order: ", $errors)]
            pub fn decode(text: impl AsRef<[u8]>) -> Result<Self, $diagnostic> {
                $crate::document::decode(text.as_ref())
            }

            /// Reads a JSON text that was part of a larger one, whose size has been dealt with.
            ///
            /// # Errors
            ///
            #[doc = $embedded]
            pub fn decode_embedded(text: &str) -> Result<Self, $diagnostic> {
                $crate::document::decode_embedded(text)
            }

            /// Reads a value that has already been parsed.
            ///
            /// # Errors
            ///
            /// As [`decode_embedded`](Self::decode_embedded). A repeated key can no longer be seen, and neither can
            /// what the parser of the value made of it: see [`ForeignValue`](crate::ForeignValue).
            pub fn decode_value(value: &serde_json::Value) -> Result<Self, $diagnostic> {
                $crate::document::decode_value(value)
            }
        }
    };
}

pub(crate) use document;
