//! 25 to 42: absences, boundaries and gaps.

use super::*;

const BY_ROW: &str = "tool-coverage@3 1/1 [coverageDeclared/0/kind], result-shape@3 1/1 [H(1,c1)] | person";
const BY_BYTES: &str = "tool-coverage@3 1/1 [H(1,c1)], result-shape@3 1/1 [H(1,c1)] | person";

/// One result of c1, and coverage rows.
fn read(value: Value, rows: Value) -> String {
    told(json!({ "history": [u("q"), t("c1", value)], "coverageDeclared": rows }))
}

fn gap() -> Value {
    json!({ "notChecked": [{ "what": "b" }] })
}

fn own_gap() -> Value {
    json!({ "checked": ["a"], "not_checked": ["b"] })
}

#[test]
fn s025_an_absence_row_with_a_gap() {
    assert_eq!(
        read(abs(json!({ "not_checked": ["b"] })), json!([row("absence", "c1", gap())])),
        format!(
            "not-sure: coverage-gap@3[coverageDeclared/0/kind], declared-absent@3[coverageDeclared/0/kind] | {BY_ROW}"
        )
    );
}

#[test]
fn s026_an_absence_row_without_gaps() {
    assert_eq!(
        read(abs(json!({})), json!([row("absence", "c1", json!({ "notChecked": [], "cannotCover": [] }))])),
        format!("not-sure: declared-absent@3[coverageDeclared/0/kind] | {BY_ROW}")
    );
}

#[test]
fn s027_empty_inside_a_boundary_is_declared_absent() {
    assert_eq!(
        read(cov(json!([]), json!({ "checked": ["a"] })), json!([row("ledger", "c1", json!({}))])),
        format!("not-sure: declared-absent@3[H(1,c1)] | {BY_ROW}")
    );
}

#[test]
fn s028_rows_inside_a_boundary_that_cannot_cover_all() {
    let rows = json!([row("ledger", "c1", json!({ "cannotCover": [{ "what": "b" }] }))]);
    assert_eq!(
        read(cov(json!([{ "id": 1 }]), json!({ "checked": ["a"] })), rows),
        format!("not-sure: coverage-gap@3[coverageDeclared/0/kind] | {BY_ROW}")
    );
}

#[test]
fn s029_an_absence_known_from_the_bytes_alone() {
    assert_eq!(read(abs(json!({})), json!([])), format!("not-sure: declared-absent@3[H(1,c1)] | {BY_BYTES}"));
}

fn resumed(rows: Value) -> String {
    told(json!({
        "history": [u("q"), t("t1", abs(json!({ "not_checked": ["b"] }))), t("t2", json!([1]))],
        "coverageDeclared": rows,
    }))
}

#[test]
fn s030_an_absence_with_a_gap_whose_row_is_lost() {
    assert_eq!(
        resumed(json!([])),
        "not-sure: coverage-gap@3[H(1,t1)], declared-absent@3[H(1,t1)] \
         | tool-coverage@3 1/2 [H(1,t1)], result-shape@3 2/2 [H(1,t1) H(2,t2)] | person"
    );
}

#[test]
fn s031_the_same_with_the_row() {
    assert_eq!(
        resumed(json!([row("absence", "t1", gap())])),
        "not-sure: coverage-gap@3[coverageDeclared/0/kind], declared-absent@3[coverageDeclared/0/kind] \
         | tool-coverage@3 1/2 [coverageDeclared/0/kind], result-shape@3 2/2 [H(1,t1) H(2,t2)] | person"
    );
}

#[test]
fn s032_two_gaps_in_the_bytes_are_one_witness() {
    assert_eq!(
        read(cov(abs(own_gap()), own_gap()), json!([])),
        format!("not-sure: coverage-gap@3[H(1,c1)], declared-absent@3[H(1,c1)] | {BY_BYTES}")
    );
}

/// Also what scenario 106 shows to a person.
pub(super) fn boundary_around_an_absence() -> Value {
    json!({
        "history": [u("q"), t("c1", cov(abs(own_gap()), own_gap()))],
        "coverageDeclared": [row("ledger", "c1", gap()), row("absence", "c1", gap())],
    })
}

#[test]
fn s033_two_gaps_in_rows_are_two() {
    assert_eq!(
        told(boundary_around_an_absence()),
        "not-sure: coverage-gap@3[coverageDeclared/0/kind coverageDeclared/1/kind], \
         declared-absent@3[coverageDeclared/1/kind] \
         | tool-coverage@3 1/1 [coverageDeclared/0/kind coverageDeclared/1/kind], \
         result-shape@3 1/1 [H(1,c1)] | person"
    );
}

#[test]
fn s034_rows_outrank_the_bytes_for_gaps() {
    assert_eq!(
        read(cov(json!([]), own_gap()), json!([row("ledger", "c1", json!({}))])),
        format!("not-sure: declared-absent@3[H(1,c1)] | {BY_ROW}")
    );
}

#[test]
fn s035_a_bare_empty_list_under_a_ledger_row() {
    assert_eq!(read(json!([]), json!([row("ledger", "c1", json!({}))])), format!("consistent:  | {BY_ROW}"));
}

#[test]
fn s036_an_absence_row_decides_over_rows_in_the_bytes() {
    assert_eq!(
        read(json!([1]), json!([row("absence", "c1", json!({}))])),
        format!("not-sure: declared-absent@3[coverageDeclared/0/kind] | {BY_ROW}")
    );
}

#[test]
fn s037_a_row_whose_result_is_gone() {
    assert_eq!(
        told(json!({ "history": [u("q")], "coverageDeclared": [row("absence", "c9", gap())] })),
        "not-sure: coverage-gap@3[coverageDeclared/0/kind], declared-absent@3[coverageDeclared/0/kind] \
         | tool-coverage@3 1/1 [coverageDeclared/0/kind] | person"
    );
}

#[test]
fn s038_boundaries_in_each_other() {
    let nested =
        |levels: usize| (0..levels).fold(json!([]), |inner, _| cov(inner, json!({ "checked": ["a"] })));
    for levels in [1, 2, 8] {
        assert_eq!(
            read(nested(levels), json!([])),
            format!("not-sure: declared-absent@3[H(1,c1)] | {BY_BYTES}")
        );
    }
    // Deeper than eight is not opened, though the call declared its ground.
    assert_eq!(
        read(nested(9), json!([])),
        "consistent:  | tool-coverage@3 1/1 [H(1,c1)], result-shape@3 0/1 [] | person"
    );
}

#[test]
fn s039_an_absence_that_checked_nothing_is_plain() {
    assert_eq!(
        read(json!({ "af_absent": true, "checked": [] }), json!([])),
        "not-assessed:  | tool-coverage@3 0/1 [], result-shape@3 0/1 [] | person"
    );
}

#[test]
fn s040_a_boundary_without_a_result_is_plain() {
    assert_eq!(
        read(json!({ "af_coverage": { "checked": ["a"] } }), json!([])),
        "not-assessed:  | tool-coverage@3 0/1 [], result-shape@3 0/1 [] | person"
    );
    // A result that is null is a result; there is nothing to read in it.
    assert_eq!(
        read(cov(json!(null), json!({})), json!([])),
        "consistent:  | tool-coverage@3 1/1 [H(1,c1)], result-shape@3 0/1 [] | person"
    );
}

#[test]
fn s041_an_absence_for_one_entity_beside_rows_for_another() {
    assert_eq!(
        told(json!({ "history": [u("q"), t("c1", abs(json!({}))), t("c2", json!([1]))] })),
        "not-sure: declared-absent@3[H(1,c1)] \
         | tool-coverage@3 1/2 [H(1,c1)], result-shape@3 2/2 [H(1,c1) H(2,c2)] | person"
    );
}

#[test]
fn s042_rows_of_other_kinds_and_rows_without_an_id() {
    assert_eq!(
        told(json!({ "coverageDeclared": [row("other", "c1", gap()), { "kind": "ledger" }] })),
        "consistent:  | tool-coverage@3 1/1 [coverageDeclared/1/kind] | whole-history"
    );
    // An empty id names no call either.
    assert_eq!(
        told(json!({ "coverageDeclared": [row("ledger", "", json!({})), row("ledger", "", json!({}))] })),
        "consistent:  | tool-coverage@3 2/2 [coverageDeclared/0/kind coverageDeclared/1/kind] | whole-history"
    );
}

#[test]
fn a_boundary_alone_with_a_gap_in_the_bytes() {
    for coverage in [json!({ "not_checked": ["a"] }), json!({ "cannot_cover": ["a"] })] {
        assert_eq!(
            read(cov(json!([1]), coverage), json!([])),
            format!("not-sure: coverage-gap@3[H(1,c1)] | {BY_BYTES}")
        );
    }
}

#[test]
fn an_absence_below_two_boundaries_is_none_by_the_bytes() {
    let absence = abs(json!({ "not_checked": ["b"] }));
    let once = read(cov(absence.clone(), json!({})), json!([]));
    assert_eq!(once, format!("not-sure: coverage-gap@3[H(1,c1)], declared-absent@3[H(1,c1)] | {BY_BYTES}"));
    assert_eq!(
        read(cov(cov(absence, json!({})), json!({})), json!([])),
        "consistent:  | tool-coverage@3 1/1 [H(1,c1)], result-shape@3 0/1 [] | person"
    );
}
