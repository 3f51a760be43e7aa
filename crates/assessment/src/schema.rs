//! JSON Schemas (2020-12) of what this crate reads and writes, from the types that write it.
//!
//! The schema of a record asks for the shape of what is there and for little to be there; reading asks for
//! nothing at all, and takes what does not fit as absent.

use alloc::vec;
use alloc::vec::Vec;

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema, json_schema};
use serde_json::{Value, json};

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
        ("assessment-record", record()),
    ]
}

fn of<T: JsonSchema>() -> Schema {
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>();
    RecursiveTransform(absent_not_null).transform(&mut schema);
    RecursiveTransform(plain).transform(&mut schema);
    schema
}

/// Without what only says how Rust holds a number, and of a description the first paragraph: the rest is about Rust.
fn plain(schema: &mut Schema) {
    if schema.get("type").is_some_and(|name| name == "integer") {
        schema.remove("format");
        if schema.get("maximum") == Some(&u8::MAX.into()) {
            schema.remove("maximum");
        }
    }
    if let Some(Value::String(description)) = schema.get_mut("description")
        && let Some(end) = description.find("\n\n")
    {
        description.truncate(end);
    }
}

/// A record's rows may leave out everything but what tells their kind, and the ledger has rows of further kinds.
fn record() -> Schema {
    const KINDS: [&str; 5] = ["role", "kind", "at", "source", "asked"];
    let mut schema = of::<RecordWire>();
    let only_kinds = |schema: &mut Schema| {
        if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
            required.retain(|name| name.as_str().is_some_and(|name| KINDS.contains(&name)));
        }
    };
    RecursiveTransform(only_kinds).transform(&mut schema);
    if let Some(Value::Array(rows)) = schema.pointer_mut("/$defs/LedgerRow/oneOf") {
        let known: Vec<Value> =
            rows.iter().filter_map(|row| row.pointer("/properties/kind/const")).cloned().collect();
        rows.push(json!({
            "description": "A row that is not read.",
            "type": "object",
            "properties": { "kind": { "not": { "enum": known } } },
        }));
    }
    schema
}

/// A member without a value is left out: null would be a value, and counts as one. (Only a fact's value is null
/// where there is none.)
fn absent_not_null(schema: &mut Schema) {
    let Some(members) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (_, member) in members.iter_mut().filter(|(name, _)| *name != "value") {
        let Some(member) = member.as_object_mut() else { continue };
        if let Some(Value::Array(types)) = member.get_mut("type") {
            types.retain(|name| name != "null");
            if let [one] = types.as_slice() {
                let one = one.clone();
                member.insert("type".into(), one);
            }
        }
        let Some(Value::Array(choices)) = member.get_mut("anyOf") else { continue };
        choices.retain(|choice| choice.get("type").is_none_or(|name| name != "null"));
        if let [Value::Object(one)] = choices.as_slice() {
            let one = one.clone();
            member.remove("anyOf");
            member.extend(one);
        }
    }
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
                        "properties": { "rowsAt": { "type": "string", "pattern": "^[^/.]+$(?!\\n)" } }
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
