//! JSON Schema 2020-12 for every wire type, from the same declarations as the readers.
//!
//! What a schema cannot say (lengths in UTF-16 code units, rules across fields) stands in its descriptions.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use crate::answer::{AnswerDocument, EscalationReason};
use crate::artifact::KnowledgeArtifact;
use crate::diagnostic::DeterministicDiagnostic;
use crate::site::SiteConfig;

/// Every wire type: its short name and its schema.
///
/// ```
/// let names: Vec<&str> = answerplane_protocol::schema::all().iter().map(|(name, _)| *name).collect();
/// assert_eq!(names, ["site", "artifact", "answer", "diagnostic"]);
/// ```
#[must_use]
pub fn all() -> Vec<(&'static str, Schema)> {
    vec![
        ("site", root::<SiteConfig>()),
        ("artifact", root::<KnowledgeArtifact>()),
        ("answer", answer()),
        ("diagnostic", root::<DeterministicDiagnostic>()),
    ]
}

pub(crate) fn root<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>()
}

/// The basis of an escalation's confidence is its reason: one condition for each reason.
fn answer() -> Schema {
    let mut schema = root::<AnswerDocument>();
    let conditions: Vec<Value> = EscalationReason::ALL
        .iter()
        .map(|reason| {
            json!({
                "if": { "properties": { "reason": { "const": reason } } },
                "then": { "properties": {
                    "confidence": { "type": "object", "properties": { "basis": { "const": reason } } },
                } },
            })
        })
        .collect();
    if let Some(escalation) = schema.pointer_mut("/$defs/EscalationAnswer").and_then(Value::as_object_mut) {
        escalation.insert("allOf".into(), conditions.into());
    }
    schema
}

impl JsonSchema for DeterministicDiagnostic {
    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "DeterministicDiagnostic".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let variants: Vec<Value> = Self::ALL
            .iter()
            .map(|diagnostic| {
                json!({ "properties": {
                    "code": { "const": diagnostic.code() },
                    "message": { "const": alloc::format!("{diagnostic}") },
                } })
            })
            .collect();
        json_schema!({
            "description": "Why a document was refused. It never holds any of the document.",
            "type": "object",
            "properties": {
                "code": { "type": "string" },
                "message": { "type": "string" },
                "retryable": { "const": false },
            },
            "required": ["code", "message", "retryable"],
            "oneOf": variants,
        })
    }
}

/// The lines of a doc comment as one text.
pub(crate) fn text(lines: &[&str]) -> String {
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_matches(' ')).collect();
    lines.join(" ")
}

/// The schema of an object as it is declared, field by field.
pub(crate) struct Object {
    description: String,
    properties: Map<String, Value>,
    required: Vec<&'static str>,
}

impl Object {
    pub(crate) fn new(lines: &[&str]) -> Self {
        Self { description: text(lines), properties: Map::new(), required: Vec::new() }
    }

    pub(crate) fn required<T: JsonSchema>(
        &mut self,
        generator: &mut SchemaGenerator,
        name: &'static str,
        lines: &[&str],
    ) {
        self.required.push(name);
        self.optional::<T>(generator, name, lines);
    }

    pub(crate) fn fixed<T: JsonSchema>(
        &mut self,
        generator: &mut SchemaGenerator,
        name: &'static str,
        lines: &[&str],
    ) {
        self.required::<T>(generator, name, lines);
    }

    pub(crate) fn optional_fixed<T: JsonSchema>(
        &mut self,
        generator: &mut SchemaGenerator,
        name: &'static str,
        lines: &[&str],
    ) {
        self.optional::<T>(generator, name, lines);
    }

    pub(crate) fn optional<T: JsonSchema>(
        &mut self,
        generator: &mut SchemaGenerator,
        name: &'static str,
        lines: &[&str],
    ) {
        let mut schema = generator.subschema_for::<T>();
        let mut description = text(lines);
        if let Some(own) = schema.get("description").and_then(Value::as_str) {
            description = alloc::format!("{description} {own}");
        }
        schema.insert("description".into(), description.into());
        self.properties.insert(name.into(), schema.into());
    }

    pub(crate) fn finish(self, strict: bool) -> Schema {
        let Self { description, properties, required } = self;
        let mut schema = json_schema!({
            "description": description,
            "type": "object",
            "properties": properties,
            "required": required,
        });
        if strict {
            schema.insert("additionalProperties".into(), false.into());
        }
        schema
    }
}
