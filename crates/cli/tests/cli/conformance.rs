//! `conformance` and `conformance check`.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::run::{CANARY, Run, Scene, answerplane, answerplane_with, program, root};

const VECTORS: &str = r#"{"id":"n-1","op":"normalize","value":"A","expect":{"output":"a","length":1}}
{"id":"n-2","op":"normalize","value":"B","expect":{"length":1.0,"output":"b"}}
"#;

fn check(arguments: &[&str]) -> Run {
    answerplane([&["conformance", "check"], arguments].concat())
}

/// This program as somebody else's.
fn ourselves() -> String {
    format!("'{}' conformance", env!("CARGO_BIN_EXE_answerplane"))
}

#[test]
fn requests_are_answered_in_order_to_the_end() {
    let requests =
        "{\"op\":\"normalize\",\"value\":\" A\"}\n\n?\n{\"op\":\"normalize\",\"value\":\"\u{2028}B\"}\r";
    answerplane_with(["conformance"], requests).printed(
        0,
        concat!(
            "{\"length\":1,\"output\":\"a\"}\n",
            "{\"error\":\"bad-request\"}\n",
            "{\"error\":\"bad-request\"}\n",
            "{\"length\":1,\"output\":\"b\"}\n",
        ),
    );
}

#[test]
fn a_result_does_not_wait_for_the_next_request() {
    let mut child =
        program().arg("conformance").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut results = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..3 {
        writeln!(stdin, r#"{{"op":"normalize","value":"A"}}"#).unwrap();
        assert_eq!(results.next().unwrap().unwrap(), r#"{"length":1,"output":"a"}"#);
    }
    drop(results);
    while writeln!(stdin, "?").is_ok() {}
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn input_that_cannot_be_read_is_said() {
    let folder = std::fs::File::open(root()).unwrap();
    let run = Run::of(program().arg("conformance").stdin(folder).output().unwrap());
    run.complained(2, &["standard input: it cannot be read"]);
}

#[test]
fn the_projects_vectors_hold() {
    let folder = root().join("fixtures/conformance");
    let (artifact, hash) = (folder.join("artifact.jsonl"), folder.join("hash.jsonl"));
    let run = check(&[artifact.to_str().unwrap(), hash.to_str().unwrap()]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let counts: Vec<&str> = run.stdout.lines().filter(|line| line.contains(" passed, ")).collect();
    assert_eq!(counts.len(), 2);
    assert!(counts[0].ends_with(" 0 failed, 4 deliberate, 0 not run"), "{}", counts[0]);
    assert!(run.stdout.contains("artifact-0898 differs on purpose: "), "{}", run.stdout);

    let json = check(&["--json", artifact.to_str().unwrap()]).json();
    assert_eq!(json[0]["file"], json!(artifact));
    assert_eq!((&json[0]["failed"], &json[0]["notRun"]), (&json!([]), &json!(0)));
    assert_eq!(json[0]["deliberate"].as_array().unwrap().len(), 4);
}

#[test]
fn differences_are_shown() {
    let scene = Scene::empty();
    let wrong = VECTORS.replace("\"a\"", "\"\u{9b}x\"").repeat(5);
    let file = scene.write("wrong.jsonl", wrong);
    let run = check(&[file.to_str().unwrap()]);
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    let path = file.display();
    let expected = format!(
        "{path}: 5 passed, 5 failed, 0 deliberate, 0 not run\n  line 1 n-1 differs\n    \
         expected {{\"length\":1,\"output\":\"\u{fffd}x\"}}\n    actual   {{\"length\":1,\"output\":\"a\"}}\n"
    );
    assert!(run.stdout.starts_with(&expected), "{}", run.stdout);
    assert!(run.stdout.ends_with("  and 2 more differ (--json has all)\n"), "{}", run.stdout);
    let json = check(&["--json", file.to_str().unwrap()]);
    assert_eq!(json.status, 1);
    assert_eq!(json.json()[0]["failed"].as_array().unwrap().len(), 5);
    assert_eq!(
        json.json()[0]["failed"][0],
        json!({
            "line": 1, "id": "n-1", "verdict": "failed",
            "expected": { "output": "\u{9b}x", "length": 1 }, "actual": { "output": "a", "length": 1 },
        })
    );
}

#[test]
fn differences_on_purpose_are_no_failures() {
    let scene = Scene::empty();
    let file = scene.write("v.jsonl", VECTORS.replace("\"a\"", "\"x\""));
    let file = file.to_str().unwrap();
    assert_eq!(check(&[file]).status, 1);
    let elsewhere = scene.write("elsewhere/list.json", r#"{"n-1":"we like it so"}"#);
    let run = check(&[file, "--deliberate", elsewhere.to_str().unwrap()]);
    run.printed(0, &format!("{file}: 1 passed, 0 failed, 1 deliberate, 0 not run\n  line 1 n-1 differs on purpose: we like it so\n"));

    scene.write("deliberate.json", r#"{"n-1":"we like it so"}"#);
    assert_eq!(check(&[file]).status, 0);
    assert_eq!(check(&[file, "--cmd", &ourselves()]).status, 1);

    scene.write("deliberate.json", format!("[\"{CANARY}\"]"));
    check(&[file]).complained(2, &["deliberate.json: this is not a JSON object of ids and reasons"]);
    check(&[file, "--deliberate", "no-such-file"]).complained(2, &["no-such-file: there is no such file"]);
}

#[test]
fn a_file_without_a_case_proves_nothing() {
    let scene = Scene::empty();
    for (name, content) in
        [("empty", "\n\n".to_owned()), ("unknown", format!("{{\"op\":\"{CANARY}\",\"expect\":1}}\n"))]
    {
        let file = scene.write(name, content);
        let run = check(&[file.to_str().unwrap()]);
        assert_eq!((run.status, run.stderr.as_str()), (1, ""), "{name}");
        assert!(run.stdout.ends_with("not run (no case was run)\n"), "{}", run.stdout);
    }
    for (name, content) in [
        ("binary", format!("\0\u{1}{CANARY}")),
        ("no-expectation", format!("{{\"op\":\"normalize\",\"value\":\"{CANARY}\"}}\n")),
    ] {
        let file = scene.write(name, content);
        let run = check(&[file.to_str().unwrap()]);
        assert_eq!((run.status, run.stderr.as_str()), (1, ""), "{name}");
        assert!(run.stdout.ends_with("line 1  is no vector\n"), "{}", run.stdout);
    }
}

#[test]
fn an_unreadable_file_does_not_hide_the_others() {
    let scene = Scene::empty();
    let file = scene.write("v.jsonl", VECTORS);
    let run = check(&["no-such-file", file.to_str().unwrap()]);
    run.complained(2, &["no-such-file: there is no such file"]);
    assert!(run.stdout.contains("2 passed"), "{}", run.stdout);
    check(&[scene.folder().to_str().unwrap()]).complained(2, &["this is not a file"]);
    check(&[]).complained(2, &["FILES"]);
}

#[test]
fn another_implementation_is_driven_over_the_pipe() {
    let scene = Scene::empty();
    // More than any pipe holds, in both directions.
    let long = "A".repeat(20_000);
    let line = format!(
        r#"{{"op":"normalize","value":"{long}","expect":{{"output":"{}","length":20000}}}}"#,
        long.to_lowercase()
    );
    let big = scene.write("big.jsonl", format!("{line}\n").repeat(50));
    let small = scene.write("small.jsonl", VECTORS);
    let run = check(&["--cmd", &ourselves(), big.to_str().unwrap(), small.to_str().unwrap()]);
    run.printed(
        0,
        &format!(
            "{}: 50 passed, 0 failed, 0 deliberate, 0 not run\n{}: 2 passed, 0 failed, 0 deliberate, 0 not run\n",
            big.display(),
            small.display()
        ),
    );

    // One that reads everything before it answers.
    let slurp = "sh -c 'x=$(cat); printf \"%s\\n\" \"$x\" | cut -c 1-1 | sed \"s/.*/7/\"'";
    let run = check(&["--cmd", slurp, big.to_str().unwrap()]);
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    assert!(run.stdout.contains("0 passed, 50 failed"), "{}", &run.stdout[..200]);
}

#[test]
fn ops_that_another_implementation_has_not_are_not_run() {
    let scene = Scene::empty();
    let bad = "sh -c 'while read -r line; do case $line in *n-1*|*normalize*) echo \"{\\\"error\\\":\\\"bad-request\\\"}\";; *) echo 1;; esac; done'";
    let other = r#"{"op":"other","expect":1}"#;
    let file = scene.write("v.jsonl", format!("{VECTORS}{other}\n"));
    let run = check(&["--cmd", bad, file.to_str().unwrap()]);
    run.printed(0, &format!("{}: 1 passed, 0 failed, 0 deliberate, 2 not run\n", file.display()));

    let half = "sh -c 'while read -r line; do case $line in *n-1*) echo \"{\\\"error\\\":\\\"bad-request\\\"}\";; *) echo 1;; esac; done'";
    let run = check(&["--cmd", half, file.to_str().unwrap()]);
    assert!(run.stdout.contains("1 passed, 2 failed, 0 deliberate, 0 not run"), "{}", run.stdout);
}

#[test]
fn a_program_that_breaks_the_contract_is_a_clear_error() {
    let scene = Scene::empty();
    let file = scene.write("v.jsonl", VECTORS);
    let file = file.to_str().unwrap();
    let one = "read -r x; echo 1";
    for (cmd, parts) in [
        ("/no/such/program", &["cannot be started", "No such file", "--cmd"][..]),
        ("true", &["ended with exit status: 0 after 0 of 2 results"]),
        (
            &format!("sh -c '{one}; echo CANARY-7f3a >/dev/null; exit 3'"),
            &["ended with exit status: 3 after 1 of 2 results"],
        ),
        (&format!("sh -c '{one}; kill -9 $$'"), &["ended with signal: 9", "after 1 of 2"]),
        ("sh -c 'cat; echo CANARY-7f3a'", &["gave more than the 2 results"]),
        ("sh -c 'cat; exit 4'", &["gave every result but ended with exit status: 4"]),
        ("sh -c 'exec 1>&-; exec sleep 100'", &["after 0 of 2 results"]),
        ("sh -c 'exec sleep 100'", &["was silent for 0.5 s after 0 results"]),
        (
            &format!("sh -c '{one}; printf CANARY-7f3a; exec sleep 100'"),
            &["was silent for 0.5 s after 1 results"],
        ),
        ("sh -c 'cat; exec 1>&-; exec sleep 100'", &["did not end within 0.5 s"]),
    ] {
        let began = Instant::now();
        check(&["--cmd", cmd, "--deadline", "0.5", file]).complained(2, parts);
        assert!(began.elapsed() < Duration::from_secs(20), "{cmd}");
    }
    check(&["--cmd", "sh -c 'x", file]).complained(2, &["quotation mark"]);
    check(&["--cmd", " ", file]).complained(2, &["a program is needed"]);
    check(&["--cmd", "cat", "--deadline", "x", file]).complained(2, &["not a number"]);
}

#[test]
fn a_line_that_is_no_json_differs() {
    let scene = Scene::empty();
    let file = scene.write("v.jsonl", VECTORS);
    let run = check(&["--cmd", "sed s/.*/CANARY-7f3a/", file.to_str().unwrap()]);
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    assert!(run.stdout.contains("actual   {\"error\":\"not-json\"}"), "{}", run.stdout);
}
