//! 90 to 95: kept-out keys.

use answerplane_assessment::{LiveRun, Served, assess_live, fold_state};

use super::*;

const CANARY: &str = "canary-5c1";

/// A state served under a policy.
pub(super) fn served(state: Value) -> Value {
    json!({ "snapshot": {
        "sharedState": state,
        "recorders": [null, { "id": "other" }, { "id": "agentfootprint.redaction" }],
    } })
}

fn read(state: Value) -> String {
    told_record(&served(state), &Declarations::default())
}

pub(super) fn paused_out() -> Value {
    json!({ "pausedToolCallId": "REDACTED", "history": [u("q"), t("c1", json!([]))], "stoppedEarly": {} })
}

const RULES: &str = "argument-rules@2 1/1 [findingsLedger/0/argument]";

#[test]
fn s090_a_key_that_is_asked_for() {
    assert_eq!(read(paused_out()), "not-assessed:  |  | person | kept out pausedToolCallId");
    assert!(told(paused_out()).starts_with("ask: asked[pausedToolCallId], empty-undeclared"));
}

#[test]
fn s091_several_keys_in_order() {
    assert_eq!(
        read(json!({ "history": "[REDACTED]", "findingsLedger": "REDACTED" })),
        "not-assessed:  |  | whole-history | kept out findingsLedger history"
    );
}

#[test]
fn s092_a_key_that_is_not() {
    assert_eq!(
        read(json!({ "userMessage": "REDACTED", "stoppedEarly": {} })),
        "not-sure: stopped-early@4[stoppedEarly/iteration] |  | whole-history"
    );
}

#[test]
fn s093_decisions_matter_only_beside_arguments() {
    let with_rows = |rows: Value| json!({ "middlewareDecisions": "REDACTED", "findingsLedger": rows });
    assert_eq!(read(with_rows(json!([]))), "not-assessed:  |  | whole-history");
    let argument = json!([{ "kind": "argument", "toolCallId": "c1", "argument": "a", "source": "app" }]);
    assert_eq!(
        read(with_rows(argument.clone())),
        "not-assessed:  |  | whole-history | kept out middlewareDecisions"
    );
    assert_eq!(told(with_rows(argument)), format!("consistent:  | {RULES} | whole-history"));
}

#[test]
fn s094_a_placeholder_further_in_is_data() {
    assert_eq!(
        read(json!({ "history": [u("q"), t("c1", json!("REDACTED"))] })),
        "not-assessed:  | tool-coverage@3 0/1 [], result-shape@3 0/1 [] | person"
    );
}

#[test]
fn s095_live_state_is_never_redacted() {
    let record = served(paused_out());
    let live = assess_live(LiveRun::Paused(Record::new(&record).unwrap()), &Declarations::default()).unwrap();
    assert!(line(&live).starts_with("ask: asked[pausedToolCallId], empty-undeclared"));
}

#[test]
fn the_guard_looks_at_the_carrier_that_the_state_came_from() {
    let record = json!({
        "snapshot": { "sharedState": 7, "recorders": [{ "id": "agentfootprint.redaction" }] },
        "checkpoint": { "sharedState": { "pausedToolCallId": "REDACTED" } },
    });
    assert!(told_record(&record, &Declarations::default()).starts_with("ask"));
}

#[test]
fn kept_out_keys_are_named_and_nothing_else_is() {
    let state = json!({
        "pausedToolCallId": "[REDACTED]",
        "history": [u(CANARY), t(CANARY, json!(CANARY))],
        "coverageDeclared": [{ "kind": "ledger", "toolCallId": CANARY }],
        "answerValidation": { "mode": "enforce", "status": "passed", "candidateDigest": CANARY },
    });
    let assessment = fold_state(&state, &Declarations::default(), Served::UnderPolicy);
    let said = format!("{}{assessment:?}", serde_json::to_string(&assessment).unwrap());
    assert!(!said.contains(CANARY) && said.contains("pausedToolCallId"), "{said}");
    assert_eq!(assessment.rests_on().count(), 0);
}

#[test]
fn the_marker_counts_whatever_stands_beside_the_snapshot() {
    let mut record = served(paused_out());
    record["checkpoint"] = json!({ "sharedState": { "pausedToolCallId": "c1" } });
    assert_eq!(
        told_record(&record, &Declarations::default()),
        "not-assessed:  |  | person | kept out pausedToolCallId"
    );
}

#[test]
fn a_paused_run_asks_whatever_its_state_says() {
    let none = Declarations::default();
    let live = |state: Value| {
        let record = carried(state);
        line(&assess_live(LiveRun::Paused(Record::new(&record).unwrap()), &none).unwrap())
    };
    assert_eq!(live(json!({})), "ask: asked[pausedToolCallId] |  | whole-history");
    assert_eq!(live(json!({ "pausedToolCallId": "c" })), "ask: asked[pausedToolCallId] |  | whole-history");
    // Where the run's own question is on the record, that is the reason.
    let waiting = json!({ "argumentAsk": { "waiting": { "requestId": "r" } } });
    assert_eq!(live(waiting.clone()), told(waiting));
}
