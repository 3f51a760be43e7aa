//! What a definition is, and every way in which it is refused, with its place.
#![allow(clippy::unwrap_used)] // in the helpers of tests too

use answerplane_statechart::{Builder, Code, Definition, Edge, Fault, InvalidDefinition, State, Value};
use proptest::prelude::*;
use serde_json::json;

#[track_caller]
fn assert_refused(refused: &InvalidDefinition, fault: Fault, place: &str) {
    assert_eq!((refused.fault(), refused.place().to_string().as_str()), (fault, place));
    assert_eq!(refused.code(), Code::DefinitionInvalid);
    assert_eq!(refused.to_string(), format!("{place}: {fault}"));
}

#[track_caller]
fn assert_json_refused(text: &str, fault: Fault, place: &str) {
    assert_refused(&Definition::decode(text).unwrap_err(), fault, place);
}

fn door() -> Builder {
    Definition::builder("door", "1", "closed")
        .state(State::new("closed").on("OPEN", "open").on("LOCK", Edge::to("locked")))
        .state(State::new("open").on("CLOSE", String::from("closed")))
        .state(State::new("locked"))
}

fn names<'d>(names: impl Iterator<Item = &'d answerplane_statechart::NonBlank>) -> Vec<&'d str> {
    names.map(|name| name.as_str()).collect()
}

#[test]
fn a_definition_tells_what_was_declared_in_its_order() {
    let door = door().build().unwrap();
    assert_eq!(
        (door.id().as_str(), door.version().as_str(), door.initial().as_str()),
        ("door", "1", "closed")
    );
    assert_eq!(names(door.states()), ["closed", "open", "locked"]);
    assert_eq!(names(door.events("closed").map(|(event, _)| event)), ["OPEN", "LOCK"]);
    assert_eq!(names(door.events("closed").map(|(_, target)| target)), ["open", "locked"]);
    assert_eq!(door.events("locked").count() + door.events("nowhere").count(), 0);
    assert_eq!(door.target("open", "CLOSE").unwrap(), "closed");
    assert!(door.target("open", "OPEN").is_none() && door.target("nowhere", "OPEN").is_none());
}

#[test]
fn a_definition_in_json_is_the_same_definition() {
    let text = r#"{ "states": { "closed": { "on": { "OPEN": { "target": "open" }, "LOCK": { "target": "locked" } } },
        "open": { "on": { "CLOSE": { "target": "closed" } } }, "locked": { } },
        "initial": "closed", "version": "1", "id": "door" }"#;
    let decoded = Definition::decode(text).unwrap();
    assert_eq!(format!("{decoded:?}"), format!("{:?}", door().build().unwrap()));
    assert_eq!(decoded.to_dot(), door().build().unwrap().to_dot());
}

#[test]
fn a_text_that_is_not_json_is_refused() {
    for text in ["", "{", "{'id':1}", "\u{feff}{}", "{} x"] {
        assert_json_refused(text, Fault::NotJson, "definition");
    }
}

#[test]
fn a_list_or_null_is_no_object() {
    for text in ["null", "[]", "\"{}\"", "1"] {
        assert_json_refused(text, Fault::NotObject, "definition");
    }
    let with = |states: &str| format!(r#"{{"id":"m","version":"1","initial":"a","states":{states}}}"#);
    assert_json_refused(&with("[]"), Fault::NotObject, "definition, states");
    assert_json_refused(&with(r#"{"a":null}"#), Fault::NotObject, r#"state "a""#);
    assert_json_refused(&with(r#"{"a":{"on":null}}"#), Fault::NotObject, r#"state "a", on"#);
    assert_json_refused(&with(r#"{"a":{"on":{"GO":"a"}}}"#), Fault::NotObject, r#"state "a", event "GO""#);
}

#[test]
fn a_field_that_is_needed_is_missed() {
    let whole = json!({ "id": "m", "version": "1", "initial": "a", "states": { "a": {} } });
    for field in ["id", "version", "initial", "states"] {
        let mut definition = whole.clone();
        definition.as_object_mut().unwrap().remove(field);
        assert_json_refused(&definition.to_string(), Fault::Missing, &format!("definition, {field}"));
    }
    let text = r#"{"id":"m","version":"1","initial":"a","states":{"a":{"on":{"GO":{}}}}}"#;
    assert_json_refused(text, Fault::Missing, r#"state "a", event "GO", target"#);
}

#[test]
fn what_is_no_text_is_no_name() {
    for value in ["null", "0", "[]", "{}", r#""\ud800""#] {
        let text = format!(r#"{{"id":"m","version":{value},"initial":"a","states":{{"a":{{}}}}}}"#);
        assert_json_refused(&text, Fault::NotText, "definition, version");
    }
    let text = r#"{"id":"m","version":"1","initial":"a","states":{"a":{},"\ud800":{}}}"#;
    assert_json_refused(text, Fault::NotText, "definition, states");
    let text = r#"{"id":"m","version":"1","initial":"a","states":{"a":{"on":{"\ud800":{"target":"a"}}}}}"#;
    assert_json_refused(text, Fault::NotText, r#"state "a", on"#);
}

#[test]
fn blank_names_are_refused() {
    for blank in ["", " ", "\u{feff}\u{a0}\n"] {
        let built = |id: &str, version: &str, initial: &str| {
            Definition::builder(id, version, initial).state(State::new("a")).build().unwrap_err()
        };
        assert_refused(&built(blank, "1", "a"), Fault::Blank, "definition, id");
        assert_refused(&built("m", blank, "a"), Fault::Blank, "definition, version");
        assert_refused(&built("m", "1", blank), Fault::Blank, "definition, initial");
        let with = |state| Definition::builder("m", "1", "a").state(state).build().unwrap_err();
        let refused = with(State::new(blank));
        assert_refused(&refused, Fault::Blank, &format!("state {blank:?}"));
        assert_eq!(refused.place().state(), Some(blank));
        let refused = with(State::new("a").on(blank, "a"));
        assert_refused(&refused, Fault::Blank, &format!("state \"a\", event {blank:?}"));
        assert_eq!(refused.place().event(), Some(blank));
        let refused = with(State::new("a").on("GO", blank));
        assert_refused(&refused, Fault::Blank, r#"state "a", event "GO", target"#);
        assert_eq!(refused.place().field(), Some("target"));
    }
}

#[test]
fn a_definition_without_states_is_refused() {
    let refused = Definition::builder("m", "1", "a").build().unwrap_err();
    assert_refused(&refused, Fault::NoStates, "definition, states");
}

#[test]
fn an_unknown_initial_state_is_refused() {
    let refused = Definition::builder("m", "1", "A").state(State::new("a")).build().unwrap_err();
    assert_refused(&refused, Fault::UnknownState, "definition, initial");
}

#[test]
fn an_unknown_target_is_refused() {
    let state = State::new("a").on("GO", "a").on("FLY", "sky");
    let refused = Definition::builder("m", "1", "a").state(state).build().unwrap_err();
    assert_refused(&refused, Fault::UnknownState, r#"state "a", event "FLY", target"#);
}

#[test]
fn a_name_that_stands_there_twice_is_refused() {
    let twice = |state| Definition::builder("m", "1", "a").state(State::new("a")).state(state);
    assert_refused(&twice(State::new("a")).build().unwrap_err(), Fault::Repeated, r#"state "a""#);
    let state = State::new("b").on("GO", "a").on("GO", "b");
    assert_refused(&twice(state).build().unwrap_err(), Fault::Repeated, r#"state "b", event "GO""#);

    let text = r#"{"id":"m","version":"1","\u0069d":"n","initial":"a","states":{"a":{}}}"#;
    assert_json_refused(text, Fault::Repeated, "definition, id");
    let text = r#"{"id":"m","version":"1","initial":"a","states":{"a":{},"\u0061":{}}}"#;
    assert_json_refused(text, Fault::Repeated, r#"state "a""#);
    let text = r#"{"id":"m","version":"1","initial":"a","states":{"a":{"on":{},"on":{}}}}"#;
    assert_json_refused(text, Fault::Repeated, r#"state "a", on"#);
    let text =
        r#"{"id":"m","version":"1","initial":"a","states":{"a":{"on":{"GO":{"target":"a","target":"a"}}}}}"#;
    assert_json_refused(text, Fault::Repeated, r#"state "a", event "GO", target"#);
}

#[test]
fn json_cannot_carry_code_whatever_stands_there() {
    for code in ["guard", "reduce"] {
        for value in ["1", "null", r#""always""#, "{}"] {
            let text = format!(
                r#"{{"id":"m","version":"1","initial":"a","states":{{"a":{{"on":{{"GO":{{"target":"a","{code}":{value}}}}}}}}}}}"#
            );
            assert_json_refused(&text, Fault::Code, &format!("state \"a\", event \"GO\", {code}"));
        }
    }
}

#[test]
fn unknown_fields_are_ignored_whatever_they_hold() {
    let deep = ["[".repeat(10_000), "]".repeat(10_000)].concat();
    for unknown in [deep.as_str(), "1e999", r#""\ud800""#, "null"] {
        let extra = format!(r#""x":{unknown},"x":{unknown},"\ud800":{unknown}"#);
        let text = format!(
            r#"{{{extra},"id":"m","version":"1","initial":"a","guard":1,
            "states":{{"a":{{{extra},"on":{{"GO":{{{extra},"target":"a"}}}}}}}}}}"#
        );
        assert_eq!(Definition::decode(&text).unwrap().events("a").count(), 1);
    }
}

#[test]
fn every_name_is_ordinary() {
    for name in ["constructor", "__proto__", "toString", "hasOwnProperty", "\u{85}", "\u{200b}", " GO", "[*]"]
    {
        let state = json!({ name: { "on": { name: { "target": name } } } });
        let text = json!({ "id": name, "version": name, "initial": name, "states": state }).to_string();
        let definition = Definition::decode(&text).unwrap();
        assert_eq!(definition.target(name, name).unwrap(), name);
        let plain = Definition::builder("m", "1", "a").state(State::new("a")).build().unwrap();
        assert!(plain.target("a", name).is_none() && plain.target(name, "a").is_none());
    }
}

#[test]
fn of_several_faults_the_first_is_reported() {
    let refused = Definition::builder("", " ", "").build().unwrap_err();
    assert_refused(&refused, Fault::Blank, "definition, id");
    // The shape of a text comes before its names.
    let text =
        r#"{"id":"","version":"1","initial":"a","states":{"a":{"on":{"GO":{"target":"b","guard":1}}}}}"#;
    assert_json_refused(text, Fault::Code, r#"state "a", event "GO", guard"#);
}

/// Definitions of some states that lead to each other.
fn valid() -> impl Strategy<Value = Value> {
    let name = "[a-zA-Z_\\.:\"{}#%; \u{e9}\u{1f680}-]{0,6}[a-z]";
    (prop::collection::btree_set(name, 1..6), prop::collection::btree_set(name, 0..4), any::<u64>()).prop_map(
        |(states, events, mut seed)| {
            let states: Vec<String> = states.into_iter().collect();
            let mut pick = || {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                states[(seed >> 33) as usize % states.len()].clone()
            };
            let initial = pick();
            let mut declared = serde_json::Map::new();
            for state in &states {
                let on: serde_json::Map<String, Value> =
                    events.iter().map(|event| (event.clone(), json!({ "target": pick() }))).collect();
                declared.insert(state.clone(), json!({ "on": on }));
            }
            json!({ "id": "m", "version": "1", "initial": initial, "states": declared })
        },
    )
}

/// Everything that can be broken in one step, with the state and the event where it is broken.
fn mutations(definition: &Value) -> Vec<(Value, Option<String>, Option<String>)> {
    let mut all = Vec::new();
    let mut broken = |pointer: &str, value: Value, state: Option<&str>, event: Option<&str>| {
        let mut definition = definition.clone();
        *definition.pointer_mut(pointer).unwrap() = value;
        all.push((definition, state.map(Into::into), event.map(Into::into)));
    };
    let not_texts = [json!(null), json!(7), json!(true), json!([]), json!({}), json!(""), json!(" \u{feff}")];
    let not_objects = [json!(null), json!(7), json!("x"), json!([])];
    for field in ["/id", "/version", "/initial"] {
        for value in &not_texts {
            broken(field, value.clone(), None, None);
        }
    }
    broken("/initial", json!("no such state"), None, None);
    broken("/states", json!({}), None, None);
    for value in &not_objects {
        broken("/states", value.clone(), None, None);
    }
    for (state, declared) in definition["states"].as_object().unwrap() {
        let escaped = |name: &str| name.replace('~', "~0").replace('/', "~1");
        let at = format!("/states/{}", escaped(state));
        for value in &not_objects {
            broken(&at, value.clone(), Some(state), None);
            broken(&format!("{at}/on"), value.clone(), Some(state), None);
        }
        let mut on = declared["on"].clone();
        on[" "] = json!({ "target": state });
        broken(&format!("{at}/on"), on, Some(state), Some(" "));
        for event in declared["on"].as_object().unwrap().keys() {
            let at = format!("{at}/on/{}", escaped(event));
            for value in &not_objects {
                broken(&at, value.clone(), Some(state), Some(event));
            }
            for value in not_texts.iter().chain([&json!("no such state")]) {
                broken(&format!("{at}/target"), value.clone(), Some(state), Some(event));
            }
            for code in ["guard", "reduce"] {
                broken(&at, json!({ "target": state, code: 1 }), Some(state), Some(event));
            }
            broken(&at, json!({ "Target": state }), Some(state), Some(event));
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(
        std::env::var("ANSWERPLANE_CASES").ok().and_then(|cases| cases.parse().ok()).map_or(64, |cases: u32| cases.min(2_000))
    ))]

    #[test]
    fn every_single_mutation_is_refused_at_its_place(definition in valid()) {
        Definition::decode(&definition.to_string()).unwrap();
        for (mutated, state, event) in mutations(&definition) {
            let refused = Definition::decode(&mutated.to_string()).unwrap_err();
            prop_assert_eq!(refused.place().state(), state.as_deref(), "{} in {}", refused, mutated);
            prop_assert_eq!(refused.place().event(), event.as_deref(), "{} in {}", refused, mutated);
            prop_assert!(state.is_some() || refused.place().field().is_some(), "{} in {}", refused, mutated);
        }
    }
}
