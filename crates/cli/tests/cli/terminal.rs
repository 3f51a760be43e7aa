//! What a terminal gets: colours where they are wanted, and never a control character of somebody else's.

use std::process::Command;
use std::time::Duration;

use crate::run::{Scene, answerplane, clean, program, site};
#[cfg(target_os = "linux")]
use crate::server::{Server, drip};

fn is_safe(text: &str) -> bool {
    !text.chars().any(|character| character.is_control() && !matches!(character, '\n' | '\t'))
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
    run.complained(2, &["no␛[2Jsuch folder"]);
    assert!(is_safe(&run.stderr));
    answerplane(["ask", "--no\u{1b}[2Jsuch"]).complained(2, &["unexpected argument"]);
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
