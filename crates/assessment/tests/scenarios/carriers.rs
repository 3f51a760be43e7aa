//! 51 to 57: where the state stands, and what is a pause.

use super::*;

const NOTHING: &str = "not-assessed:  |  | whole-history";
const ASKED: &str = "ask: asked[pausedToolCallId] |  | whole-history";

fn none() -> Declarations {
    Declarations::default()
}

#[test]
fn s051_a_checkpoint_carries_as_well() {
    let state = json!({ "history": [u("q"), t("c1", json!([]))], "pausedToolCallId": "c2" });
    let checkpoint = json!({ "checkpoint": { "sharedState": state } });
    assert_eq!(told_record(&checkpoint, &none()), told(state));
}

#[test]
fn s052_what_cannot_be_read_is_passed_over() {
    let unreadable = [
        json!("garbage"),
        json!(null),
        json!([]),
        json!({ "sharedState": [] }),
        json!({ "sharedState": null }),
    ];
    for snapshot in unreadable {
        assert_eq!(told_record(&json!({ "snapshot": snapshot }), &none()), NOTHING);
        let beside =
            json!({ "snapshot": snapshot, "checkpoint": { "sharedState": { "pausedToolCallId": "c" } } });
        assert_eq!(told_record(&beside, &none()), ASKED);
    }
    // An empty state is readable, and wins.
    let empty = json!({
        "snapshot": { "sharedState": {} },
        "checkpoint": { "sharedState": { "pausedToolCallId": "c" } },
    });
    assert_eq!(told_record(&empty, &none()), NOTHING);
}

#[test]
fn s053_no_id_no_pause() {
    for id in [json!(""), json!(7), json!(null), json!(["c"]), json!(true)] {
        assert_eq!(told(json!({ "pausedToolCallId": id })), NOTHING);
    }
}

#[test]
fn s054_pause_data_of_a_checkpoint_is_not_read() {
    let record = json!({ "checkpoint": { "sharedState": {}, "pauseData": { "question": "which?" } } });
    assert_eq!(told_record(&record, &none()), NOTHING);
}

#[test]
fn s055_every_kind_of_pause_is_the_same() {
    for sibling in ["pausedCheckIn", "pausedAsk", "pausedCredential", "pausedConsent"] {
        assert_eq!(told(json!({ "pausedToolCallId": "c1", sibling: { "question": "which?" } })), ASKED);
    }
}

#[test]
fn s056_the_inputs_own_question() {
    assert_eq!(
        told(json!({
            "turnNumber": 1,
            "argumentAsk": { "waiting": { "requestId": "r" } },
            "findingsLedger": [
                { "kind": "argument", "turn": 1, "toolCallId": "c1", "argument": "window", "rule": "ask", "asked": "missing" },
            ],
        })),
        "ask: argument-asked@2[argumentAsk/waiting/requestId findingsLedger/0/asked] \
         | argument-rules@2 1/1 [findingsLedger/0/argument] | whole-history"
    );
}

#[test]
fn s057_no_question_out() {
    for ask in [json!({}), json!({ "waiting": null }), json!({ "waiting": [] }), json!([]), json!("r")] {
        assert_eq!(told(json!({ "argumentAsk": ask })), NOTHING);
    }
}
