//! 11 to 24: what is empty, and where rows are kept.

use super::*;

const EMPTY: &str = "not-sure: empty-undeclared@3[H(1,c1)] \
                     | tool-coverage@3 0/1 [], result-shape@3 1/1 [H(1,c1)] | person";
const ROWS: &str = "consistent:  | tool-coverage@3 0/1 [], result-shape@3 1/1 [H(1,c1)] | person";
const UNREADABLE: &str = "not-assessed:  | tool-coverage@3 0/1 [], result-shape@3 0/1 [] | person";

/// One result of the tool `lookup`, whose rows are declared under `key`.
fn read_at(key: &str, value: Value) -> String {
    told_with(json!({ "history": [u("q"), t("c1", value)] }), &rows_at("lookup", key))
}

fn read(value: Value) -> String {
    told(json!({ "history": [u("q"), t("c1", value)] }))
}

fn reference() -> String {
    format!("art_{}", "Ab0".repeat(8).get(..22).unwrap())
}

#[test]
fn s011_an_empty_list_that_nobody_declared() {
    assert_eq!(read(json!([])), EMPTY);
}

#[test]
fn s012_an_empty_list_where_rows_are_declared() {
    let state = json!({ "history": [u("q"), named("c1", json!({ "volumes": [] }), "vols")] });
    assert_eq!(told_with(state, &rows_at("vols", "volumes")), EMPTY);
}

#[test]
fn s013_a_row_in_that_list() {
    assert_eq!(read_at("volumes", json!({ "volumes": [1] })), ROWS);
}

#[test]
fn s014_no_list_in_that_place() {
    assert_eq!(read_at("volumes", json!({ "volumes": "none" })), UNREADABLE);
}

#[test]
fn s015_declared_for_another_tool() {
    let state = json!({ "history": [u("q"), t("c1", json!({ "volumes": [] }))] });
    assert_eq!(told_with(state, &rows_at("vols", "volumes")), UNREADABLE);
}

#[test]
fn s016_a_list_at_the_top_is_its_own_rows() {
    assert_eq!(read_at("volumes", json!([])), EMPTY);
    assert_eq!(read_at("volumes", json!([0])), ROWS);
}

#[test]
fn s017_a_dataset_ticket_under_the_key() {
    let ticket = |rows: Value| json!({ "datasets": { "rows": with(json!({ "ref": reference(), "sourceField": "rows" }), rows) } });
    assert_eq!(read_at("rows", ticket(json!({ "rows": 0 }))), EMPTY);
    assert_eq!(read_at("rows", ticket(json!({ "rows": 0.0 }))), EMPTY);
    assert_eq!(read_at("rows", ticket(json!({ "rows": 2 }))), ROWS);
    assert_eq!(read_at("rows", ticket(json!({ "rows": 9_007_199_254_740_991_u64 }))), ROWS);
    for unusable in [json!(-1), json!(1.5), json!("0"), json!(9_007_199_254_740_992_u64)] {
        assert_eq!(read_at("rows", ticket(json!({ "rows": unusable }))), UNREADABLE);
    }
    assert_eq!(read_at("rows", ticket(json!({}))), UNREADABLE);
    // A reference is `art_` and exactly 22 letters and digits.
    for reference in ["art_Ab0", "art_Ab0Ab0Ab0Ab0Ab0Ab0Ab0AbX", "art_Ab0Ab0Ab0Ab0Ab0Ab0Ab0_"] {
        let value = json!({ "datasets": { "rows": { "ref": reference, "rows": 0 } } });
        assert_eq!(read_at("rows", value), UNREADABLE);
    }
}

#[test]
fn s018_the_principal_dataset_ticket() {
    let ticket = |field: &str| json!({ "dataset": { "ref": reference(), "rows": 0, "sourceField": field } });
    assert_eq!(read_at("rows", ticket("rows")), EMPTY);
    assert_eq!(read_at("rows", ticket("items")), UNREADABLE);
    assert_eq!(read_at("rows", json!({ "dataset": { "ref": reference(), "rows": 0 } })), UNREADABLE);
}

#[test]
fn s019_the_own_key_wins_over_a_ticket() {
    let value = json!({ "rows": [1], "datasets": { "rows": { "ref": reference(), "rows": 0 } } });
    assert_eq!(read_at("rows", value), ROWS);
    let value = json!({ "rows": null, "datasets": { "rows": { "ref": reference(), "rows": 0 } } });
    assert_eq!(read_at("rows", value), UNREADABLE);
}

#[test]
fn s020_a_placement_ticket_has_no_countable_rows() {
    let value = json!({ "placed": true, "ref": "x", "reason": "size", "rows": [] });
    assert_eq!(read(value.clone()), UNREADABLE);
    assert_eq!(read_at("rows", value), UNREADABLE);
}

#[test]
fn s021_a_text_is_not_read() {
    assert_eq!(read(json!("Error: down")), UNREADABLE);
}

#[test]
fn s022_a_marker_of_a_cut_is_no_reason() {
    assert_eq!(read(json!({ "truncated": true, "reason": "size", "head": "[" })), UNREADABLE);
}

#[test]
fn s023_a_projection_is_counted_where_its_rows_are_declared() {
    assert_eq!(read_at("facts", json!({ "facts": [{ "a": 1 }] })), ROWS);
}

#[test]
fn s024_a_result_without_an_id() {
    for unnamed in [json!({ "role": "tool", "content": "[]" }), t("", json!([]))] {
        assert_eq!(
            told(json!({ "history": [u("q"), unnamed] })),
            "not-sure: empty-undeclared@3[H(1)] | tool-coverage@3 0/1 [], result-shape@3 1/1 [H(1)] | person"
        );
    }
}

#[test]
fn a_named_ticket_decides_whatever_stands_at_the_top() {
    let dataset = json!({ "ref": reference(), "sourceField": "rows", "rows": 0 });
    let named = |ticket: Value| json!({ "datasets": { "rows": ticket }, "dataset": dataset });
    assert_eq!(read_at("rows", named(json!({ "ref": reference() }))), UNREADABLE);
    assert_eq!(read_at("rows", named(json!({ "ref": reference(), "rows": 3 }))), ROWS);
    // What is no ticket decides nothing.
    assert_eq!(read_at("rows", named(json!({ "ref": "art_1" }))), EMPTY);
}
