//! Component frames, the manifest and the catalog: the rules of `docs/protocol/components.md`.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use answerplane_protocol::session_snapshot::ConfirmationInput;
use answerplane_protocol::{
    ActionInput, Capability, CatalogComponent, Choice, ChoiceList, Component, ComponentDiagnostic,
    ComponentFallback, ComponentKey, CustomComponent, EventValue, InteractFrame, InteractionRefused,
    KeyTaken, Keyboard, List, Live, Manifest, Props, RenderFrame, Role, SelectFrame, Semantics, Source,
    SourceList,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn catalog() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/catalog")
}

fn frame(key: &str, props: &Value) -> Result<RenderFrame, ComponentDiagnostic> {
    RenderFrame::decode_value(&json!({
        "protocol": "agentskit.chat.component", "version": 1, "type": "render", "componentKey": key,
        "instanceId": "i-1", "props": props, "fallback": { "kind": key, "summary": "A summary." },
    }))
}

fn with(change: impl FnOnce(&mut Value)) -> Result<RenderFrame, ComponentDiagnostic> {
    let mut value = json!(frame("progress", &json!({ "label": "L", "value": 1 })).unwrap());
    change(&mut value);
    let text = RenderFrame::decode(value.to_string());
    assert_eq!(text, RenderFrame::decode_value(&value));
    text
}

fn case(key: &str) -> Value {
    serde_json::from_slice(&std::fs::read(catalog().join(format!("{key}.json"))).unwrap()).unwrap()
}

#[test]
fn every_component_has_cases_and_keeps_to_them() {
    let manifest = Manifest::standard();
    let mut files = std::fs::read_dir(catalog()).unwrap().count();
    files -= 1; // the README
    assert_eq!(files, CatalogComponent::KEYS.len());
    for key in CatalogComponent::KEYS {
        let case = case(key);
        let list = |name: &str| case[name].as_array().unwrap().clone();
        assert!(!list("refused").is_empty() && !list("events").is_empty());
        for accepted in list("accepted") {
            let frame = frame(key, &accepted["props"]).unwrap();
            let component =
                manifest.component(&frame).unwrap_or_else(|_| panic!("{key}: {}", accepted["name"]));
            if let Some(text) = accepted.get("text") {
                assert_eq!(component.text(), text.as_str().unwrap(), "{key}: {}", accepted["name"]);
            }
            let Component::Standard(component) = component else { panic!("{key} is standard") };
            assert_eq!(component.key(), *key);
            assert_eq!(json!(component), accepted["props"], "{key}: {}", accepted["name"]);
        }
        for refused in list("refused") {
            let inert = match frame(key, &refused["props"]) {
                Ok(frame) => manifest.component(&frame).map(|_| ()).unwrap_err(),
                Err(refused) => refused,
            };
            let beyond_frames =
                inert == ComponentDiagnostic::Invalid && refused["why"].as_str().unwrap().contains("1,000");
            assert!(beyond_frames || inert == ComponentDiagnostic::InvalidProps, "{key}: {}", refused["why"]);
        }
        for event in list("events") {
            let props = event.get("props").unwrap_or(&case["accepted"][0]["props"]);
            let frame = frame(key, props).unwrap();
            let interaction = InteractFrame::new(
                key.parse().unwrap(),
                "i-1".parse().unwrap(),
                event["event"].as_str().unwrap().parse().unwrap(),
                event.get("value").map(|value| EventValue::new(value).unwrap()),
            );
            let refused =
                manifest.check_interaction(&frame, &interaction).err().map(InteractionRefused::code);
            assert_eq!(json!(refused), event["refused"], "{key}: {event}");
            assert_eq!(InteractFrame::decode(json!(interaction).to_string()), Ok(interaction));
        }
    }
}

#[test]
fn the_semantics_are_those_of_the_table() {
    let rows = [
        ("button-group", Role::Group, Live::Off, &["select"][..]),
        ("choice-list", Role::Group, Live::Off, &["select"]),
        ("form", Role::Form, Live::Off, &["submit"]),
        ("confirmation", Role::Group, Live::Off, &["confirm", "cancel"]),
        ("progress", Role::Progressbar, Live::Polite, &[]),
        ("source-list", Role::List, Live::Off, &["open"]),
        ("link-card", Role::Link, Live::Off, &["open"]),
        ("error-notice", Role::Alert, Live::Assertive, &["retry"]),
        ("tool-call", Role::Status, Live::Polite, &[]),
        ("approval-request", Role::Group, Live::Off, &["approve", "deny"]),
        ("table", Role::Table, Live::Off, &[]),
        ("file-attachment", Role::Link, Live::Off, &["open"]),
    ];
    assert_eq!(rows.map(|row| row.0), CatalogComponent::KEYS);
    for (key, role, live, events) in rows {
        let semantics = CatalogComponent::semantics_of(key).unwrap();
        assert_eq!((semantics.role, semantics.live, semantics.events), (role, live, events), "{key}");
        assert_eq!(semantics.keyboard == Keyboard::None, events.is_empty(), "{key}");
        assert!(semantics.capabilities.contains(&Capability::Display), "{key}");
    }
    assert_eq!(CatalogComponent::semantics_of("plot-card"), None);
}

#[test]
fn keyboard_and_capabilities_are_those_of_the_table() {
    let rows = [
        ("button-group", Keyboard::Buttons, &[Capability::Display, Capability::Select][..]),
        ("choice-list", Keyboard::Buttons, &[Capability::Display, Capability::Select]),
        ("form", Keyboard::Form, &[Capability::Display, Capability::Input]),
        ("confirmation", Keyboard::Buttons, &[Capability::Display, Capability::Decide]),
        ("progress", Keyboard::None, &[Capability::Display, Capability::Update]),
        ("source-list", Keyboard::Links, &[Capability::Display, Capability::Navigate]),
        ("link-card", Keyboard::Links, &[Capability::Display, Capability::Navigate]),
        ("error-notice", Keyboard::Buttons, &[Capability::Display, Capability::Select]),
        ("tool-call", Keyboard::None, &[Capability::Display, Capability::Update]),
        ("approval-request", Keyboard::Buttons, &[Capability::Display, Capability::Decide]),
        ("table", Keyboard::None, &[Capability::Display]),
        ("file-attachment", Keyboard::Links, &[Capability::Display, Capability::Navigate]),
    ];
    assert_eq!(rows.map(|row| row.0), CatalogComponent::KEYS);
    for (key, keyboard, capabilities) in rows {
        let semantics = CatalogComponent::semantics_of(key).unwrap();
        assert_eq!((semantics.keyboard, semantics.capabilities), (keyboard, capabilities), "{key}");
    }
}

/// Props that do not fit declare nothing.
#[test]
fn an_inert_component_declares_no_event() {
    let manifest = Manifest::standard();
    for (key, event) in [("confirmation", "confirm"), ("choice-list", "select"), ("link-card", "open")] {
        let frame = frame(key, &json!({ "title": 1 })).unwrap();
        assert_eq!(manifest.component(&frame).map(|_| ()), Err(ComponentDiagnostic::InvalidProps));
        let interaction =
            InteractFrame::new(key.parse().unwrap(), "i-1".parse().unwrap(), event.parse().unwrap(), None);
        let refused = manifest.check_interaction(&frame, &interaction);
        assert_eq!(refused, Err(InteractionRefused::UndeclaredEvent), "{key}");
    }
}

/// `null` is a value, and none of the optional props takes it but those of any JSON.
#[test]
fn optional_props_are_never_null() {
    let manifest = Manifest::standard();
    let mut tried = 0;
    for (key, pointers) in [
        ("button-group", &["/buttons/0/disabled", "/buttons/0/variant"][..]),
        ("choice-list", &["/choices/0/description", "/choices/0/action"]),
        ("form", &["/title", "/fields/0/required", "/fields/0/placeholder", "/fields/0/options"]),
        ("progress", &["/status"]),
        ("source-list", &["/sources/0/url", "/sources/0/snippet"]),
        ("link-card", &["/description", "/label"]),
        ("error-notice", &["/code", "/retryLabel"]),
        ("file-attachment", &["/sizeBytes", "/url"]),
    ] {
        let props = case(key)["accepted"][0]["props"].clone();
        for pointer in pointers {
            let mut props = props.clone();
            let (parent, name) = pointer.rsplit_once('/').unwrap();
            props.pointer_mut(parent).unwrap()[name] = Value::Null;
            let frame = frame(key, &props).unwrap();
            let read = manifest.component(&frame).map(|_| ());
            assert_eq!(read, Err(ComponentDiagnostic::InvalidProps), "{key} {pointer}");
            tried += 1;
        }
    }
    assert_eq!(tried, 17);
    let tool = json!({ "name": "dig", "status": "pending", "arguments": null, "result": null });
    assert!(manifest.component(&frame("tool-call", &tool).unwrap()).is_ok());
}

/// A selection is the event `select` of any component.
#[test]
fn a_selection_is_an_event_of_any_component() {
    let select = |key: &str, props: &Value, choice: &str| {
        let selection =
            SelectFrame::new(key.parse().unwrap(), "i-1".parse().unwrap(), choice.parse().unwrap());
        Manifest::standard().check_selection(&frame(key, props).unwrap(), &selection)
    };
    let buttons = json!({ "label": "L", "buttons": [
        { "id": "a", "label": "A" }, { "id": "b", "label": "B", "disabled": true },
    ] });
    assert_eq!(select("button-group", &buttons, "a"), Ok(()));
    assert_eq!(select("button-group", &buttons, "b"), Err(InteractionRefused::UnfitValue));
    let sources = json!({ "label": "L", "sources": [{ "id": "a", "title": "A", "url": "/a" }] });
    assert_eq!(select("source-list", &sources, "a"), Err(InteractionRefused::UndeclaredEvent));
    assert_eq!(select("plot-card", &json!({}), "a"), Err(InteractionRefused::UndeclaredEvent));
}

#[test]
fn frames_that_answer_know_their_type() {
    let frame = |word: &str| {
        json!({ "protocol": "agentskit.chat.component", "version": 1, "type": word, "componentKey": "x",
                "instanceId": "i-1", "choiceId": "c", "event": "open" })
        .to_string()
    };
    for (word, is_select, is_interact) in
        [("select", true, false), ("interact", false, true), ("render", false, false), ("x", false, false)]
    {
        let unknown = ComponentDiagnostic::UnknownType;
        let select = SelectFrame::decode(frame(word)).map(|_| ());
        assert_eq!(select, if is_select { Ok(()) } else { Err(unknown) }, "{word}");
        let interact = InteractFrame::decode(frame(word)).map(|_| ());
        assert_eq!(interact, if is_interact { Ok(()) } else { Err(unknown) }, "{word}");
    }
}

#[test]
fn what_an_interaction_and_an_action_carry_is_bounded_like_props() {
    let zeros = |count: usize| json!({ "a": vec![0; count] });
    let depth = |levels: usize| (0..levels).fold(json!({}), |inner, _| json!({ "a": inner }));
    macro_rules! bounded {
        ($($type:ident),*) => { $(
            let fits = |value: &Value| $type::new(value).is_some();
            assert!(fits(&zeros(998)) && !fits(&zeros(999)), "1,000 values");
            assert!(fits(&depth(20)) && !fits(&depth(21)), "20 deep");
            assert!(fits(&json!({ "a": "x".repeat(16_384) })) && !fits(&json!({ "a": "x".repeat(16_385) })));
            assert!(fits(&json!({ "k".repeat(256): 0 })) && !fits(&json!({ "k".repeat(257): 0 })));
            assert!(!fits(&json!({ "a": { "k".repeat(257): 0 } })));
        )* };
    }
    bounded!(EventValue, ActionInput, ConfirmationInput, Props);
    assert!(EventValue::new(&json!([])).is_some() && ActionInput::new(&json!([])).is_none());
    assert!(ConfirmationInput::new(&json!("x")).is_none());
}

#[test]
fn what_a_host_makes_itself_becomes_a_frame() {
    let choice = |id: &str| Choice::new(id.parse().unwrap(), "Plot".parse().unwrap());
    let choices = List::new(vec![
        choice("p12")
            .with_action("reserve".parse().unwrap(), ActionInput::new(&json!({ "plot": 12 })).unwrap()),
        choice("p13").with_description("Sunny".parse().unwrap()),
    ]);
    let list = ChoiceList::new("Which?".parse().unwrap(), choices.unwrap()).unwrap();
    let fallback = ComponentFallback::new("choices".parse().unwrap(), "Two plots.".parse().unwrap());
    let component = CatalogComponent::ChoiceList(list);
    let frame = component.to_frame("i-1".parse().unwrap(), fallback).unwrap();
    let manifest = Manifest::standard();
    let Ok(Component::Standard(read)) = manifest.component(&frame) else {
        panic!("a component of the catalog")
    };
    assert_eq!(read, component);
    let twice = List::new(vec![choice("a"), choice("a")]).unwrap();
    assert!(ChoiceList::new("Which?".parse().unwrap(), twice).is_none());
    let source =
        Source::new("s".parse().unwrap(), "Guide".parse().unwrap(), Some("/guide".parse().unwrap()), None);
    assert!(SourceList::new("Sources".parse().unwrap(), List::one(source.clone())).is_some());
    assert!(SourceList::new("Sources".parse().unwrap(), List::new(vec![source; 2]).unwrap()).is_none());
}

#[test]
fn a_key_outside_the_manifest_is_inert_and_says_so() {
    let frame = frame("plot-card", &json!({})).unwrap();
    let manifest = Manifest::standard();
    assert_eq!(manifest.component(&frame).map(|_| ()), Err(ComponentDiagnostic::Unregistered));
    assert_eq!(frame.fallback().to_string(), "[unsupported visual: plot-card] A summary.");
    let interaction = InteractFrame::new(
        "plot-card".parse().unwrap(),
        "i-1".parse().unwrap(),
        "open".parse().unwrap(),
        None,
    );
    assert_eq!(manifest.check_interaction(&frame, &interaction), Err(InteractionRefused::UndeclaredEvent));
}

#[test]
fn an_interaction_is_with_its_own_instance() {
    let frame = frame("confirmation", &case("confirmation")["accepted"][0]["props"]).unwrap();
    for (key, id) in [("confirmation", "i-2"), ("approval-request", "i-1")] {
        let interaction =
            InteractFrame::new(key.parse().unwrap(), id.parse().unwrap(), "confirm".parse().unwrap(), None);
        let refused = Manifest::standard().check_interaction(&frame, &interaction);
        assert_eq!(refused, Err(InteractionRefused::OtherInstance));
    }
}

#[test]
fn a_selection_takes_a_choice() {
    let frame = frame("choice-list", &case("choice-list")["accepted"][0]["props"]).unwrap();
    let select = |id: &str, choice: &str| {
        let selection =
            SelectFrame::new("choice-list".parse().unwrap(), id.parse().unwrap(), choice.parse().unwrap());
        assert_eq!(SelectFrame::decode(json!(selection).to_string()).as_ref(), Ok(&selection));
        Manifest::standard().check_selection(&frame, &selection)
    };
    assert_eq!(select("i-1", "p12"), Ok(()));
    assert_eq!(select("i-1", "p99"), Err(InteractionRefused::UnfitValue));
    assert_eq!(select("i-2", "p12"), Err(InteractionRefused::OtherInstance));
}

struct PlotCard(ComponentKey);

impl CustomComponent for PlotCard {
    fn key(&self) -> &ComponentKey {
        &self.0
    }

    fn semantics(&self) -> Semantics {
        Semantics {
            role: Role::Group,
            live: Live::Off,
            keyboard: Keyboard::Buttons,
            capabilities: &[Capability::Display],
            events: &["water"],
        }
    }

    fn accepts_props(&self, props: &Value) -> bool {
        props["plot"].is_u64()
    }

    fn accepts_event(&self, _: &Value, _: &str, value: Option<&Value>) -> bool {
        value.is_none()
    }

    fn text(&self, props: &Value) -> String {
        format!("Plot {}\n", props["plot"])
    }
}

#[test]
fn a_host_adds_components_under_keys_of_its_own() {
    let plot_card = |key: &str| Arc::new(PlotCard(key.parse().unwrap()));
    let manifest = Manifest::standard().with(plot_card("plot-card")).unwrap();
    assert_eq!(manifest.clone().with(plot_card("plot-card")).err(), Some(KeyTaken));
    for key in CatalogComponent::KEYS {
        assert_eq!(manifest.clone().with(plot_card(key)).err(), Some(KeyTaken), "{key}");
    }
    assert_eq!(manifest.keys().last(), Some("plot-card"));
    let good = frame("plot-card", &json!({ "plot": 12 })).unwrap();
    let component = manifest.component(&good).unwrap();
    assert_eq!(component.text(), "Plot 12\n");
    assert_eq!(component.check_event("water", None), Ok(()));
    assert_eq!(component.check_event("water", Some(&json!(1))), Err(InteractionRefused::UnfitValue));
    assert_eq!(component.check_event("dig", None), Err(InteractionRefused::UndeclaredEvent));
    let bad = frame("plot-card", &json!({})).unwrap();
    assert_eq!(manifest.component(&bad).map(|_| ()), Err(ComponentDiagnostic::InvalidProps));
}

#[test]
fn version_comes_before_type_and_type_before_the_rest() {
    let unsupported = Err(ComponentDiagnostic::UnsupportedVersion);
    let unknown = Err(ComponentDiagnostic::UnknownType);
    let invalid = Err(ComponentDiagnostic::Invalid);
    assert_eq!(with(|frame| (frame["version"], frame["type"]) = (json!(2), json!("select"))), unsupported);
    assert_eq!(
        with(|frame| (frame["type"], frame["props"]) = (json!("select"), json!("x".repeat(20_000)))),
        unknown
    );
    assert_eq!(with(|frame| frame["type"] = json!(1)), unknown);
    assert_eq!(with(|frame| frame["protocol"] = json!("agentskit.chat.turn")), invalid);
    assert_eq!(with(|frame| (frame["protocol"], frame["type"]) = (json!("x"), json!("select"))), invalid);
    assert_eq!(with(|frame| frame["version"] = json!("1")), invalid);
    let repeated = r#"{"protocol":"agentskit.chat.component","version":1,"type":"render","type":"select"}"#;
    assert_eq!(RenderFrame::decode(repeated), invalid);
    assert_eq!(RenderFrame::decode("{"), Err(ComponentDiagnostic::NotJson));
}

fn props(text: &str) -> Result<Value, ComponentDiagnostic> {
    RenderFrame::decode(format!(
        r#"{{"protocol":"agentskit.chat.component","version":1,"type":"render","componentKey":"k","instanceId":"i",
            "props":{text},"fallback":{{"kind":"k","summary":"s"}}}}"#
    ))
    .map(|frame| frame.props().clone())
}

#[test]
fn props_are_bounded() {
    let invalid = Err(ComponentDiagnostic::Invalid);
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(props(&nested(21)).is_ok(), "an innermost list at depth 20");
    assert_eq!(props(&nested(22)), invalid);
    assert_eq!(props(&nested(100_000)), invalid);
    assert!(props(&format!("[{}]", vec!["0"; 999].join(","))).is_ok());
    assert_eq!(props(&format!("[{}]", vec!["0"; 1_000].join(","))), invalid);
    assert!(props(&json!("x".repeat(16_384)).to_string()).is_ok());
    assert_eq!(props(&json!("x".repeat(16_385)).to_string()), invalid);
    assert!(props(&json!({ "k".repeat(256): 0 }).to_string()).is_ok());
    assert_eq!(props(&json!({ "k".repeat(257): 0 }).to_string()), invalid);
    assert_eq!(props(&json!([{ "k".repeat(257): 0 }]).to_string()), invalid);
    assert_eq!(props("1e400"), invalid);
}

#[test]
fn of_two_equal_keys_in_props_the_last_wins() {
    assert_eq!(props(r#"{"a":1,"\u0061":2}"#), Ok(json!({ "a": 2 })));
    let many = format!("[{}]", vec!["0"; 2_000].join(","));
    assert_eq!(props(&format!(r#"{{"a":{many},"a":1}}"#)), Ok(json!({ "a": 1 })));
    assert_eq!(props(&format!(r#"{{"a":1,"a":{many}}}"#)), Err(ComponentDiagnostic::Invalid));
    let half = format!("[{}]", vec!["0"; 600].join(","));
    assert_eq!(props(&format!(r#"{{"a":{half},"a":1,"b":{half}}}"#)).unwrap()["a"], json!(1));
}

#[test]
fn very_many_keys_are_refused_without_much_ado() {
    let keys: Vec<String> = (0..300_000).map(|at| format!("\"k{at}\":[]")).collect();
    assert_eq!(props(&format!("{{{}}}", keys.join(","))), Err(ComponentDiagnostic::Invalid));
}

#[test]
fn numbers_are_their_nearest_double() {
    assert_eq!(props("[1.0,1e2,-0,-0.0]"), Ok(json!([1, 100, 0, 0])));
    assert_eq!(props("9007199254740993").unwrap().as_f64(), Some(9_007_199_254_740_992.0));
    assert_eq!(props("0.30000000000000004").unwrap().as_f64(), Some(0.1 + 0.2));
}

#[test]
fn keys_and_fallback_have_their_bounds() {
    let invalid = Err(ComponentDiagnostic::Invalid);
    for key in ["", "A", "1", "-a", "a_b", "é", &"k".repeat(65)] {
        assert_eq!(with(|frame| frame["componentKey"] = json!(key)), invalid, "{key}");
    }
    for key in ["a", "a-", "a1-b", &"k".repeat(64)] {
        assert!(with(|frame| frame["componentKey"] = json!(key)).is_ok(), "{key}");
    }
    for (name, max) in [("kind", 64), ("summary", 4_096)] {
        assert!(with(|frame| frame["fallback"][name] = json!(" ")).is_ok(), "not trimmed");
        assert!(with(|frame| frame["fallback"][name] = json!("x".repeat(max))).is_ok());
        assert_eq!(with(|frame| frame["fallback"][name] = json!("x".repeat(max + 1))), invalid);
        assert_eq!(with(|frame| frame["fallback"][name] = json!("")), invalid);
    }
}

#[test]
fn unknown_fields_are_dropped() {
    let frame = with(|frame| (frame["extra"], frame["fallback"]["extra"]) = (json!(1), json!([2]))).unwrap();
    assert_eq!(json!(frame), json!(with(|_| ()).unwrap()));
}

fn values() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!(null)),
        Just(json!({})),
        Just(json!([])),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        (-1.0..101.0_f64).prop_map(Value::from),
        ".{0,6}".prop_map(Value::from),
        "[a-z]{1,6}".prop_map(Value::from),
        Just(json!("/path")),
        Just(json!("select")),
        Just(json!({ "id": "a", "label": "A" })),
        Just(json!([{ "id": "a", "label": "A" }])),
    ]
}

/// The place of every value inside a value.
fn pointers(value: &Value, at: String, places: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| pointers(item, format!("{at}/{index}"), places))
        }
        Value::Object(members) => {
            members.iter().for_each(|(name, item)| pointers(item, format!("{at}/{name}"), places))
        }
        _ => {}
    }
    places.push(at);
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = RenderFrame::decode(&bytes);
        let _ = SelectFrame::decode(&bytes);
        let _ = InteractFrame::decode(&bytes);
    }

    #[test]
    fn changed_props_are_refused_or_read_back(
        at in 0..CatalogComponent::KEYS.len(), place in any::<prop::sample::Index>(), replacement in values(),
    ) {
        let key = CatalogComponent::KEYS[at];
        let mut props = case(key)["accepted"][0]["props"].clone();
        let mut places = Vec::new();
        pointers(&props, String::new(), &mut places);
        *props.pointer_mut(&places[place.index(places.len())]).unwrap() = replacement;
        let manifest = Manifest::standard();
        if let Ok(Component::Standard(component)) = manifest.component(&frame(key, &props).unwrap()) {
            let again = frame(key, &json!(component)).unwrap();
            let Ok(Component::Standard(read)) = manifest.component(&again) else { panic!("{props}") };
            prop_assert_eq!(read, component);
        }
    }

    #[test]
    fn props_from_text_and_value_agree(text in r#"[\[\]{},:"0-9ae.\\ -]{0,40}"#) {
        if let Ok(value) = serde_json::from_str::<Value>(&text) {
            prop_assert_eq!(props(&text).ok(), Props::new(&value).map(|props| props.as_value().clone()));
        }
    }
}

/// One unit is enough for every text, and it may be a space: texts of props are not trimmed.
#[test]
fn the_shortest_texts_are_accepted_everywhere() {
    for (key, props) in [
        ("button-group", json!({ "label": " ", "buttons": [{ "id": "a", "label": " " }] })),
        (
            "choice-list",
            json!({ "prompt": " ", "choices": [{ "id": "a", "label": " ", "description": " ", "action": { "name": "a", "input": {} } }] }),
        ),
        (
            "form",
            json!({ "title": " ", "submitLabel": " ", "fields": [
                { "id": "a", "label": " ", "type": "text", "placeholder": "" },
                { "id": "b", "label": " ", "type": "select", "options": [{ "id": "c", "label": " " }] },
            ] }),
        ),
        ("confirmation", json!({ "title": " ", "message": " ", "confirmLabel": " ", "cancelLabel": " " })),
        ("progress", json!({ "label": " ", "value": 0, "status": " " })),
        (
            "source-list",
            json!({ "label": " ", "sources": [{ "id": "a", "title": " ", "url": "/", "snippet": " " }] }),
        ),
        ("link-card", json!({ "title": " ", "description": " ", "href": "/", "label": " " })),
        ("error-notice", json!({ "title": " ", "message": " ", "code": " ", "retryLabel": " " })),
        ("tool-call", json!({ "name": " ", "status": "pending", "arguments": null, "result": null })),
        (
            "approval-request",
            json!({ "title": " ", "description": " ", "approveLabel": " ", "denyLabel": " " }),
        ),
        (
            "table",
            json!({ "caption": " ", "columns": [{ "key": "a", "label": " " }], "rows": [{ "a": "" }] }),
        ),
        ("file-attachment", json!({ "name": " ", "mimeType": " ", "sizeBytes": 0, "url": "/" })),
    ] {
        let frame = frame(key, &props).unwrap();
        assert!(Manifest::standard().component(&frame).is_ok(), "{key}");
        // Each text by itself: emptied it is refused, but for a placeholder and a cell.
        for pointer in texts(&props, String::new()) {
            let mut emptied = props.clone();
            *emptied.pointer_mut(&pointer).unwrap() = json!("");
            let accepted = pointer.ends_with("/placeholder") || pointer.starts_with("/rows/");
            let frame = self::frame(key, &emptied).unwrap();
            assert_eq!(Manifest::standard().component(&frame).is_ok(), accepted, "{key} {pointer}");
        }
    }
}

/// The places of all texts in a value.
fn texts(value: &Value, at: String) -> Vec<String> {
    match value {
        Value::String(_) => vec![at],
        Value::Array(items) => {
            items.iter().enumerate().flat_map(|(index, item)| texts(item, format!("{at}/{index}"))).collect()
        }
        Value::Object(members) => {
            members.iter().flat_map(|(name, member)| texts(member, format!("{at}/{name}"))).collect()
        }
        _ => Vec::new(),
    }
}
