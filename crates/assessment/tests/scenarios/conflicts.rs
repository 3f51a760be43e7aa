//! 71 to 75: results that contradict each other.

use super::*;

/// Turn 1 with the results old1 and old2, then turn 2 with c1.
fn read(turn: Value, stamp: Value, witnesses: &[&str]) -> bool {
    let witnesses: Vec<_> = witnesses.iter().map(|call| json!({ "toolCallId": call })).collect();
    read_witnesses(turn, stamp, json!(witnesses))
}

fn read_witnesses(turn: Value, stamp: Value, witnesses: Value) -> bool {
    let mut conflict = json!({ "kind": "conflict", "key": "k", "witnesses": witnesses });
    let mut state = json!({ "history": [
        u("1"), t("old1", json!([1])), t("old2", json!([1])), u("2"), t("c1", json!([1])),
    ] });
    if !stamp.is_null() {
        conflict["turn"] = stamp;
    }
    if !turn.is_null() {
        state["turnNumber"] = turn;
    }
    state["findingsLedger"] = json!([conflict]);
    let told = told(state);
    let fires = told.starts_with("not-sure: sources-conflict@3[findingsLedger/0/kind] | ");
    assert!(fires || told.starts_with("consistent"), "{told}");
    fires
}

#[test]
fn s071_one_result_of_this_turn() {
    assert!(read(json!(null), json!(null), &["old1", "c1"]));
}

#[test]
fn s072_none_of_this_turn() {
    assert!(!read(json!(null), json!(null), &["old1", "old2"]));
}

#[test]
fn s073_a_stamp_comes_before_a_reused_id() {
    assert!(!read(json!(2), json!(1), &["c1", "old1"]));
    assert!(read(json!(2), json!(2), &["c1", "old1"]));
    assert!(read(json!(2), json!(2.0), &["c1", "old1"]));
    assert!(read(json!(2), json!(null), &["c1", "old1"]));
}

#[test]
fn s074_results_that_the_history_lost() {
    assert!(read(json!(2), json!(2), &["x1", "x2"]));
    assert!(read(json!(2), json!(2), &["old1", "x2"]));
    // A witness without an id is placed nowhere; one that is no object does not count.
    assert!(read_witnesses(json!(2), json!(2), json!([{ "subject": "h1" }])));
    assert!(!read_witnesses(json!(2), json!(2), json!([null, "x1", 3])));
    assert!(!read_witnesses(json!(2), json!(2), json!([])));
    assert!(!read_witnesses(json!(2), json!(2), json!("x1")));
    // Without a stamp there is no such leniency.
    assert!(!read(json!(2), json!(null), &["x1", "x2"]));
    assert!(!read(json!(null), json!(2), &["x1", "x2"]));
}

#[test]
fn s075_results_that_the_history_places_earlier() {
    assert!(!read(json!(2), json!(2), &["old1", "old2"]));
}
