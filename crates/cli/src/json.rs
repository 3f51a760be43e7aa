//! JSON of somebody else's, read as a value. It is read here and nowhere else.

use answerplane_protocol::ForeignValue;
use serde_json::Value;

/// The value of a JSON text, or nothing where it is none or nests too deep.
pub(crate) fn value(text: &[u8]) -> Option<Value> {
    serde_json::from_slice(text).ok().map(ForeignValue::into_value)
}
