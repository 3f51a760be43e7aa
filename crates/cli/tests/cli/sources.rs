//! What `build` may be given.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::json;

use crate::run::{Run, Scene, answerplane, program};

#[test]
fn entries_by_hand_are_no_configuration() {
    let scene = Scene::empty();
    let hand = scene.write("hand.toml", "[[entry]]\nlabel = \"Refund\"\nanswer = \"Within 14 days.\"\n");
    let output = scene.path("site");
    let build = || answerplane(["build".as_ref(), hand.as_os_str(), "-o".as_ref(), output.as_os_str()]);
    assert_eq!(build().status, 0, "{}", build().stdout);
    let ask =
        &answerplane(["ask".as_ref(), output.as_os_str(), "refund?".as_ref(), "--json".as_ref()]).json()[0];
    assert_eq!(ask["answer"]["markdown"], "Within 14 days.");
    scene.change("hand.toml", "answer", "answr");
    assert!(build().stdout.contains("(entry[0].answr): error AUTHOR_ROW_FIELD"), "{}", build().stdout);
}

#[test]
fn a_source_that_is_not_there_hides_nothing_of_the_others() {
    let scene = Scene::empty();
    scene.write("docs/bad.md", "---\nkind: zz\n---\n# Bad\n");
    let (docs, output) = (scene.path("docs"), scene.path("site"));
    let run = answerplane([
        "build".as_ref(),
        docs.as_os_str(),
        "no-such-folder".as_ref(),
        "-o".as_ref(),
        output.as_os_str(),
        "--json".as_ref(),
    ]);
    let found = run.json()[0]["found"].clone();
    assert_eq!((run.status, &found[0]["code"]), (2, &json!("AUTHOR_KIND_UNKNOWN")));
    assert_eq!(
        (&found[1]["code"], &found[1]["file"]),
        (&json!("AUTHOR_UNREADABLE"), &json!("no-such-folder"))
    );
}

#[test]
fn watching_what_is_not_there_says_that_it_waits() {
    let scene = Scene::empty();
    let mut child = program()
        .args(["build", "later", "-o", "site", "--watch"])
        .current_dir(scene.folder())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(line, "waiting for a change, Ctrl-C ends\n");
}

#[test]
fn an_output_that_is_a_file_is_named_as_such() {
    let scene = Scene::empty();
    let page = scene.write("page.md", "# Page\n\nText.\n");
    let run = answerplane(["build".as_ref(), page.as_os_str(), "-o".as_ref(), page.as_os_str()]);
    run.complained(2, &["page.md", "this is not a folder", "Name a folder"]);
}

#[test]
fn a_folder_above_has_a_name_too() {
    let scene = Scene::empty();
    scene.write("docs/page.md", "# Page\n\nText.\n");
    scene.write("docs/below/page.md", "# Below\n\nText.\n");
    let build = |folder: &str, arguments: &[&str]| {
        let mut command = program();
        command.current_dir(scene.path(folder)).arg("build").args(arguments);
        Run::of(command.output().unwrap())
    };
    assert_eq!(build("docs/below", &["..", "-o", "../../site"]).status, 0);
    assert!(scene.read("site/site-config.json").contains("\"siteId\": \"docs\""));
    scene.write("始/page.md", "# Page\n\nText.\n");
    let nameless = build(".", &["始", "-o", "other"]);
    assert_eq!(nameless.status, 1);
    assert!(nameless.stdout.contains("--site-id"), "{}", nameless.stdout);
    assert_eq!(build(".", &["始", "-o", "other", "--site-id", "start"]).status, 0);
}
