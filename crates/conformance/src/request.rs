//! One request: named fields, each still the JSON text that stood there.
//!
//! Nothing is built before an op asks for it, so that a document inside a request keeps its number spellings and
//! may nest as deep as it likes.

use answerplane_protocol::ForeignValue;
use answerplane_protocol::declare::RawMembers;
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};

/// A line that is no request: not JSON, no op that we know, or a field that is missing or of the wrong type.
#[derive(Debug)]
pub(crate) struct BadRequest;

pub(crate) struct Request<'l>(RawMembers<'l>);

impl<'l> Request<'l> {
    pub(crate) fn parse(line: &'l [u8]) -> Result<Self, BadRequest> {
        let line = str::from_utf8(line).map_err(|_| BadRequest)?;
        serde_json::from_str::<IgnoredAny>(line).map_err(|_| BadRequest)?;
        serde_json::from_str(line).map(Self).map_err(|_| BadRequest)
    }

    /// The JSON text of a field.
    pub(crate) fn raw(&self, name: &str) -> Option<&'l str> {
        self.0.get(name).map(|value| value.get())
    }

    /// A field that may be absent, and is treated so when it is of another type.
    pub(crate) fn optional<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_str(self.raw(name)?).ok()
    }

    /// A field that has to be there.
    pub(crate) fn required<T: DeserializeOwned>(&self, name: &str) -> Result<T, BadRequest> {
        self.optional(name).ok_or(BadRequest)
    }

    /// A field that may be absent, as a value.
    pub(crate) fn value(&self, name: &str) -> Result<Option<Value>, BadRequest> {
        self.raw(name).map(|text| value(text).ok_or(BadRequest)).transpose()
    }

    /// The input of a decoder: `text`, a raw JSON text (with `parse`, one whose size does not count), or
    /// `input`, a value (a string in there is a raw JSON text too).
    pub(crate) fn decode<T, E>(
        &self,
        decode: impl FnOnce(String) -> Result<T, E>,
        decode_embedded: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Result<T, E>, BadRequest> {
        let parsed;
        let input = match self.raw("text") {
            Some(_) => {
                let text: String = self.required("text")?;
                if !self.optional("parse").unwrap_or(false) {
                    return Ok(decode(text));
                }
                parsed = text;
                parsed.as_str()
            }
            None => self.raw("input").ok_or(BadRequest)?,
        };
        Ok(match serde_json::from_str::<String>(input) {
            Ok(text) => decode(text),
            Err(_) => decode_embedded(input),
        })
    }
}

/// The result of a decoder whose value stands under `value`.
pub(crate) fn decoded(value: Result<Result<Value, impl Serialize>, BadRequest>) -> Result<Value, BadRequest> {
    decoded_as("value", value?)
}

/// The result of a decoder whose value stands under `name`.
pub(crate) fn decoded_as(
    name: &str,
    value: Result<impl Serialize, impl Serialize>,
) -> Result<Value, BadRequest> {
    Ok(match value {
        Ok(value) => json!({ "ok": true, name: value }),
        Err(diagnostic) => failure(diagnostic),
    })
}

pub(crate) fn failure(diagnostic: impl Serialize) -> Value {
    json!({ "ok": false, "diagnostic": diagnostic })
}

/// A JSON text as a value.
pub(crate) fn value(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok().map(ForeignValue::into_value)
}
