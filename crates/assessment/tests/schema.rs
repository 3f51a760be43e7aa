//! The exported schemas: self-contained, named, and in step with what is written.
#![allow(clippy::unwrap_used)] // in the helpers of tests too
#![cfg(feature = "schema")]

use std::collections::BTreeSet;

use answerplane_assessment::schema::all;
use answerplane_assessment::write::{CallId, Message, RecordWriter, StopReason, StoppedEarly};
use answerplane_assessment::{Declarations, Record, TurnEnd, assess, how_sure};
use serde_json::{Value, json};

fn schema(name: &str) -> Value {
    all().into_iter().find(|(own, _)| *own == name).unwrap().1.as_value().clone()
}

/// The members that a schema of an object allows for, and those it requires.
fn members(schema: &Value) -> (BTreeSet<String>, BTreeSet<String>) {
    let allowed = schema["properties"].as_object().unwrap().keys().cloned().collect();
    let required = schema["required"].as_array().into_iter().flatten();
    (allowed, required.map(|name| name.as_str().unwrap().to_owned()).collect())
}

fn keys(value: &Value) -> BTreeSet<String> {
    value.as_object().unwrap().keys().cloned().collect()
}

fn fits(value: &Value, schema: &Value) {
    let (allowed, required) = members(schema);
    assert!(keys(value).is_subset(&allowed), "{value} {schema}");
    assert!(required.is_subset(&keys(value)), "{value} {schema}");
}

#[test]
fn every_reference_is_within_its_schema() {
    fn walk(value: &Value, root: &Value) {
        match value {
            Value::Object(members) => {
                if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
                    assert!(root.pointer(reference.strip_prefix('#').unwrap()).is_some(), "{reference}");
                }
                members.values().for_each(|value| walk(value, root));
            }
            Value::Array(items) => items.iter().for_each(|value| walk(value, root)),
            _ => {}
        }
    }
    let names: Vec<_> = all().iter().map(|(name, _)| *name).collect();
    assert!(names.is_sorted());
    for (name, schema) in all() {
        let root = schema.as_value();
        assert_eq!(root["$schema"], "https://json-schema.org/draft/2020-12/schema", "{}", name);
        assert_eq!(root["type"], "object", "{}", name);
        walk(root, root);
    }
}

#[test]
fn what_is_written_fits() {
    let mut record = RecordWriter::new();
    record.turn(1).message(Message::person("hi")).paused(Some("c1".parse::<CallId>().unwrap()));
    record.stopped_early(StoppedEarly::new(StopReason::CostBudget, 1, 0, true)).ended();
    let value = record.to_value();
    let parsed = Record::new(&value).unwrap();
    let assessment = assess(parsed, &Declarations::default());

    let root = schema("assessment-record");
    fits(&value, &root);
    fits(&value["snapshot"]["sharedState"], &root["$defs"]["RunState"]);
    assert_eq!(members(&root["$defs"]["RunState"]).1, BTreeSet::new(), "every key may be absent");
    let state_keys: BTreeSet<_> =
        answerplane_assessment::StateKey::ALL.iter().map(|key| key.as_str().to_owned()).collect();
    assert_eq!(members(&root["$defs"]["RunState"]).0, state_keys);

    fits(&serde_json::to_value(&assessment).unwrap(), &schema("assessment"));
    let required = ["assessment", "standing", "reasons", "checked", "turnFrom"].map(str::to_owned);
    assert_eq!(members(&schema("assessment")).1, BTreeSet::from(required));
    let projection = answerplane_assessment::Projection::of(&assessment);
    fits(&serde_json::to_value(&projection).unwrap(), &schema("assessment-projection"));
    let row = how_sure(&assessment, parsed, TurnEnd::Shown);
    fits(&serde_json::to_value(&row).unwrap(), &schema("assessment-how-sure"));
    let declarations = json!({ "tools": { "vols": { "rowsAt": "volumes" } } });
    fits(&declarations, &schema("assessment-declarations"));
}

#[test]
fn absent_is_never_spelled_null() {
    fn nulls(value: &Value) -> usize {
        match value {
            Value::Object(members) => {
                let own = members.get("type").is_some_and(|name| {
                    name == "null" || name.as_array().is_some_and(|names| names.contains(&json!("null")))
                });
                usize::from(own) + members.values().map(nulls).sum::<usize>()
            }
            Value::Array(items) => items.iter().map(nulls).sum(),
            _ => 0,
        }
    }
    for (name, schema) in all() {
        // The value of a fact that cannot be told is null.
        assert_eq!(nulls(schema.as_value()), usize::from(name == "assessment-how-sure"), "{name}");
    }
}
