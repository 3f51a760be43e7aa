//! What is saved can be restored, and nothing else.
#![allow(clippy::unwrap_used)] // in the helpers of tests too

use answerplane_statechart::{
    Code, Definition, Diagnostic, Event, Instance, MAX_REVISION, Map, NonBlank, State, Value,
};
use proptest::prelude::*;
use serde_json::json;

fn machine() -> Definition {
    Definition::builder("m", "1", "a")
        .context_rule(|context| !context.contains_key("forbidden"))
        .state(State::new("a").on("GO", "b"))
        .state(State::new("b").on("GO", "a"))
        .build()
        .unwrap()
}

fn text(text: &str) -> NonBlank {
    NonBlank::new(text).unwrap()
}

fn saved() -> Value {
    json!({
        "schemaVersion": 1, "machineId": "m", "machineVersion": "1", "instanceId": "i", "state": "b",
        "context": { "x": [1, null] }, "revision": 2, "updatedAt": "t",
    })
}

fn with(field: &str, value: Value) -> String {
    let mut saved = saved();
    saved[field] = value;
    saved.to_string()
}

fn without(field: &str) -> String {
    let mut saved = saved();
    saved.as_object_mut().unwrap().remove(field);
    saved.to_string()
}

#[track_caller]
fn assert_refused(snapshot: &str, expected: &Diagnostic) {
    assert_eq!(machine().restore(snapshot).as_ref(), Err(expected), "{snapshot}");
}

#[test]
fn a_snapshot_is_the_instance_and_its_schema_version() {
    let instance = machine().restore(&saved().to_string()).unwrap();
    assert_eq!(json!(instance.snapshot()), saved());
    let again: Value = serde_json::from_str(&instance.snapshot().to_string()).unwrap();
    assert_eq!(again, saved());
    let mut plain = saved();
    plain.as_object_mut().unwrap().remove("schemaVersion");
    assert_eq!(json!(instance), plain);
}

/// A snapshot of the first schema version, which is kept and read for ever.
#[test]
fn a_snapshot_that_was_once_saved_is_restored() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/statechart");
    let read = |name: &str| std::fs::read_to_string(format!("{folder}/{name}")).unwrap();
    let door = Definition::decode(&read("door.json")).unwrap();
    let instance = door.restore(&read("snapshots/door-v1.json")).unwrap();
    assert_eq!((instance.state().as_str(), instance.revision()), ("locked", 7));
    assert_eq!(instance.context()["keys"], json!([{ "number": 0.1, "of": null }]));
    let saved: Value = serde_json::from_str(&read("snapshots/door-v1.json")).unwrap();
    assert_eq!(json!(instance.snapshot()), saved);
}

#[test]
fn a_snapshot_is_an_object() {
    for other in ["", "null", "[]", "1", "\"{}\"", "{", "{}x", "\u{feff}{}"] {
        assert_refused(other, &Diagnostic::SnapshotNotObject);
    }
    assert_eq!(Diagnostic::SnapshotNotObject.code(), Code::SnapshotInvalid);
    assert_eq!(Diagnostic::SnapshotNotObject.to_string(), "snapshot must be a JSON-compatible object");
}

#[test]
fn a_context_that_cannot_be_built_makes_the_snapshot_unreadable() {
    let deep = |levels: usize| ["{\"x\":", &"[".repeat(levels - 1), &"]".repeat(levels - 1), "}"].concat();
    let restore = |context: &str| {
        let text = saved().to_string().replace(r#"{"x":[1,null]}"#, context);
        machine().restore(&text)
    };
    for context in [r#"{"x":1e999}"#, r#"{"x":"\ud800"}"#, r#"{"\ud800":1}"#, &deep(127), &deep(100_000)] {
        assert_eq!(restore(context), Err(Diagnostic::SnapshotNotObject));
    }
    assert!(restore(&deep(126)).is_ok());
}

#[test]
fn the_schema_version_is_1() {
    for other in [json!(2), json!(0), json!("1"), json!(null), json!(1.5), json!([1])] {
        assert_refused(&with("schemaVersion", other), &Diagnostic::UnsupportedSnapshotVersion);
    }
    assert_refused(&without("schemaVersion"), &Diagnostic::UnsupportedSnapshotVersion);
    assert_refused("{}", &Diagnostic::UnsupportedSnapshotVersion);
    assert_eq!(Diagnostic::UnsupportedSnapshotVersion.code(), Code::SnapshotVersionUnsupported);
    assert_eq!(Diagnostic::UnsupportedSnapshotVersion.to_string(), "snapshot schema version is unsupported");
    for spelled in ["1.0", "1e0", "10e-1"] {
        let text =
            saved().to_string().replace("\"schemaVersion\":1", &format!("\"schemaVersion\":{spelled}"));
        assert!(machine().restore(&text).is_ok());
    }
}

#[test]
fn a_snapshot_of_another_machine_or_version_does_not_belong_here() {
    for field in ["machineId", "machineVersion"] {
        for other in [json!("other"), json!(""), json!(1), json!(null), json!("m ")] {
            assert_refused(&with(field, other), &Diagnostic::ForeignSnapshot);
        }
        assert_refused(&without(field), &Diagnostic::ForeignSnapshot);
    }
    assert_eq!(Diagnostic::ForeignSnapshot.code(), Code::InstanceMismatch);
    assert_eq!(
        Diagnostic::ForeignSnapshot.to_string(),
        "snapshot does not belong to this statechart definition"
    );
}

#[test]
fn its_metadata_is_that_of_an_instance() {
    for (field, malformed) in [
        ("instanceId", vec![json!(""), json!(" "), json!(null), json!(5)]),
        ("updatedAt", vec![json!(""), json!("\u{feff}"), json!(null), json!(5)]),
        ("state", vec![json!("c"), json!("toString"), json!(""), json!(0), json!(null)]),
        (
            "revision",
            vec![json!(-1), json!(1.5), json!("2"), json!(null), json!(MAX_REVISION + 1), json!(1e300)],
        ),
    ] {
        for value in malformed {
            assert_refused(&with(field, value), &Diagnostic::InvalidSnapshotMetadata);
        }
        assert_refused(&without(field), &Diagnostic::InvalidSnapshotMetadata);
    }
    assert_eq!(Diagnostic::InvalidSnapshotMetadata.code(), Code::SnapshotInvalid);
    assert_eq!(Diagnostic::InvalidSnapshotMetadata.to_string(), "snapshot metadata is invalid");
    for (revision, expected) in [(json!(0), 0), (json!(2.0), 2), (json!(MAX_REVISION), MAX_REVISION)] {
        assert_eq!(machine().restore(&with("revision", revision)).unwrap().revision(), expected);
    }
}

#[test]
fn its_context_keeps_the_rule() {
    for context in [json!(null), json!([]), json!("x"), json!({ "forbidden": 1 })] {
        assert_refused(&with("context", context), &Diagnostic::InvalidSnapshotContext);
    }
    assert_refused(&without("context"), &Diagnostic::InvalidSnapshotContext);
    assert_eq!(Diagnostic::InvalidSnapshotContext.code(), Code::ContextInvalid);
    assert_eq!(Diagnostic::InvalidSnapshotContext.to_string(), "snapshot context failed runtime validation");
}

#[test]
fn a_field_of_ours_that_stands_there_twice_is_refused() {
    let saved = saved();
    for field in saved.as_object().unwrap().keys() {
        let twice = saved.to_string().replacen('{', &format!("{{\"{field}\":{},", saved[field]), 1);
        assert_refused(&twice, &Diagnostic::InvalidSnapshotMetadata);
        // An unsupported version comes first, unless it is what stands there twice.
        if field != "schemaVersion" {
            let twice = twice.replace("\"schemaVersion\":1", "\"schemaVersion\":2");
            assert_refused(&twice, &Diagnostic::UnsupportedSnapshotVersion);
        }
    }
}

#[test]
fn unknown_fields_are_ignored_and_dropped() {
    let text = saved().to_string().replacen('{', r#"{"extra":1e999,"extra":"\ud800","\ud800":[],"#, 1);
    assert_eq!(json!(machine().restore(&text).unwrap().snapshot()), saved());
}

#[test]
fn the_first_check_that_fails_decides() {
    let broken = [
        ("schemaVersion", json!(2), Diagnostic::UnsupportedSnapshotVersion),
        ("machineId", json!("n"), Diagnostic::ForeignSnapshot),
        ("state", json!("c"), Diagnostic::InvalidSnapshotMetadata),
        ("context", json!(null), Diagnostic::InvalidSnapshotContext),
    ];
    for from in 0..broken.len() {
        let mut snapshot = saved();
        for (field, value, _) in &broken[from..] {
            snapshot[field] = value.clone();
        }
        assert_refused(&snapshot.to_string(), &broken[from].2);
    }
}

#[test]
fn every_name_in_a_context_comes_back() {
    // The last is a name of serde_json's own, which its `Value` reads as something else.
    for name in ["", "__proto__", "constructor", "\u{0}", "$serde_json::private::RawValue"] {
        for value in [json!("[1]"), json!("no JSON"), json!(1)] {
            let mut inner = Map::new();
            inner.insert(name.into(), value);
            let context = Map::from_iter([(name.into(), Value::Object(inner))]);
            let instance = machine().start(&text("i"), context, &text("t")).unwrap();
            assert_eq!(machine().restore(&instance.snapshot().to_string()).unwrap(), instance);
            assert_eq!(machine().instance_from_value(&json!(instance)).unwrap(), instance);
        }
    }
}

#[test]
fn a_restored_instance_goes_on() {
    let machine = machine();
    let restored = machine.restore(&saved().to_string()).unwrap();
    let event = Event::new("GO").unwrap();
    let next = machine.transition(&restored, &event, &text("later")).into_result().unwrap();
    assert_eq!((next.state().as_str(), next.revision(), next.updated_at().as_str()), ("a", 3, "later"));
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<u64>().prop_map(|bits| Value::from(f64::from_bits(bits))),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..5)
                .prop_map(|object| Value::Object(object.into_iter().collect())),
        ]
    })
}

fn non_blank() -> impl Strategy<Value = NonBlank> {
    any::<String>().prop_filter_map("blank", |text| NonBlank::new(&text).ok())
}

prop_compose! {
    /// An instance of a machine with names of all kinds, after some steps.
    fn any_instance()(
        id in non_blank(), version in non_blank(), a in non_blank(), b in non_blank(),
        go in non_blank(), instance_id in non_blank(), now in non_blank(), steps in 0_usize..4,
        context in prop::collection::btree_map(any::<String>(), any_json(), 0..4),
    ) -> (Definition, Instance) {
        let b = if a == b { text(&format!("{b}2")) } else { b };
        let machine = Definition::builder(&*id, &*version, &*a)
            .state(State::new(&*a).on(&*go, &*b))
            .state(State::new(&*b).on(&*go, &*a))
            .build()
            .unwrap();
        let mut instance = machine.start(&instance_id, context.into_iter().collect(), &now).unwrap();
        for _ in 0..steps {
            instance = machine.transition(&instance, &Event::from(go.clone()), &now).into_result().unwrap();
        }
        (machine, instance)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(
        std::env::var("ANSWERPLANE_CASES").ok().and_then(|cases| cases.parse().ok()).map_or(1_000, |cases: u32| cases.min(20_000))
    ))]

    #[test]
    fn what_is_saved_is_restored_once_and_twice((machine, instance) in any_instance()) {
        let saved = instance.snapshot().to_string();
        let restored = machine.restore(&saved).unwrap();
        prop_assert_eq!(&restored, &instance);
        let again = restored.snapshot().to_string();
        prop_assert_eq!(&again, &saved);
        prop_assert_eq!(&machine.restore(&again).unwrap(), &instance);
        // By way of another reader of JSON, too.
        let value: Value = serde_json::from_str(&saved).unwrap();
        prop_assert_eq!(&machine.restore(&value.to_string()).unwrap(), &instance);
    }

    /// Cut or changed anywhere, a snapshot is refused or is that of an instance; never a panic.
    #[test]
    fn a_torn_snapshot_is_refused((machine, instance) in any_instance(), at in any::<prop::sample::Index>()) {
        let saved = instance.snapshot().to_string();
        let cut = at.index(saved.len());
        let torn = String::from_utf8_lossy(&saved.as_bytes()[..cut]);
        prop_assert_eq!(machine.restore(&torn), Err(Diagnostic::SnapshotNotObject));
        let mut changed = saved.into_bytes();
        changed[cut] ^= 1;
        if let Ok(restored) = machine.restore(&String::from_utf8_lossy(&changed)) {
            prop_assert_eq!(&machine.restore(&restored.snapshot().to_string()).unwrap(), &restored);
        }
    }
}
