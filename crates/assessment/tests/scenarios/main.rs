//! The scenarios of the assessment contract, by their numbers. An expectation is the whole assessment, told on
//! one line from its serialized form.

#![allow(clippy::unwrap_used)] // in the helpers of tests too

mod answer;
mod carriers;
mod conflicts;
mod coverage;
mod emptiness;
mod errors;
mod inputs;
mod periods;
mod redaction;
mod rendering;
mod tool_bytes;
mod turns;
mod value;

use answerplane_assessment::{Assessment, Declarations, Record, assess};
use serde_json::{Value, json};

/// A person's message.
fn u(text: &str) -> Value {
    json!({ "role": "user", "content": text })
}

/// A result of the tool `lookup`.
fn t(call: &str, value: Value) -> Value {
    named(call, value, "lookup")
}

/// A result of a tool: a text as it stands, anything else as its JSON text.
fn named(call: &str, value: Value, tool: &str) -> Value {
    let content = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    json!({ "role": "tool", "content": content, "toolCallId": call, "toolName": tool })
}

/// An absence envelope with these further members.
fn abs(more: Value) -> Value {
    with(json!({ "af_absent": true, "checked": ["a"] }), more)
}

/// A coverage envelope around a value.
fn cov(value: Value, coverage: Value) -> Value {
    json!({ "af_coverage": coverage, "result": value })
}

/// A coverage row of a call.
fn row(kind: &str, call: &str, more: Value) -> Value {
    with(
        json!({ "kind": kind, "toolName": "lookup", "toolCallId": call, "iteration": 1, "checked": [] }),
        more,
    )
}

fn with(mut object: Value, more: Value) -> Value {
    let members = more.as_object().unwrap().clone();
    object.as_object_mut().unwrap().extend(members);
    object
}

fn carried(state: Value) -> Value {
    json!({ "snapshot": { "sharedState": state } })
}

/// The assessment of a state, on one line.
fn told(state: Value) -> String {
    told_with(state, &Declarations::default())
}

fn told_with(state: Value, declarations: &Declarations) -> String {
    told_record(&carried(state), declarations)
}

fn told_record(record: &Value, declarations: &Declarations) -> String {
    line(&assess(Record::new(record).unwrap(), declarations))
}

fn rows_at(tool: &str, key: &str) -> Declarations {
    Declarations::default().with_rows_at(tool, key).unwrap()
}

/// `standing: reason@layer[witness], … | check ran/of [witness], … | turn`.
fn line(assessment: &Assessment<'_>) -> String {
    let wire: Value = serde_json::to_value(assessment).unwrap();
    let pairs = [
        ("known", "known"),
        ("unrefuted", "consistent"),
        ("unknown", "not-sure"),
        ("unknown", "ask"),
        ("not-applicable", "not-assessed"),
    ];
    let standing = wire["standing"].as_str().unwrap();
    assert!(pairs.contains(&(wire["assessment"].as_str().unwrap(), standing)), "{wire}");
    let reasons: Vec<_> = list(&wire["reasons"])
        .map(|fired| {
            let layer = fired.get("layer").map(|layer| format!("@{layer}")).unwrap_or_default();
            format!("{}{layer}{}", fired["reason"].as_str().unwrap(), witness(&fired["witness"]))
        })
        .collect();
    let checks: Vec<_> = list(&wire["checked"])
        .map(|run| {
            let check = run["check"].as_str().unwrap();
            format!("{check}@{} {}/{} {}", run["layer"], run["ran"], run["of"], witness(&run["witness"]))
        })
        .collect();
    let mut line = format!("{standing}: {} | {} | ", reasons.join(", "), checks.join(", "));
    line.push_str(wire["turnFrom"].as_str().unwrap());
    if let Some(support) = wire.get("support") {
        line.push_str(&format!(
            " | {} {}",
            support["kind"].as_str().unwrap(),
            support["reportDigest"].as_str().unwrap()
        ));
    }
    if let Some(keys) = wire.get("keptOut") {
        line.push_str(&format!(
            " | kept out {}",
            list(keys).map(|key| key.as_str().unwrap()).collect::<Vec<_>>().join(" ")
        ));
    }
    line
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().unwrap().iter()
}

/// `H(index,call)` for the history, the key and the path for the state.
fn witness(pointers: &Value) -> String {
    let told = list(pointers).map(|pointer| match pointer["kind"].as_str().unwrap() {
        "state" => format!("{}{}", pointer["key"].as_str().unwrap(), pointer["path"].as_str().unwrap()),
        _ => match pointer.get("toolCallId") {
            Some(call) => {
                assert_eq!(pointer["path"], "/toolCallId");
                format!("H({},{})", pointer["index"], call.as_str().unwrap())
            }
            None => {
                assert_eq!(pointer["path"], "/role");
                format!("H({})", pointer["index"])
            }
        },
    });
    format!("[{}]", told.collect::<Vec<_>>().join(" "))
}
