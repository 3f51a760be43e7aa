//! JSON Schemas (2020-12) of what this crate reads and writes, from the types that write it.
//!
//! A schema of a record says what a well-formed producer writes. Reading asks for less: whatever does not fit
//! reads as absent.

use alloc::vec;
use alloc::vec::Vec;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, json_schema};

use crate::assessment::AssessmentWire;
use crate::how_sure::HowSure;
use crate::projection::Projection;
use crate::write::StateWire;

/// Every schema of this crate, by name.
///
/// ```
/// let names: Vec<_> = answerplane_assessment::schema::all().iter().map(|(name, _)| *name).collect();
/// assert_eq!(names, [
///     "assessment", "assessment-declarations", "assessment-how-sure", "assessment-projection", "assessment-record",
/// ]);
/// ```
#[must_use]
pub fn all() -> Vec<(&'static str, Schema)> {
    vec![
        ("assessment", of::<AssessmentWire<'_>>()),
        ("assessment-declarations", of::<DeclarationsWire>()),
        ("assessment-how-sure", of::<HowSure<'_>>()),
        ("assessment-projection", of::<Projection>()),
        ("assessment-record", of::<RecordWire>()),
    ]
}

fn of<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>()
}

struct DeclarationsWire;

impl JsonSchema for DeclarationsWire {
    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "Declarations".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "properties": {
                "tools": {
                    "type": "object",
                    "additionalProperties": {
                        "type": "object",
                        "properties": { "rowsAt": { "type": "string", "pattern": "^[^/.]+$" } }
                    }
                }
            }
        })
    }
}

struct RecordWire;

impl JsonSchema for RecordWire {
    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "AssessmentRecord".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> Schema {
        let state = generator.subschema_for::<StateWire>();
        json_schema!({
            "type": "object",
            "properties": {
                "snapshot": {
                    "type": "object",
                    "properties": {
                        "sharedState": state,
                        "recorders": {
                            "type": "array",
                            "items": { "type": "object", "properties": { "id": { "type": "string" } } }
                        }
                    }
                },
                "checkpoint": { "type": "object", "properties": { "sharedState": state } },
                "events": {
                    "type": "array",
                    "items": { "type": "object", "properties": { "type": { "type": "string" } } }
                }
            }
        })
    }
}
