//! 76 to 85: what the calls were given.

use super::*;

/// An argument row on c1 and `window`, in turn 1.
fn argument(more: Value) -> Value {
    with(json!({ "kind": "argument", "turn": 1, "toolCallId": "c1", "argument": "window" }), more)
}

fn ledger(rows: Value) -> String {
    told(json!({ "turnNumber": 1, "findingsLedger": rows }))
}

const RULES: &str = "argument-rules@2 1/1 [findingsLedger/0/argument]";
const SOURCES: &str = "argument-sources@2 1/1 [findingsLedger/0/claimed]";

fn fired(reason: &str, checks: &str) -> String {
    format!("not-sure: {reason}@2[findingsLedger/0/argument] | {checks} | whole-history")
}

fn nothing(checks: &str) -> String {
    format!("consistent:  | {checks} | whole-history")
}

#[test]
fn s076_a_default() {
    assert_eq!(
        ledger(json!([argument(json!({ "source": "default", "rule": "assume" }))])),
        fired("argument-assumed", RULES)
    );
}

#[test]
fn s077_traced_sources() {
    let claimed = format!("{RULES}, {SOURCES}");
    for (row, checks) in [
        (json!({ "source": "said", "rule": "ask", "claimed": "user", "matched": "quote" }), claimed.as_str()),
        (json!({ "source": "answered", "rule": "ask" }), RULES),
        (json!({ "source": "result", "result": "t1", "claimed": "result" }), &claimed),
        (json!({ "source": "app", "appSource": "profile" }), RULES),
    ] {
        assert_eq!(ledger(json!([argument(row)])), nothing(checks));
    }
}

#[test]
fn s078_the_models_own_value() {
    for ruled in [json!({ "rule": "ask" }), json!({ "rule": null }), json!({ "period": true })] {
        let row = argument(with(json!({ "source": "model" }), ruled));
        assert_eq!(ledger(json!([row])), fired("argument-unverified", RULES));
    }
    let free = argument(json!({ "source": "model", "claimed": "assumed", "period": false }));
    assert_eq!(ledger(json!([free])), nothing(&format!("{RULES}, {SOURCES}")));
}

#[test]
fn s079_a_failed_claim_on_a_free_argument() {
    let row =
        argument(json!({ "source": "model", "free": true, "claimed": "user", "failed": "quote-not-found" }));
    assert_eq!(ledger(json!([row])), fired("argument-unverified", &format!("{RULES}, {SOURCES}")));
    let row = argument(json!({ "source": "said", "failed": null }));
    assert_eq!(ledger(json!([row])), fired("argument-unverified", RULES));
}

#[test]
fn s080_a_reading_and_a_result_set_aside() {
    assert_eq!(
        ledger(json!([argument(json!({ "source": "said", "reading": true }))])),
        fired("argument-read", RULES)
    );
    assert_eq!(
        ledger(json!([argument(json!({ "source": "result", "setAside": "noise" }))])),
        fired("value-contingent", RULES)
    );
    assert_eq!(
        ledger(json!([argument(json!({ "source": "app", "reading": true, "setAside": "x" }))])),
        nothing(RULES)
    );
}

#[test]
fn s081_a_question_that_was_answered() {
    assert_eq!(
        ledger(json!([
            argument(json!({ "rule": "ask", "asked": "missing" })),
            argument(json!({ "rule": "ask", "source": "answered" })),
        ])),
        "consistent:  | argument-rules@2 1/1 [findingsLedger/1/argument] | whole-history"
    );
    // Of each argument the last row counts, in the place of the first.
    assert_eq!(
        ledger(json!([
            argument(json!({ "source": "default" })),
            argument(json!({ "source": "default", "toolCallId": "c2" })),
            argument(json!({ "source": "default", "argument": "size" })),
            argument(json!({ "source": "default" })),
        ])),
        "not-sure: argument-assumed@2[findingsLedger/3/argument findingsLedger/2/argument findingsLedger/1/argument] \
         | argument-rules@2 3/3 [findingsLedger/3/argument findingsLedger/2/argument findingsLedger/1/argument] \
         | whole-history"
    );
}

#[test]
fn s082_claimed_sources() {
    assert_eq!(
        ledger(json!([
            argument(json!({ "source": "said", "claimed": "user" })),
            argument(
                json!({ "source": "model", "argument": "b", "claimed": "app", "failed": "uncheckable" })
            ),
            argument(json!({ "source": "app", "argument": "c" })),
        ])),
        "not-sure: argument-unverified@2[findingsLedger/1/argument] \
         | argument-rules@2 3/3 [findingsLedger/0/argument findingsLedger/1/argument findingsLedger/2/argument], \
         argument-sources@2 1/2 [findingsLedger/0/claimed] | whole-history"
    );
}

#[test]
fn s083_rewrites_by_middleware() {
    let read = |source: &str, decisions: Value| {
        told(json!({
            "turnNumber": 1,
            "findingsLedger": [argument(json!({ "source": source, "rule": "assume" }))],
            "middlewareDecisions": decisions,
        }))
    };
    let rewrite =
        |more: Value| with(json!({ "at": "tool", "toolCallId": "c1", "changedKeys": ["window"] }), more);
    let assumed = |index: usize| {
        format!(
            "not-sure: argument-assumed@2[middlewareDecisions/{index}/changedKeys] | {RULES} | whole-history"
        )
    };
    assert_eq!(read("said", json!([rewrite(json!({}))])), assumed(0));
    assert_eq!(read("said", json!([rewrite(json!({ "from": { "window": "default" } }))])), assumed(0));
    for origin in ["person", "app"] {
        for source in ["said", "default"] {
            let from = json!({ "from": { "window": origin } });
            assert_eq!(read(source, json!([rewrite(from)])), nothing(RULES));
        }
    }
    // The last word on an argument counts; what is no rewrite of it does not.
    let person = rewrite(json!({ "from": { "window": "person" } }));
    assert_eq!(read("said", json!([rewrite(json!({})), person])), nothing(RULES));
    assert_eq!(read("said", json!([person, rewrite(json!({}))])), assumed(1));
    for other in [
        json!({ "at": "llm" }),
        json!({ "toolCallId": "c2" }),
        json!({ "toolCallId": null }),
        json!({ "changedKeys": ["size", 3] }),
        json!({ "changedKeys": "window" }),
    ] {
        assert_eq!(read("said", json!([rewrite(other)])), nothing(RULES));
    }
}

#[test]
fn s084_a_row_of_another_turn() {
    let rows = json!([argument(json!({ "source": "default" }))]);
    assert_eq!(told(json!({ "turnNumber": 2, "findingsLedger": rows })), "not-assessed:  |  | whole-history");
    assert_eq!(told(json!({ "findingsLedger": rows })), fired("argument-assumed", RULES));
    assert_eq!(told(json!({ "turnNumber": "2", "findingsLedger": rows })), fired("argument-assumed", RULES));
    let unstamped = json!([argument(json!({ "source": "default", "turn": null }))]);
    assert_eq!(
        told(json!({ "turnNumber": 2, "findingsLedger": unstamped })),
        "not-assessed:  |  | whole-history"
    );
}

/// Whether a contingent row counts, behind other rows, with c1 a call of this turn.
fn counts(turn: Value, before: Vec<Value>, declared_on: Value, stamp: Option<u64>) -> bool {
    let mut row = json!({ "kind": "contingent", "declaredOn": declared_on, "value": "v", "carriers": [] });
    if let Some(stamp) = stamp {
        row["turn"] = json!(stamp);
    }
    let index = before.len();
    let rows: Vec<_> = before.into_iter().chain([row]).collect();
    let told = told(json!({
        "turnNumber": turn, "findingsLedger": rows, "history": [u("q"), t("c1", json!([1]))],
    }));
    let fires = told.starts_with(&format!("not-sure: value-contingent@2[findingsLedger/{index}/value] | "));
    assert!(fires || told.starts_with("consistent"), "{told}");
    fires
}

#[test]
fn s085_values_that_rest_on_what_was_set_aside() {
    let answer = || json!("answer");
    let on = |call: &str| json!({ "toolCallId": call });
    // A stamp decides alone.
    assert!(counts(json!(2), vec![], answer(), Some(2)));
    assert!(!counts(json!(2), vec![], answer(), Some(1)));
    assert!(!counts(json!(2), vec![], on("c1"), Some(1)));
    // Without one, the call does.
    assert!(counts(json!(2), vec![], on("c1"), None));
    assert!(!counts(json!(2), vec![], on("c9"), None));
    assert!(!counts(json!(1), vec![], json!(7), None));
    // On the answer, without one: on a later turn only behind this turn's first row.
    let begun = [
        json!({ "kind": "basis", "toolCallId": "c1" }),
        json!({ "kind": "x", "declaredOn": { "toolCallId": "c1" } }),
        json!({ "kind": "x", "carriers": [null, { "toolCallId": "c1" }] }),
        json!({ "kind": "x", "witnesses": [{ "toolCallId": "c1" }] }),
        json!({ "turn": 2 }),
    ];
    for row in begun {
        assert!(counts(json!(2), vec![row], answer(), None));
    }
    for row in [
        json!({ "kind": "basis", "toolCallId": "c9" }),
        json!({ "turn": 1, "toolCallId": "c1" }),
        json!(null),
    ] {
        assert!(!counts(json!(2), vec![row], answer(), None));
    }
    assert!(!counts(json!(2), vec![], answer(), None));
    // The row itself can be that first one.
    assert!(
        told(json!({
            "turnNumber": 2,
            "history": [u("q"), t("c1", json!([1]))],
            "findingsLedger": [
                { "kind": "contingent", "declaredOn": "answer", "carriers": [{ "toolCallId": "c1" }] },
            ],
        }))
        .starts_with("not-sure: value-contingent")
    );
    assert!(counts(json!(1), vec![], answer(), None));
    assert!(counts(json!(null), vec![], answer(), None));
    assert!(counts(json!(null), vec![], answer(), Some(7)));
}

#[test]
fn what_failed_goes_before_what_was_read() {
    let row = json!({ "source": "said", "rule": "ask", "reading": true, "claimed": "user", "failed": "quote-not-found" });
    assert_eq!(ledger(json!([argument(row)])), fired("argument-unverified", &format!("{RULES}, {SOURCES}")));
    let row = json!({ "source": "result", "setAside": "kept", "failed": "uncheckable" });
    assert_eq!(ledger(json!([argument(row)])), fired("argument-unverified", RULES));
}
