//! The transition: its checks in their order, their texts, and what it leaves alone.
#![allow(clippy::unwrap_used, clippy::panic)] // in the helpers of tests too

use answerplane_statechart::{
    Code, Definition, Diagnostic, Edge, Event, Failed, Instance, MAX_CONTEXT_DEPTH, MAX_REVISION, Map,
    NonBlank, State, Transition, Value,
};
use proptest::prelude::*;
use serde_json::json;

fn text(text: &str) -> NonBlank {
    NonBlank::new(text).unwrap()
}

fn event(kind: &str) -> Event {
    Event::new(kind).unwrap()
}

fn object(value: Value) -> Map<String, Value> {
    let Value::Object(object) = value else { panic!("no object") };
    object
}

/// Every kind of edge, from `a`. The rule of the context wants a number `n`.
fn machine() -> Definition {
    let next = |context: &Map<String, Value>, event: &Event| {
        let by = event.get("by").map_or(Some(1), Value::as_u64).ok_or(Failed)?;
        let n = context.get("n").and_then(Value::as_u64).ok_or(Failed)?;
        Ok(object(json!({ "n": n + by })))
    };
    Definition::builder("m", "1", "a")
        .context_rule(|context| context.get("n").is_some_and(Value::is_u64))
        .state(
            State::new("a")
                .on("GO", "b")
                .on("ADD", Edge::to("a").reduce(next))
                .on("REFUSE", Edge::to("b").guard(|_, _| Ok(false)).reduce(|_, _| Err(Failed)))
                .on("ASK", Edge::to("b").guard(|_, _| Err(Failed)).reduce(|_, _| Err(Failed)))
                .on("BREAK", Edge::to("b").guard(|_, _| Ok(true)).reduce(|_, _| Err(Failed)))
                .on("SPOIL", Edge::to("b").reduce(|_, _| Ok(Map::new())))
                .on("ERROR", Edge::to("b").reduce(|_, _| Ok(object(serde_json::from_str("no JSON")?)))),
        )
        .state(State::new("b").on("BACK", "a"))
        .build()
        .unwrap()
}

fn start(machine: &Definition) -> Instance {
    machine.start(&text("i"), object(json!({ "n": 0 })), &text("t0")).unwrap()
}

#[track_caller]
fn assert_rejected(kind: &str, code: Code, message: &str) {
    let machine = machine();
    let (instance, event) = (start(&machine), event(kind));
    let now = text("t1");
    let Transition::Rejected(rejected) = machine.transition(&instance, &event, &now) else {
        panic!("accepted")
    };
    assert_eq!((rejected.diagnostic().code(), rejected.diagnostic().to_string().as_str()), (code, message));
    assert_eq!((rejected.instance(), rejected.event()), (&instance, &event));
    assert_eq!(instance, start(&machine));
}

#[test]
fn an_instance_begins_in_the_initial_state_at_revision_0() {
    let machine = machine();
    assert_eq!(
        json!(start(&machine)),
        json!({
            "machineId": "m", "machineVersion": "1", "instanceId": "i", "state": "a", "context": { "n": 0 },
            "revision": 0, "updatedAt": "t0",
        })
    );
}

#[test]
fn an_initial_context_keeps_the_rule() {
    let refused = machine().start(&text("i"), Map::new(), &text("t0")).unwrap_err();
    assert_eq!(refused, Diagnostic::InvalidInitialContext);
    assert_eq!(refused.code(), Code::ContextInvalid);
    assert_eq!(refused.to_string(), "initial context failed runtime validation");
}

#[test]
fn identity_and_time_are_any_text_that_is_not_blank() {
    for blank in ["", " ", "\u{3000}\u{feff}"] {
        assert!(NonBlank::new(blank).is_err() && Event::new(blank).is_err());
    }
    for odd in ["\u{85}", "\u{200b}", "0", " x "] {
        assert_eq!(NonBlank::new(odd).unwrap(), odd);
    }
}

#[test]
fn an_accepted_transition_is_a_new_instance() {
    let machine = machine();
    let (instance, go) = (start(&machine), event("GO"));
    let transition = machine.transition(&instance, &go, &text("t1"));
    let Transition::Accepted(accepted) = &transition else { panic!("rejected") };
    assert_eq!((accepted.from().as_str(), accepted.to().as_str()), ("a", "b"));
    assert_eq!(accepted.event(), &go);
    assert_eq!(accepted.instance().revision(), 1);
    assert_eq!(accepted.instance().updated_at(), &text("t1"));
    assert_eq!(accepted.instance().instance_id(), instance.instance_id());
    assert_eq!(accepted.instance().context(), instance.context());
    assert_eq!(json!(transition)["status"], "accepted");
    assert_eq!(instance, start(&machine));
}

#[test]
fn a_reducer_sees_context_and_event_and_makes_the_next_context() {
    let machine = machine();
    assert!(Event::decode(r#"{ "type": "ADD", "by": "\ud800" }"#).is_err());
    assert!(Event::decode(r#"["ADD"]"#).is_err() && Event::decode("{}x").is_err());
    let odd = Event::decode(r#"{ "type": "ADD", "by": { "$serde_json::private::RawValue": "1" } }"#).unwrap();
    assert!(odd.get("by").unwrap().is_object());
    let add = Event::from_value(json!({ "type": "ADD", "by": 5 })).unwrap();
    let once = machine.transition(&start(&machine), &add, &text("t1")).into_result().unwrap();
    let twice = machine.transition(&once, &event("ADD"), &text("t2")).into_result().unwrap();
    assert_eq!((once.context()["n"].clone(), twice.context()["n"].clone()), (json!(5), json!(6)));
}

#[test]
fn an_event_that_the_state_does_not_accept() {
    for kind in ["BACK", "go", " GO", "GO ", "toString", "__proto__", "constructor"] {
        let message = format!("event \"{kind}\" is not accepted in state \"a\"");
        assert_rejected(kind, Code::TransitionUnavailable, &message);
    }
}

#[test]
fn a_guard_that_says_no_and_one_that_fails_differ() {
    assert_rejected("REFUSE", Code::GuardRejected, "guard rejected event \"REFUSE\"");
    assert_rejected("ASK", Code::GuardFailed, "guard failed while evaluating event \"ASK\"");
}

#[test]
fn a_reducer_that_fails() {
    assert_rejected("BREAK", Code::ReducerFailed, "reducer failed while handling event \"BREAK\"");
    assert_rejected("ERROR", Code::ReducerFailed, "reducer failed while handling event \"ERROR\"");
}

#[test]
fn a_reduced_context_keeps_the_rule() {
    assert_rejected("SPOIL", Code::ContextInvalid, "reducer returned invalid context for event \"SPOIL\"");
}

fn nested(levels: usize) -> Value {
    (0..levels).fold(Value::from(1), |inner, at| match at % 2 {
        0 => Value::Array(vec![inner]),
        _ => Value::Object(Map::from_iter([("x".into(), inner)])),
    })
}

#[test]
fn a_context_nests_no_deeper_than_a_snapshot_can() {
    let machine = Definition::builder("m", "1", "a")
        .state(
            State::new("a")
                .on("DEEPEN", Edge::to("a").reduce(|context, _| Ok(object(json!({ "x": context }))))),
        )
        .build()
        .unwrap();
    let begin =
        |levels: usize| machine.start(&text("i"), object(json!({ "x": nested(levels - 1) })), &text("t0"));
    let deepest = begin(MAX_CONTEXT_DEPTH).unwrap();
    assert_eq!(machine.restore(&deepest.snapshot().to_string()).unwrap(), deepest);
    // Any other reader can build the snapshot too.
    serde_json::from_str::<Value>(&deepest.snapshot().to_string()).unwrap();
    assert_eq!(begin(MAX_CONTEXT_DEPTH + 1), Err(Diagnostic::InvalidInitialContext));
    assert_eq!(begin(5_000), Err(Diagnostic::InvalidInitialContext));
    let refused = machine.transition(&deepest, &event("DEEPEN"), &text("t1")).into_result().unwrap_err();
    assert_eq!(refused, Diagnostic::InvalidReducedContext { event: text("DEEPEN") });
}

#[test]
fn an_event_that_could_not_be_read_from_a_text_is_malformed() {
    let of = |levels: usize| Event::from_value(json!({ "type": "GO", "x": nested(levels - 1) }));
    assert!(of(127).is_ok());
    assert_eq!(of(128), Err(Diagnostic::InvalidEvent));
    assert_eq!(of(5_000), Err(Diagnostic::InvalidEvent));
}

#[test]
fn an_instance_of_another_machine_does_not_belong_here() {
    let ours = machine();
    let other = |id: &str, version: &str, state: &str| {
        let other = Definition::builder(id, version, state).state(State::new(state)).build().unwrap();
        other.start(&text("i"), object(json!({ "n": 0 })), &text("t0")).unwrap()
    };
    for foreign in [other("n", "1", "a"), other("m", "2", "a"), other("m", "1", "toString")] {
        let refused = ours.transition(&foreign, &event("GO"), &text("t1")).into_result().unwrap_err();
        assert_eq!(refused, Diagnostic::ForeignInstance);
        assert_eq!(refused.code(), Code::InstanceMismatch);
        assert_eq!(refused.to_string(), "instance does not belong to this statechart definition");
    }
}

#[test]
fn the_greatest_revision_cannot_grow() {
    let machine = machine();
    let at = |revision: u64| {
        let mut instance = json!(start(&machine));
        instance["revision"] = json!(revision);
        machine.instance_from_value(&instance).unwrap()
    };
    let last = machine.transition(&at(MAX_REVISION - 1), &event("GO"), &text("t1")).into_result().unwrap();
    assert_eq!(last.revision(), MAX_REVISION);
    let refused = machine.transition(&last, &event("BACK"), &text("t2")).into_result().unwrap_err();
    assert_eq!(refused, Diagnostic::RevisionExhausted);
    assert_eq!(refused.code(), Code::InputInvalid);
    assert_eq!(refused.to_string(), "instance revision cannot be incremented safely");
    // After the state was asked, before the guard is.
    for (kind, expected) in [
        ("BACK", Diagnostic::Unavailable { event: text("BACK"), state: text("a") }),
        ("REFUSE", Diagnostic::RevisionExhausted),
        ("ASK", Diagnostic::RevisionExhausted),
    ] {
        let refused = machine.transition(&at(MAX_REVISION), &event(kind), &text("t1")).into_result();
        assert_eq!(refused.unwrap_err(), expected);
    }
}

#[test]
fn in_json_event_time_and_instance_are_checked_in_this_order() {
    let machine = machine();
    let instance = json!(start(&machine));
    let (go, now) = (json!({ "type": "GO", "payload": [1] }), json!("t1"));
    let events = [
        json!(null),
        json!("GO"),
        json!([]),
        json!({}),
        json!({ "type": 1 }),
        json!({ "type": "\u{feff}", "x": 1 }),
    ];
    for malformed in events {
        let result = machine.transition_value(&json!([]), &malformed, &json!(null));
        assert_eq!(result["diagnostic"]["code"], "AK_STATECHART_INPUT_INVALID");
        let message = "event must be a JSON-compatible object with a non-empty type";
        assert_eq!(result["diagnostic"]["message"], message);
        assert_eq!(result["event"], json!({ "type": "" }));
    }
    for malformed in [json!(null), json!(5), json!(""), json!(" ")] {
        let result = machine.transition_value(&json!([]), &go, &malformed);
        assert_eq!(result["diagnostic"]["code"], "AK_STATECHART_INPUT_INVALID");
        assert_eq!(result["diagnostic"]["message"], "now must be a non-empty string");
        assert_eq!(result["event"], go);
    }
    for (field, value) in [
        ("machineId", json!("n")),
        ("machineVersion", json!(null)),
        ("instanceId", json!("")),
        ("state", json!("c")),
        ("state", json!(5)),
        ("revision", json!(-1)),
        ("revision", json!(1.5)),
        ("revision", json!("0")),
        ("revision", json!(MAX_REVISION + 1)),
        ("updatedAt", json!(" ")),
        ("context", json!([])),
        ("context", json!({})),
    ] {
        let mut malformed = instance.clone();
        malformed[field] = value;
        // The state does not accept this event either; the instance comes first.
        let result = machine.transition_value(&malformed, &json!({ "type": "NO" }), &now);
        assert_eq!(result["diagnostic"]["code"], "AK_STATECHART_INSTANCE_MISMATCH", "{malformed}");
        assert_eq!((&result["instance"], &result["from"]), (&malformed, &malformed["state"]));
    }
    for nothing in [json!(null), json!([]), json!("i")] {
        let result = machine.transition_value(&nothing, &go, &now);
        assert_eq!((&result["from"], &result["instance"]), (&json!(null), &nothing));
    }
    let result = machine.transition_value(&instance, &go, &now);
    assert_eq!((&result["status"], &result["to"], &result["event"]), (&json!("accepted"), &json!("b"), &go));
    assert_eq!((&result["from"], &result["instance"]["revision"]), (&json!("a"), &json!(1)));
    let result = machine.transition_value(&instance, &json!({ "type": "NO", "x": 1 }), &now);
    assert_eq!(result["diagnostic"]["code"], "AK_STATECHART_TRANSITION_UNAVAILABLE");
    assert_eq!((&result["event"]["x"], &result["instance"]), (&json!(1), &instance));
}

#[test]
fn a_closure_that_panics_is_caught_around_the_call_and_breaks_nothing() {
    let machine = Definition::builder("m", "1", "a")
        .state(State::new("a").on("GO", "a").on("PANIC", Edge::to("a").guard(|_, _| panic!("a bug"))))
        .build()
        .unwrap();
    let instance = machine.start(&text("i"), Map::new(), &text("t0")).unwrap();
    let (before, panic) = (instance.clone(), event("PANIC"));
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _ = machine.transition(&instance, &panic, &text("t1"));
    }));
    std::panic::set_hook(hook);
    assert!(caught.is_err());
    assert_eq!(instance, before);
    assert!(machine.transition(&instance, &event("GO"), &text("t1")).into_result().is_ok());
}

#[test]
fn a_definition_is_shared_between_threads() {
    let machine = machine();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let machine = machine.clone();
            scope.spawn(move || {
                let mut instance = start(&machine);
                for step in 1..1_000 {
                    instance =
                        machine.transition(&instance, &event("ADD"), &text("t")).into_result().unwrap();
                    assert_eq!(instance.context()["n"], step);
                }
            });
        }
    });
}

fn config() -> ProptestConfig {
    let cases = std::env::var("ANSWERPLANE_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig::with_cases(cases.map_or(500, |cases: u32| cases.min(20_000)))
}

proptest! {
    #![proptest_config(config())]

    /// The same walk gives the same results, as types and as JSON.
    #[test]
    fn a_walk_is_deterministic_and_the_same_in_json(kinds in prop::collection::vec(
        prop::sample::select(vec!["GO", "BACK", "ADD", "REFUSE", "ASK", "BREAK", "SPOIL", "NO", ""]), 0..20,
    )) {
        let (one, other) = (machine(), machine());
        let mut instance = start(&one);
        let mut value = json!(instance);
        for (step, kind) in kinds.iter().enumerate() {
            let now = format!("t{step}");
            let result = other.transition_value(&value, &json!({ "type": kind }), &json!(now));
            if let Ok(event) = Event::new(kind) {
                let now = text(&now);
                let transition = one.transition(&instance, &event, &now);
                prop_assert_eq!(&transition, &other.transition(&instance, &event, &now));
                prop_assert_eq!(&result, &json!(transition));
                let accepted = transition.into_result().ok();
                let moved = accepted.is_some();
                let next = accepted.unwrap_or_else(|| instance.clone());
                prop_assert_eq!(next.revision(), instance.revision() + u64::from(moved));
                instance = next;
            }
            value.clone_from(&result["instance"]);
            prop_assert_eq!(&json!(instance), &value);
        }
    }

    /// Whatever is handed over, there is a result and no panic.
    #[test]
    fn a_transition_over_any_json_is_total(
        instance in any_json(), event in any_json(), now in any_json(), context in any_json(),
    ) {
        let machine = machine();
        let result = machine.transition_value(&instance, &event, &now);
        prop_assert_eq!(&result["status"], "rejected");
        prop_assert_eq!(&result["instance"], &instance);
        let mut almost = json!(start(&machine));
        almost["context"] = context;
        let result = machine.transition_value(&almost, &json!({ "type": "GO", "x": event }), &json!("t"));
        prop_assert!(result["status"] == "rejected" || almost["context"]["n"].is_u64());
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("type|state|n|.{0,3}", inner, 0..4)
                .prop_map(|object| Value::Object(object.into_iter().collect())),
        ]
    })
}

/// A value that was built in a program may nest deeper than a stack is high.
#[test]
fn values_of_any_depth_are_refused_without_harm() {
    let definition = Definition::builder("m", "1", "a").state(State::new("a")).build().unwrap();
    let deep = || {
        let mut value = json!({ "type": "GO" });
        value["more"] = (0..100_000).fold(Value::Null, |inner, _| Value::Array(vec![inner]));
        value
    };
    let (event, instance) = (deep(), deep());
    let result = definition.transition_value(&json!({}), &event, &json!("now"));
    assert_eq!(result["diagnostic"]["code"], "AK_STATECHART_INPUT_INVALID");
    assert_eq!(result["event"], json!({ "type": "" }));
    let result = definition.transition_value(&instance, &json!({ "type": "GO" }), &json!("now"));
    assert_eq!(result["diagnostic"]["code"], "AK_STATECHART_INSTANCE_MISMATCH");
    assert_eq!(result["instance"], Value::Null);
    // Dropping them would exhaust the stack.
    std::mem::forget((event, instance));
}
