//! No text of a record in errors, in what is written to logs, or in what travels.

#![allow(clippy::unwrap_used)] // in the helpers of tests too

use answerplane_assessment::{
    AssumedValues, CallerError, Declarations, Projection, Record, SavedRecord, TurnEnd, assess, how_sure,
};
use serde_json::{Value, json};

const CANARY: &str = "canary-9e4";

/// A record with the canary in every text that is not a call's id or the digest.
fn record() -> Value {
    json!({
        CANARY: CANARY,
        "events": [{ "type": CANARY }],
        "snapshot": { "sharedState": {
            CANARY: CANARY,
            "turnNumber": CANARY,
            "history": [
                { "role": "user", "content": CANARY },
                { "role": CANARY, "content": CANARY },
                { "role": "tool", "content": format!("[\"{CANARY}\"]"), "toolCallId": "c1", "toolName": CANARY },
                { "role": "tool", "content": CANARY, "toolCallId": "c2", "toolName": CANARY },
            ],
            "coverageDeclared": [
                { "kind": "absence", "toolCallId": "c1", "lookedFor": CANARY, "notChecked": [{ "what": CANARY }] },
                { "kind": CANARY },
            ],
            "findingsLedger": [
                { "kind": "argument", "toolCallId": "c1", "toolName": CANARY, "argument": CANARY, "source": "default",
                  "value": CANARY, "claimed": CANARY, "quote": CANARY },
                { "kind": "argument", "toolCallId": "c2", "argument": CANARY, "source": "said" },
                { "kind": "conflict", "key": CANARY, "witnesses": [{ "toolCallId": "c1", "predicate": CANARY }] },
                { "kind": "contingent", "declaredOn": "answer", "value": CANARY },
                { "kind": "period", "toolCallId": "c1", "verdict": CANARY, "differs": { CANARY: CANARY } },
                { "kind": "time-derived", "values": [CANARY] },
            ],
            "middlewareDecisions": [{ "at": "tool", "toolCallId": "c2", "changedKeys": [CANARY], "from": { CANARY: CANARY } }],
            "argumentAsk": { "waiting": { "requestId": CANARY } },
            "unsupportedValues": { "values": [{ "value": CANARY }] },
            "stoppedEarly": { "reason": CANARY },
            "answerValidation": { "status": "failed", "validatorId": CANARY, "reason": CANARY },
        } },
    })
}

#[test]
fn nothing_of_a_record_is_told_but_what_the_line_is_for() {
    let record = record();
    let saved = SavedRecord::decode(record.to_string()).unwrap();
    let record = Record::new(&record).unwrap();
    let assessment = assess(record, &Declarations::default());
    let assumed = AssumedValues::read(&assessment, record);
    let row = how_sure(&assessment, record, TurnEnd::Shown);
    let projection = Projection::of(&assessment);
    assert!(assessment.reasons().len() > 8);
    for told in [
        format!("{record:?}"),
        format!("{saved:?}"),
        format!("{assessment:?}"),
        format!("{assumed:?}"),
        format!("{row:?}"),
        format!("{projection:?}"),
        serde_json::to_string(&assessment).unwrap(),
        serde_json::to_string(&row).unwrap(),
        serde_json::to_string(&projection).unwrap(),
    ] {
        assert!(!told.contains(CANARY), "{told}");
    }
}

#[test]
fn an_error_has_nothing_of_the_record() {
    for value in [json!(CANARY), json!([CANARY]), json!([{ "snapshot": CANARY }])] {
        let error = Record::new(&value).unwrap_err();
        assert!(!format!("{error}{error:?}{}", error.code()).contains(CANARY));
    }
    for text in [format!("{{{CANARY}"), format!("\"{CANARY}\""), format!("{{}} {CANARY}")] {
        let error = SavedRecord::decode(&text).unwrap_err();
        assert!(!format!("{error}{error:?}").contains(CANARY));
        let error = Declarations::decode(&text).unwrap_err();
        assert!(!format!("{error}{error:?}").contains(CANARY));
    }
    // Of declarations, a tool's name is told, and no more.
    let declarations = json!({ CANARY: 1, "tools": { "vols": { "rowsAt": format!("{CANARY}.x") } } });
    let error = Declarations::decode_value(&declarations).unwrap_err();
    assert_eq!(error, CallerError::RowsAtNotTopLevel { tool: "vols".into() });
    assert!(!format!("{error}{error:?}").contains(CANARY));
}
