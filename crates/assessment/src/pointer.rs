//! Pointers into the record: what a reason or a check was read from.

use alloc::borrow::Cow;
use core::fmt;

use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

use crate::state::StateKey;

/// A place in the record.
///
/// It names a leaf wherever the record has one to name, so that showing a pointer shows no row. The place
/// may be absent from the record (a report of an early stop that has no `iteration`, say).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pointer<'a> {
    /// A place in the committed state.
    State {
        /// The key of the state.
        key: StateKey,
        /// The place in that key's value.
        path: StatePath,
    },
    /// A tool's result in the history.
    History {
        /// The position of the message in the history, from 0.
        index: usize,
        /// The call it answers, where it names one.
        call: Option<Cow<'a, str>>,
    },
}

impl Pointer<'_> {
    pub(crate) fn row(key: StateKey, row: usize, leaf: &'static str) -> Self {
        Self::State { key, path: StatePath { row: Some(row), leaf } }
    }

    pub(crate) fn whole(key: StateKey, leaf: &'static str) -> Self {
        Self::State { key, path: StatePath { row: None, leaf } }
    }

    /// The same pointer with no borrow of the record.
    #[must_use]
    pub fn into_owned(self) -> Pointer<'static> {
        match self {
            Self::State { key, path } => Pointer::State { key, path },
            Self::History { index, call } => {
                Pointer::History { index, call: call.map(|call| Cow::Owned(call.into_owned())) }
            }
        }
    }
}

/// A place in the value of a key of the state, an RFC 6901 pointer relative to that value.
///
/// ```
/// use answerplane_assessment::{Declarations, Pointer, Record, assess};
/// use serde_json::json;
///
/// let record = json!({ "snapshot": { "sharedState": { "stoppedEarly": { "iteration": 3 } } } });
/// let assessment = assess(Record::new(&record)?, &Declarations::default());
/// let Pointer::State { path, .. } = &assessment.reasons()[0].witness()[0] else { unreachable!() };
/// assert_eq!(path.to_string(), "/iteration");
/// # Ok::<(), answerplane_assessment::CallerError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatePath {
    row: Option<usize>,
    /// Members only, without `~` and with `/` as the separator of the pointer.
    leaf: &'static str,
}

impl StatePath {
    /// The row it points into, from 0, where the value is a list.
    #[must_use]
    pub const fn row(&self) -> Option<usize> {
        self.row
    }

    /// The member it points at: of the row, or of the value where that is no list. Empty for the value itself.
    #[must_use]
    pub const fn leaf(&self) -> &'static str {
        self.leaf
    }
}

impl fmt::Display for StatePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(row) = self.row {
            write!(f, "/{row}")?;
        }
        if self.leaf.is_empty() { Ok(()) } else { write!(f, "/{}", self.leaf) }
    }
}

impl Serialize for StatePath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for Pointer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::State { key, path } => {
                let mut out = serializer.serialize_struct("Pointer", 3)?;
                out.serialize_field("kind", "state")?;
                out.serialize_field("key", key)?;
                out.serialize_field("path", path)?;
                out.end()
            }
            Self::History { index, call } => {
                let mut out = serializer.serialize_struct("Pointer", 3 + usize::from(call.is_some()))?;
                out.serialize_field("kind", "history")?;
                out.serialize_field("index", index)?;
                out.serialize_field("path", if call.is_some() { "/toolCallId" } else { "/role" })?;
                if let Some(call) = call {
                    out.serialize_field("toolCallId", call)?;
                }
                out.end()
            }
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Pointer<'_> {
    fn schema_name() -> Cow<'static, str> {
        "Pointer".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let key = generator.subschema_for::<StateKey>();
        schemars::json_schema!({ "oneOf": [
            {
                "type": "object",
                "properties": {
                    "kind": { "const": "state" },
                    "key": key,
                    "path": { "type": "string", "pattern": "^(/[A-Za-z0-9]+)*$(?!\\n)" }
                },
                "required": ["kind", "key", "path"],
                "additionalProperties": false
            },
            {
                "type": "object",
                "properties": {
                    "kind": { "const": "history" },
                    "index": { "type": "integer", "minimum": 0 },
                    "path": { "const": "/toolCallId" },
                    "toolCallId": { "type": "string", "minLength": 1 }
                },
                "required": ["kind", "index", "path", "toolCallId"],
                "additionalProperties": false
            },
            {
                "type": "object",
                "properties": {
                    "kind": { "const": "history" },
                    "index": { "type": "integer", "minimum": 0 },
                    "path": { "const": "/role" }
                },
                "required": ["kind", "index", "path"],
                "additionalProperties": false
            }
        ] })
    }
}
