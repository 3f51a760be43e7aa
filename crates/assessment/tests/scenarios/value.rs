//! 1 to 10: the value, and what comes before what.

use super::*;

fn report(mode: &str, status: &str, digest: Option<&str>) -> Value {
    let mut report = json!({ "mode": mode, "status": status });
    if let Some(digest) = digest {
        report["candidateDigest"] = json!(digest);
    }
    report
}

const RAN: &str = "answer-checks@4 1/1 [answerValidation/status]";

#[test]
fn s001_an_empty_record() {
    assert_eq!(told_record(&json!({}), &Declarations::default()), "not-assessed:  |  | whole-history");
    assert_eq!(told(json!({})), "not-assessed:  |  | whole-history");
}

#[test]
fn s002_rows_came_back() {
    assert_eq!(
        told(json!({ "history": [u("q"), t("c1", json!([{ "id": 1 }]))] })),
        "consistent:  | tool-coverage@3 0/1 [], result-shape@3 1/1 [H(1,c1)] | person"
    );
}

#[test]
fn s003_a_boundary_without_gaps_supports_nothing() {
    assert_eq!(
        told(json!({
            "history": [u("q"), t("c1", cov(json!([{ "id": 1 }]), json!({ "checked": ["a"] })))],
            "coverageDeclared": [row("ledger", "c1", json!({}))],
        })),
        "consistent:  | tool-coverage@3 1/1 [coverageDeclared/0/kind], result-shape@3 1/1 [H(1,c1)] | person"
    );
}

#[test]
fn s004_an_enforced_pass_of_these_bytes_is_known() {
    assert_eq!(
        told(json!({ "answerValidation": report("enforce", "passed", Some("sha256:abc")) })),
        format!("known:  | {RAN} | whole-history | answer-validation sha256:abc")
    );
}

#[test]
fn s005_an_observed_pass_is_not() {
    assert_eq!(
        told(json!({ "answerValidation": report("observe", "passed", Some("sha256:abc")) })),
        format!("consistent:  | {RAN} | whole-history")
    );
}

#[test]
fn s006_nor_is_one_without_a_digest() {
    for digest in [None, Some("")] {
        assert_eq!(
            told(json!({ "answerValidation": report("enforce", "passed", digest) })),
            format!("consistent:  | {RAN} | whole-history")
        );
    }
}

#[test]
fn s007_known_is_never_reported_beside_a_reason() {
    assert_eq!(
        told(json!({
            "answerValidation": report("enforce", "passed", Some("sha256:abc")),
            "stoppedEarly": { "reason": "max-iterations", "iteration": 5 },
        })),
        format!("not-sure: stopped-early@4[stoppedEarly/iteration] | {RAN} | whole-history")
    );
}

#[test]
fn s008_a_pause_comes_before_other_reasons() {
    assert_eq!(
        told(json!({ "history": [u("q"), t("c0", json!([]))], "pausedToolCallId": "c1" })),
        "ask: asked[pausedToolCallId], empty-undeclared@3[H(1,c0)] \
         | tool-coverage@3 0/1 [], result-shape@3 1/1 [H(1,c0)] | person"
    );
}

#[test]
fn s009_a_question_alone_has_no_checks() {
    assert_eq!(told(json!({ "history": [u("q")] })), "not-assessed:  |  | person");
}

#[test]
fn s010_checks_may_be_listed_without_having_run() {
    assert_eq!(
        told(json!({ "history": [u("q"), t("c1", json!({ "volumes": [] }))] })),
        "not-assessed:  | tool-coverage@3 0/1 [], result-shape@3 0/1 [] | person"
    );
}
