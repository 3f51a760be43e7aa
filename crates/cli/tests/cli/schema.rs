//! `schema`.

use crate::run::{Scene, answerplane};

const NAMES: [&str; 19] = [
    "site",
    "artifact",
    "answer",
    "component-render",
    "component-select",
    "component-interact",
    "component-props",
    "content-record",
    "turn-event",
    "session-snapshot",
    "ask-request",
    "ask-record",
    "backend-site",
    "diagnostic",
    "component-diagnostic",
    "content-diagnostic",
    "turn-diagnostic",
    "session-diagnostic",
    "ask-diagnostic",
];

#[test]
fn schemas_are_listed_and_printed() {
    answerplane(["schema"]).printed(0, &(NAMES.join("\n") + "\n"));
    answerplane(["schema", "--json"]).printed(0, &(serde_json::json!(NAMES).to_string() + "\n"));
    for name in NAMES {
        let run = answerplane(["schema", name]);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""));
        assert!(run.stdout.starts_with("{\n  ") && run.stdout.ends_with("}\n"), "{name}");
        let schema: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    }
    answerplane(["schema", "nothing"]).complained(2, &["no such schema", "answerplane schema"]);
}

#[test]
fn all_schemas_are_written() {
    let scene = Scene::empty();
    let folder = scene.path("new/schemas");
    let run = answerplane(["schema".as_ref(), "--all".as_ref(), folder.as_os_str()]);
    let paths = NAMES.map(|name| folder.join(format!("{name}.schema.json")));
    run.printed(0, &paths.each_ref().map(|path| format!("{}\n", path.display())).concat());
    for (name, path) in NAMES.iter().zip(&paths) {
        assert_eq!(std::fs::read_to_string(path).unwrap(), answerplane(["schema", name]).stdout);
    }
    let run = answerplane(["schema".as_ref(), "--json".as_ref(), "--all".as_ref(), folder.as_os_str()]);
    assert_eq!(run.json()[0], serde_json::json!(paths));

    let file = scene.write("file", "");
    answerplane(["schema".as_ref(), "--all".as_ref(), file.as_os_str()])
        .complained(2, &["cannot be written"]);
    answerplane(["schema", "site", "--all", "x"]).complained(2, &["cannot be used with"]);
}
