//! A key of the state: absent, written, or kept out.

use serde::Serialize;
use serde::ser::Serializer;

use crate::state::PLACEHOLDERS;

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Field<T> {
    #[default]
    Absent,
    Written(T),
    /// By a policy: what was written is gone, and what is written later is dropped.
    KeptOut,
}

impl<T> Field<T> {
    pub(super) fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Writes the value, or makes it absent again.
    pub(super) fn set(&mut self, value: Option<T>) {
        if !matches!(self, Self::KeptOut) {
            *self = value.map_or(Self::Absent, Self::Written);
        }
    }
}

impl<T> Field<alloc::vec::Vec<T>> {
    /// One more row.
    pub(super) fn push(&mut self, row: T) {
        match self {
            Self::Absent => *self = Self::Written([row].into()),
            Self::Written(rows) => rows.push(row),
            Self::KeptOut => {}
        }
    }
}

impl<T: Serialize> Serialize for Field<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Absent => serializer.serialize_none(),
            Self::Written(value) => value.serialize(serializer),
            Self::KeptOut => serializer.serialize_str(PLACEHOLDERS[0]),
        }
    }
}

#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Field<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        alloc::format!("Field_of_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let written = generator.subschema_for::<T>();
        schemars::json_schema!({ "anyOf": [written, { "enum": PLACEHOLDERS }] })
    }
}
