//! What sets the program up: help, version, completions, manual pages.

use crate::run::{Scene, answerplane, program};

const COMMANDS: [&str; 18] = [
    "ask",
    "verify",
    "inspect",
    "build",
    "lint",
    "diff",
    "explain",
    "coverage",
    "suggest",
    "check",
    "hash",
    "assess",
    "surface",
    "render",
    "schema",
    "conformance",
    "completions",
    "man",
];

#[test]
fn help_is_grouped_and_has_examples() {
    let run = answerplane(["--help"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    for part in ["Use a site:", "For authors:", "Examples:", "Exit status:", "Usage: answerplane <COMMAND>"] {
        assert!(run.stdout.contains(part), "{part}");
    }
    for command in COMMANDS {
        assert!(run.stdout.contains(&format!("\n  {command} ")), "{command}");
        let help = answerplane([command, "--help"]);
        assert_eq!(help.status, 0);
        assert!(help.stdout.contains("Examples:\n  "), "{command}");
    }
    assert!(answerplane(["conformance", "check", "--help"]).stdout.contains("Examples:\n  "));
    answerplane(["--version"]).printed(0, concat!("answerplane ", env!("CARGO_PKG_VERSION"), "\n"));
    let nothing = answerplane::<&str>([]);
    assert_eq!(nothing.status, 2);
    assert!(nothing.stderr.contains("Usage: answerplane <COMMAND>"));
}

#[test]
fn completions_are_there_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = answerplane(["completions", shell]);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{shell}");
        assert!(COMMANDS.iter().all(|command| run.stdout.contains(command)), "{shell}");
        assert!(run.stdout.contains("site-config"), "{shell}");
    }
    answerplane(["completions", "cmd"]).complained(2, &["possible values", "bash"]);
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let page = answerplane(["man"]);
    assert_eq!((page.status, page.stderr.as_str()), (0, ""));
    assert!(page.stdout.contains(".TH answerplane 1"), "{}", page.stdout);
    assert!(page.stdout.contains("answerplane\\-verify(1)"), "{}", page.stdout);

    let scene = Scene::empty();
    let folder = scene.path("man1");
    answerplane(["man".as_ref(), "--all".as_ref(), folder.as_os_str()]).printed(0, "");
    for command in COMMANDS {
        let page = scene.read(&format!("man1/answerplane-{command}.1"));
        assert!(page.contains("Examples:"), "{command}");
    }
    assert!(scene.read("man1/answerplane-conformance-check.1").contains("deadline"));
    let file = scene.write("file", "");
    answerplane(["man".as_ref(), "--all".as_ref(), file.as_os_str()]).complained(2, &["cannot be written"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_said_once() {
    for arguments in [&["schema", "artifact"][..], &["conformance"], &["man"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = program();
        command.args(arguments).stdout(full);
        let child = command.stdin(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn();
        let mut child = child.unwrap();
        {
            use std::io::Write;
            let _ = child.stdin.take().unwrap().write_all(b"{\"op\":\"normalize\",\"value\":\"a\"}\n");
        }
        let run = crate::run::Run::of(child.wait_with_output().unwrap());
        run.complained(2, &["standard output: CLI_UNWRITABLE: it cannot be written", "space"]);
    }
}
