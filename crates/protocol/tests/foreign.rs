//! JSON that belongs to somebody else, and what a type promises however it was read.
#![allow(clippy::unwrap_used)]

use std::marker::PhantomData;

use answerplane_protocol::ask::{AskArguments, AskRecord, AskRequest, BackendSite};
use answerplane_protocol::session_snapshot::{ConfirmationInput, Conversation, SessionSnapshot};
use answerplane_protocol::turn::{Metadata, ToolArguments, TurnEvent};
use answerplane_protocol::{
    ActionInput, AnswerEnvelope, Artifact, ButtonGroup, ChoiceList, ContentPart, EventValue, ForeignValue,
    Form, FormField, InteractFrame, Props, RenderFrame, SelectFrame, SiteConfig, SourceList, Table,
};
use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// How a type reads a text by itself: what an embedding type does with it.
fn reads<T: DeserializeOwned>(text: &str) -> bool {
    serde_json::from_str::<T>(text).is_ok()
}

macro_rules! agree {
    ($text:expr; $($type:ident),*) => {
        let text: &str = $text;
        let value: Value = serde_json::from_str(text).unwrap();
        $( assert_eq!(reads::<$type>(text), $type::new(&value).is_some(), "{}: {text}", stringify!($type)); )*
    };
}

fn zeros(count: usize) -> String {
    format!("[{}]", vec!["0"; count].join(","))
}

/// What an earlier key held is not there in the end, also where another one did not fit beside it.
#[test]
fn an_earlier_one_of_two_equal_keys_takes_no_room() {
    let frame = |props: &str| {
        let frame = json!({
            "protocol": "agentskit.chat.component", "version": 1, "type": "render", "componentKey": "x",
            "instanceId": "i-1", "props": null, "fallback": { "kind": "x", "summary": "A summary." },
        });
        RenderFrame::decode(frame.to_string().replace("\"props\":null", &format!("\"props\":{props}")))
    };
    let (many, most) = (zeros(600), zeros(997));
    let replaced = format!("{{\"a\":{many},\"b\":{many},\"a\":1}}");
    assert_eq!(frame(&replaced).unwrap().props(), &json!({ "a": 1, "b": vec![0; 600] }));
    assert!(frame(&format!("{{\"a\":{many},\"b\":{many}}}")).is_err());
    assert!(frame(&format!("{{\"a\":{many},\"b\":{most},\"a\":1}}")).is_ok(), "1,000 values");
    assert!(frame(&format!("{{\"a\":{many},\"b\":{most},\"a\":[1]}}")).is_err(), "1,001 values");
    assert!(frame(&format!("[{replaced},{replaced}]")).is_err());
    agree!(&replaced; Props, EventValue, ActionInput, ConfirmationInput, Metadata, ToolArguments, AskArguments, ForeignValue);
    let large = zeros(6_000);
    agree!(&format!("{{\"a\":{large},\"b\":{large},\"a\":1}}"); Metadata, ToolArguments);
}

/// JSON text in which names repeat, lists are long and values lie deep.
fn repeating() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        3 => Just("1".to_owned()),
        3 => (0..700_usize).prop_map(zeros),
        1 => (16_380..16_390_usize).prop_map(|length| format!("\"{}\"", "x".repeat(length))),
        1 => (18..24_usize).prop_map(|depth| "[".repeat(depth) + &"]".repeat(depth)),
    ];
    let key = prop_oneof![8 => "[ab]", 1 => Just("k".repeat(256)), 1 => Just("k".repeat(257))];
    leaf.prop_recursive(3, 12, 6, move |value| {
        let list =
            prop::collection::vec(value.clone(), 0..3).prop_map(|items| format!("[{}]", items.join(",")));
        let object = prop::collection::vec((key.clone(), value), 0..6).prop_map(|members| {
            let members: Vec<String> =
                members.into_iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
            format!("{{{}}}", members.join(","))
        });
        prop_oneof![1 => list, 4 => object]
    })
}

proptest! {
    #[test]
    fn of_two_equal_keys_only_the_last_counts(text in repeating()) {
        agree!(&text; Props, EventValue, ActionInput, ConfirmationInput, Metadata, ToolArguments, AskArguments, ForeignValue);
    }
}

/// With the feature `arbitrary_precision` of `serde_json`, which anybody in a build can turn on, they are objects.
#[test]
fn numbers_are_handed_over_as_numbers() {
    for number in ["1", "-0.5", "1e3", "9007199254740993"] {
        let read: ForeignValue = serde_json::from_str(&format!("[{number}]")).unwrap();
        assert!(read.as_value()[0].is_number(), "{number}");
    }
    let read: ForeignValue = serde_json::from_str(r#"{ "$serde_json::private::Number": "1" }"#).unwrap();
    assert!(read.as_value().is_object());
}

#[test]
fn a_value_that_is_very_deep_is_refused_not_followed() {
    let nested = (0..20_000)
        .fold(json!({}), |inner, _| Value::Object([("a".to_owned(), inner)].into_iter().collect()));
    assert!(ForeignValue::new(&nested).is_none() && AskArguments::new(&nested).is_none());
    assert!(Props::new(&nested).is_none() && Metadata::new(&nested).is_none());
    std::mem::forget(nested);
}

/// Whether a type can be deserialized by everybody: the constant of `Probe` is found first where it exists.
trait Readable {
    const READ: bool = false;
}

impl<T> Readable for T {}

struct Probe<T>(PhantomData<T>);

impl<T: DeserializeOwned> Probe<T> {
    const READ: bool = true;
}

#[test]
fn a_document_can_only_be_decoded() {
    let probed = [Probe::<Table>::READ, Probe::<Conversation>::READ];
    assert_eq!(probed, [true, true], "the probe sees what can be read");
    macro_rules! only_decoded {
        ($($type:ty),*) => { $( let read = Probe::<$type>::READ; assert!(!read, stringify!($type)); )* };
    }
    only_decoded!(
        SiteConfig,
        Artifact,
        AnswerEnvelope,
        RenderFrame,
        SelectFrame,
        InteractFrame,
        TurnEvent,
        SessionSnapshot,
        AskRequest,
        AskRecord,
        BackendSite,
        ContentPart
    );
}

#[test]
fn what_can_be_deserialized_keeps_the_rules_across_its_fields() {
    fn accepts<T: DeserializeOwned>(value: &Value) -> bool {
        let read = serde_json::from_value::<T>(value.clone()).is_ok();
        assert_eq!(read, reads::<T>(&value.to_string()));
        read
    }
    macro_rules! unique {
        ($($type:ident: $object:expr, $list:literal, $id:literal;)*) => { $(
            let mut object: Value = $object;
            assert!(accepts::<$type>(&object), stringify!($type));
            let again = object[$list][0].clone();
            object[$list].as_array_mut().unwrap().push(again);
            assert!(!accepts::<$type>(&object), "{} twice", stringify!($type));
            object[$list][1][$id] = json!("another");
            assert!(accepts::<$type>(&object), "{} with two", stringify!($type));
        )* };
    }
    let field =
        json!({ "id": "f", "label": "F", "type": "select", "options": [{ "id": "o", "label": "O" }] });
    let decision = json!({
        "messageId": "m", "input": "", "routeId": "r", "kind": "fallback", "content": "", "fromState": "a",
        "toState": "b",
    });
    unique! {
        ButtonGroup: json!({ "label": "L", "buttons": [{ "id": "b", "label": "B" }] }), "buttons", "id";
        ChoiceList: json!({ "prompt": "P", "choices": [{ "id": "c", "label": "C" }] }), "choices", "id";
        SourceList: json!({ "label": "L", "sources": [{ "id": "s", "title": "T" }] }), "sources", "id";
        Table: json!({ "caption": "C", "columns": [{ "key": "k", "label": "L" }], "rows": [] }), "columns", "key";
        Form: json!({ "fields": [field], "submitLabel": "S" }), "fields", "id";
        FormField: field.clone(), "options", "id";
        Conversation: json!({ "state": "b", "decisions": [decision] }), "decisions", "messageId";
    }
    let mut field = field;
    field["type"] = json!("text");
    assert!(!accepts::<FormField>(&field), "options of a text");
    assert!(!accepts::<Form>(&json!({ "fields": [field], "submitLabel": "S" })));
}

#[test]
fn what_is_replaced_has_to_be_buildable() {
    let frame = |props: &str| {
        format!(
            "{{\"protocol\":\"agentskit.chat.component\",\"version\":1,\"type\":\"render\",\"componentKey\":\"x\",\
             \"instanceId\":\"i-1\",\"props\":{props},\"fallback\":{{\"kind\":\"x\",\"summary\":\"A summary.\"}}}}"
        )
    };
    for replaced in ["\"\\ud800\"", "1e400"] {
        let props = format!("{{\"a\":{replaced},\"a\":2}}");
        assert!(RenderFrame::decode(frame(&props)).is_err(), "{props}");
        assert!(serde_json::from_str::<ForeignValue>(&props).is_err(), "{props}");
    }
    let long = format!("{{\"a\":\"{}\",\"a\":2}}", "x".repeat(100_000));
    assert_eq!(RenderFrame::decode(frame(&long)).unwrap().props(), &json!({ "a": 2 }));
}

/// A value that was built in a program may nest deeper than a stack is high.
#[test]
fn a_value_of_any_depth_is_refused_without_harm() {
    let deep = || (0..100_000).fold(Value::Null, |inner, _| Value::Array(vec![inner]));
    let frame = json!({
        "protocol": "agentskit.chat.component", "version": 1, "type": "render", "componentKey": "x",
        "instanceId": "i-1", "props": null, "fallback": { "kind": "x", "summary": "A summary." },
    });
    for field in ["protocol", "version", "type", "props", "fallback", "more"] {
        let mut frame = frame.clone();
        frame[field] = deep();
        assert_eq!(RenderFrame::decode_value(&frame).is_err(), field != "more", "{field}");
        assert!(TurnEvent::decode_value(&frame).is_err());
        assert!(SessionSnapshot::decode_value(&frame).is_err());
        // Dropping it would exhaust the stack.
        std::mem::forget(frame);
    }
}
