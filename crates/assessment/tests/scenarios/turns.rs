//! 43 to 50: where the turn begins.

use super::*;

const EMPTY_C1: &str = "not-sure: empty-undeclared@3[H(1,c1)] \
                        | tool-coverage@3 0/2 [], result-shape@3 2/2 [H(1,c1) H(3,c2)] | person";

fn after(message: Value) -> String {
    told(json!({ "history": [u("q"), t("c1", json!([])), message, t("c2", json!([1]))] }))
}

#[test]
fn s043_an_earlier_turn_does_not_count() {
    assert_eq!(
        told(json!({ "history": [u("1"), t("c0", json!([])), u("2"), t("c2", json!([{ "id": 1 }]))] })),
        "consistent:  | tool-coverage@3 0/1 [], result-shape@3 1/1 [H(3,c2)] | person"
    );
}

#[test]
fn s044_frames_and_delivered_messages_open_no_turn() {
    let delivered = json!({ "role": "user", "content": "x", "injectedBy": { "kind": "job" } });
    assert_eq!(
        told(json!({ "history": [
            u("q"), t("c1", json!([])), u("[schema check] again"), delivered, t("c2", json!([1])),
        ] })),
        "not-sure: empty-undeclared@3[H(1,c1)] \
         | tool-coverage@3 0/2 [], result-shape@3 2/2 [H(1,c1) H(4,c2)] | person"
    );
}

#[test]
fn s045_each_of_the_six_openings() {
    for opening in answerplane_assessment::FRAME_OPENINGS {
        assert_eq!(after(u(&format!("{opening}: 3]"))), EMPTY_C1);
    }
    // Only these, exactly, from the first character on, unless the caller has others.
    for other in [" [schema check", "[Schema check", "[note"] {
        assert!(after(u(other)).starts_with("consistent"));
    }
    let ours = Declarations::default().with_frame_openings(["[note", ""]);
    let state = json!({ "history": [u("q"), t("c1", json!([])), u("[note]"), t("c2", json!([1]))] });
    assert_eq!(told_with(state, &ours), EMPTY_C1);
}

#[test]
fn s046_an_opening_further_on_is_the_persons_own() {
    assert!(after(u("what does [schema check mean?")).starts_with("consistent"));
}

#[test]
fn s047_without_a_person_the_whole_history_is_read() {
    assert_eq!(
        told(json!({ "history": [t("c1", json!([]))] })),
        "not-sure: empty-undeclared@3[H(0,c1)] \
         | tool-coverage@3 0/1 [], result-shape@3 1/1 [H(0,c1)] | whole-history"
    );
}

#[test]
fn s048_content_in_parts_is_no_persons() {
    assert_eq!(after(json!({ "role": "user", "content": [{ "type": "text", "text": "hi" }] })), EMPTY_C1);
}

#[test]
fn s049_delivered_by_null_is_delivered() {
    assert_eq!(after(json!({ "role": "user", "content": "hi", "injectedBy": null })), EMPTY_C1);
}

#[test]
fn s050_a_resumed_run_keeps_its_start() {
    assert_eq!(
        told(json!({ "pausedToolCallId": "", "history": [
            u("q"), t("c0", json!([])), { "role": "assistant", "content": "" },
            named("ask1", json!("yes"), "ask"), { "role": "assistant", "content": "done" },
        ] })),
        "not-sure: empty-undeclared@3[H(1,c0)] \
         | tool-coverage@3 0/2 [], result-shape@3 1/2 [H(1,c0)] | person"
    );
}
