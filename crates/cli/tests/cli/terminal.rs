//! What a terminal gets: colours where they are wanted, and never a control character of somebody else's.

use std::process::Command;
use std::time::Duration;

use crate::run::{Run, Scene, answerplane, answerplane_with, clean, program, root, site};
#[cfg(target_os = "linux")]
use crate::server::{Server, drip};

fn is_safe(text: &str) -> bool {
    let hidden = |character| {
        matches!(
            character,
            '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e00ff}'
        )
    };
    let steers = |character: char| character.is_control() && !matches!(character, '\n' | '\t');
    !text.chars().any(|character| hidden(character) || steers(character))
}

#[test]
fn control_characters_of_an_artifact_become_visible() {
    let run = answerplane(["ask".as_ref(), site("atlas").as_os_str(), "control characters".as_ref()]);
    assert!(is_safe(&run.stdout));

    let scene = Scene::garden();
    let attack = r"\u001b]0;title\u0007\u001b[2J\r\u009b31m\u007f\u0000 Put";
    scene.change("knowledge.json", "Put", attack);
    scene.change("knowledge.json", "\"Get a plot\"", "\"Get\\n\\u001b[1m a plot\"");
    scene.change("knowledge.json", "\"Waiting list\"", "\"Waiting list\", \"Opening hours\", \"\\u001b[1m\"");
    scene.change("knowledge.json", "\"Plot form\"", "\"Plot\\u001b form\"");
    scene.hash();
    for arguments in [&["Rent a plot"][..], &["Opening hours"], &["Rent a plot\u{1b}[1m", "x"]] {
        let run = answerplane([&["ask", scene.folder().to_str().unwrap()], arguments].concat());
        assert!(is_safe(&run.stdout), "{:?}", run.stdout);
        let json = answerplane([&["ask", scene.folder().to_str().unwrap(), "--json"], arguments].concat());
        assert!(is_safe(&json.stdout), "{:?}", json.stdout);
        assert!(!json.json().is_empty());
    }
    let run = answerplane(["ask", scene.folder().to_str().unwrap(), "Rent a plot"]);
    assert!(run.stdout.starts_with("␛]0;title␇␛[2J␍\u{fffd}31m␡␀ Put your name"), "{}", run.stdout);
    for arguments in [&["inspect"][..], &["inspect", "--json"], &["verify"]] {
        let run = answerplane([arguments, &[scene.folder().to_str().unwrap()]].concat());
        assert!(is_safe(&run.stdout), "{:?}", run.stdout);
    }
    let run = answerplane(["ask", "no\u{1b}[2Jsuch\nfolder", "x"]);
    run.complained(2, &["no␛[2Jsuch␊folder"]);
    assert!(is_safe(&run.stderr));
    answerplane(["ask", "--no\u{1b}[2Jsuch"]).complained(2, &["unexpected argument"]);
}

/// A chat shows texts of a site, of a conversation and of whoever talks, and writes them to a file.
#[test]
fn nothing_of_a_chat_steers_a_terminal() {
    let scene = Scene::garden();
    let attack = r"\u001b]0;title\u0007\u009b31m\u202e Put";
    scene.change("knowledge.json", "Put", attack);
    scene.change("knowledge.json", "\"Get a plot\"", "\"Get\\n\\u001b[1m a plot\"");
    scene.change("knowledge.json", "\"Waiting list\"", "\"Waiting list\", \"Opening hours\", \"\\u001b[1m\"");
    scene.hash();
    let state = r#""on\u001b[2J\n▌": { "on": { "e\u202e": "on\u001b[2J\n▌" }, "actions": ["a\u001b\n"] }"#;
    let route = r#"{ "id": "r", "event": "e\u202e", "command": "x", "response": "\u001e\u001b[2J\n▌ from" }"#;
    let conversation = scene.write(
        "c.json",
        format!(
            r#"{{ "id": "c", "initial": "on\u001b[2J\n▌", "states": {{ {state} }}, "routes": [{route}] }}"#
        ),
    );
    let input =
        "x\nRent a plot\nOpening hours\n3\nRent plot\n\u{1b}[2J\u{202e}\n/state\n/retry\n/edit \u{1b}c\n";
    for (name, json) in [("t.md", None), ("t.json", Some("--json"))] {
        let (folder, file) = (scene.folder().to_str().unwrap(), scene.path(name));
        let given = ["chat", folder, "--conversation", conversation.to_str().unwrap(), "--transcript"];
        let arguments = given.into_iter().chain([file.to_str().unwrap()]).chain(json);
        let run = answerplane_with(arguments, input);
        assert_eq!((run.status, run.stderr.as_str()), (1, ""));
        assert!(is_safe(&run.stdout), "{:?}", run.stdout);
        assert!(is_safe(&scene.read(name)), "{:?}", scene.read(name));
    }
    let shown = scene.read("t.md");
    assert!(
        shown.contains("\n<U+258C> from\n") && shown.contains("▌ state: on␛[2J <U+258C>, actions: a␛ \n"),
        "{shown}"
    );
}

/// Every text of a site and of a caller that is printed, with what is not seen or changes the order in it.
#[test]
fn what_is_not_seen_becomes_visible() {
    let scene = Scene::garden();
    let spoof = "\u{202e}\u{2066}\u{200b}\u{2028}\u{feff}\u{e0041}";
    let seen = "<U+202E><U+2066><U+200B><U+2028><U+FEFF><U+E0041>";
    scene.change("knowledge.json", "Put your name", &format!("Put{spoof} your name"));
    scene.change("knowledge.json", "\"Get a plot\"", &format!("\"Get{spoof} a plot\""));
    scene.change(
        "knowledge.json",
        "\"Waiting list\"",
        &format!("\"Waiting list\", \"Opening hours\", \"{spoof}\""),
    );
    scene.change("knowledge.json", "\"How do I get a plot?\"", &format!("\"How{spoof} do I get a plot?\""));
    scene.change("knowledge.json", "\"Plot form\"", &format!("\"Plot{spoof} form\""));
    scene.hash();
    let folder = scene.folder().to_str().unwrap();
    let asked = format!("a{spoof}b");
    let mut texts = String::new();
    for arguments in [&["Rent a plot"][..], &["Opening hours"], &[&asked, "x"]] {
        let run = answerplane([&["ask", folder], arguments].concat());
        assert!(is_safe(&run.stdout), "{:?}", run.stdout);
        texts += &run.stdout;
        let json = answerplane([&["ask", folder, "--json"], arguments].concat());
        assert!(is_safe(&json.stdout), "{:?}", json.stdout);
        assert_eq!(json.json()[0]["query"], arguments[0]);
    }
    for part in ["Put", "Get", "How", "Plot", "> a"] {
        assert!(texts.contains(&format!("{part}{seen}")), "{part}: {texts}");
    }
    let json = answerplane(["ask", folder, "--json", "Rent a plot"]);
    assert!(
        json.stdout.contains(r"Put\u202e\u2066\u200b\u2028\ufeff\udb40\udc41 your name"),
        "{}",
        json.stdout
    );
    for arguments in [&["inspect"][..], &["inspect", "--json"], &["verify"]] {
        let run = answerplane([arguments, &[folder]].concat());
        assert!(is_safe(&run.stdout), "{:?}", run.stdout);
    }
    let run = answerplane(["ask", &format!("no{spoof}folder"), "x"]);
    run.complained(2, &[&format!("no{seen}folder")]);

    // What writing needs stays.
    let scene = Scene::garden();
    let family = "می\u{200c}خواهم 👨\u{200d}👩\u{200d}👧 ❤\u{fe0f}";
    scene.change("knowledge.json", "Put your name", family);
    scene.hash();
    let run = answerplane(["ask", scene.folder().to_str().unwrap(), "Rent a plot"]);
    assert!(run.stdout.starts_with(family), "{}", run.stdout);
}

/// Lines that the program adds to an answer carry a mark that no text of a site can print.
#[test]
fn an_answer_cannot_imitate_its_source() {
    let scene = Scene::garden();
    let fake =
        "fine.\\n\\n▌ [1] Bank <https://bank.example>\\n▌ from a of b, sha256:00\\n\\n▌ > Another?\\nPut";
    scene.change("knowledge.json", "Put", fake);
    scene.change("knowledge.json", "\"Plot form\"", "\"Plot form\\n▌ from x\"");
    scene.hash();
    let run = answerplane(["ask", scene.folder().to_str().unwrap(), "Rent a plot"]);
    let marked: Vec<&str> = run.stdout.lines().filter(|line| line.contains('▌')).collect();
    assert_eq!(marked.len(), 3, "{}", run.stdout);
    assert!(marked[0].starts_with("▌ [1] Plot form <U+258C> from x <https://"), "{}", marked[0]);
    assert!(marked[2].starts_with("▌ from get-a-plot of garden-help-v1, sha256:"), "{}", marked[2]);
    assert!(run.stdout.contains("\n<U+258C> [1] Bank <https://bank.example>\n"), "{}", run.stdout);
}

#[test]
#[cfg(unix)]
fn a_name_with_a_line_feed_stays_on_its_line() {
    let scene = Scene::garden();
    std::fs::create_dir(scene.path("a\nb")).unwrap();
    for name in ["site-config.json", "knowledge.json"] {
        std::fs::rename(scene.path(name), scene.path("a\nb").join(name)).unwrap();
    }
    let lines = |arguments: &[&str]| {
        let mut command = program();
        let run = Run::of(command.args(arguments).current_dir(scene.folder()).output().unwrap());
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{arguments:?}");
        run.stdout.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(lines(&["verify", "a\nb"])[0], "verified  a␊b/knowledge.json");
    assert_eq!(lines(&["verify", "a\nb"]).len(), 6);
    assert_eq!(lines(&["inspect", "a\nb"])[1], "config    a␊b/site-config.json (271 bytes)");
    assert_eq!(lines(&["hash", "--write", "a\nb/knowledge.json"])[1], "already in a␊b/knowledge.json");
    assert_eq!(lines(&["schema", "--all", "c\nd"])[0], "c␊d/site.schema.json");

    scene.write("a\nb/v.jsonl", "{\"id\":\"i\\nj\",\"op\":\"normalize\",\"value\":\"A\",\"expect\":1}\n");
    scene.write("a\nb/deliberate.json", "{\"i\\nj\":\"one\\ntwo\"}");
    assert_eq!(
        lines(&["conformance", "check", "a\nb/v.jsonl"]),
        [
            "a␊b/v.jsonl: 0 passed, 0 failed, 1 deliberate, 0 not run",
            "  line 1 i␊j differs on purpose: one␊two"
        ]
    );
}

#[test]
#[cfg(unix)]
fn a_closed_output_is_like_no_reader() {
    for (arguments, status) in [
        ("ask \"$1\" 'Waiting list'", 0),
        ("ask \"$1\" x --json", 1),
        ("verify \"$1\"", 0),
        ("inspect \"$1\"", 0),
        ("schema", 0),
        ("conformance", 0),
    ] {
        let mut shell = clean(Command::new("sh"));
        let script = format!("exec \"$0\" {arguments} <&- >&-");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_answerplane")]).arg(site("garden"));
        let run = Run::of(shell.output().unwrap());
        assert_eq!((run.status, run.stdout.as_str(), run.stderr.as_str()), (status, "", ""), "{arguments}");
    }
}

#[test]
fn colours_are_for_those_who_want_them() {
    let ask = |name: &str, value: &str| {
        let mut command = program();
        command.env(name, value).args(["ask".as_ref(), site("garden").as_os_str(), "x".as_ref()]);
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    assert!(is_safe(&ask("TERM", "xterm")));
    assert!(ask("CLICOLOR_FORCE", "1").starts_with("\u{1b}[33mNo exact local answer"));
    assert!(is_safe(&ask("NO_COLOR", "1")));
}

/// Runs the program on a terminal of its own.
#[cfg(target_os = "linux")]
fn on_a_terminal(arguments: &str, colour: Option<&str>) -> String {
    let mut command = clean(Command::new("script"));
    command.args(["-qec", &format!("'{}' {arguments}", env!("CARGO_BIN_EXE_answerplane")), "/dev/null"]);
    command.env("TERM", "xterm").stdin(std::process::Stdio::null());
    if let Some(no_colour) = colour {
        command.env("NO_COLOR", no_colour);
    }
    let output = command.output().expect("script, of util-linux, runs programs on a terminal");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_gets_colours_and_bars() {
    let inspect = format!("inspect '{}'", site("garden").display());
    let seen = on_a_terminal(&inspect, None);
    assert!(seen.contains("\u{1b}[32mverified\u{1b}[0m"), "{seen}");
    assert!(seen.contains("██████████"), "{seen}");
    let plain = on_a_terminal(&inspect, Some("1"));
    assert!(!plain.contains('\u{1b}') && plain.contains("██████████"), "{plain}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_person_is_told_what_is_waited_for() {
    let silent = Server::start(|_, connection| drip(connection, b"", Duration::from_secs(1)));
    let address = silent.at("/site-config.json");
    let seen = on_a_terminal(&format!("verify {address} --timeout 1.5"), None);
    let waiting = format!("answerplane: waiting for {address}\r\n");
    assert!(seen.starts_with(&waiting) && seen.contains("within 1.5 s"), "{seen}");

    let seen = on_a_terminal(&format!("ask '{}'", site("garden").display()), None);
    assert!(seen.contains("ask a question a line; end with Ctrl-D"), "{seen}");
}

/// Only somebody who types is shown where.
#[test]
#[cfg(target_os = "linux")]
fn a_person_who_chats_is_shown_where_to_type() {
    let conversation = root().join("fixtures/conversations/support.toml");
    let chat = format!("chat '{}' --conversation '{}'", site("garden").display(), conversation.display());
    let seen = on_a_terminal(&chat, Some("1")).replace('\r', "");
    let state = "▌ state: idle, actions: Reserve a plot · Say thanks\n▌ commands: /reserve · /thanks\n\n> ";
    assert!(seen.contains("end with Ctrl-D\n") && seen.contains(state), "{seen}");
    assert!(on_a_terminal(&chat, None).contains("▌ \u{1b}[2mstate: idle"));
}

/// What somebody may have meant is for people: no program and no pipe sees it.
#[test]
#[cfg(target_os = "linux")]
fn a_person_is_told_what_they_may_have_meant() {
    let ask = |arguments: &str| {
        on_a_terminal(&format!("ask '{}' {arguments}", site("garden").display()), Some("1"))
    };
    let seen = ask("'When is the tool-shed opne'").replace('\r', "");
    assert_eq!(
        seen,
        "No exact local answer was found. A backend answer is required. (miss)\n\
         This site hands such questions to its backend.\n\n\
         Did you mean\n\n\
         1. Tool shed opening hours\n   type: When is the tool shed open?\n"
    );
    for arguments in [
        "'Where is the moon?'",
        "'When is the tool-shed opne' --json",
        "'Opening hours.' --choose garden-hours",
    ] {
        assert!(!ask(arguments).contains("Did you mean"), "{arguments}");
    }
    let piped = answerplane(["ask".as_ref(), site("garden").as_os_str(), "Opening hours.".as_ref()]);
    assert_eq!((piped.status, piped.stdout.lines().count()), (1, 2));
    // The expired offer nothing.
    let scene = Scene::with_expiry("2030-01-01T00:00:00Z");
    let late = format!("ask '{}' 'Waiting lists' --at 2031-01-01T00:00:00Z", scene.folder().display());
    assert!(!on_a_terminal(&late, Some("1")).contains("Did you mean"));
}
