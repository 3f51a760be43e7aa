//! Every check with an input that violates just it, their order, and the order of what comes out.
#![allow(clippy::unwrap_used, clippy::panic)]

mod scene;

use answerplane_surface::{
    Abstention, DagError, IntegrityError, NavResult, Navigated, OUTDATED_DISCLOSURE, build, navigate,
};
use scene::{decode, full};
use serde_json::{Value, json};

/// The full input with some of its places given other values; `Value::Null` takes the place away.
fn altered(alterations: &[(&str, Value)]) -> Value {
    let mut input = full();
    for (pointer, value) in alterations {
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        let name = name.replace("~1", "/").replace("~0", "~");
        match input.pointer_mut(parent).unwrap() {
            Value::Object(fields) if value.is_null() => {
                assert!(fields.remove(&name).is_some(), "{pointer}");
            }
            Value::Object(fields) => {
                fields.insert(name, value.clone());
            }
            Value::Array(items) => items[name.parse::<usize>().unwrap()] = value.clone(),
            _ => panic!("{pointer}"),
        }
    }
    input
}

fn built(alterations: &[(&str, Value)]) -> Result<Value, IntegrityError> {
    build(&decode(&altered(alterations))).map(|surface| json!(surface.unwrap()))
}

#[track_caller]
fn assert_error(alterations: &[(&str, Value)], expected: IntegrityError) {
    assert_eq!(built(alterations), Err(expected));
    let nav = decode(&altered(alterations));
    let label = Abstention::Integrity(expected);
    assert_eq!(navigate(&nav), Navigated::Abstained { label });
    assert_eq!(label.to_string(), "No answer can be given: integrity error");
}

const NONE: Value = Value::Null;

#[test]
fn the_full_input_gives_exactly_this() {
    let surface = build(&decode(&full())).unwrap().unwrap();
    let expected = concat!(
        r#"{"version":1,"text":"The answer in prose.","conclusion_claim_id":"end","#,
        r#""inference_form":"deduction","status":"likely","premise_claim_ids":["first","second"],"#,
        r#""citations":[{"address":"almanac:sun/set#today","claim_ids":["first","second"],"status":"known","outdated":false},"#,
        r#"{"address":"kb:hours","claim_ids":["second","end"],"status":"likely","outdated":true}],"#,
        r#""outdated":true,"disclosure":"This answer rests on sources that are marked as outdated."}"#,
    );
    assert_eq!(serde_json::to_string(&surface).unwrap(), expected);
    assert_eq!(navigate(&decode(&full())), Navigated::Answered(surface));
}

#[test]
fn other_verdicts_have_no_surface_whatever_else_is_wrong() {
    for (word, label) in [
        ("abstain", Abstention::Abstain),
        ("clarify", Abstention::Clarify),
        ("escalate", Abstention::Escalate),
    ] {
        for broken in [false, true] {
            let mut input = altered(&[("/decision/verdict", json!(word))]);
            if broken {
                input["output"] = json!({ "claims": [], "conclusion": "?", "prose_citations": [] });
            }
            let nav = decode(&input);
            assert_eq!(build(&nav), Ok(None));
            assert_eq!(navigate(&nav), Navigated::Abstained { label });
            assert_eq!(label.to_string(), format!("No answer can be given: {word}"));
        }
    }
}

#[test]
fn check_1_a_status() {
    assert_error(&[("/decision/status", NONE)], IntegrityError::StatusMissing);
}

#[test]
fn check_2_a_reasoning() {
    assert_error(&[("/output", NONE)], IntegrityError::DagMissing);
}

#[test]
fn check_3_an_envelope() {
    assert_error(&[("/envelope", NONE)], IntegrityError::EnvelopeMissing);
}

#[test]
fn check_4_a_graph_without_a_cycle() {
    let dag = |alterations: &[(&str, Value)], error| assert_error(alterations, IntegrityError::Dag(error));
    let another = |id: &str| json!({ "id": id, "text": "", "premises": [], "cites": [] });
    dag(&[("/output/claims/2", another(""))], DagError::UnnamedClaim { claim: 2 });
    dag(&[("/output/claims/2", another("second"))], DagError::RepeatedClaim { claim: 2 });
    // Also of a claim that the conclusion does not rest on.
    dag(&[("/output/claims/2/premises/0", json!("nobody"))], DagError::UnknownPremise { claim: 2 });
    dag(&[("/output/claims/3/premises", json!(["end"]))], DagError::Cycle);
    dag(&[("/output/claims/3/premises", json!(["first"]))], DagError::Cycle);
    dag(&[("/output/claims/2/premises", json!(["aside"]))], DagError::Cycle);
    dag(&[("/output/conclusion", json!("nobody"))], DagError::UnknownConclusion);
    dag(&[("/output/conclusion", json!(""))], DagError::UnknownConclusion);
    // A premise that is named twice is still one.
    assert!(built(&[("/output/claims/1/premises", json!(["first", "first"]))]).is_ok());
}

#[test]
fn check_5_one_conclusion() {
    assert_error(&[("/decision/conclusion", NONE)], IntegrityError::ConclusionDiffers);
    assert_error(&[("/decision/conclusion", json!(""))], IntegrityError::ConclusionDiffers);
    assert_error(&[("/decision/conclusion", json!("first"))], IntegrityError::ConclusionDiffers);
    assert_error(&[("/output/conclusion", json!("first"))], IntegrityError::ConclusionDiffers);
}

#[test]
fn check_6_a_text_of_the_conclusion_even_beside_prose() {
    assert_error(&[("/output/claims/0/text", json!(""))], IntegrityError::ConclusionWithoutText);
}

#[test]
fn check_7_a_form() {
    assert_error(&[("/output/claims/0/form", NONE)], IntegrityError::ConclusionWithoutForm);
}

#[test]
fn check_8_one_status() {
    assert_error(&[("/decision/claim_verdicts/end", NONE)], IntegrityError::ConclusionVerdictMissing);
    assert_error(
        &[("/decision/claim_verdicts/end/status", json!("known"))],
        IntegrityError::ConclusionStatusDiffers,
    );
    assert_error(&[("/decision/status", json!("known"))], IntegrityError::ConclusionStatusDiffers);
}

#[test]
fn check_9_outdated_both_or_neither() {
    assert_error(
        &[("/decision/claim_verdicts/end/outdated", json!(false))],
        IntegrityError::ConclusionOutdatedDiffers,
    );
    assert_error(&[("/decision/outdated", json!(false))], IntegrityError::ConclusionOutdatedDiffers);
}

#[test]
fn check_10_the_disclosure() {
    for detail in [
        String::new(),
        "two of three sources".into(),
        OUTDATED_DISCLOSURE.into(),
        format!("two;{OUTDATED_DISCLOSURE}"),
        format!("two, {OUTDATED_DISCLOSURE}"),
        format!("two; {OUTDATED_DISCLOSURE} "),
        format!("two; {}", OUTDATED_DISCLOSURE.to_lowercase()),
    ] {
        assert_error(&[("/decision/detail", json!(detail))], IntegrityError::DisclosureMissing);
    }
    assert!(built(&[("/decision/detail", json!(format!("; {OUTDATED_DISCLOSURE}")))]).is_ok());
}

#[test]
fn check_11_verdicts_of_all_premises() {
    assert_error(
        &[("/decision/claim_verdicts/first", NONE)],
        IntegrityError::PremiseVerdictMissing { claim: 3 },
    );
    assert_error(
        &[("/decision/claim_verdicts/second", NONE)],
        IntegrityError::PremiseVerdictMissing { claim: 1 },
    );
    // The first in the order of the closure.
    assert_error(
        &[("/decision/claim_verdicts/second", NONE), ("/decision/claim_verdicts/first", NONE)],
        IntegrityError::PremiseVerdictMissing { claim: 3 },
    );
}

#[test]
fn check_12_licensed_prose() {
    assert_error(&[("/decision/traceability", NONE)], IntegrityError::ProseNotApproved);
    assert_error(&[("/decision/traceability/ok", json!(false))], IntegrityError::ProseNotApproved);
    for nothing in [json!([]), json!([{ "claim_ids": [] }])] {
        assert_error(&[("/output/prose_citations", nothing)], IntegrityError::ProseWithoutClaim);
    }
    for outside in ["aside", "nobody", ""] {
        assert_error(
            &[("/output/prose_citations/1/claim_ids", json!([outside]))],
            IntegrityError::ProseClaimOutside,
        );
    }
    // Without prose nobody has to approve anything, and the conclusion is the text.
    for prose in [NONE, json!("")] {
        let without = built(&[
            ("/output/prose", prose),
            ("/decision/traceability", NONE),
            ("/output/prose_citations", json!([{ "claim_ids": ["nobody"] }])),
        ]);
        assert_eq!(without.unwrap()["text"], "The text of the conclusion.");
    }
}

#[test]
fn check_13_unique_refs_and_addresses() {
    assert_error(&[("/envelope/nodes/2/ref", json!("n1"))], IntegrityError::RefRepeated);
    assert_error(&[("/envelope/nodes/2/address", json!("kb:hours"))], IntegrityError::AddressRepeated);
    let both = ("/envelope/nodes/2", json!({ "ref": "n1", "address": "kb:hours" }));
    assert_error(&[both], IntegrityError::RefRepeated);
}

#[test]
fn check_14_citations_in_the_envelope_with_a_verdict() {
    for outside in ["n9", "kb:elsewhere", "kb:hours ", "KB:hours", ""] {
        assert_error(
            &[("/output/claims/3/cites/0", json!(outside))],
            IntegrityError::CitationOutside { claim: 3 },
        );
    }
    assert_error(&[("/envelope/nodes/0/ref", json!("n0"))], IntegrityError::CitationOutside { claim: 1 });
    assert_error(
        &[("/envelope/nodes/0/address", json!("kb:times"))],
        IntegrityError::CitationOutside { claim: 0 },
    );
    // A verdict stands under the citation as it is written, not under another name of the node.
    assert_error(&[("/node_verdicts/kb:hours", NONE)], IntegrityError::NodeVerdictMissing { claim: 0 });
    assert_error(&[("/node_verdicts/n1", NONE)], IntegrityError::NodeVerdictMissing { claim: 1 });
    assert_error(&[("/node_verdicts/n2", NONE)], IntegrityError::NodeVerdictMissing { claim: 3 });
}

#[test]
fn check_15_one_verdict_for_one_node() {
    let differ = IntegrityError::NodeVerdictsDiffer { claim: 0 };
    assert_error(&[("/node_verdicts/kb:hours/status", json!("known"))], differ);
    assert_error(&[("/node_verdicts/n1/outdated", json!(false))], differ);
}

#[test]
fn check_16_a_citation() {
    // Citations of an aside do not count, and check 17 would fail too.
    assert_error(&uncited(), IntegrityError::CitationMissing);
}

fn uncited() -> [(&'static str, Value); 3] {
    ["/output/claims/0/cites", "/output/claims/1/cites", "/output/claims/3/cites"]
        .map(|cites| (cites, json!([])))
}

#[test]
fn check_17_outdated_exactly_when_a_citation_is() {
    let fresh =
        [("/node_verdicts/n1/outdated", json!(false)), ("/node_verdicts/kb:hours/outdated", json!(false))];
    assert_error(&fresh, IntegrityError::OutdatedDiffers);
    let decided_fresh =
        [("/decision/outdated", json!(false)), ("/decision/claim_verdicts/end/outdated", json!(false))];
    assert_error(&decided_fresh, IntegrityError::OutdatedDiffers);
}

/// Ways to violate each check alone, in the order of the checks, none of which undoes another.
fn violations() -> Vec<(u8, Vec<(&'static str, Value)>)> {
    vec![
        (1, vec![("/decision/status", NONE)]),
        (4, vec![("/output/claims/2/premises/0", json!("nobody"))]),
        (5, vec![("/decision/conclusion", json!("first"))]),
        (6, vec![("/output/claims/0/text", json!(""))]),
        (7, vec![("/output/claims/0/form", NONE)]),
        (8, vec![("/decision/claim_verdicts/end/status", json!("known"))]),
        (9, vec![("/decision/claim_verdicts/end/outdated", json!(false))]),
        (10, vec![("/decision/detail", json!(""))]),
        (11, vec![("/decision/claim_verdicts/first", NONE)]),
        (12, vec![("/decision/traceability", NONE)]),
        (13, vec![("/envelope/nodes/2/ref", json!("n1"))]),
        (14, vec![("/output/claims/3/cites/0", json!("n9"))]),
        (15, vec![("/node_verdicts/kb:hours/status", json!("known"))]),
    ]
}

#[test]
fn of_two_violated_checks_the_first_is_reported() {
    let mut violations = violations();
    let fresh = vec![
        ("/node_verdicts/n1/outdated", json!(false)),
        ("/node_verdicts/kb:hours/outdated", json!(false)),
    ];
    violations.push((17, fresh));
    for (at, (check, one)) in violations.iter().enumerate() {
        assert_eq!(built(one).unwrap_err().check(), *check);
        for (_, other) in &violations[at + 1..] {
            let both: Vec<(&str, Value)> = one.iter().chain(other).cloned().collect();
            assert_eq!(built(&both).unwrap_err().check(), *check, "{one:?} {other:?}");
        }
    }
    // What is absent cannot be wrong in another way.
    for (check, absent) in [(2, "/output"), (3, "/envelope")] {
        for (other, violation) in &violations {
            let violation = violation.iter().filter(|(place, _)| !place.starts_with(absent)).cloned();
            let both: Vec<(&str, Value)> = violation.chain([(absent, NONE)]).collect();
            assert_eq!(built(&both).unwrap_err().check(), check.min(*other));
        }
    }
    let both = [("/output", NONE), ("/envelope", NONE)];
    assert_eq!(built(&both).unwrap_err().check(), 2);
    // Where nothing is cited, no citation can be wrong; everything before those is.
    for (other, violation) in violations.iter().filter(|(other, _)| *other <= 13) {
        let both: Vec<(&str, Value)> = uncited().into_iter().chain(violation.iter().cloned()).collect();
        assert_eq!(built(&both).unwrap_err().check(), *other);
    }
}

#[test]
fn citations_are_checked_claim_by_claim_and_sorted_first_resolved_then_compared() {
    let (outside, missing, differ) = (
        |claim| IntegrityError::CitationOutside { claim },
        |claim| IntegrityError::NodeVerdictMissing { claim },
        |claim| IntegrityError::NodeVerdictsDiffer { claim },
    );
    // The closure is 3, 1; the conclusion 0 comes last.
    let bad = json!(["n9"]);
    let all = |pairs: &[usize]| -> Vec<(String, Value)> {
        pairs.iter().map(|claim| (format!("/output/claims/{claim}/cites"), bad.clone())).collect()
    };
    for (claims, first) in [(vec![0, 1, 3], 3), (vec![0, 1], 1), (vec![0], 0)] {
        let alterations = all(&claims);
        let alterations: Vec<(&str, Value)> =
            alterations.iter().map(|(place, value)| (place.as_str(), value.clone())).collect();
        assert_error(&alterations, outside(first));
    }
    // A disagreement in an earlier claim goes before a citation outside in a later one, and the other way.
    let one_claim_two_names = ("/output/claims/3/cites", json!(["kb:hours", "n1"]));
    let disagree = ("/node_verdicts/n1/status", json!("known"));
    assert_error(
        &[one_claim_two_names.clone(), disagree.clone(), ("/output/claims/0/cites", bad.clone())],
        differ(3),
    );
    assert_error(
        &[
            ("/output/claims/3/cites", bad),
            ("/output/claims/1/cites", json!(["kb:hours", "n1"])),
            disagree.clone(),
        ],
        outside(3),
    );
    // Within one claim, sorted: `kb:hours` < `n1` < `n9`, however they are written.
    for cites in [json!(["n9", "n1", "kb:hours"]), json!(["kb:hours", "n1", "n9"])] {
        assert_error(&[("/output/claims/3/cites", cites.clone()), disagree.clone()], differ(3));
        let nobody_knows = [("/output/claims/3/cites", cites), ("/node_verdicts/n1", NONE)];
        assert_error(&nobody_knows, missing(3));
    }
    // `a` < `kb:hours`: what cannot be resolved comes first here.
    assert_error(&[("/output/claims/3/cites", json!(["n1", "kb:hours", "a"])), disagree], outside(3));
}

#[test]
fn a_ref_goes_before_an_address_of_the_same_text() {
    let crossed = built(&[
        ("/envelope/nodes/2/ref", json!("kb:hours")),
        ("/node_verdicts/kb:hours/status", json!("known")),
    ]);
    let addresses: Vec<Value> =
        crossed.unwrap()["citations"].as_array().unwrap().iter().map(|it| it["address"].clone()).collect();
    assert_eq!(addresses, ["almanac:sun/set#today", "kb:hours", "kb:nobody/cites/it"]);
}

#[test]
fn a_repeated_citation_counts_once() {
    let again = built(&[("/output/claims/0/cites", json!(["kb:hours", "n1", "kb:hours", "n1"]))]);
    assert_eq!(again.unwrap(), built(&[]).unwrap());
}

#[test]
fn the_closure_has_what_a_claim_rests_on_before_it_and_else_the_declared_order() {
    // Declared order, premises, conclusion, closure.
    type Declared<'a> = &'a [(&'a str, &'a [&'a str])];
    let cases: [(Declared<'_>, &str, &[&str]); 6] = [
        (&[("a", &[])], "a", &[]),
        (&[("a", &[]), ("b", &[]), ("c", &["b", "a"])], "c", &["a", "b"]),
        (&[("c", &["a", "b"]), ("b", &[]), ("a", &[])], "c", &["b", "a"]),
        // `a` could be next from the start, `b` only after `d`.
        (
            &[("a", &[]), ("b", &["d"]), ("c", &[]), ("d", &[]), ("e", &["a", "b", "c"])],
            "e",
            &["a", "c", "d", "b"],
        ),
        // A diamond, once each; what is not below the conclusion stays away.
        (
            &[("top", &["l", "r"]), ("l", &["x"]), ("r", &["x"]), ("x", &[]), ("y", &["top"])],
            "top",
            &["x", "l", "r"],
        ),
        (&[("3", &["2"]), ("2", &["1"]), ("1", &["0"]), ("0", &[])], "2", &["0", "1"]),
    ];
    for (claims, conclusion, expected) in cases {
        let claims: Vec<Value> = claims
            .iter()
            .map(|(id, premises)| json!({ "id": id, "text": "", "premises": premises, "cites": [] }))
            .collect();
        let input = altered(&[(
            "/output",
            json!({ "claims": claims, "conclusion": conclusion, "prose_citations": [] }),
        )]);
        let NavResult { output, .. } = decode(&input);
        let output = output.unwrap();
        let closure: Vec<&str> =
            output.premise_closure().unwrap().iter().map(|claim| claim.id.as_str()).collect();
        assert_eq!(closure, expected);
    }
}

#[test]
fn every_error_has_a_check_a_code_of_its_own_and_a_text() {
    let mut codes: Vec<&str> = IntegrityError::ALL.iter().map(|error| error.code()).collect();
    assert!(codes.iter().all(|code| code.starts_with("SURFACE_")));
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), IntegrityError::ALL.len());
    let checks: Vec<u8> = IntegrityError::ALL.iter().map(|error| error.check()).collect();
    assert!(checks.is_sorted());
    assert!((1..=17).all(|check| checks.contains(&check)));
}
