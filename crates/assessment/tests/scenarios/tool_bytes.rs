//! 96 to 98: what of a message is the tool's own.

use super::*;

const EMPTY: &str = "not-sure: empty-undeclared@3[H(1,c1)] \
                     | tool-coverage@3 0/1 [], result-shape@3 1/1 [H(1,c1)] | person";
const UNREADABLE: &str = "not-assessed:  | tool-coverage@3 0/1 [], result-shape@3 0/1 [] | person";

fn noted(text: &str, chars: Value) -> Value {
    with(t("c1", json!(text)), json!({ "toolChars": chars }))
}

#[test]
fn s096_a_note_behind_an_empty_list() {
    assert_eq!(told(json!({ "history": [u("q"), noted("[]\n\nNote: …", json!(2))] })), EMPTY);
    assert_eq!(told(json!({ "history": [u("q"), t("c1", json!("[]\n\nNote: …"))] })), UNREADABLE);
}

#[test]
fn s097_lengths_that_the_text_cannot_have() {
    for chars in [json!(-1), json!(2.5), json!(100), json!("2"), json!(null), json!([2])] {
        assert_eq!(
            told(json!({ "history": [u("q"), noted("[] note", chars.clone())] })),
            UNREADABLE,
            "{chars}"
        );
        assert_eq!(told(json!({ "history": [u("q"), noted("[]", chars)] })), EMPTY);
    }
    // Lengths count UTF-16 units.
    assert!(told(json!({ "history": [u("q"), noted("[\"🚀\"] x", json!(6))] })).starts_with("consistent"));
}

#[test]
fn s098_an_absence_with_a_note_beside_an_assumed_argument() {
    let text = abs(json!({})).to_string();
    let chars = json!(text.len());
    let note = cov(json!([]), json!({ "not_checked": ["b"] })).to_string();
    assert_eq!(
        told(json!({
            "turnNumber": 1,
            "history": [u("q"), noted(&format!("{text}\n{note}"), chars)],
            "findingsLedger": [
                { "kind": "argument", "turn": 1, "toolCallId": "c1", "argument": "window", "source": "default" },
            ],
        })),
        "not-sure: argument-assumed@2[findingsLedger/0/argument], declared-absent@3[H(1,c1)] \
         | argument-rules@2 1/1 [findingsLedger/0/argument], tool-coverage@3 1/1 [H(1,c1)], \
         result-shape@3 1/1 [H(1,c1)] | person"
    );
}
