//! JSON Schema 2020-12 for every wire type, from the same declarations as the readers.
//!
//! What a schema cannot say (lengths in UTF-16 code units, rules across fields) stands in its descriptions.
//!
//! A pattern ends with `$(?!\n)`: in some dialects `$` alone also stands before a last line break.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use crate::answer::{AnswerDocument, EscalationReason};
use crate::artifact::KnowledgeArtifact;
use crate::ask::{AskDiagnostic, AskRecord, AskRequest, BackendSite};
use crate::component::{
    self, CatalogComponent, ComponentDiagnostic, InteractFrame, RenderFrame, SelectFrame,
};
use crate::content::{ContentDiagnostic, ContentPart};
use crate::diagnostic::DeterministicDiagnostic;
use crate::session_snapshot::{SessionDiagnostic, SessionSnapshot, SnapshotDocument};
use crate::site::SiteDocument;
use crate::turn::{TurnDiagnostic, TurnEvent, TurnRefusal};

/// Every wire type: its short name and its schema.
///
/// ```
/// let names: Vec<&str> = answerplane_protocol::schema::all().iter().map(|(name, _)| *name).collect();
/// assert!(names.starts_with(&["site", "artifact", "answer"]));
/// ```
#[must_use]
pub fn all() -> Vec<(&'static str, Schema)> {
    vec![
        ("site", root::<SiteDocument>()),
        ("artifact", root::<KnowledgeArtifact>()),
        ("answer", answer()),
        ("component-render", root::<RenderFrame>()),
        ("component-select", root::<SelectFrame>()),
        ("component-interact", root::<InteractFrame>()),
        ("component-props", component_props()),
        ("content-record", root::<ContentPart>()),
        ("turn-event", root::<TurnEvent>()),
        ("session-snapshot", session_snapshot()),
        ("ask-request", root::<AskRequest>()),
        ("ask-record", root::<AskRecord>()),
        ("backend-site", root::<BackendSite>()),
        ("diagnostic", root::<DeterministicDiagnostic>()),
        ("component-diagnostic", root::<ComponentDiagnostic>()),
        ("content-diagnostic", root::<ContentDiagnostic>()),
        ("turn-diagnostic", root::<TurnDiagnostic>()),
        ("session-diagnostic", root::<SessionDiagnostic>()),
        ("ask-diagnostic", root::<AskDiagnostic>()),
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

/// Beside version 1 the name of the protocol is the right one; beside version 0 it is anything.
fn session_snapshot() -> Schema {
    let mut schema = root::<SnapshotDocument>();
    schema.insert("title".into(), "SessionSnapshot".into());
    let named = json!({
        "if": { "properties": { "version": { "const": 1 } } },
        "then": { "properties": { "protocol": { "const": SessionSnapshot::PROTOCOL } }, "required": ["protocol"] },
    });
    schema.insert("allOf".into(), vec![named].into());
    schema
}

/// The props of the catalog's components, under the key of each.
fn component_props() -> Schema {
    let mut definitions = Map::new();
    let mut conditions = Vec::new();
    for (key, mut schema) in component::schemas() {
        schema.remove("$schema");
        // The definitions of all components lie side by side; no two differ under one name.
        if let Some(Value::Object(own)) = schema.remove("$defs") {
            definitions.extend(own);
        }
        conditions.push(json!({
            "if": { "properties": { "componentKey": { "const": key } } },
            "then": { "properties": { "props": { "$ref": alloc::format!("#/$defs/{key}") } } },
        }));
        definitions.insert(key.into(), schema.into());
    }
    let keys: Vec<&str> = CatalogComponent::KEYS.to_vec();
    json_schema!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "CatalogFrame",
        "description": "What a component of the standard catalog shows: the key and the props of a frame. Beyond this schema: ids are unique in their list, and the limits of a frame.",
        "type": "object",
        "properties": { "componentKey": { "enum": keys }, "props": true },
        "required": ["componentKey", "props"],
        "allOf": conditions,
        "$defs": definitions,
    })
}

/// Gives a family of diagnostics its schema: the code and message of each reason, and what goes with them.
macro_rules! diagnostic_schema {
    ($($name:ident from $reasons:ty, retryable $retryable:expr, { $($more:tt)* } required [$($required:literal),*];)*) => {
        $(
            impl JsonSchema for $name {
                fn schema_name() -> alloc::borrow::Cow<'static, str> {
                    stringify!($name).into()
                }

                fn json_schema(_: &mut SchemaGenerator) -> Schema {
                    let retryable: fn($reasons) -> bool = $retryable;
                    let variants: Vec<Value> = <$reasons>::ALL
                        .iter()
                        .map(|reason| {
                            json!({ "properties": {
                                "code": { "const": reason.code() },
                                "message": { "const": alloc::format!("{reason}") },
                                "retryable": { "const": retryable(*reason) },
                            } })
                        })
                        .collect();
                    json_schema!({
                        "description": "Why a document was refused. It never holds any of the document.",
                        "type": "object",
                        "properties": {
                            "code": { "type": "string" },
                            "message": { "type": "string" },
                            "retryable": { "type": "boolean" },
                            $($more)*
                        },
                        "required": ["code", "message", "retryable" $(, $required)*],
                        "oneOf": variants,
                    })
                }
            }
        )*
    };
}

diagnostic_schema! {
    DeterministicDiagnostic from DeterministicDiagnostic, retryable |_| false, {} required [];
    ComponentDiagnostic from ComponentDiagnostic, retryable |_| false, {} required [];
    ContentDiagnostic from ContentDiagnostic, retryable |_| false, {} required [];
    TurnDiagnostic from TurnRefusal, retryable |_| false,
        { "eventId": { "type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$(?!\\n)" } } required [];
    SessionDiagnostic from SessionDiagnostic, retryable |_| false, {} required [];
    AskDiagnostic from AskDiagnostic, retryable AskDiagnostic::is_retryable,
        { "version": { "const": 1 } } required ["version"];
}

/// The lines of a doc comment as one text.
#[doc(hidden)]
#[must_use]
pub fn text(lines: &[&str]) -> String {
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_matches(' ')).collect();
    lines.join(" ")
}

/// The schema of an object as it is declared, field by field.
#[doc(hidden)]
pub struct Object {
    description: String,
    properties: Map<String, Value>,
    required: Vec<&'static str>,
}

impl Object {
    /// An object without fields yet.
    #[must_use]
    pub fn new(lines: &[&str]) -> Self {
        Self { description: text(lines), properties: Map::new(), required: Vec::new() }
    }

    /// With a field that has to be there.
    pub fn required<T: JsonSchema>(
        &mut self,
        generator: &mut SchemaGenerator,
        name: &'static str,
        lines: &[&str],
    ) {
        self.required.push(name);
        self.optional::<T>(generator, name, lines);
    }

    /// With one of a single value.
    pub fn fixed<T: JsonSchema>(
        &mut self,
        generator: &mut SchemaGenerator,
        name: &'static str,
        lines: &[&str],
    ) {
        self.required::<T>(generator, name, lines);
    }

    /// With one of a single value that may be absent.
    pub fn optional_fixed<T: JsonSchema>(
        &mut self,
        generator: &mut SchemaGenerator,
        name: &'static str,
        lines: &[&str],
    ) {
        self.optional::<T>(generator, name, lines);
    }

    /// With a field that may be absent.
    pub fn optional<T: JsonSchema>(
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

    /// The schema; a strict object has no other fields.
    #[must_use]
    pub fn finish(self, strict: bool) -> Schema {
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
