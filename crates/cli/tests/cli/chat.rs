//! `chat`.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::run::{GARDEN_HASH, Run, Scene, answerplane_with, program, root, site};

fn chat_at(site: &Path, arguments: &[&str], input: impl AsRef<[u8]>) -> Run {
    answerplane_with([&["chat", site.to_str().unwrap()], arguments].concat(), input)
}

fn chat(arguments: &[&str], input: impl AsRef<[u8]>) -> Run {
    chat_at(&site("garden"), arguments, input)
}

fn support() -> String {
    root().join("fixtures/conversations/support.toml").display().to_string()
}

fn support_chat(input: &str) -> Run {
    chat(&["--conversation", &support()], input)
}

/// What was said in each turn.
fn said(run: &Run) -> Vec<Value> {
    run.json().iter().map(|turn| turn["said"].clone()).collect()
}

#[test]
fn a_declared_answer_comes_with_its_sources() {
    let answer = format!(
        "▌ > when is the GARDEN open?\n\
         The garden is open **every day from 7:00 until sunset**. The last person out closes the gate.\n\n\
         ▌ [1] House rules, section 1: opening hours <https://garden.example.org/rules#opening-hours>\n\
         ▌ from garden-hours of garden-help-v1, {GARDEN_HASH}\n"
    );
    chat(&[], "when is the GARDEN open?\n/exit\nnever said\n").printed(0, &answer);
    chat(&[], "\n  \t\r\nwhen is the GARDEN open?\r\n").printed(0, &answer);
    chat(&[], "").printed(0, "");
}

#[test]
fn a_number_or_the_whole_label_takes_a_choice() {
    let choices = format!(
        "▌ > Opening hours\n\
         More than one exact local answer matches. Choose one to continue.\n\n\
         1. Garden opening hours\n   type: When is the garden open?\n\n\
         2. Tool shed opening hours\n   type: When is the tool shed open?\n\n\
         ▌ from garden-help-v1, {GARDEN_HASH}\n"
    );
    for taken in ["2", " #2 ", "tool shed opening HOURS"] {
        let run = chat(&[], format!("Opening hours\n{taken}\n"));
        let (before, after) = run.stdout.split_once("\n▌ > When is the tool shed open?\n").unwrap();
        assert_eq!(before, choices);
        assert!(after.starts_with("The tool shed is open on **Wednesday"), "{after}");
        assert_eq!(run.status, 0);
    }
    // Everything else is said as it stands, and ends the offer.
    for typed in ["shed 2", "first", "2.", "2", "02"] {
        let lines = if typed == "2" {
            "Opening hours\nWater\n2\n".into()
        } else {
            format!("Opening hours\n{typed}\n")
        };
        let run = chat(&["--json"], lines);
        assert_eq!(said(&run).last().unwrap(), typed);
        assert_eq!(run.status, 1);
    }
    // A number that is not in it is not said, unless it is declared, and the list stays.
    let run = chat(&["--json"], "Opening hours\n3\n2\n");
    assert_eq!(said(&run), [json!("Opening hours"), Value::Null, json!("When is the tool shed open?")]);
    run.complained(2, &["standard input, line 2: CLI_NO_SUCH_NUMBER", "ends with 2"]);
    // Commands and blank lines leave it.
    let run = chat(&["--json"], "Opening hours\n/help\n\n/state\n1\n");
    assert_eq!(run.json()[2]["answer"]["provenance"]["entryIds"], json!(["garden-hours"]));
    assert_eq!(run.json()[1], json!({ "state": null }));
}

/// A choice is taken once, as a transaction of the session.
#[test]
fn a_choice_that_is_taken_is_said_as_its_alias() {
    let run = chat(&["--json"], "Opening hours\n1\n");
    let turns = run.json();
    assert_eq!(
        turns[0]["offered"],
        json!([
            { "number": 1, "label": "Garden opening hours", "value": "When is the garden open?" },
            { "number": 2, "label": "Tool shed opening hours", "value": "When is the tool shed open?" },
        ])
    );
    assert_eq!(turns[1]["said"], "When is the garden open?");
    assert!(turns[1].get("offered").is_none());
}

#[test]
fn an_escalation_says_what_may_have_been_meant() {
    let run = chat(&[], "When is the tool-shed opne\n1\n");
    let (first, second) = run.stdout.split_once("\n▌ > When is the tool shed open?\n").unwrap();
    assert_eq!(
        first,
        "▌ > When is the tool-shed opne\n\
         This question needs the backend, which is not available. (offline)\n\
         Elsewhere this site hands such questions to its backend; chat never asks one.\n\n\
         Did you mean\n\n\
         1. Tool shed opening hours\n   type: When is the tool shed open?\n"
    );
    assert!(second.starts_with("The tool shed is open"), "{second}");
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    let run = chat(&["--json"], "When is the tool-shed opne\nTool shed opening hours\n");
    assert_eq!(run.json()[0]["answer"]["reason"], "offline");
    assert_eq!(run.json()[0]["offered"][0]["number"], 1);
    assert_eq!(said(&run)[1], "When is the tool shed open?");
    chat_at(&site("atlas"), &[], "Who made the moon?\n").printed(
        1,
        "▌ > Who made the moon?\n\
         This question needs the backend, which is not available. (offline)\n\
         This site asks no backend.\n",
    );
}

#[test]
fn a_conversation_answers_first_and_shows_its_state() {
    support_chat("/reserve\n12\nWater\n/confirm\n/thanks\nWork day\n").printed(
        1,
        &format!(
            "▌ state: idle, actions: Reserve a plot · Say thanks\n▌ commands: /reserve · /thanks\n\n\
             ▌ > /reserve\nWhich plot? Type its number, /confirm or /cancel.\n\n\
             ▌ from the conversation support\n▌ state: choosing, actions: Confirm · Cancel\n▌ commands: /confirm · /cancel\n\n\
             ▌ > 12\nYou said 12. Type /confirm to take it.\n\n▌ from the conversation support\n\n\
             ▌ > Water\nYou said Water. Type /confirm to take it.\n\n▌ from the conversation support\n\n\
             ▌ > /confirm\nIt is yours.\n\n▌ from the conversation support\n▌ state: reserved\n▌ commands: /cancel\n\n\
             ▌ > /thanks\nThis question needs the backend, which is not available. (offline)\n\
             Elsewhere this site hands such questions to its backend; chat never asks one.\n\n\
             ▌ > Work day\n{}",
            chat(&[], "Work day\n").stdout.split_once('\n').unwrap().1
        ),
    );
    let run = support_chat("/state\n");
    assert!(
        run.stdout
            .ends_with("▌ state: idle, actions: Reserve a plot · Say thanks\n▌ commands: /reserve · /thanks\n▌ events: reserve · thank\n")
    );
    let turns = chat(&["--json", "--conversation", &support()], "/reserve\nx\n").json();
    assert_eq!(
        turns[0],
        json!({
            "turn": "turn-1",
            "said": "/reserve",
            "end": "done",
            "text": "Which plot? Type its number, /confirm or /cancel.",
            "route": "start",
            "state": { "state": "choosing", "events": ["confirm", "ask", "cancel"], "actions": ["Confirm", "Cancel"] },
        })
    );
    assert_eq!(turns[1]["route"], "plot");
}

#[test]
fn what_was_said_last_is_answered_again_or_says_something_else() {
    let run = chat(&["--json"], "Water\n/retry\n/regenerate\n/edit Opening hours\n2\n/edit Compost\n");
    assert_eq!(
        said(&run),
        ["Water", "Water", "Water", "Opening hours", "When is the tool shed open?", "Compost"]
    );
    assert_eq!(run.status, 0, "{}", run.stderr);
    let ids: Vec<_> = run.json().iter().map(|turn| turn["turn"].clone()).collect();
    assert_eq!(ids[5], "turn-6");
    let run = support_chat("/reserve\n/edit Water\n");
    assert!(run.stdout.ends_with(&format!(
        "{GARDEN_HASH}\n▌ state: idle, actions: Reserve a plot · Say thanks\n▌ commands: /reserve · /thanks\n"
    )));

    for (line, parts) in [
        ("/retry", ["SESSION_NOTHING_TO_RETRY", "Say something first"]),
        ("/regenerate", ["SESSION_UNKNOWN_MESSAGE", "Say something first"]),
        ("/edit Water", ["SESSION_UNKNOWN_MESSAGE", "Say something first"]),
        ("Water\n/edit", ["line 2: SESSION_BLANK", "behind the command"]),
    ] {
        chat(&[], line).complained(2, &parts);
    }
}

#[test]
fn commands_of_both_can_be_said() {
    let scene = Scene::empty();
    let file = scene.write(
        "own.toml",
        "id = \"own\"\ninitial = \"on\"\n[states.on]\non = { e = \"on\", leave = \"off\" }\n[states.off]\non = { e = \"off\" }\n\
         [[routes]]\nid = \"r\"\nevent = \"e\"\ncommand = \"/retry\"\nresponse = \"retried\"\n\
         [[routes]]\nid = \"x\"\nevent = \"leave\"\ncommand = \"/exit\"\nresponse = \"off\"\n\
         [[routes]]\nid = \"any\"\nevent = \"e\"\nstates = [\"off\"]\nmatch = \"any\"\nresponse = \"any\"\n",
    );
    let run = chat(
        &["--json", "--conversation", file.to_str().unwrap()],
        "//retry\n/retry\n//exit\n/state\n/exit\nx\n",
    );
    assert_eq!(said(&run), [json!("/retry"), json!("/retry"), json!("/exit"), Value::Null]);
    // What is not passed over in silence is only what the conversation has in this state, for itself.
    run.complained(0, &["/retry is a command of this program", "said by //retry"]);
    let run = chat(&["--json"], "/reserve\n/exit now\n// x\n/Exit\n");
    assert_eq!(said(&run), ["/reserve", "/exit now", "// x", "/Exit"]);
    let help = chat(&[], "/help\n");
    assert!(help.stdout.starts_with("  /retry  ") && help.stdout.contains("  //retry  "));
    let help = chat(&["--conversation", file.to_str().unwrap()], "/help\n");
    assert!(help.stdout.ends_with("▌ commands: //retry · //exit\n"), "{}", help.stdout);
    let help = chat(&["--json"], "/help\n");
    assert_eq!((help.stdout.as_str(), help.stderr.lines().count()), ("", 7));
}

#[test]
fn a_conversation_that_is_none_is_named_with_everything() {
    let scene = Scene::empty();
    let file = scene.write(
        "bad.toml",
        "id = \"bad\"\ninitial = \"on\"\nstray = \"CANARY-7f3a\"\n[states.on]\non = { go = \"onn\" }\n",
    );
    let run = chat(&["--conversation", file.to_str().unwrap()], "Water\n");
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert_eq!((run.status, run.stdout.as_str(), lines.len()), (2, "", 2));
    assert!(
        lines[0].starts_with("answerplane: ")
            && lines[0].contains("bad.toml:3:1: stray: CONVERSATION_FILE_UNKNOWN_FIELD"),
        "{}",
        lines[0]
    );
    assert!(lines[1].contains("bad.toml:5:13: ") && lines[1].contains("did you mean on?"), "{}", lines[1]);
    chat(&["--conversation", scene.path("none.toml").to_str().unwrap()], "")
        .complained(2, &["none.toml", "CONVERSATION_FILE_UNREADABLE"]);
    chat(&["--conversation", scene.folder().to_str().unwrap()], "")
        .complained(2, &["CLI_NOT_A_FILE: this is not a file"]);
    chat(&["--conversation", "own.txt"], "").complained(2, &["CONVERSATION_FILE_FORMAT", ".toml"]);
    chat_at(&scene.path("no-site"), &[], "").complained(2, &["no-site", "no such file"]);
}

#[test]
fn a_route_that_fails_is_a_failed_turn() {
    let scene = Scene::empty();
    let template = format!("{}{{input}}{{input}}{{input}}", "x".repeat(40_000));
    let file = scene.write(
        "long.toml",
        format!("id = \"long\"\ninitial = \"on\"\n[states.on]\non = {{ e = \"on\" }}\n[[routes]]\nid = \"r\"\nevent = \"e\"\nmatch = \"any\"\ntemplate = \"{template}\"\n"),
    );
    let input = "y".repeat(10_000);
    let run = chat(&["--conversation", file.to_str().unwrap()], &input);
    assert!(run.stdout.ends_with("\nDeterministic route failed. (failed)\n"), "{}", run.stdout);
    assert_eq!(run.status, 1);
    let turn = &chat(&["--json", "--conversation", file.to_str().unwrap()], &input).json()[0];
    assert_eq!(
        (&turn["end"], &turn["failure"]["message"]),
        (&json!("failed"), &json!("Deterministic route failed."))
    );
}

#[test]
fn a_line_that_cannot_be_said_is_refused_and_the_others_are_answered() {
    let units = 16_384;
    for long in ["x".repeat(units + 1), "€".repeat(units + 1), "😀".repeat(units), "x".repeat(1 << 25)] {
        let run = chat(&["--json"], format!("{long}\nWater\n"));
        run.complained(2, &["standard input, line 1", "SESSION_TOO_LONG", "several lines"]);
        let turns = run.json();
        assert_eq!(turns[0]["problem"]["code"], "SESSION_TOO_LONG");
        assert_eq!(turns[1]["said"], "Water");
    }
    for long in ["€".repeat(units), "😀".repeat(units / 2)] {
        let run = chat(&["--json"], format!("{long}\r\n"));
        assert_eq!((said(&run), run.status), (vec![json!(long)], 1));
    }
    let run = chat(&[], b"CANARY-7f3a\xff\nWater\n");
    assert!(run.stdout.starts_with("▌ > Water\n"), "{}", run.stdout);
    run.complained(2, &["standard input, line 1: CLI_NOT_TEXT", "UTF-8"]);
}

#[test]
fn a_site_that_cannot_answer_is_told_once() {
    let scene = Scene::with_expiry("2030-01-01T00:00:00Z");
    let run = chat_at(scene.folder(), &["--at", "2031-01-01T00:00:00Z", "--json"], "Water\nCompost\n");
    run.complained(1, &["knowledge.json", "expired at 2030-01-01T00:00:00Z", "(stale)"]);
    assert!(
        run.json().iter().all(|turn| turn["answer"]["reason"] == "stale" && turn.get("offered").is_none())
    );
    let run = chat_at(scene.folder(), &["--at", "2029-01-01T00:00:00Z"], "Water\n");
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    std::fs::remove_file(scene.path("knowledge.json")).unwrap();
    chat_at(scene.folder(), &[], "Water\n").complained(1, &["there is no artifact", "(corrupt)"]);
}

#[test]
fn a_transcript_has_what_was_said_and_answered() {
    let scene = Scene::empty();
    let (page, json_page) = (scene.path("talk.md"), scene.path("talk.json"));
    let talk = |path: &Path, input: &str, more: &[&str]| {
        let arguments = [
            "--conversation",
            &support(),
            "--transcript",
            path.to_str().unwrap(),
            "--at",
            "2026-03-01T09:00:00Z",
        ];
        chat(&[&arguments[..], more].concat(), input)
    };
    assert_eq!(talk(&page, "Water\n/edit Opening hours\n1\n/reserve\n", &[]).status, 0);
    let text = scene.read("talk.md");
    assert!(text.starts_with("# Transcript\n\n▌ site: garden-help\n▌ conversation: support, revision 2\n\n▌ > Opening hours\n\nMore than"), "{text}");
    assert!(text.ends_with("▌ > /reserve\n\nWhich plot? Type its number, /confirm or /cancel.\n\n▌ from the conversation support\n\n▌ state: choosing, actions: Confirm · Cancel\n"), "{text}");
    assert!(!text.contains("> Water"));

    // What is there is not replaced unless that is said; that is known before anything is.
    let again = talk(&page, "Water\n", &[]);
    again.complained(2, &["talk.md", "already", "--force"]);
    assert_eq!((scene.read("talk.md"), again.stdout.as_str()), (text, ""));
    assert_eq!(talk(&page, "Water\n", &["--force"]).status, 0);
    assert!(scene.read("talk.md").contains("▌ > Water\n"));
    scene.write("empty.md", "");
    assert_eq!(talk(&scene.path("empty.md"), "", &[]).status, 0);
    assert_eq!(scene.names(), ["empty.md", "talk.md"]);
    talk(&scene.path("none/talk.md"), "Water\n", &[])
        .complained(2, &["CLI_NO_FOLDER: it cannot be written: its folder does not exist"]);
    talk(scene.folder(), "Water\n", &[]).complained(2, &["CLI_NOT_A_FILE: this is not a file"]);

    assert_eq!(talk(&json_page, "Water\n/thanks\n", &[]).status, 0);
    let talk: Value = serde_json::from_str(&scene.read("talk.json")).unwrap();
    assert_eq!(
        (&talk["site"], &talk["conversation"]["id"], &talk["conversation"]["state"]),
        (&json!("garden-help"), &json!("support"), &json!("idle"))
    );
    let messages = talk["messages"].as_array().unwrap();
    assert_eq!(
        messages[0],
        json!({ "role": "user", "at": "2026-03-01T09:00:00.000Z", "turn": "turn-1", "text": "Water" })
    );
    assert_eq!(messages[1]["answer"]["provenance"]["entryIds"], json!(["water"]));
    assert_eq!(
        (&messages[3]["text"], &messages[3]["end"]),
        (&json!("You are welcome, chat. {Come again!}"), &json!("done"))
    );
}

/// What was said before somebody ended the program is not lost, and the program ends as it would have.
#[test]
#[cfg(unix)]
fn a_transcript_is_written_when_the_program_is_ended() {
    use std::os::unix::process::ExitStatusExt;

    for (signal, number) in [("INT", 2), ("TERM", 15)] {
        let scene = Scene::empty();
        let mut child = program()
            .args([
                "chat",
                site("garden").to_str().unwrap(),
                "--json",
                "--transcript",
                scene.path("talk.md").to_str().unwrap(),
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
        writeln!(stdin, "Water").unwrap();
        assert!(answers.next().unwrap().unwrap().contains("\"turn-1\""));
        let kill = std::process::Command::new("kill")
            .args(["-s", signal, &child.id().to_string()])
            .status()
            .unwrap();
        assert!(kill.success());
        assert_eq!(child.wait().unwrap().signal(), Some(number));
        assert!(scene.read("talk.md").contains("▌ > Water\n"));
        assert_eq!(scene.names(), ["talk.md"]);
    }
}

#[test]
fn every_answer_is_there_before_the_next_line() {
    let mut child = program()
        .args(["chat", site("garden").to_str().unwrap()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for line in ["Water", "x", "Opening hours"] {
        writeln!(stdin, "{line}").unwrap();
        let said = format!("▌ > {line}");
        assert!(answers.by_ref().any(|answer| answer.unwrap() == said));
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let mut child = program()
        .args(["chat", site("garden").to_str().unwrap()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    while writeln!(stdin, "Water").is_ok() {}
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}
