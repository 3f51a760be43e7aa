//! `surface`.

use serde_json::{Value, json};

use crate::run::{CANARY, Run, Scene, answerplane, answerplane_with, program};

/// A result whose decision, reasoning and envelope agree.
fn agreed() -> Value {
    json!({
        "decision": {
            "verdict": "answer", "status": "known", "conclusion": "c1", "outdated": false, "detail": "one source",
            "claim_verdicts": { "c1": { "status": "known", "outdated": false } },
        },
        "output": {
            "claims": [{ "id": "c1", "text": "It closes at dusk.", "form": "direct", "premises": [], "cites": ["n1"] }],
            "conclusion": "c1",
            "prose_citations": [],
        },
        "envelope": { "nodes": [{ "ref": "n1", "address": "kb:garden/hours" }] },
        "node_verdicts": { "n1": { "status": "known", "outdated": false } },
    })
}

fn surface(command: &str, document: impl ToString, arguments: &[&str]) -> Run {
    let scene = Scene::empty();
    scene.write("file.json", document.to_string());
    let mut run = program();
    run.args(["surface", command, "file.json"]).args(arguments).current_dir(scene.folder());
    Run::of(run.output().unwrap())
}

#[test]
fn what_agrees_is_an_answer() {
    surface("build", agreed(), &[])
        .printed(0, "It closes at dusk.\n\nknown · direct\nkb:garden/hours (known) for c1\n");
    let run = surface("build", agreed(), &["--json"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    // Its fields stand in the order of the contract, and it is a surface as it was printed.
    assert!(
        run.stdout.starts_with(r#"{"version":1,"text":"It closes at dusk.","conclusion_claim_id":"c1","#)
    );
    surface("validate", &run.stdout, &[]).printed(0, "valid\n");
    surface("validate", &run.stdout, &["--json"]).printed(0, "{\"valid\":true}\n");
}

#[test]
fn a_text_is_shown_on_its_lines_and_its_disclosure_before_it() {
    let mut result = agreed();
    result["output"]["claims"][0]["text"] = json!("One.\n\nTwo.\u{1b}");
    surface("build", &result, &[])
        .printed(0, "One.\n\nTwo.␛\n\nknown · direct\nkb:garden/hours (known) for c1\n");
    let disclosure = "This answer rests on sources that are marked as outdated.";
    result["decision"]["outdated"] = json!(true);
    result["decision"]["detail"] = json!(format!("one source; {disclosure}"));
    result["decision"]["claim_verdicts"]["c1"]["outdated"] = json!(true);
    result["node_verdicts"]["n1"]["outdated"] = json!(true);
    let run = surface("build", &result, &[]);
    assert!(run.stdout.starts_with(&format!("{disclosure}\n\nOne.\n\nTwo.")), "{}", run.stdout);
}

#[test]
fn standard_input_is_read_where_the_file_is_a_dash() {
    answerplane_with(["surface", "build", "-"], agreed().to_string())
        .printed(0, "It closes at dusk.\n\nknown · direct\nkb:garden/hours (known) for c1\n");
    answerplane_with(["assess", "-"], "{}")
        .printed(1, "Not assessed \u{2014} no check applied to this answer.\n");
}

#[test]
fn what_disagrees_is_an_abstention_that_says_so() {
    let mut result = agreed();
    result["envelope"]["nodes"] = json!([]);
    let run = surface("build", &result, &[]);
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    assert!(run.stdout.starts_with("No answer can be given: integrity error\ncheck 14, "), "{}", run.stdout);
    let run = surface("build", &result, &["--json"]);
    assert_eq!((run.status, &run.json()[0]["error"]["code"]), (1, &json!("SURFACE_CITATION_OUTSIDE")));
    result["decision"]["verdict"] = json!("clarify");
    surface("build", &result, &[]).printed(1, "No answer can be given: clarify\n");
}

#[test]
fn a_payload_that_is_no_surface_is_invalid() {
    let built = surface("build", agreed(), &["--json"]).json()[0].clone();
    let mut changed = built.clone();
    changed["more"] = json!(CANARY);
    let run = surface("validate", &changed, &[]);
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    assert!(run.stdout.starts_with("invalid  SURFACE_"), "{}", run.stdout);
    let run = surface("validate", &changed, &["--json"]);
    assert_eq!((run.status, &run.json()[0]["valid"]), (1, &json!(false)));
    for twice in [r#"{"version":1,"#, r#"{"status":"bogus","#] {
        let run = surface("validate", built.to_string().replacen('{', twice, 1), &[]);
        assert!(run.stdout.starts_with("invalid  SURFACE_PAYLOAD_REPEATED_FIELD"), "{}", run.stdout);
    }
}

#[test]
fn wrong_input_is_refused_in_one_line() {
    surface("build", format!("{{{CANARY}"), &[]).complained(2, &["file.json", "SURFACE_INPUT_NOT_JSON"]);
    let hidden = agreed().to_string().replacen('{', "{\"x\ny\":0,", 1);
    surface("build", hidden, &[]).complained(2, &["file.json", "SURFACE_INPUT_NOT_JSON"]);
    surface("build", json!({ "decision": CANARY }), &[])
        .complained(2, &["file.json:1:", "SURFACE_INPUT_INVALID"]);
    let mut unknown = agreed();
    unknown["output"]["claims"][0]["form"] = json!(CANARY);
    let text = serde_json::to_string_pretty(&unknown).unwrap();
    let line = text.lines().position(|line| line.contains("\"form\"")).unwrap() + 1;
    surface("build", text, &[]).complained(2, &[&format!("file.json:{line}:"), "SURFACE_INPUT_INVALID"]);
    surface("validate", format!("{{{CANARY}"), &[]).complained(2, &["file.json:1:2", "not JSON"]);
    // The first fault counts, and characters do.
    surface("build", "{\"é😀\":1,\n\"a\tb\":1,\n\"decision\":5", &[])
        .complained(2, &["file.json:2:", "SURFACE_INPUT_NOT_JSON"]);
    surface("build", "{\"é😀\":?", &[]).complained(2, &["file.json:1:7", "SURFACE_INPUT_NOT_JSON"]);
    let scene = Scene::empty();
    scene.write("bytes.json", b"{\"x\":\"\xff\",\n\"y\":1}");
    let mut run = program();
    run.args(["surface", "build", "bytes.json"]).current_dir(scene.folder());
    Run::of(run.output().unwrap()).complained(2, &["bytes.json:1:7", "SURFACE_INPUT_NOT_JSON"]);
    answerplane_with(["assess", "-", "--declarations", "-"], "{}").complained(2, &["-", "no such file"]);
    answerplane(["surface", "build", "none.json"]).complained(2, &["none.json", "no such file"]);
    answerplane(["surface", "other"]).complained(2, &["unrecognized subcommand"]);
}
