//! The page about the command line, whose examples are run.

use std::path::Path;
use std::process::Command;

use crate::run::{Scene, answerplane, clean, root, site};

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

/// The folder that the page says the examples are for, made as it says.
#[cfg(unix)]
fn folder(page: &str, scene: &Scene) -> String {
    let set_up = page.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    let mut shell = clean(Command::new("sh"));
    shell.args(["-ec", &format!("{set_up}pwd")]).current_dir(root()).env("TMPDIR", scene.folder());
    String::from_utf8(shell.output().unwrap().stdout).unwrap().trim_end().to_owned()
}

#[test]
#[cfg(unix)]
fn every_example_prints_what_stands_there() {
    let scene = Scene::empty();
    let page = page();
    let folder = folder(&page, &scene);
    assert!(Path::new(&folder).starts_with(scene.folder().canonicalize().unwrap()), "{folder}");
    let program = Path::new(env!("CARGO_BIN_EXE_answerplane"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let examples = examples(&page);
    assert!(examples.len() > 15);
    for (command, output) in examples {
        let mut shell = clean(Command::new("sh"));
        shell.args(["-c", &format!("{{ {command}; }} 2>&1")]).current_dir(&folder).env("PATH", &path);
        let run = shell.output().unwrap();
        assert_eq!(String::from_utf8(run.stdout).unwrap(), output, "$ {command}");
    }
    // They leave behind what the page says they do.
    let mut left: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "fixtures")
        .collect();
    left.sort();
    assert_eq!(
        left,
        ["asked.txt", "empty", "large", "mine", "payload.json", "result.json", "run.json", "schemas-of-mine"]
    );
    assert!(left.iter().all(|name| page.contains(&format!("`{name}`"))));
}

/// The first thing that anybody runs.
#[test]
fn the_first_command_of_the_readme_prints_what_stands_there() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let (_, rest) = readme.split_once("\ncargo run ").unwrap();
    let (options, rest) =
        rest.split_once(" -- ask fixtures/sites/garden \"When is the garden open?\"\n").unwrap();
    assert!(!options.contains("--quiet"), "it builds for minutes without a word");
    let (_, output) = rest.split_once("```text\n").unwrap();
    let run = answerplane(["ask".as_ref(), site("garden").as_os_str(), "When is the garden open?".as_ref()]);
    run.printed(0, output.split("```").next().unwrap());
}
