//! `render`.

use crate::run::{CANARY, Run, Scene, answerplane, answerplane_with, program, site};

const CONTENT: &str =
    "\u{1e}agentskit.chat.content/1\n{\"kind\":\"text\",\"text\":\"Water **at dawn**. \u{9b}31m\"}\n";

fn render(content: &str, arguments: &[&str]) -> Run {
    let scene = Scene::empty();
    scene.write("message", content);
    let mut run = program();
    run.args(["render", "message"]).args(arguments).current_dir(scene.folder());
    Run::of(run.output().unwrap())
}

#[test]
fn content_is_shown_in_each_form() {
    render(CONTENT, &[]).printed(0, "Water at dawn. \u{fffd}31m\n");
    render(CONTENT, &["--to", "text", "--width", "8"]).printed(0, "Water at\ndawn.\n\u{fffd}31m\n");
    render(CONTENT, &["--to", "ansi"]).printed(0, "Water \u{1b}[1mat dawn\u{1b}[0m. \u{fffd}31m\n");
    render(CONTENT, &["--to", "html"])
        .printed(0, "<p dir=\"auto\">Water <strong>at dawn</strong>. \u{fffd}31m</p>\n");
    let page = render(CONTENT, &["--page", "<Beds>"]);
    assert!(
        page.stdout.starts_with("<!DOCTYPE html>") && page.stdout.contains("<title>&lt;Beds&gt;</title>")
    );
}

#[test]
fn an_answer_and_markdown_are_shown_too() {
    render("# Beds\n", &[]).printed(0, "# Beds\n");
    let asked = answerplane([
        "ask".as_ref(),
        site("garden").as_os_str(),
        "--json".as_ref(),
        "When is the garden open?".as_ref(),
    ]);
    let shown = answerplane_with(["render", "-", "--to", "html"], &asked.stdout);
    assert!(shown.stdout.contains("Declared answer") && shown.status == 0, "{}", shown.stdout);
}

#[test]
fn what_is_unfinished_is_said() {
    let run = render(&format!("{CONTENT}{{\"kind\""), &[]);
    assert_eq!(run.stdout, "Water at dawn. \u{fffd}31m\n");
    run.complained(1, &["message: ", "is not finished"]);
}

#[test]
fn what_is_refused_is_told_with_its_place() {
    render(&format!("{CONTENT}{{\"kind\":\"{CANARY}\"}}\n"), &[])
        .complained(2, &["message:3: ASSISTANT_CONTENT_INVALID_RECORD", "schema content-record"]);
    render("\u{1e}agentskit.chat.content/2\n", &[])
        .complained(2, &["message: ASSISTANT_CONTENT_UNSUPPORTED_VERSION"]);
    render("{\"protocol\":\"agentskit.chat.answer\",\"version\":1}", &[])
        .complained(2, &["message: DETERMINISTIC_INVALID_PAYLOAD", "schema answer"]);
    render(CONTENT, &["--page", "x", "--to", "text"]).complained(2, &["--page: CLI_USAGE", "--to html"]);
    answerplane(["render", "nowhere"]).complained(2, &["nowhere: CLI_MISSING"]);
}
