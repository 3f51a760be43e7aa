//! JSON Schema 2020-12 of the input and of the public value.
//!
//! What a schema cannot say stands in its descriptions.

use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use crate::address::Address;
use crate::nav::NavResult;
use crate::surface::{Surface, SurfaceCitation};
use crate::vocabulary::{EpistemicStatus, InferenceForm, OUTDATED_DISCLOSURE};

/// Every schema of this crate: its short name and the schema.
///
/// ```
/// let names: Vec<&str> = answerplane_surface::schema::all().iter().map(|(name, _)| *name).collect();
/// assert_eq!(names, ["surface", "surface-input"]);
/// ```
#[must_use]
pub fn all() -> Vec<(&'static str, Schema)> {
    vec![("surface", root::<Surface>()), ("surface-input", root::<NavResult>())]
}

fn root<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>()
}

impl JsonSchema for Surface {
    fn schema_name() -> Cow<'static, str> {
        "Surface".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let form = generator.subschema_for::<InferenceForm>();
        let status = generator.subschema_for::<EpistemicStatus>();
        let citation = generator.subschema_for::<SurfaceCitation>();
        let disclosure = |outdated: bool, disclosure: Value| json!({ "properties": { "outdated": { "const": outdated }, "disclosure": { "const": disclosure } } });
        json_schema!({
            "description": "A grounded answer as the public sees it. Contract: `docs/surface.md`. Beyond this schema: no two citations have one address.",
            "type": "object",
            "properties": {
                "version": { "const": Self::VERSION, "description": "The version of the value." },
                "text": text_schema("The answer."),
                "conclusion_claim_id": text_schema("The claim that is the answer."),
                "inference_form": form,
                "status": status,
                "premise_claim_ids": claim_ids("The claims that the conclusion rests on, each after what it rests on itself.", 0),
                "citations": {
                    "description": "The nodes that the answer rests on, sorted by address.",
                    "type": "array",
                    "items": citation,
                    "minItems": 1,
                },
                "outdated": { "type": "boolean", "description": "Whether the answer rests on a source that is marked as outdated." },
                "disclosure": {
                    "description": "What has to be said beside an outdated answer, and null beside any other.",
                    "enum": [OUTDATED_DISCLOSURE, null],
                },
            },
            "required": ["version", "text", "conclusion_claim_id", "inference_form", "status", "premise_claim_ids", "citations", "outdated", "disclosure"],
            "additionalProperties": false,
            "oneOf": [disclosure(true, json!(OUTDATED_DISCLOSURE)), disclosure(false, Value::Null)],
        })
    }
}

impl JsonSchema for SurfaceCitation {
    fn schema_name() -> Cow<'static, str> {
        "SurfaceCitation".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let address = generator.subschema_for::<Address>();
        let status = generator.subschema_for::<EpistemicStatus>();
        json_schema!({
            "description": "A node that an answer rests on.",
            "type": "object",
            "properties": {
                "address": address,
                "claim_ids": claim_ids("The claims that cite the node, in the order of the premises, the conclusion last.", 1),
                "status": status,
                "outdated": { "type": "boolean", "description": "Whether the node is marked as outdated." },
            },
            "required": ["address", "claim_ids", "status", "outdated"],
            "additionalProperties": false,
        })
    }
}

fn text_schema(description: &str) -> Value {
    json!({ "type": "string", "minLength": 1, "description": description })
}

fn claim_ids(description: &str, min: usize) -> Value {
    json!({
        "description": description,
        "type": "array",
        "items": { "type": "string", "minLength": 1 },
        "minItems": min,
        "uniqueItems": true,
    })
}
