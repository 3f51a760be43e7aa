//! The context of an instance: a JSON object that can be saved and restored.

use alloc::string::String;
use alloc::sync::Arc;

use serde_json::{Map, Value};

/// The greatest number of levels that a context nests, itself included.
///
/// A snapshot is one level more, and a JSON value of 128 levels is refused: what is saved can be restored.
pub const MAX_CONTEXT_DEPTH: usize = 126;

/// A closure could not do its work. Any error becomes one with `?`, and nothing of it is kept.
///
/// ```
/// use answerplane_statechart::Failed;
///
/// fn number(text: &str) -> Result<u32, Failed> {
///     Ok(text.parse()?)
/// }
/// assert_eq!(number("seven"), Err(Failed));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Failed;

impl<E: core::error::Error> From<E> for Failed {
    fn from(_: E) -> Self {
        Self
    }
}

/// A context that is known not to nest too deep. Cloning shares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Context(Arc<Map<String, Value>>);

impl Context {
    /// `None` where the object nests too deep.
    pub(crate) fn new(object: Map<String, Value>) -> Option<Self> {
        is_within(&object, MAX_CONTEXT_DEPTH).then(|| Self(Arc::new(object)))
    }

    pub(crate) fn object(&self) -> &Map<String, Value> {
        &self.0
    }
}

/// The greatest number of levels of a JSON value that is built from its text.
const MAX_DEPTH: usize = 127;

/// Whether a value is one that could have been built from a text.
pub(crate) fn is_buildable(value: &Value) -> bool {
    is_value_within(value, MAX_DEPTH)
}

fn is_within(object: &Map<String, Value>, levels: usize) -> bool {
    levels > 0 && object.values().all(|value| is_value_within(value, levels - 1))
}

/// Goes no deeper than `levels`, however deep the value is.
fn is_value_within(value: &Value, levels: usize) -> bool {
    match value {
        Value::Object(object) => is_within(object, levels),
        Value::Array(items) => levels > 0 && items.iter().all(|item| is_value_within(item, levels - 1)),
        _ => true,
    }
}
