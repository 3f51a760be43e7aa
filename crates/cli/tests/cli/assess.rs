//! `assess`.

use serde_json::{Value, json};

use crate::run::{CANARY, Run, Scene, answerplane};

/// A run in which a tool found nothing and nobody said where it had looked.
fn empty_list() -> Value {
    json!({ "snapshot": { "sharedState": { "history": [
        { "role": "user", "content": CANARY },
        { "role": "tool", "toolName": "find_backups", "toolCallId": "c1", "content": "[]" },
        { "role": "assistant", "content": "No, there is none." },
    ] } } })
}

fn assess(record: &str, arguments: &[&str]) -> Run {
    let scene = Scene::empty();
    scene.write("run.json", record);
    scene.write("tools.json", r#"{"tools":{"vols":{"rowsAt":"volumes"}}}"#);
    scene.write("bad.json", format!(r#"{{"tools":"{CANARY}"}}"#));
    scene.write("two.json", r#"{"tools":{"z":5,"a":{"rowsAt":"x.y"}}}"#);
    scene.write("half.json", r#"{"tools":"#);
    let mut command = crate::run::program();
    command.args(["assess", "run.json"]).args(arguments).current_dir(scene.folder());
    Run::of(command.output().unwrap())
}

#[test]
fn one_line_says_how_an_answer_stands() {
    assess(&empty_list().to_string(), &[])
        .printed(1, "Not sure — a result was empty, and nothing says what had been searched.\n");
    assess("{}", &[]).printed(1, "Not assessed — no check applied to this answer.\n");
}

/// The parser has a name of its own under which it would read a text once more.
#[test]
fn a_text_in_a_record_stays_a_text() {
    let history = empty_list()["snapshot"].to_string();
    let record = json!({ "snapshot": { "$serde_json::private::RawValue": history } });
    assess(&record.to_string(), &[]).printed(1, "Not assessed — no check applied to this answer.\n");
}

/// Nothing that a record holds is an error, wherever it stands.
#[test]
fn what_no_value_can_hold_is_no_error() {
    let record = empty_list().to_string();
    let deep = ["[".repeat(100_000), "]".repeat(100_000)].concat();
    for odd in [r#""\ud800""#, r#"{"\ud800":0}"#, "1e999", deep.as_str()] {
        for place in [r#"{"snapshot":{"#, r#"{"snapshot":{"sharedState":{"#] {
            let record = record.replacen(place, &format!(r#"{place}"extra":{odd},"#), 1);
            let run = assess(&record, &[]);
            run.printed(1, "Not sure — a result was empty, and nothing says what had been searched.\n");
        }
    }
    assess(r#"{"snapshot":{"sharedState":{"history":"\ud800","turnNumber":1e999}}}"#, &[])
        .printed(1, "Not assessed — no check applied to this answer.\n");
}

#[test]
fn a_consistent_answer_is_fine() {
    let record = json!({ "snapshot": { "sharedState": { "history": [
        { "role": "user", "content": "Which volumes are full?" },
        { "role": "tool", "toolName": "vols", "toolCallId": "c1", "content": "[{\"id\":1}]" },
    ] } } });
    let run = assess(&record.to_string(), &["--declarations", "tools.json"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    assert!(run.stdout.starts_with("Consistent with the run's record — "), "{}", run.stdout);
    assert!(run.stdout.contains("That is not a verification."), "{}", run.stdout);
}

#[test]
fn an_explanation_names_reasons_and_places() {
    let run = assess(&empty_list().to_string(), &["--explain"]);
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    assert!(run.stdout.contains("\nempty-undeclared  "), "{}", run.stdout);
    let place = r#"  {"kind":"history","index":1,"path":"/toolCallId","toolCallId":"c1"}"#;
    assert!(run.stdout.contains(place), "{}", run.stdout);
}

#[test]
fn an_explanation_does_not_contradict_the_line_above_it() {
    let state = json!({ "answerValidation": {
        "mode": "enforce", "status": "passed", "candidateDigest": "sha256:abc",
    } });
    let unseen = "\nNo event of the record shows the end of the turn: ";
    for (events, says_so) in [(json!([]), true), (json!([{ "type": "turn_end" }]), false)] {
        let record = json!({ "snapshot": { "sharedState": state }, "events": events });
        let run = assess(&record.to_string(), &["--explain"]);
        assert!(run.stdout.starts_with("Known — "), "{}", run.stdout);
        let sure = "\nKnown: the app's checks passed exactly this answer.\n";
        assert!(run.stdout.contains(sure), "{}", run.stdout);
        assert_eq!(run.stdout.contains(unseen), says_so, "{}", run.stdout);
        assert!(!run.stdout.contains("cannot be told"), "{}", run.stdout);
    }
    // Where there is nothing to stand for, there is nothing to add.
    for record in ["{}", r#"{"snapshot":{"sharedState":{"pausedToolCallId":"c1"}}}"#] {
        assert!(!assess(record, &["--explain"]).stdout.contains(unseen));
    }
}

#[test]
fn a_program_gets_the_assessment() {
    let run = assess(&empty_list().to_string(), &["--json"]);
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    assert_eq!(run.json()[0]["standing"], "not-sure");
}

#[test]
fn wrong_input_is_refused_in_one_line() {
    assess(&format!("[\"{CANARY}\"]"), &[]).complained(2, &["run.json", "ASSESSMENT_RECORD_NOT_OBJECT"]);
    assess(&format!("{{{CANARY}"), &[]).complained(2, &["run.json", "ASSESSMENT_NOT_JSON", "not JSON"]);
    assess(&"[".repeat(200), &[]).complained(2, &["run.json", "ASSESSMENT_NOT_JSON", "not JSON"]);
    assess("{}", &["--declarations", "bad.json"]).complained(2, &["bad.json", "ASSESSMENT_TOOLS_NOT_OBJECT"]);
    assess("{}", &["--declarations", "two.json"]).complained(2, &["ASSESSMENT_TOOL_NOT_OBJECT", "\"z\""]);
    assess("{}", &["--declarations", "half.json"]).complained(2, &["half.json", "ASSESSMENT_NOT_JSON"]);
    assess("{}", &["--declarations", "none.json"]).complained(2, &["none.json", "no such file"]);
    answerplane(["assess", "none.json"]).complained(2, &["none.json", "no such file"]);
    answerplane(["assess", "x", "--explain", "--json"]).complained(2, &["cannot be used with"]);
}
