//! `ask`.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::json;

use crate::run::{GARDEN_HASH, Scene, answerplane, answerplane_with, program, site};

fn ask(site: &std::path::Path, arguments: &[&str]) -> crate::run::Run {
    answerplane([&["ask", site.to_str().unwrap()], arguments].concat())
}

#[test]
fn an_answer_comes_with_sources_and_provenance() {
    ask(&site("garden"), &["  when is the GARDEN open?"]).printed(
        0,
        &format!(
            "The garden is open **every day from 7:00 until sunset**. The last person out closes the gate.\n\n\
             ▌ [1] House rules, section 1: opening hours <https://garden.example.org/rules#opening-hours>\n\
             ▌ from garden-hours of garden-help-v1, {GARDEN_HASH}\n"
        ),
    );
}

#[test]
fn choices_say_what_to_type() {
    ask(&site("garden"), &["Opening hours"]).printed(
        0,
        &format!(
            "More than one exact local answer matches. Choose one to continue.\n\n\
             1. Garden opening hours\n   type: When is the garden open?\n   or --choose garden-hours\n\n\
             2. Tool shed opening hours\n   type: When is the tool shed open?\n   or --choose tool-shed-hours\n\n\
             ▌ from garden-help-v1, {GARDEN_HASH}\n"
        ),
    );
}

#[test]
fn an_escalation_says_why() {
    ask(&site("garden"), &["Where is the moon?"]).printed(
        1,
        "No exact local answer was found. A backend answer is required. (miss)\n\
         This site hands such questions to its backend.\n",
    );
    ask(&site("atlas"), &["Where is the moon?"]).printed(
        1,
        "No exact local answer was found. A backend answer is required. (miss)\n\
         This site asks no backend.\n",
    );
}

#[test]
fn several_questions_get_a_block_each() {
    let run = ask(&site("garden"), &["Garden opening hours", "nothing", "Opening hours"]);
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    let blocks: Vec<&str> = run.stdout.lines().filter(|line| line.starts_with("▌ > ")).collect();
    assert_eq!(blocks, ["▌ > Garden opening hours", "▌ > nothing", "▌ > Opening hours"]);
    assert_eq!(run.stdout.matches("\n\n▌ > ").count(), 2);
    assert_eq!(ask(&site("garden"), &["Garden opening hours", "Opening hours"]).status, 0);
}

#[test]
fn a_choice_is_answered_for_the_question_that_offered_it() {
    let run = ask(&site("garden"), &["Opening hours", "--choose", "tool-shed-hours"]);
    assert!(run.stdout.starts_with("The tool shed is open"), "{}", run.stdout);
    assert_eq!(run.status, 0);
    ask(&site("garden"), &["Opening hours", "--choose", "get-a-plot"]).printed(
        1,
        "The selected local answer is unavailable. A backend answer is required. (miss)\n\
         This site hands such questions to its backend.\n",
    );
    let two = ask(&site("garden"), &["Opening hours", "Waiting list", "--choose", "get-a-plot"]);
    two.complained(2, &["--choose", "exactly one QUERY"]);
    ask(&site("garden"), &["--choose", "get-a-plot"]).complained(2, &["QUERY"]);
}

#[test]
fn json_is_one_envelope_a_line() {
    let run = ask(&site("garden"), &["--json", "Waiting list", "Opening hours", "x"]);
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    let envelopes = run.json();
    assert_eq!(envelopes.len(), 3);
    assert_eq!(envelopes[0]["provenance"]["entryIds"], json!(["get-a-plot"]));
    assert_eq!(envelopes[1]["outcome"], "choices");
    assert_eq!(envelopes[2]["reason"], "miss");
    for line in run.stdout.lines() {
        assert!(answerplane_protocol::AnswerEnvelope::decode(line).is_ok(), "{line}");
    }
    let chosen = ask(&site("garden"), &["--json", "Opening hours", "--choose", "garden-hours"]).json();
    assert_eq!(chosen[0]["query"], "Opening hours");
    assert_eq!(chosen[0]["outcome"], "answer");
}

#[test]
fn the_moment_decides_about_expiry() {
    let scene = Scene::with_expiry("2030-01-01T00:00:00Z");
    let before = ask(scene.folder(), &["Waiting list", "--at", "2029-12-31T23:59:59.999Z"]);
    assert_eq!((before.status, before.stderr.as_str()), (0, ""));
    let after = ask(scene.folder(), &["Waiting list", "nothing", "--at", "2030-01-01T01:00+01:00", "--json"]);
    after.complained(
        1,
        &["knowledge.json", "expired at 2030-01-01T00:00:00Z (now)", "newer artifact", "(stale)"],
    );
    assert!(after.json().iter().all(|envelope| envelope["reason"] == "stale"));
}

#[test]
fn questions_come_from_standard_input_line_by_line() {
    let garden = site("garden");
    let arguments = ["ask", garden.to_str().unwrap(), "--json"];
    let run = answerplane_with(arguments, "Waiting list\r\n\n  \t\nOpening hours\nx");
    let queries: Vec<_> = run.json().iter().map(|envelope| envelope["query"].clone()).collect();
    assert_eq!(queries, ["Waiting list", "Opening hours", "x"]);
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    answerplane_with(arguments, "").printed(0, "");

    let run = answerplane_with(&arguments[..2], "x\nOpening hours\n");
    assert!(
        run.stdout.starts_with("▌ > x\n") && run.stdout.contains("\n\n▌ > Opening hours\n"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_line_that_is_no_text_is_named_and_the_others_are_answered() {
    let garden = site("garden");
    let run = answerplane_with(
        ["ask", garden.to_str().unwrap(), "--json"],
        b"Waiting list\nCANARY-7f3a\xff\nOpening hours\n",
    );
    run.complained(2, &["standard input, line 2", "UTF-8"]);
    // A result for every question, in step with them.
    let results = run.json();
    assert_eq!(results.len(), 3);
    assert_eq!((&results[0]["outcome"], &results[2]["outcome"]), (&json!("answer"), &json!("choices")));
    assert_eq!(
        results[1],
        json!({ "problem": {
            "place": "standard input, line 2",
            "code": "CLI_NOT_TEXT",
            "message": "this is not UTF-8 text",
            "remedy": "Convert it to UTF-8.",
        } })
    );
    let run = answerplane_with(["ask", garden.to_str().unwrap()], b"CANARY-7f3a\xff\nWaiting list\n");
    run.complained(2, &["standard input, line 1"]);
    assert!(run.stdout.starts_with("▌ > Waiting list\n"), "{}", run.stdout);
}

#[test]
fn a_line_without_end_is_a_miss_and_takes_no_memory() {
    let garden = site("garden");
    let line = "Waiting list ".repeat(1 << 20);
    let run =
        answerplane_with(["ask", garden.to_str().unwrap(), "--json"], format!("{line}\nWaiting list\n"));
    let envelopes = run.json();
    assert_eq!(envelopes[0]["reason"], "miss");
    assert_eq!(envelopes[0]["query"].as_str().unwrap(), &line[..512]);
    assert_eq!(envelopes[1]["outcome"], "answer");
}

#[test]
fn every_answer_is_there_before_the_next_question() {
    let mut child = program()
        .args(["ask", site("garden").to_str().unwrap(), "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for question in ["Waiting list", "x", "Opening hours"] {
        writeln!(stdin, "{question}").unwrap();
        assert!(answers.next().unwrap().unwrap().contains(question));
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let mut child = program()
        .args(["ask", site("garden").to_str().unwrap()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    // An endless writer is let go too.
    while writeln!(stdin, "Waiting list").is_ok() {}
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));

    let mut child = program()
        .args(["ask", site("garden").to_str().unwrap(), "Waiting list", "x"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(1), &b""[..]));
}

#[test]
fn a_site_is_a_folder_or_its_configuration_file() {
    let scene = Scene::garden();
    std::fs::rename(scene.path("site-config.json"), scene.path("other.json")).unwrap();
    assert_eq!(ask(&scene.path("other.json"), &["Waiting list"]).status, 0);

    let run =
        program().current_dir(scene.folder()).args(["ask", "other.json", "Waiting list"]).output().unwrap();
    assert_eq!(run.status.code(), Some(0));
}

#[test]
fn the_artifact_is_the_first_that_exists() {
    let scene = Scene::garden();
    scene.change(
        "site-config.json",
        "\"/knowledge.json\"",
        "\"https://cdn.example/kb%20v1/garden.json?v=1#top\"",
    );
    assert_eq!(ask(scene.folder(), &["Waiting list"]).status, 0);
    let artifact = scene.read("knowledge.json");

    scene.write("garden.json", "{");
    ask(scene.folder(), &["Waiting list"]).complained(1, &["garden.json: DETERMINISTIC_INVALID_PAYLOAD"]);
    scene.write("kb v1/garden.json", artifact);
    assert_eq!(ask(scene.folder(), &["Waiting list"]).status, 0);
}

#[test]
fn a_folder_does_not_hide_the_artifact() {
    for href in ["/", "/kb/", "/kb", "https://docs.example", "/x/kb/?v=1"] {
        let scene = Scene::garden();
        std::fs::create_dir(scene.path("kb")).unwrap();
        scene.change("site-config.json", "\"/knowledge.json\"", &format!("\"{href}\""));
        let run = ask(scene.folder(), &["Waiting list"]);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{href}");
    }
    let scene = Scene::garden();
    std::fs::rename(scene.path("knowledge.json"), scene.path("elsewhere.json")).unwrap();
    scene.change("site-config.json", "\"/knowledge.json\"", "\"/\"");
    ask(scene.folder(), &["Waiting list"]).complained(1, &["there is no artifact", "(corrupt)"]);
    std::fs::create_dir(scene.path("kb")).unwrap();
    scene.change("site-config.json", "\"/\"", "\"/kb/\"");
    ask(scene.folder(), &["Waiting list"])
        .complained(1, &["kb: CLI_NOT_A_FILE: this is not a file", "(corrupt)"]);
}

#[test]
fn a_link_that_no_file_can_have_says_why() {
    for href in ["/%00", "/a%2fb", "/%2Fetc%2Fpasswd", "/a%5Cb", "/%ff.json"] {
        let scene = Scene::garden();
        scene.change("site-config.json", "\"/knowledge.json\"", &format!("\"{href}\""));
        let run = ask(scene.folder(), &["Waiting list"]);
        run.complained(1, &["artifact.href has an escape that no file name can hold", "%2F", "(corrupt)"]);
        assert!(!run.stderr.contains("out of the folder"), "{href}");
    }
}

#[test]
fn an_artifact_outside_the_folder_is_never_read() {
    let outside = Scene::garden();
    let scene = Scene::garden();
    std::fs::remove_file(scene.path("knowledge.json")).unwrap();
    let name = outside.folder().file_name().unwrap().to_str().unwrap();
    for href in [
        format!("/../{name}/knowledge.json"),
        format!("/%2e%2E/{name}/knowledge.json"),
        format!("/..%2f{name}%2fknowledge.json"),
    ] {
        let config = scene.read("site-config.json");
        scene.change("site-config.json", "/knowledge.json", &href);
        ask(scene.folder(), &["Waiting list"]).complained(1, &["out of the folder", "(corrupt)"]);
        scene.write("site-config.json", config);
    }

    #[cfg(unix)]
    {
        let link = scene.path("knowledge.json");
        std::os::unix::fs::symlink(outside.path("knowledge.json"), &link).unwrap();
        ask(scene.folder(), &["Waiting list"]).complained(1, &["out of the folder", "(corrupt)"]);
        std::fs::remove_file(&link).unwrap();
        // A link that stays inside is an ordinary way to publish.
        std::fs::copy(site("garden").join("knowledge.json"), scene.path("v1.json")).unwrap();
        std::os::unix::fs::symlink("v1.json", &link).unwrap();
        assert_eq!(ask(scene.folder(), &["Waiting list"]).status, 0);
    }
}
