//! 58 to 70: what is on record about the answer.

use super::*;

const NOTHING: &str = "not-assessed:  |  | whole-history";
const GATE: &str = "names-and-numbers@4 1/1 [unsupportedValues/candidates]";

fn unsupported(revised: bool) -> Value {
    json!({ "values": [{ "value": "7", "shape": "number" }], "candidates": 3, "revised": revised })
}

fn ledger(turn: Value, rows: Value) -> String {
    told(json!({ "turnNumber": turn, "findingsLedger": rows }))
}

fn grounded(turn: u64, looked_up: Value) -> Value {
    json!({ "kind": "grounded", "turn": turn, "iteration": 2, "candidates": 4, "lookedUp": looked_up })
}

fn steps(turn: u64) -> Value {
    json!({ "kind": "steps-unfinished", "turn": turn, "skillId": "refund", "remaining": [], "total": 3 })
}

#[test]
fn s058_values_that_no_result_has() {
    assert_eq!(
        told(json!({ "unsupportedValues": unsupported(false) })),
        format!("not-sure: value-unsupported@4[unsupportedValues/candidates] | {GATE} | whole-history")
    );
    assert!(told(json!({ "unsupportedValues": {} })).starts_with("not-sure: value-unsupported"));
    assert_eq!(told(json!({ "unsupportedValues": [] })), NOTHING);
}

#[test]
fn s059_after_a_revision() {
    assert_eq!(
        told(json!({ "unsupportedValues": unsupported(true) })),
        format!("not-sure: value-survived-revision@4[unsupportedValues/candidates] | {GATE} | whole-history")
    );
}

#[test]
fn s060_stopped_at_a_limit() {
    let stopped = "not-sure: stopped-early@4[stoppedEarly/iteration] |  | whole-history";
    assert_eq!(told(json!({ "stoppedEarly": { "reason": "cost-budget", "iteration": 3 } })), stopped);
    assert_eq!(told(json!({ "stoppedEarly": { "wrappedUp": true } })), stopped);
    assert_eq!(told(json!({ "stoppedEarly": [] })), NOTHING);
}

const RAN: &str = "answer-checks@4 1/1 [answerValidation/status]";

#[test]
fn s061_a_failed_check() {
    for mode in ["observe", "enforce"] {
        assert_eq!(
            told(json!({ "answerValidation": { "mode": mode, "status": "failed" } })),
            format!("not-sure: answer-check-failed@4[answerValidation/status] | {RAN} | whole-history")
        );
    }
}

#[test]
fn s062_a_check_without_a_verdict() {
    assert_eq!(
        told(
            json!({ "answerValidation": { "mode": "enforce", "status": "unverified", "candidateDigest": "d" } })
        ),
        format!("not-sure: check-unreachable[answerValidation/status] | {RAN} | whole-history")
    );
}

#[test]
fn s063_other_words_and_no_words() {
    assert_eq!(
        told(json!({ "answerValidation": { "status": "skipped" } })),
        format!("consistent:  | {RAN} | whole-history")
    );
    assert_eq!(
        told(json!({ "answerValidation": { "status": 5, "mode": "enforce", "candidateDigest": "d" } })),
        NOTHING
    );
    assert_eq!(told(json!({ "answerValidation": ["passed"] })), NOTHING);
}

#[test]
fn s064_a_clean_pass_is_a_check_and_no_support() {
    assert_eq!(
        ledger(json!(1), json!([grounded(1, json!(1))])),
        "consistent:  | names-and-numbers@4 1/1 [findingsLedger/0/kind] | whole-history"
    );
}

#[test]
fn s065_a_pass_that_looked_nothing_up() {
    for looked_up in [json!(0), json!("3"), json!(null)] {
        assert_eq!(ledger(json!(1), json!([grounded(1, json!(3)), grounded(1, looked_up)])), NOTHING);
    }
}

#[test]
fn s066_rows_of_an_earlier_turn() {
    assert_eq!(ledger(json!(2), json!([grounded(1, json!(3)), steps(1)])), NOTHING);
}

#[test]
fn s067_the_gates_findings_come_before_a_clean_pass() {
    assert_eq!(
        told(json!({
            "turnNumber": 1,
            "unsupportedValues": unsupported(false),
            "findingsLedger": [grounded(1, json!(3))],
        })),
        format!("not-sure: value-unsupported@4[unsupportedValues/candidates] | {GATE} | whole-history")
    );
}

#[test]
fn s068_steps_left() {
    assert_eq!(
        ledger(json!(1), json!([steps(1)])),
        "not-sure: steps-unfinished@4[findingsLedger/0/kind] |  | whole-history"
    );
}

#[test]
fn s069_a_revision_and_steps_left() {
    assert_eq!(
        told(
            json!({ "turnNumber": 1, "unsupportedValues": unsupported(true), "findingsLedger": [steps(1)] })
        ),
        format!(
            "not-sure: value-survived-revision@4[unsupportedValues/candidates], \
             steps-unfinished@4[findingsLedger/0/kind] | {GATE} | whole-history"
        )
    );
}

#[test]
fn s070_a_time_that_was_derived() {
    let row = json!([{ "kind": "time-derived", "turn": 1, "values": [] }]);
    assert_eq!(
        ledger(json!(1), row.clone()),
        "not-sure: derived-from-reading@4[findingsLedger/0/values] |  | whole-history"
    );
    assert_eq!(ledger(json!(2), row), NOTHING);
}
