//! Definitions from files: routes that are never taken, how problems stand beside each other, and files that cannot be read.
#![allow(clippy::unwrap_used)]

use answerplane_session::{Definition, FileProblem, Format, InvalidFile};

fn parse(text: &str, format: Format) -> Result<Definition, InvalidFile> {
    Definition::parse(text, format)
}

fn problems(text: &str, format: Format) -> Vec<FileProblem> {
    parse(text, format).unwrap_err().problems().to_vec()
}

fn only(text: &str, format: Format) -> FileProblem {
    let mut problems = problems(text, format);
    assert_eq!(problems.len(), 1, "{problems:#?}");
    problems.remove(0)
}

/// Two states, of which `idle` accepts `go` and `away` accepts `back`, and these routes.
fn with_routes(routes: &[&str]) -> String {
    let routes: Vec<String> = routes
        .iter()
        .enumerate()
        .map(|(number, fields)| format!("- {{id: r{number}, response: x, {fields}}}\n"))
        .collect();
    format!(
        "id: x\ninitial: idle\nstates:\n  idle: {{on: {{go: away, both: idle}}}}\n  away: {{on: {{back: idle, both: away}}}}\nroutes:\n{}",
        routes.concat()
    )
}

/// The codes of routes with their numbers, what was probably meant, and more about it.
fn never_taken(routes: &[&str]) -> Vec<(String, &'static str, Option<String>)> {
    let Err(invalid) = parse(&with_routes(routes), Format::Yaml) else { return Vec::new() };
    let short = |problem: &FileProblem| {
        (
            problem.field.clone(),
            problem.code().trim_start_matches("CONVERSATION_FILE_"),
            problem.nearest.clone().or(problem.detail.clone()),
        )
    };
    invalid.problems().iter().map(short).collect()
}

#[test]
fn routes_that_are_never_taken() {
    let one = |field: &str, code: &'static str, more: Option<&str>| {
        vec![(field.to_string(), code, more.map(str::to_string))]
    };
    let none: Vec<(String, &'static str, Option<String>)> = Vec::new();
    let event = "UNACCEPTED_EVENT";
    assert_eq!(never_taken(&["event: goo, command: /a"]), one("routes[0].event", event, Some("go")));
    assert_eq!(never_taken(&["event: elephant, command: /a"]), one("routes[0].event", event, None));
    let away = "event: go, command: /a, states: [away]";
    assert_eq!(never_taken(&[away]), one("routes[0].event", event, None));
    assert_eq!(
        never_taken(&["event: bak, command: /a, states: [away]"]),
        one("routes[0].event", event, Some("back"))
    );
    assert_eq!(never_taken(&["event: go, command: /a, states: [away, idle]"]), none);
    assert_eq!(
        never_taken(&["event: go, command: /a, states: []"]),
        one("routes[0].states", "NO_STATES", None)
    );
    // What could be meant by something that is wrong is not wrong a second time.
    assert_eq!(never_taken(&["event: go, command: /a, states: [away, idel]"]).len(), 1);
    assert_eq!(never_taken(&["event: \"\", command: /a"]).len(), 1);
    let text = with_routes(&["event: stop, command: /a"]).replace("both: away", "both: away, stop: 1");
    assert_eq!(only(&text, Format::Yaml).code(), "CONVERSATION_FILE_WRONG_TYPE");
    let problem = only(&with_routes(&["event: goo, command: /a"]), Format::Yaml);
    assert_eq!((problem.line, problem.column, problem.route.as_deref()), (Some(7), Some(32), Some("r0")));
}

#[test]
fn routes_behind_others() {
    let shadowed = |routes: &[&str]| {
        let found = never_taken(routes);
        found
            .into_iter()
            .map(|(field, code, more)| {
                assert_eq!(code, "SHADOWED", "{field}");
                format!("{field} {}", more.unwrap_or_default())
            })
            .collect::<Vec<_>>()
    };
    let any = "event: both, match: any";
    assert_eq!(shadowed(&[any, "event: go, command: /a"]), ["routes[1].command r0"]);
    assert_eq!(shadowed(&[any, any]), ["routes[1].id r0"]);
    assert!(shadowed(&["event: go, command: /a", any]).is_empty());
    assert!(shadowed(&["event: go, match: any", "event: both, command: /a"]).is_empty());
    assert_eq!(
        shadowed(&["event: go, match: any", "event: both, command: /a, states: [idle]"]),
        ["routes[1].command r0"]
    );
    assert!(shadowed(&["event: both, match: any, states: [idle]", "event: back, command: /a"]).is_empty());
    assert_eq!(
        shadowed(&["event: go, match: any", "event: back, match: any", "event: both, command: /a"]),
        ["routes[2].command r0 and others"]
    );
    // The same command, once more in the same state.
    assert_eq!(shadowed(&["event: both, command: /a", "event: go, command: /a"]), ["routes[1].command r0"]);
    assert!(shadowed(&["event: go, command: /a", "event: both, command: /a"]).is_empty());
    assert_eq!(
        shadowed(&["event: go, command: /a", "event: back, command: /a", "event: both, command: /a"]),
        ["routes[2].command r0 and others"]
    );
    assert!(shadowed(&["event: go, command: /a", "event: go, command: /b"]).is_empty());
}

#[test]
fn commands_have_no_white_space_at_their_ends() {
    for command in ["\" /go\"", "\"/go \"", "\"/go\\n\"", "\" \""] {
        let found = never_taken(&[&format!("event: go, command: {command}")]);
        assert_eq!(found, [("routes[0].command".to_string(), "SPACED_COMMAND", None)]);
    }
    assert!(never_taken(&["event: go, command: \"say hello\""]).is_empty());
}

#[test]
fn commands_of_a_state() {
    let routes = [
        "event: go, command: /a",
        "event: both, command: /b",
        "event: both, command: /a",
        "event: back, match: any",
        "event: go, command: /c",
    ];
    let conversation = parse(&with_routes(&routes), Format::Yaml).unwrap().conversation.unwrap();
    assert_eq!(conversation.commands("idle"), ["/a", "/b", "/c"]);
    assert_eq!(conversation.commands("away"), ["/b", "/a"]);
    assert!(conversation.commands("nowhere").is_empty());
}

#[test]
fn braces_have_their_own_columns() {
    let text = "id = \"x\"\ninitial = \"a\"\nstates.a.on.e = \"a\"\n[[routes]]\nid = \"r\"\nevent = \"e\"\nmatch = \"any\"\n";
    let places = |template: &str| {
        let problems = problems(&format!("{text}template = {template}\n"), Format::Toml);
        problems
            .iter()
            .map(|problem| {
                assert_eq!(problem.code(), "CONVERSATION_FILE_PLACEHOLDER");
                (problem.line.unwrap() - 8, problem.column.unwrap(), problem.nearest.clone())
            })
            .collect::<Vec<_>>()
    };
    let input = || Some("input".to_string());
    assert_eq!(places("\"é {inptu} {{ok}} } {\""), [(0, 15, input()), (0, 30, None), (0, 32, None)]);
    assert_eq!(places("'{a} {input}}'"), [(0, 13, None), (0, 24, None)]);
    assert_eq!(places("\"\"\"\n{input}\n  {inpt}\"\"\""), [(2, 3, input())]);
    // Where it is written in another way before the brace, the text has the place.
    assert_eq!(places("\"\\t{a}\""), [(0, 12, None)]);
}

#[test]
fn a_problem_hides_no_other() {
    let codes = |text: &str, format| -> Vec<&str> {
        problems(text, format)
            .iter()
            .map(|problem| problem.code().trim_start_matches("CONVERSATION_"))
            .collect()
    };
    // A repeated id, though the first route is not whole; a wrong placeholder, though there are two answers.
    let text = "id: x\ninitial: idle\nstates: {idle: {on: {go: idle}}}\nroutes:\n- {id: a, event: 1}\n- {id: a, event: go, match: any, response: x, template: \"{y}\"}\n";
    assert_eq!(
        codes(text, Format::Yaml),
        [
            "FILE_MISSING",
            "FILE_MISSING",
            "FILE_WRONG_TYPE",
            "ROUTE_REPEATED",
            "FILE_EXCLUSIVE",
            "FILE_PLACEHOLDER"
        ]
    );
    // Also without states to speak of.
    let text = text.replace("states: {idle: {on: {go: idle}}}", "states:");
    assert_eq!(codes(&text, Format::Yaml).len(), 7);
    assert!(
        problems(&text, Format::Yaml)[0]
            .to_string()
            .ends_with("found an empty value (null). Write {} where nothing is in it.")
    );
    // A misspelt field is not missing too.
    let text = text.replace("states:", "stats: {}").replace("event: go", "evnt: go");
    assert_eq!(codes(&text, Format::Yaml)[0], "FILE_UNKNOWN_FIELD");
    assert_eq!(codes(&text, Format::Yaml).iter().filter(|code| **code == "FILE_MISSING").count(), 2);
}

#[test]
fn remedies_fit_what_stands_there() {
    let text = with_routes(&["event: go, command: /a, states: idle"]);
    assert!(only(&text, Format::Yaml).remedy().contains("[\"idle\"]"));
    let problem = only("id: x\ninitial: a\nstates:\n  a:\n", Format::Yaml);
    assert!(
        problem.to_string().ends_with("found an empty value (null). Write {} where nothing is in it."),
        "{problem}"
    );
    let problem = only("id: 7\ninitial: a\nstates: {a: {}}\n", Format::Yaml);
    assert_eq!(problem.remedy(), "Put it in quotes.");
    let text = with_routes(&["event: go, match: all"]);
    assert_eq!(only(&text, Format::Yaml).detail.as_deref(), Some("the only one is \"any\""));
    // In TOML a field of the whole file is easily one of the table above it.
    let toml = "initial = \"a\"\n[states.a]\nid = \"x\"\n";
    let problem = only(toml, Format::Toml);
    assert_eq!((problem.line, problem.field.as_str()), (Some(3), "states.a.id"));
    assert!(problem.remedy().ends_with("before the first [table]."), "{problem}");
    let toml = "id = \"x\"\n[states.a.on]\ninitial = \"a\"\n";
    assert!(only(toml, Format::Toml).remedy().ends_with("before the first [table]."));
    assert_eq!(only("{\"id\": \"x\", \"states\": {\"a\": {}}}", Format::Json).remedy(), "Add it.");
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let load = |name: &str, bytes: Option<&[u8]>| {
        let path = folder.path().join(name);
        if let Some(bytes) = bytes {
            std::fs::write(&path, bytes).unwrap();
        }
        let problem = Definition::load(&path).map(|_| ()).unwrap_err().problems()[0].clone();
        assert_eq!(problem.file.as_deref(), Some(path.as_path()));
        assert!(problem.to_string().starts_with(&path.display().to_string()));
        problem
    };
    assert_eq!(load("absent.toml", None).code(), "CONVERSATION_FILE_UNREADABLE");
    std::fs::create_dir(folder.path().join("folder.json")).unwrap();
    assert_eq!(load("folder.json", None).code(), "CONVERSATION_FILE_UNREADABLE");
    assert_eq!(load("x.ini", Some(b"")).code(), "CONVERSATION_FILE_FORMAT");
    let problem = load("x.YML", Some(b"id: x\r\n# \xc3\xa9\xff"));
    assert_eq!(
        (problem.code(), problem.line, problem.column),
        ("CONVERSATION_FILE_NOT_UTF8", Some(2), Some(4))
    );
    let problem = load("large.toml", Some(&vec![b' '; Definition::MAX_FILE_BYTES + 1]));
    assert_eq!((problem.code(), problem.limit), ("CONVERSATION_FILE_TOO_LARGE", Some(1_048_576)));
    assert_eq!(load("x.toml", Some(b"\xef\xbb\xbfid = 1\n")).line, Some(1));
}
