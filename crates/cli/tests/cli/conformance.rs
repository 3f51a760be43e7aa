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
    run.complained(2, &["standard input: CLI_UNREADABLE: it cannot be read"]);
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
    check(&[file]).complained(
        2,
        &["deliberate.json: CLI_NOT_DELIBERATE: this is not a JSON object of ids and reasons"],
    );
    check(&[file, "--deliberate", "no-such-file"])
        .complained(2, &["no-such-file: CLI_MISSING: there is no such file"]);
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
}

#[test]
fn an_unreadable_file_does_not_hide_the_others() {
    let scene = Scene::empty();
    let file = scene.write("v.jsonl", VECTORS);
    let run = check(&["no-such-file", file.to_str().unwrap()]);
    run.complained(2, &["no-such-file: CLI_MISSING: there is no such file"]);
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
            "sh -c 'while printf CANARY-7f3a; do sleep 0.1; done'",
            &["gave no complete line for 0.5 s after 0 results"],
        ),
        ("sh -c 'exec cat /dev/zero'", &["gave "]),
        (
            &format!("sh -c '{one}; printf CANARY-7f3a; exec sleep 100'"),
            &["gave no complete line for 0.5 s after 1 results"],
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

/// A shell script as a program, with its words in one.
fn sh(script: &str) -> String {
    format!("sh -c '{script}'")
}

#[test]
fn a_program_is_not_told_what_is_expected() {
    let scene = Scene::empty();
    let vector = r#"{"expect":1,"id":"n-1","op":"other", "value":1.50,"note":{"expect":2}}"#;
    let file = scene.write("v.jsonl", format!("{vector}\n{{\"op\":\"x\",\"expect\":{{\"a\":[]}}}}\n"));
    let seen = scene.path("seen");
    let program = sh(&format!("tee \"{}\" | sed s/.*/1/", seen.display()));
    let run = check(&["--cmd", &program, file.to_str().unwrap()]);
    assert!(run.stdout.contains("1 passed, 1 failed"), "{}", run.stdout);
    let expected =
        "{\"id\":\"n-1\",\"op\":\"other\", \"value\":1.50,\"note\":{\"expect\":2}}\n{\"op\":\"x\"}\n";
    assert_eq!(scene.read("seen"), expected);
}

/// The process ids that the scripts of a test wrote into a file, once they are there.
#[cfg(target_os = "linux")]
fn running(scene: &Scene, count: usize) -> Vec<String> {
    for _ in 0..500 {
        let pids = std::fs::read_to_string(scene.path("pids")).unwrap_or_default();
        let pids: Vec<String> = pids.lines().map(str::to_owned).collect();
        if pids.len() == count {
            return pids;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("the program has not begun")
}

#[cfg(target_os = "linux")]
fn is_gone(pid: &str) -> bool {
    // One that has ended and that nobody has waited for yet is gone too.
    let is_left = || {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.trim_start().starts_with('Z'))
    };
    (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        !is_left()
    })
}

#[test]
#[cfg(target_os = "linux")]
fn all_that_a_program_has_started_ends_with_it() {
    let scene = Scene::empty();
    let file = scene.write("v.jsonl", VECTORS);
    let pids = scene.path("pids");
    let start = format!("echo $$ >> \"{0}\"; sleep 300 & echo $! >> \"{0}\"", pids.display());
    for (script, status, said) in [
        // Too slow, in vain, and in peace but for what it leaves behind with the output open.
        (format!("{start}; wait; true"), 2, "was silent for 1 s"),
        (format!("{start}; exit 3"), 2, "ended with exit status: 3 after 0 of 2 results"),
        (format!("{start}; cat"), 1, ""),
    ] {
        let began = Instant::now();
        let run = check(&["--cmd", &sh(&script), "--deadline", "1", file.to_str().unwrap()]);
        assert!(began.elapsed() < Duration::from_secs(20), "{script}");
        assert_eq!(run.status, status, "{script}: {}", run.stderr);
        assert!(run.stderr.contains(said), "{}", run.stderr);
        for pid in running(&scene, 2) {
            assert!(is_gone(&pid), "{script}");
        }
        std::fs::remove_file(&pids).unwrap();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_signal_ends_the_program_too() {
    use std::os::unix::process::ExitStatusExt;

    for (signal, number, stubborn) in [("INT", 2, ""), ("TERM", 15, ""), ("INT", 2, "trap : INT TERM; ")] {
        let scene = Scene::empty();
        let file = scene.write("v.jsonl", VECTORS);
        let pids = scene.path("pids");
        let script = format!(
            "{stubborn}echo $$ >> \"{0}\"; sleep 300 & echo $! >> \"{0}\"; while true; do wait; done",
            pids.display()
        );
        let mut command = program();
        command.args(["conformance", "check", "--cmd", &sh(&script), file.to_str().unwrap()]);
        let mut child = command.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let pids = running(&scene, 2);
        let kill = std::process::Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        assert_eq!(child.wait().unwrap().signal(), Some(number));
        for pid in pids {
            assert!(is_gone(&pid), "{signal} {stubborn}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn large_results_take_little_memory() {
    let scene = Scene::empty();
    let vector = r#"{"id":"big","op":"other","expect":1}"#;
    let file = scene.write("v.jsonl", format!("{vector}\n").repeat(4));
    // 60 MB each; as values they would take thirty times as much.
    let script = "for n in 1 2 3 4; do printf [; yes 0, | head -c 60000000 | tr -d \"\\n\"; echo 0]; done";
    let limited = "ulimit -v 600000; exec \"$0\" conformance check --cmd \"$1\" --json \"$2\"";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", limited, env!("CARGO_BIN_EXE_answerplane"), &sh(script), file.to_str().unwrap()]);
    let run = Run::of(command.output().unwrap());
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    let report = &run.json()[0];
    assert_eq!(report["failed"].as_array().unwrap().len(), 4);
    assert_eq!(report["failed"][3]["actual"], json!({ "error": "too-long" }));
    assert!(run.stdout.len() < 10_000);
}

#[test]
fn of_large_differences_the_beginning_is_kept() {
    let scene = Scene::empty();
    let long = "é".repeat(40_000);
    let vector = format!(r#"{{"id":"v","op":"normalize","value":"A","expect":"{long}"}}"#);
    let file = scene.write("v.jsonl", format!("{vector}\n").repeat(1_100));
    let run = check(&["--json", file.to_str().unwrap()]);
    assert_eq!(run.status, 1);
    let report = &run.json()[0];
    let failed = report["failed"].as_array().unwrap();
    assert_eq!(failed.len(), 1_100);
    let expected = failed[0]["expected"].as_str().unwrap();
    assert!(
        expected.starts_with("\"éé") && expected.ends_with("é…") && expected.len() <= 4_100,
        "{expected}"
    );
    assert_eq!(failed[0]["actual"], json!({ "output": "a", "length": 1 }));
    assert_eq!((&failed[1_099]["actual"], &failed[1_099]["line"]), (&json!("…"), &json!(1_100)));
}

#[test]
fn differences_are_in_the_order_of_the_file() {
    let scene = Scene::empty();
    let vectors = r#"{"id":"1","op":"a","expect":0}
{"id":"2","op":"b","expect":0}
{"id":"3","op":"a","expect":1}
{"id":"4","op":"a","expect":0}
"#;
    let file = scene.write("v.jsonl", vectors);
    let script = "echo \"{\\\"error\\\":\\\"bad-request\\\"}\"; echo 7; echo 1; echo 8; cat >/dev/null";
    let run = check(&["--json", "--cmd", &sh(script), file.to_str().unwrap()]);
    let report = &run.json()[0];
    let ids: Vec<&str> =
        report["failed"].as_array().unwrap().iter().map(|case| case["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["1", "2", "4"]);
    assert_eq!(report["passed"], json!(1));
}

#[test]
fn lines_that_are_no_vectors_fail() {
    let scene = Scene::empty();
    let broken = format!("{{\"id\":\"{CANARY}\",\"op\":\"normalize\",\"value\":\"A\",\"expect\"\n");
    let numbered = r#"{"id":7,"op":"normalize","value":"A","expect":{}}"#;
    let file = scene.write("v.jsonl", format!("{broken}{VECTORS}{numbered}\n{{\"expect\":1}}\n"));
    let path = file.to_str().unwrap();
    // Nobody is asked for their results.
    for cmd in [&[][..], &["--cmd", &ourselves()]] {
        let run = check(&[cmd, &[path]].concat());
        assert_eq!((run.status, run.stderr.as_str()), (1, ""));
        let expected = format!(
            "{path}: 2 passed, 3 failed, 0 deliberate, 0 not run\n  line 1  is no vector\n  line 4 7 differs\n    \
             expected {{}}\n    actual   {{\"length\":1,\"output\":\"a\"}}\n  line 5  is no vector\n"
        );
        assert_eq!(run.stdout, expected);
        let json = check(&[cmd, &["--json", path]].concat()).json();
        assert_eq!(json[0]["failed"][0], json!({ "line": 1, "id": "", "verdict": "broken" }));
    }
}

/// The parser has a name of its own under which it would read a text once more.
#[test]
fn a_text_in_a_result_stays_a_text() {
    let scene = Scene::empty();
    let vector = r#"{"id":"v","op":"other","expect":{"a":1}}"#;
    let file = scene.write("v.jsonl", format!("{vector}\n"));
    let result = scene.write("result", r#"{"$serde_json::private::RawValue":"{\"a\":1}"}"#);
    let program = sh(&format!("cat \"{}\"; cat > /dev/null", result.display()));
    let run = check(&["--cmd", &program, file.to_str().unwrap()]);
    assert!(run.stdout.contains("0 passed, 1 failed"), "{}", run.stdout);
}
