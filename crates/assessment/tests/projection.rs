//! Reading a projection back: all of it, or nothing.

#![allow(clippy::unwrap_used)] // in the helpers of tests too

use answerplane_assessment::{Declarations, Projection, Record, assess};
use serde_json::{Value, json};

fn sent() -> Value {
    let record = json!({ "snapshot": { "sharedState": {
        "history": [{ "role": "tool", "content": "[]", "toolCallId": "canary-call" }],
        "answerValidation": { "status": "passed", "candidateDigest": "canary-digest" },
    } } });
    let projection = Projection::of(&assess(Record::new(&record).unwrap(), &Declarations::default()));
    serde_json::to_value(&projection).unwrap()
}

#[test]
fn it_carries_names_and_counts_only() {
    // No call, no digest, and no other value travels.
    assert!(!serde_json::to_string(&sent()).unwrap().contains("canary"));
    assert_eq!(
        sent(),
        json!({
            "assessment": "unknown", "standing": "not-sure", "reasons": ["empty-undeclared"],
            "checked": [
                { "layer": 3, "check": "tool-coverage", "ran": 0, "of": 1 },
                { "layer": 3, "check": "result-shape", "ran": 1, "of": 1 },
                { "layer": 4, "check": "answer-checks", "ran": 1, "of": 1 },
            ],
        })
    );
}

#[test]
fn it_is_read_back_whole_or_not_at_all() {
    assert!(Projection::read(&sent()).is_some());
    for (pointer, wrong) in [
        ("/assessment", json!("sure")),
        ("/assessment", json!("known")),
        ("/standing", json!("verified")),
        ("/standing", json!("ask")),
        ("/reasons", json!([])),
        ("/reasons", json!(["asked"])),
        ("/reasons/0", json!("of-another-version")),
        ("/reasons/0", json!(3)),
        ("/reasons", json!("empty-undeclared")),
        ("/checked", json!(null)),
        ("/checked/0", json!(3)),
        ("/checked/0/check", json!("spelling")),
        ("/checked/0/layer", json!(4)),
        ("/checked/0/layer", json!("3")),
        ("/checked/0/ran", json!("1")),
        ("/checked/0/ran", json!(-1)),
        ("/checked/0/of", json!(1.5)),
        ("/checked/0/of", json!(null)),
        ("/checked/0/ran", json!(2)),
        ("/checked/1/check", json!("tool-coverage")),
        ("/reasons", json!(["empty-undeclared", "empty-undeclared"])),
        ("/reasons", json!(["stopped-early", "empty-undeclared"])),
    ] {
        let mut altered = sent();
        *altered.pointer_mut(pointer).unwrap() = wrong;
        assert_eq!(Projection::read(&altered), None, "{altered}");
    }
    let consistent =
        json!({ "assessment": "unrefuted", "standing": "consistent", "reasons": [], "checked": [] });
    assert_eq!(Projection::read(&consistent), None, "consistent with what?");
    let known = |checked: Value| json!({ "assessment": "known", "standing": "known", "reasons": [], "checked": checked });
    let ran = |ran: u64, of: u64| json!([{ "layer": 4, "check": "answer-checks", "ran": ran, "of": of }]);
    assert!(Projection::read(&known(ran(1, 1))).is_some());
    for checked in [json!([]), ran(0, 1), ran(0, 0), ran(2, 1)] {
        assert_eq!(Projection::read(&known(checked)), None, "known by what?");
    }
    for value in [json!(null), json!([]), json!({}), json!("known")] {
        assert_eq!(Projection::read(&value), None);
    }
    let mut more = sent();
    more["turn"] = json!(3);
    assert!(Projection::read(&more).is_some(), "further members are passed over");
}
