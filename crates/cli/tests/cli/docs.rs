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
        [
            "asked.txt",
            "empty",
            "golden.jsonl",
            "large",
            "mine",
            "pages",
            "payload.json",
            "result.json",
            "run.json",
            "schemas-of-mine",
            "site",
            "talk.md"
        ]
    );
    assert!(left.iter().all(|name| page.contains(&format!("`{name}`"))));
}

/// The table at the top of the page leads to every command.
#[test]
fn every_command_has_a_row_and_a_section() {
    let page = page();
    let help = answerplane(["--help"]).stdout;
    let (commands, _) = help.split_once("\nOptions:").unwrap();
    let names = commands.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    let names: Vec<&str> = names.collect();
    assert!(names.contains(&"build") && names.len() > 15, "{names:?}");
    for name in names {
        let in_table =
            page.lines().any(|line| line.starts_with("| [") && line.contains(&format!("`{name}`")));
        let has_section = page.lines().any(|line| {
            line.strip_prefix("## ").is_some_and(|title| title.split_whitespace().any(|word| word == name))
        });
        assert!(in_table && has_section, "{name}");
    }
}

/// The guide for authors.
fn guide() -> String {
    std::fs::read_to_string(root().join("docs/authoring.md")).unwrap()
}

/// The blocks of a language in a page.
fn blocks<'p>(page: &'p str, language: &str) -> Vec<&'p str> {
    let begin = format!("```{language}\n");
    page.split(&begin).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn what_the_guide_shows_are_the_files_that_it_names() {
    let guide = guide();
    let file = |name: &str| std::fs::read_to_string(root().join(name)).unwrap();
    let handbook = |name: &str| file(&format!("fixtures/authoring/handbook/{name}"));
    assert_eq!(blocks(&guide, "yaml"), [file("docs/examples/answers.yml")]);
    assert_eq!(blocks(&guide, "toml")[0], handbook("answerplane.toml"));
    assert_eq!(blocks(&guide, "json"), [handbook("golden.jsonl")]);
}

/// Whoever follows the guide gets somewhere: each of its commands, in a folder with what it names.
#[test]
#[cfg(unix)]
fn every_command_of_the_guide_works() {
    let scene = Scene::empty();
    let handbook = root().join("fixtures/authoring/handbook");
    std::os::unix::fs::symlink(root().join("fixtures"), scene.path("fixtures")).unwrap();
    for name in ["answerplane.toml", "questions.csv", "golden.jsonl"] {
        scene.write(name, std::fs::read(handbook.join(name)).unwrap());
    }
    for folder in ["docs", "guide"] {
        for name in ["index.md", "opening-hours.md", "brakes.mdx", "tools.md"] {
            scene.write(
                &format!("{folder}/{name}"),
                std::fs::read(handbook.join("guide").join(name)).unwrap(),
            );
        }
    }
    for name in ["index", "opening-hours", "brakes", "tools"] {
        let page = "<h2 id=overview>O</h2><h2 id=holidays>H</h2><h2 id=cost>C</h2>";
        scene.write(&format!("public/{name}.html"), page);
    }
    scene.write("asked.txt", "how much is it?\nIs there coffee?\n");
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let program = Path::new(env!("CARGO_BIN_EXE_answerplane"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let guide = guide();
    let lines = blocks(&guide, "sh").into_iter().flat_map(str::lines);
    let commands: Vec<&str> = lines.filter(|line| !line.contains("--watch")).collect();
    assert!(commands.len() >= 9, "{commands:?}");
    for command in commands {
        // The build before is that of yesterday.
        let ready = if command.contains("site-of-yesterday") { "cp -r site site-of-yesterday; " } else { "" };
        let mut shell = clean(Command::new("sh"));
        shell.args(["-c", &format!("{ready}{command}")]).current_dir(scene.folder()).env("PATH", &path);
        let run = shell.env("SOURCE_DATE_EPOCH", now.to_string()).output().unwrap();
        // Only the question that is explained was never declared.
        let status = i32::from(command.starts_with("answerplane explain"));
        assert_eq!(run.status.code(), Some(status), "$ {command}\n{}", String::from_utf8_lossy(&run.stdout));
        assert_eq!(String::from_utf8_lossy(&run.stderr), "", "$ {command}");
    }
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
