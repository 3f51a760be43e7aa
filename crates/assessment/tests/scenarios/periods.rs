//! 86 to 89: periods.

use super::*;

fn period(verdict: &str, more: Value) -> Value {
    with(json!({ "kind": "period", "turn": 1, "toolCallId": "c1", "verdict": verdict }), more)
}

fn ledger(rows: Value) -> String {
    told(json!({ "turnNumber": 1, "findingsLedger": rows }))
}

const RAN: &str = "result-period@3 1/1 [findingsLedger/0/verdict] | whole-history";

#[test]
fn s086_each_verdict() {
    for verdict in ["not-held", "partly-held", "unknown", "undeclared"] {
        assert_eq!(
            ledger(json!([period(verdict, json!({}))])),
            format!("not-sure: period-{verdict}@3[findingsLedger/0/verdict] | {RAN}")
        );
    }
    for verdict in ["covered", "perhaps"] {
        assert_eq!(ledger(json!([period(verdict, json!({}))])), format!("consistent:  | {RAN}"));
    }
    assert_eq!(
        ledger(
            json!([{ "kind": "period", "turn": 1, "verdict": "not-held" }, { "kind": "period", "turn": 1, "toolCallId": "c" }])
        ),
        "not-assessed:  |  | whole-history"
    );
}

#[test]
fn s087_a_later_row_of_the_same_call_mends_nothing() {
    assert_eq!(
        ledger(json!([period("not-held", json!({})), period("covered", json!({}))])),
        "not-sure: period-not-held@3[findingsLedger/0/verdict] \
         | result-period@3 2/2 [findingsLedger/0/verdict findingsLedger/1/verdict] | whole-history"
    );
}

#[test]
fn s088_the_argument_that_set_the_period() {
    let argument = json!({
        "kind": "argument", "turn": 1, "toolCallId": "c1", "argument": "window", "rule": "assume", "source": "default",
    });
    let assumed = "not-sure: argument-assumed@2[findingsLedger/0/argument], period-not-held@3";
    let checks = "argument-rules@2 1/1 [findingsLedger/0/argument], \
                  result-period@3 1/1 [findingsLedger/1/verdict] | whole-history";
    assert_eq!(
        ledger(json!([argument, period("not-held", json!({ "argument": "window" }))])),
        format!("{assumed}[findingsLedger/1/verdict findingsLedger/0/argument] | {checks}")
    );
    for apart in
        [json!({}), json!({ "argument": "window", "toolCallId": "c2" }), json!({ "argument": "size" })]
    {
        assert_eq!(
            ledger(json!([argument, period("not-held", apart)])),
            format!("{assumed}[findingsLedger/1/verdict] | {checks}")
        );
    }
}

#[test]
fn s089_another_period_and_one_too_old() {
    assert_eq!(
        ledger(json!([period("covered", json!({ "differs": {}, "beyondRetention": true }))])),
        format!(
            "not-sure: period-differs-from-asked@3[findingsLedger/0/differs], \
             period-beyond-retention@3[findingsLedger/0/beyondRetention] | {RAN}"
        )
    );
    assert_eq!(
        ledger(json!([period("covered", json!({ "differs": [], "beyondRetention": "true" }))])),
        format!("consistent:  | {RAN}")
    );
}

#[test]
fn the_argument_stands_beside_each_reason() {
    let argument = json!({ "kind": "argument", "turn": 1, "toolCallId": "c1", "argument": "window", "source": "answered" });
    let row = period("unknown", json!({ "argument": "window", "differs": {}, "beyondRetention": true }));
    assert_eq!(
        ledger(json!([argument, row])),
        "not-sure: period-unknown@3[findingsLedger/1/verdict findingsLedger/0/argument], \
         period-differs-from-asked@3[findingsLedger/1/differs findingsLedger/0/argument], \
         period-beyond-retention@3[findingsLedger/1/beyondRetention findingsLedger/0/argument] \
         | argument-rules@2 1/1 [findingsLedger/0/argument], result-period@3 1/1 [findingsLedger/1/verdict] \
         | whole-history"
    );
}
