//! The page about the command line, whose examples are run, and the codes on the page of errors.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::run::{Scene, clean, root};

fn page() -> String {
    std::fs::read_to_string(root().join("docs/cli.md")).unwrap()
}

/// Each command of the page with the output that follows it there.
fn examples(page: &str) -> Vec<(String, String)> {
    let mut examples: Vec<(String, String)> = Vec::new();
    for block in page.split("```console\n").skip(1) {
        for line in block.split("```").next().unwrap().lines() {
            match (line.strip_prefix("$ "), examples.last_mut()) {
                (Some(command), _) => examples.push((command.to_owned(), String::new())),
                (None, Some((_, output))) => *output += &format!("{line}\n"),
                (None, None) => panic!("output before the first command: {line}"),
            }
        }
    }
    examples
}

#[test]
#[cfg(unix)]
fn every_example_prints_what_stands_there() {
    let scene = Scene::empty();
    std::os::unix::fs::symlink(root().join("fixtures").canonicalize().unwrap(), scene.path("fixtures"))
        .unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_answerplane"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let examples = examples(&page());
    assert!(examples.len() > 15);
    for (command, output) in examples {
        let mut shell = clean(Command::new("sh"));
        shell.args(["-c", &format!("{{ {command}; }} 2>&1")]).current_dir(scene.folder()).env("PATH", &path);
        let run = shell.output().unwrap();
        assert_eq!(String::from_utf8(run.stdout).unwrap(), output, "$ {command}");
    }
}

#[test]
fn every_code_stands_there() {
    let codes = |text: &str| -> BTreeSet<String> {
        let word =
            |part: &str| part.chars().take_while(|c| c.is_ascii_uppercase() || *c == '_').collect::<String>();
        text.split("CLI_").skip(1).map(word).collect()
    };
    let source = include_str!("../../src/problem.rs");
    let errors = std::fs::read_to_string(root().join("docs/errors.md")).unwrap();
    assert_eq!(codes(source), codes(errors.split("\n## The command line\n").nth(1).unwrap()));
}
