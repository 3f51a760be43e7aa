//! What holds for every record, over generated ones: `ANSWERPLANE_CASES` of each (2,000 unless set).

#![allow(clippy::unwrap_used)] // in the helpers of tests too

mod records;

use std::collections::BTreeSet;

use answerplane_assessment::{
    AssessmentValue, AssumedValues, Class, Declarations, LiveRun, Projection, Reason, Record, SavedRecord,
    Served, Standing, TurnEnd, assess, assess_live, fold_state, how_sure, standing_line,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use records::{absence, any_json, gaps_of, record, record_of_words, state};
use serde_json::{Value, json};

fn config() -> ProptestConfig {
    let cases = std::env::var("ANSWERPLANE_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig::with_cases(cases.unwrap_or(2_000))
}

fn declarations() -> Declarations {
    Declarations::default().with_rows_at("vols", "volumes").unwrap()
}

fn wire_of(record: &Value) -> Value {
    serde_json::to_value(assess(Record::new(record).unwrap(), &declarations())).unwrap()
}

fn reasons(wire: &Value) -> BTreeSet<String> {
    let fired = wire["reasons"].as_array().unwrap().iter();
    fired.map(|fired| fired["reason"].as_str().unwrap().to_owned()).collect()
}

/// Every law on the output alone, and on repeats and readers of one record.
fn hold(record: &Value) {
    let before = record.clone();
    let declarations = declarations();
    let parsed = Record::new(record).unwrap();
    let assessment = assess(parsed, &declarations);

    // Pure: the same bytes again, and the input is as it was.
    let bytes = serde_json::to_string(&assessment).unwrap();
    assert_eq!(serde_json::to_string(&assess(parsed, &declarations)).unwrap(), bytes);
    assert_eq!(*record, before);
    assert_eq!(serde_json::to_string(&assessment.clone().into_owned()).unwrap(), bytes);

    // The record's text says the same.
    let saved = SavedRecord::decode(record.to_string()).unwrap();
    assert_eq!(assess(saved.record(), &declarations), assessment);
    assert_eq!(saved.record().turn_end(), parsed.turn_end());
    assert_eq!(
        how_sure(&assessment, saved.record(), TurnEnd::Shown),
        how_sure(&assessment, parsed, TurnEnd::Shown)
    );

    let value = assessment.value();
    let ran = assessment.checked().iter().any(|run| run.ran() > 0);
    assert_eq!(value == AssessmentValue::Unknown, !assessment.reasons().is_empty());
    assert_eq!(value == AssessmentValue::Known, assessment.support().is_some());
    match value {
        AssessmentValue::Unrefuted => assert!(ran),
        AssessmentValue::NotApplicable => assert!(!ran),
        AssessmentValue::Known | AssessmentValue::Unknown => {}
    }
    let asks = assessment.reasons().iter().any(|fired| fired.reason().class() == Class::Ask);
    let standing = match value {
        AssessmentValue::Known => Standing::Known,
        AssessmentValue::Unrefuted => Standing::Consistent,
        AssessmentValue::Unknown if asks => Standing::Ask,
        AssessmentValue::Unknown => Standing::NotSure,
        AssessmentValue::NotApplicable => Standing::NotAssessed,
    };
    assert_eq!(assessment.standing(), standing);

    // Each reason and each check once, in order, with something behind it.
    let places: Vec<_> = assessment.reasons().iter().map(|fired| fired.reason()).collect();
    assert!(places.is_sorted_by(|one, next| one < next));
    assert!(assessment.reasons().iter().all(|fired| !fired.witness().is_empty()));
    assert!(assessment.checked().iter().map(|run| run.check()).is_sorted_by(|one, next| one < next));
    for run in assessment.checked() {
        assert!(run.ran() <= run.of() && run.of() > 0 && (run.ran() == 0) == run.witness().is_empty());
    }

    if let Some(keys) = assessment.kept_out() {
        assert!(!keys.is_empty() && keys.is_sorted_by(|one, next| one.as_str() < next.as_str()));
        assert_eq!(assessment.standing(), Standing::NotAssessed);
        assert!(assessment.reasons().is_empty() && assessment.checked().is_empty());
        assert_eq!(parsed.served(), Served::UnderPolicy);
    }

    // What travels comes back as it was, and every way to tell it has words.
    let projection = Projection::of(&assessment);
    assert_eq!(Projection::read(&serde_json::to_value(&projection).unwrap()).as_ref(), Some(&projection));
    assert!(!standing_line(&projection, &AssumedValues::read(&assessment, parsed)).contains(['\n', '\r']));
    let row = how_sure(&assessment, parsed, TurnEnd::Shown);
    assert!(row.lines().iter().all(|line| line.pointer().is_some()));

    // Every reader of an unserved state is one reader.
    let live = assess_live(LiveRun::Answered(parsed), &declarations).unwrap();
    if parsed.served() == Served::Plain {
        assert_eq!(live, assessment);
    }
    if let Some(state) = parsed.state() {
        assert_eq!(live, fold_state(state, &declarations, Served::Plain));
        assert_eq!(assessment, fold_state(state, &declarations, parsed.served()));
    }
}

/// Every result's JSON text in place of that text, built.
fn with_built_contents(state: &Value) -> Value {
    let mut state = state.clone();
    for message in state["history"].as_array_mut().into_iter().flatten() {
        if message["role"] != "tool" || message.get("toolChars").is_some() {
            continue;
        }
        let built = message["content"].as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
        if let Some(built) = built.filter(|built| built.is_object() || built.is_array()) {
            message["content"] = built;
        }
    }
    state
}

/// The messages after the last that a person wrote, by the generator's own marks.
fn this_turn(state: &Value) -> &[Value] {
    let history = state["history"].as_array().map_or(&[][..], Vec::as_slice);
    let start = history.iter().rposition(|message| message["content"] == records::SAID);
    history.get(start.unwrap_or(0)..).unwrap_or_default()
}

fn is_of_this_turn(state: &Value, row: &Value) -> bool {
    state["turnNumber"].as_f64().is_none_or(|turn| row["turn"].as_f64() == Some(turn))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_laws_hold(record in record()) {
        hold(&record);
    }

    #[test]
    fn the_laws_hold_for_rows_of_any_shape(record in record_of_words()) {
        hold(&record);
    }

    #[test]
    fn the_laws_hold_for_any_json(value in any_json()) {
        match Record::new(&value) {
            Ok(_) => hold(&value),
            Err(_) => prop_assert!(!value.is_object()),
        }
        prop_assert_eq!(Declarations::decode_value(&value), Declarations::decode(value.to_string()));
        let _ = Projection::read(&value);
        let carried = json!({ "snapshot": { "sharedState": value }, "checkpoint": value });
        hold(&carried);
    }

    #[test]
    fn a_pause_asks(state in state()) {
        let wire = wire_of(&json!({ "snapshot": { "sharedState": state } }));
        let paused = state["pausedToolCallId"].as_str().is_some_and(|call| !call.is_empty());
        prop_assert!(!paused || wire["standing"] == "ask");
        prop_assert_eq!(paused, reasons(&wire).contains("asked"));
    }

    #[test]
    fn an_absence_in_the_bytes_is_reported(state in state()) {
        let wire = wire_of(&json!({ "snapshot": { "sharedState": state } }));
        let rows: Vec<_> = state["coverageDeclared"].as_array().into_iter().flatten().collect();
        for result in this_turn(&state).iter().filter(|message| message["role"] == "tool") {
            let built = result["content"].as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
            // Rows outrank the bytes, and a ledger row alone declares no absence.
            let has_rows = result["toolCallId"].as_str().is_some_and(|call| {
                !call.is_empty() && rows.iter().any(|row| row["toolCallId"] == call)
            });
            if !has_rows && result.get("toolChars").is_none() && built.is_some_and(|built| built["af_absent"] == true && built["checked"] != json!([])) {
                prop_assert!(reasons(&wire).contains("declared-absent"));
            }
        }
    }

    #[test]
    fn only_the_report_makes_known(mut state in state()) {
        state.as_object_mut().unwrap().remove("answerValidation");
        let wire = wire_of(&json!({ "snapshot": { "sharedState": state } }));
        prop_assert_ne!(&wire["assessment"], "known");
    }

    #[test]
    fn a_period_reason_is_a_period_row_of_this_turn(state in state()) {
        let wire = wire_of(&json!({ "snapshot": { "sharedState": state } }));
        let rows: Vec<_> = state["findingsLedger"].as_array().into_iter().flatten()
            .filter(|row| row["kind"] == "period" && is_of_this_turn(&state, row))
            .filter(|row| row["toolCallId"].is_string() && row["verdict"].is_string())
            .collect();
        for verdict in ["not-held", "partly-held", "unknown", "undeclared"] {
            let fires = reasons(&wire).contains(&format!("period-{verdict}"));
            prop_assert_eq!(fires, rows.iter().any(|row| row["verdict"] == verdict));
        }
        let differs = rows.iter().any(|row| row["differs"].is_object());
        prop_assert_eq!(reasons(&wire).contains("period-differs-from-asked"), differs);
        let beyond = rows.iter().any(|row| row["beyondRetention"] == true);
        prop_assert_eq!(reasons(&wire).contains("period-beyond-retention"), beyond);
    }

    #[test]
    fn events_and_carriers_change_nothing(state in state(), events in any_json()) {
        let plain = wire_of(&json!({ "snapshot": { "sharedState": state } }));
        let loud = json!({ "snapshot": { "sharedState": state, "extra": events }, "events": events });
        prop_assert_eq!(&wire_of(&loud), &plain);
        prop_assert_eq!(&wire_of(&json!({ "checkpoint": { "sharedState": state } })), &plain);
    }

    #[test]
    fn a_text_and_its_tree_fold_alike(state in state()) {
        let built = json!({ "snapshot": { "sharedState": with_built_contents(&state) } });
        prop_assert_eq!(wire_of(&built), wire_of(&json!({ "snapshot": { "sharedState": state } })));
    }

    #[test]
    fn a_lost_row_loses_no_reason_that_the_bytes_still_give(
        mut state in state(), absence in absence(),
    ) {
        // A call whose envelope is in the history, and the row that a run files for it.
        let call = "kept";
        state["history"].as_array_mut().unwrap().push(json!({
            "role": "tool", "toolCallId": call, "toolName": "lookup", "content": absence.to_string(),
        }));
        let (not_checked, cannot_cover) = gaps_of(&absence);
        let row = json!({
            "kind": "absence", "toolCallId": call, "notChecked": not_checked, "cannotCover": cannot_cover,
        });
        let wire = |rows: Vec<Value>| {
            let mut state = state.clone();
            let all = state["coverageDeclared"].as_array().cloned().unwrap_or_default();
            state["coverageDeclared"] = all.into_iter().chain(rows).collect();
            wire_of(&json!({ "snapshot": { "sharedState": state } }))
        };
        let with_row = reasons(&wire(vec![row]));
        let without = reasons(&wire(vec![]));
        prop_assert!(without.contains("declared-absent"));
        prop_assert_eq!(with_row.contains("coverage-gap"), without.contains("coverage-gap"));
    }
}

#[test]
fn every_standing_every_reason_and_every_check_is_reached() {
    let mut runner = TestRunner::deterministic();
    let mut standings = BTreeSet::new();
    let mut fired = BTreeSet::new();
    let mut checks = BTreeSet::new();
    for _ in 0..4_000 {
        let record = record().new_tree(&mut runner).unwrap().current();
        let assessment = assess(Record::new(&record).unwrap(), &declarations()).into_owned();
        standings.insert(assessment.standing());
        fired.extend(assessment.reasons().iter().map(|fired| fired.reason()));
        checks.extend(assessment.checked().iter().filter(|run| run.ran() > 0).map(|run| run.check()));
    }
    assert_eq!(standings.len(), Standing::ALL.len(), "{standings:?}");
    assert_eq!(fired.len(), Reason::ALL.len(), "{fired:?}");
    assert_eq!(checks.len(), answerplane_assessment::Check::ALL.len(), "{checks:?}");
}

#[test]
fn depth_costs_no_stack() {
    let levels = 200_000;
    let list = ["[".repeat(levels), "]".repeat(levels)].concat();
    let boundary =
        ["{\"af_coverage\":{},\"result\":".repeat(levels), "[]".into(), "}".repeat(levels)].concat();
    // Built by hand: `json!` copies what it is given, level by level.
    let object = |members: Vec<(&str, Value)>| {
        Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    };
    let tree = || {
        (0..levels).fold(json!([]), |inner, _| object(vec![("af_coverage", json!({})), ("result", inner)]))
    };
    let message = |content: Value| {
        let (role, tool, call) = (json!("tool"), json!("vols"), json!("c1"));
        object(vec![("role", role), ("toolName", tool), ("toolCallId", call), ("content", content)])
    };
    let (call, argument, source) = (json!("c1"), json!("a"), json!("default"));
    let row = object(vec![
        ("kind", json!("argument")),
        ("toolCallId", call),
        ("argument", argument),
        ("source", source),
        ("value", tree()),
    ]);
    let state = object(vec![
        ("history", Value::Array(vec![message(list.into()), message(boundary.into()), message(tree())])),
        ("findingsLedger", Value::Array(vec![row])),
    ]);
    let record = object(vec![("snapshot", object(vec![("sharedState", state)]))]);
    let small_stack = std::thread::Builder::new().stack_size(256 * 1024);
    let folding = small_stack.spawn(move || {
        let parsed = Record::new(&record).unwrap();
        let assessment = assess(parsed, &declarations());
        let line = standing_line(&Projection::of(&assessment), &AssumedValues::read(&assessment, parsed));
        let row = how_sure(&assessment, parsed, TurnEnd::Shown);
        let shape = assessment.checked().iter().find(|run| run.check().as_str() == "result-shape").unwrap();
        let told = (shape.ran(), shape.of(), line, row.lines().len());
        // Dropping such a tree is recursive in serde_json, and not the subject here.
        std::mem::forget(record);
        told
    });
    let (ran, of, line, lines) = folding.unwrap().join().unwrap();
    assert_eq!((ran, of, lines), (1, 3, 1));
    assert!(line.contains("hidden"));
}
