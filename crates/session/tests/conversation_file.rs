//! Definitions from files: what they say, and what is said of files that are none.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use answerplane_protocol::session_snapshot::StateName;
use answerplane_session::{
    Definition, FileFault, FileProblem, Format, InvalidConversation, InvalidFile, Message, Replay, TraceKind,
    Turned,
};
use proptest::prelude::*;

fn fixture(extension: &str) -> PathBuf {
    PathBuf::from(format!("{}/../../fixtures/conversations/support.{extension}", env!("CARGO_MANIFEST_DIR")))
}

fn parse(text: &str, format: Format) -> Result<Definition, InvalidFile> {
    Definition::parse(text, format)
}

fn problems(text: &str, format: Format) -> Vec<FileProblem> {
    parse(text, format).unwrap_err().problems().to_vec()
}

/// What is wrong, in short: line, code, field.
fn short(text: &str, format: Format) -> Vec<(usize, &'static str, String)> {
    let problems = problems(text, format);
    problems
        .iter()
        .map(|problem| (problem.line.unwrap_or(0), problem.code(), problem.field.clone()))
        .collect()
}

fn only(text: &str, format: Format) -> FileProblem {
    let mut problems = problems(text, format);
    assert_eq!(problems.len(), 1, "{problems:#?}");
    problems.remove(0)
}

/// Everything that a definition does with these inputs, and what it offers in every state on the way.
fn driven(definition: &Definition, said: &[&str]) -> String {
    let mut replay = Replay::new(definition.conversation.clone().unwrap());
    let mut history = Vec::new();
    let mut done = format!("{} {}\n{:?}\n", definition.id, definition.revision, replay.view());
    for (number, input) in said.iter().enumerate() {
        history.push(Message::of_user(format!("m{number}"), *input));
        let turned = replay.turn("visitor-17", &history);
        done += &format!("{turned:?} {:?}\n", replay.view());
    }
    done
}

const SAID: [&str; 9] =
    ["hello", "/thanks", "/reserve", "/reserve", "plot {7}", "/confirm", "/thanks", "/cancel", "/confirm"];

#[test]
fn the_three_formats_say_the_same() {
    let toml = driven(&Definition::load(fixture("toml")).unwrap(), &SAID);
    for extension in ["json", "yaml"] {
        assert_eq!(driven(&Definition::load(fixture(extension)).unwrap(), &SAID), toml, "{extension}");
    }
    for part in [
        "support 2\n",
        r#"events: ["reserve", "thank"], actions: ["Reserve a plot", "Say thanks"]"#,
        r#"events: ["confirm", "ask", "cancel"], actions: ["Confirm", "Cancel"]"#,
        "You are welcome, visitor-17. {Come again!}",
        "You said plot {7}. Type /confirm to take it.",
        "kind: Repaired",
        "kind: Fallback",
        "Delegated",
    ] {
        assert!(toml.contains(part), "{part}\n{toml}");
    }
}

#[test]
fn order_is_that_of_the_file_and_names_are_ordinary() {
    let names = ["zebra", "constructor", "__proto__", "10", "9", "true", "on", "ä b", "=", "~"];
    let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    let pairs =
        |sign: &str| quoted.iter().map(|name| format!("{name}{sign}{name}")).collect::<Vec<_>>().join(", ");
    let list = quoted.join(", ");
    let toml: String = quoted.iter().map(|name| format!("[states.{name}]\n")).collect();
    let toml = format!(
        "id = \"x\"\ninitial = \"idle\"\n[states.idle]\non = {{ {} }}\nactions = [{list}]\n{toml}",
        pairs(" = ")
    );
    let states: Vec<String> = quoted.iter().map(|name| format!("{name}: {{}}")).collect();
    let json = format!(
        r#"{{ "id": "x", "initial": "idle", "states": {{ "idle": {{ "on": {{ {} }}, "actions": [{list}] }}, {} }} }}"#,
        pairs(": "),
        states.join(", ")
    );
    // YAML, where names that are no texts by its schema stand without quotes.
    let plain = names.iter().filter(|name| **name != "~").map(|name| format!("      {name}: {name:?}\n"));
    let states: String = names.iter().map(|name| format!("  {name}: {{}}\n")).collect();
    let yaml = format!(
        "id: x\ninitial: idle\nstates:\n  idle:\n    actions: [{list}]\n    on:\n{}      ~: \"~\"\n{states}",
        plain.collect::<String>()
    );
    for (text, format) in
        [(toml, Format::Toml), (json.clone(), Format::Json), (json, Format::Yaml), (yaml, Format::Yaml)]
    {
        let definition =
            parse(&text, format).unwrap_or_else(|invalid| panic!("{format:?} {invalid}\n{text}"));
        let conversation = definition.conversation.unwrap();
        let view = Replay::new(conversation.clone()).view();
        assert_eq!(view.events, names, "{format:?}");
        assert_eq!(view.actions, names, "{format:?}");
        let states: Vec<&str> = conversation.machine().states().map(|state| state.as_str()).collect();
        assert_eq!(states[1..], names, "{format:?}");
    }
}

#[test]
fn a_repeated_table_of_toml_keeps_its_order() {
    let text = "id = \"x\"\ninitial = \"b\"\nstates.b.on.z = \"a\"\nstates.b.on.y = \"a\"\nstates.a = {}\n";
    let conversation = parse(text, Format::Toml).unwrap().conversation.unwrap();
    assert_eq!(Replay::new(conversation).view().events, ["z", "y"]);
}

#[test]
fn what_may_be_left_out() {
    let definition = parse("{id: x, initial: a, states: {a: {}}}", Format::Yaml).unwrap();
    assert_eq!(definition.revision.get(), 1);
    let mut replay = Replay::new(definition.conversation.unwrap());
    assert!(matches!(replay.turn("s", &[Message::of_user("m", "x")]), Turned::Delegated(_)));
}

/// A file with one route, of which each format has a line a field.
fn with_route(fields: &str) -> [(String, Format); 3] {
    let fields: Vec<(&str, &str)> = fields.lines().map(|line| line.split_once('=').unwrap()).collect();
    let join = |between: &str, sign: &str, is_quoted: bool| {
        let fields = fields.iter().map(|(name, value)| {
            let name = if is_quoted { format!("{name:?}") } else { (*name).to_string() };
            format!("{name}{sign}{value}")
        });
        fields.collect::<Vec<_>>().join(between)
    };
    let json = |rest: &str| {
        format!(
            "{{\"id\": \"x\", \"initial\": \"idle\",\n\"states\": {{\"idle\": {{\"on\": {{\"go\": \"idle\"}}}}}},\n\n\"routes\": [{{\n{rest}\n}}]}}"
        )
    };
    [
        (
            format!(
                "id = \"x\"\ninitial = \"idle\"\nstates.idle.on.go = \"idle\"\n\n[[routes]]\n{}",
                join("\n", " = ", false)
            ),
            Format::Toml,
        ),
        (json(&join(",\n", ": ", true)), Format::Json),
        (
            format!(
                "id: x\ninitial: idle\nstates: {{ idle: {{ on: {{ go: idle }} }} }}\nroutes:\n-\n  {}",
                join("\n  ", ": ", false)
            ),
            Format::Yaml,
        ),
    ]
}

/// The one problem of a route, in all three formats: its line among the fields, from 0, and what else is asked of it.
fn of_route(fields: &str, line: usize, check: impl Fn(&FileProblem)) {
    for (text, format) in with_route(fields) {
        let problem = only(&text, format);
        let first = if format == Format::Json { 5 } else { 6 };
        assert_eq!(problem.line, Some(first + line), "{format:?} {problem}\n{text}");
        assert!(problem.column.is_some());
        check(&problem);
    }
}

const FIELDS: &str =
    "id=\"start\"\nevent=\"go\"\ncommand=\"/go\"\nstates=[\"idle\"]\nresponse=\"Gone.\"\nkind=\"repaired\"";

#[test]
fn the_route_that_the_others_are_made_of_is_right() {
    for (text, format) in with_route(FIELDS) {
        let definition =
            parse(&text, format).unwrap_or_else(|invalid| panic!("{format:?} {invalid}\n{text}"));
        assert!(driven(&definition, &["/go"]).contains("Gone."));
    }
}

#[test]
fn fields_of_routes_have_their_line_in_every_format() {
    let cases: [(&str, &str, usize, &str, &str); 18] = [
        ("id=\"start\"", "id=\"\"", 0, "CONVERSATION_ROUTE_WITHOUT_ID", "id"),
        ("id=\"start\"", "id=\"a b\"", 0, "SCALAR_IDENTIFIER", "id"),
        ("id=\"start\"", "id=7", 0, "CONVERSATION_FILE_WRONG_TYPE", "id"),
        ("event=\"go\"", "event=\"\"", 1, "CONVERSATION_ROUTE_WITHOUT_EVENT", "event"),
        ("event=\"go\"", "event=[]", 1, "CONVERSATION_FILE_WRONG_TYPE", "event"),
        ("command=\"/go\"", "command=\"\"", 2, "CONVERSATION_EMPTY_COMMAND", "command"),
        ("command=\"/go\"", "comand=\"\"\nmatch=\"any\"", 2, "CONVERSATION_FILE_UNKNOWN_FIELD", "comand"),
        ("command=\"/go\"", "command=\"/go\"\nmatch=\"any\"", 3, "CONVERSATION_FILE_EXCLUSIVE", "match"),
        ("command=\"/go\"", "match=\"all\"", 2, "CONVERSATION_FILE_UNKNOWN_WORD", "match"),
        ("states=[\"idle\"]", "states=[\"idle\", \"Idle\"]", 3, "CONVERSATION_UNKNOWN_STATE", "states[1]"),
        ("states=[\"idle\"]", "states=[\"idle\", 1]", 3, "CONVERSATION_FILE_WRONG_TYPE", "states[1]"),
        ("states=[\"idle\"]", "states=\"idle\"", 3, "CONVERSATION_FILE_WRONG_TYPE", "states"),
        ("states=[\"idle\"]", "states={}", 3, "CONVERSATION_FILE_WRONG_TYPE", "states"),
        ("response=\"Gone.\"", "response=true", 4, "CONVERSATION_FILE_WRONG_TYPE", "response"),
        ("response=\"Gone.\"", "template=\"{inptu}\"", 4, "CONVERSATION_FILE_PLACEHOLDER", "template"),
        ("response=\"Gone.\"", "template=\"}\"", 4, "CONVERSATION_FILE_PLACEHOLDER", "template"),
        ("response=\"Gone.\"", "template=\"{{input}\"", 4, "CONVERSATION_FILE_PLACEHOLDER", "template"),
        ("kind=\"repaired\"", "kind=\"repared\"", 5, "CONVERSATION_FILE_UNKNOWN_WORD", "kind"),
    ];
    for (from, to, line, code, field) in cases {
        of_route(&FIELDS.replace(from, to), line, |problem| {
            assert_eq!(
                (problem.code(), problem.field.as_str()),
                (code, &*format!("routes[0].{field}")),
                "{problem}"
            );
            assert!(!problem.remedy().is_empty());
            if !to.starts_with("id=") {
                assert_eq!(problem.route.as_deref(), Some("start"));
            }
        });
    }
}

#[test]
fn what_was_meant_is_named() {
    let nearest = |from: &str, to: &str| {
        let (text, format) = with_route(&FIELDS.replace(from, to))[0].clone();
        only(&text, format).nearest
    };
    assert_eq!(nearest("kind=", "knid=").as_deref(), Some("kind"));
    assert_eq!(nearest("kind=\"repaired", "kind=\"repared").as_deref(), Some("repaired"));
    assert_eq!(nearest("states=[\"idle", "states=[\"idel").as_deref(), Some("idle"));
    assert_eq!(nearest("response=\"Gone.", "template=\"{inptu}").as_deref(), Some("input"));
    assert_eq!(nearest("kind=", "elephant="), None);
}

#[test]
fn lengths_that_could_never_be_saved() {
    let long = |length: usize| "x".repeat(length);
    for (field, from, name, most) in [
        ("command", "/go", "Input", 16_384),
        ("response", "Gone.", "Content", 65_536),
        ("id", "start", "Identifier", 128),
    ] {
        let line = FIELDS.lines().position(|line| line.starts_with(field)).unwrap();
        for (text, format) in with_route(&FIELDS.replace(from, &long(most))) {
            assert!(parse(&text, format).is_ok(), "{name}");
        }
        of_route(&FIELDS.replace(from, &long(most + 1)), line, |problem| {
            assert!(matches!(problem.fault, FileFault::Scalar(_)), "{problem}");
            assert!(problem.to_string().len() < 400, "{problem}");
            if field != "id" {
                assert_eq!((problem.limit, problem.actual), (Some(most as u64), Some(most as u64 + 1)));
            }
        });
    }
    // What is filled in counts when it is.
    let template = format!("template=\"{{input}}{}\"", long(65_536));
    for (text, format) in with_route(&FIELDS.replace("response=\"Gone.\"", &template)) {
        assert!(parse(&text, format).is_ok());
    }
    let template = template.replace("{input}", "{{{input}");
    of_route(&FIELDS.replace("response=\"Gone.\"", &template), 4, |problem| {
        assert_eq!(problem.actual, Some(65_537));
    });
    let name = "é".repeat(129);
    assert!(name.parse::<StateName>().is_err());
    let text = format!("id: x\ninitial: {name}\nstates:\n  {name}: {{}}\n");
    let problem = only(&text, Format::Yaml);
    assert_eq!((problem.line, problem.column, problem.limit), (Some(4), Some(3), Some(128)));
    assert_eq!(problem.field, format!("states.{}…", "é".repeat(64)));
}

#[test]
fn a_template_that_becomes_too_long_fails() {
    let fields = FIELDS.replace("response=\"Gone.\"", "template=\"{input}{input}{input}{input}.\"");
    let (text, format) = with_route(&fields.replace("command=\"/go\"", "match=\"any\""))[0].clone();
    let conversation = parse(&text, format).unwrap().conversation.unwrap();
    let turned = |length: usize| {
        Replay::new(conversation.clone()).turn("s", &[Message::of_user("m", "x".repeat(length))])
    };
    assert!(matches!(turned(16_383), Turned::Answered { .. }));
    assert_eq!(turned(16_384), Turned::Failed);
}

#[test]
fn any_matches_a_turn_without_a_message() {
    let fields = FIELDS.replace("command=\"/go\"", "match=\"any\"");
    let fields = fields.replace("response=\"Gone.\"", "template=\"<{input}|{sessionId}|{messageId}>\"");
    let (text, format) = with_route(&fields)[1].clone();
    let mut replay = Replay::new(parse(&text, format).unwrap().conversation.unwrap());
    let Turned::Answered { content, trace } = replay.turn("s", &[]) else { panic!() };
    assert_eq!((content.as_str(), trace.kind), ("<|s|>", TraceKind::Repaired));
}

const BROKEN: [(&str, Format); 3] = [
    (
        "id = \"x y\"\nrevision = 0\ninitial = \"idel\"\nvesion = 1\n[states.idle]\non = { go = \"gone\", \"\" = \"idle\" }\nacts = []\n[states.\" \"]\n[[routes]]\nid = \"a\"\nevent = \"go\"\ncommand = \"/a\"\nresponse = \"A\"\n[[routes]]\nid = \"a\"\nevent = \"\"\ncommand = \"\"\nstates = [\"idle\", \"lost\"]\nresponse = \"A\"\n[[routes]]\nevent = 1\n",
        Format::Toml,
    ),
    (
        "{\"id\": \"x y\",\n\"revision\": 0,\n\"initial\": \"idel\",\n\"vesion\": 1,\n\"states\": {\"idle\": {\n\"on\": {\"go\": \"gone\", \"\": \"idle\"},\n\"acts\": []},\n\" \": {}}, \"routes\": [\n{\"id\": \"a\",\n\"event\": \"go\",\n\"command\": \"/a\",\n\"response\": \"A\"},\n\n{\n\"id\": \"a\",\n\"event\": \"\",\n\"command\": \"\",\n\"states\": [\"idle\", \"lost\"],\n\"response\": \"A\"},\n{\n\"event\": 1}]}",
        Format::Json,
    ),
    (
        "id: x y\nrevision: 0\ninitial: idel\nvesion: 1\nstates: {idle: {\n on: {go: gone, \"\": idle},\n acts: []},\n \" \": {}}\nroutes:\n- id: a\n  event: go\n  command: /a\n  response: A\n-\n  id: a\n  event: ''\n  command: ''\n  states: [idle, lost]\n  response: A\n- kind: repaired\n  event: 1\n",
        Format::Yaml,
    ),
];

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let expected = [
        (1, "SCALAR_IDENTIFIER", "id"),
        (2, "CONVERSATION_FILE_OUT_OF_RANGE", "revision"),
        (3, "AK_STATECHART_DEFINITION_INVALID", "initial"),
        (4, "CONVERSATION_FILE_UNKNOWN_FIELD", "vesion"),
        (6, "AK_STATECHART_DEFINITION_INVALID", "states.idle.on.go"),
        (6, "AK_STATECHART_DEFINITION_INVALID", "states.idle.on.\"\""),
        (7, "CONVERSATION_FILE_UNKNOWN_FIELD", "states.idle.acts"),
        (8, "AK_STATECHART_DEFINITION_INVALID", "states.\" \""),
        (15, "CONVERSATION_ROUTE_REPEATED", "routes[1].id"),
        (16, "CONVERSATION_ROUTE_WITHOUT_EVENT", "routes[1].event"),
        (17, "CONVERSATION_EMPTY_COMMAND", "routes[1].command"),
        (18, "CONVERSATION_UNKNOWN_STATE", "routes[1].states[1]"),
        (20, "CONVERSATION_FILE_MISSING", "routes[2].id"),
        (20, "CONVERSATION_FILE_MISSING", "routes[2].command"),
        (20, "CONVERSATION_FILE_MISSING", "routes[2].response"),
        (21, "CONVERSATION_FILE_WRONG_TYPE", "routes[2].event"),
    ];
    for (text, format) in BROKEN {
        let expected: Vec<_> =
            expected.iter().map(|(line, code, field)| (*line, *code, field.to_string())).collect();
        assert_eq!(short(text, format), expected, "{format:?}");
        // With other line ends the lines are the same.
        assert_eq!(short(&text.replace('\n', "\r\n"), format), expected, "{format:?}");
        assert_eq!(short(&format!("\u{feff}{text}"), format), expected, "{format:?}");
    }
}

#[test]
fn a_problem_is_one_line_with_everything_in_it() {
    let text = BROKEN[0].0.replace("\"lost\"", "\"idel\"");
    let invalid = parse(&text, Format::Toml).unwrap_err();
    assert_eq!(invalid.to_string().lines().count(), invalid.problems().len());
    let found = invalid.problems().iter().find(|problem| problem.field == "routes[1].states[1]").unwrap();
    assert_eq!(found.fault, FileFault::Conversation(InvalidConversation::UnknownState(1)));
    assert_eq!(
        found.to_string(),
        "conversation:18:19: routes[1].states[1] (route a): CONVERSATION_UNKNOWN_STATE: route 1 is restricted to a \
         state that there is not; did you mean idle? Declare the state, or name one that is declared."
    );
}

#[test]
fn what_was_typed_is_never_shown() {
    let secret = "hunter2";
    for (from, to) in [
        ("command=\"/go\"", "match=\"hunter2\""),
        ("response=\"Gone.\"", "template=\"hunter2 {hunter2}\""),
        ("response=\"Gone.\"", "response=[\"hunter2\"]"),
        ("kind=\"repaired\"", "kind=\"hunter2\""),
        ("id=\"start\"", "id=[\"hunter2\"]"),
    ] {
        for (text, format) in with_route(&FIELDS.replace(from, to)) {
            let invalid = parse(&text, format).unwrap_err();
            assert!(!invalid.to_string().contains(secret), "{invalid}");
        }
    }
}

/// The one thing that is wrong with a text: its line, column and code.
fn at(text: &str, format: Format) -> (Option<usize>, Option<usize>, &'static str) {
    let problem = only(text, format);
    (problem.line, problem.column, problem.code())
}

#[test]
fn syntax_has_its_place() {
    let code = "CONVERSATION_FILE_SYNTAX";
    assert_eq!(at("id = \"x\"\nrevision = = 1\n", Format::Toml), (Some(2), Some(12), code));
    assert_eq!(at("{\"id\": \"x\",\n \"ä\": ?}", Format::Json), (Some(2), Some(7), code));
    assert_eq!(at("{\"id\": \"x\",\r\n \"a\": \"\\ud800\"}", Format::Json).0, Some(2));
    assert_eq!(at("{\"id\": \"x\"} {}", Format::Json).2, code);
    assert_eq!(at("id: x\nstates: {\n", Format::Yaml).2, code);
    assert_eq!(at("ä: x\n y: z\n", Format::Yaml), (Some(2), Some(3), code));
    assert_eq!(at("a: \u{0}", Format::Yaml).2, code);
    let detail = only("id = \"x\"\nrevision = = 1\n", Format::Toml).detail;
    assert!(detail.is_some_and(|detail| !detail.is_empty()));
}

#[test]
fn names_that_stand_there_twice() {
    let code = "CONVERSATION_FILE_REPEATED";
    let rest = "\"initial\": \"a\", \"states\": {\"a\": {\n\"on\": {\"x\": \"a\",\n\"\\u0078\": \"a\"}}}}";
    for format in [Format::Json, Format::Yaml] {
        let text = format!("{{\"id\": \"x\", {rest}");
        assert_eq!(short(&text, format), [(3, code, "states.a.on.x".to_string())], "{format:?}");
        let text = format!("{{\"id\": \"x\", \"id\": \"x\", {rest}").replace("\\u0078", "y");
        assert_eq!(short(&text, format), [(1, code, "id".to_string())], "{format:?}");
    }
    let yaml = "id: x\ninitial: a\nstates:\n  a:\n    on: {1: a, '1': a}\n  a: {}\n";
    let expected = [(5, code, "states.a.on.1".to_string()), (6, code, "states.a".to_string())];
    assert_eq!(short(yaml, Format::Yaml), expected);
    for (text, field) in [
        ("id = \"x\"\nid = \"y\"", "id"),
        ("[states.id]\nid.id = 1\n[states.id]", "states.id"),
        ("[states.'a.b']\n[ states . \"a.b\" ] # again", "states.\"a.b\""),
        ("[a]\n\"id\" = 1\nid = 2\n", "a.id"),
        ("[a]\nb.x = 1\nb.x = 2\n", "a.b.x"),
        ("[states.idle]\non = { go = \"x\", go = \"y\" }\n", "states.idle.on.go"),
        ("[[routes]]\nid = \"a\"\n[[routes]]\nid = \"b\"\nid = \"c\"", "routes[1].id"),
    ] {
        let problem = only(text, Format::Toml);
        assert_eq!((problem.code(), problem.field.as_str()), (code, field), "{text}");
        assert_eq!(problem.line, Some(text.trim_end().lines().count()));
    }
}

#[test]
fn parts_of_yaml_that_are_not_read() {
    let code = "CONVERSATION_FILE_UNREAD_YAML";
    for (text, line) in [
        ("id: &a x\ninitial: *a\n", 2),
        ("id: x\ninitial: !!str 1\n", 2),
        ("id: x\nstates: !set {}\n", 2),
        ("id: x\n? [a]\n: b\n", 2),
        ("id: x\n--- \nid: y\n", 2),
    ] {
        let problem = only(text, Format::Yaml);
        assert_eq!((problem.line, problem.code()), (Some(line), code), "{text}");
    }
    let mut bomb = "a0: &a0 [x]\n".to_string();
    for number in 1..60 {
        let last = number - 1;
        bomb += &format!("a{number}: &a{number} [*a{last}, *a{last}, *a{last}, *a{last}, *a{last}]\n");
    }
    assert_eq!(at(&bomb, Format::Yaml).2, code);
}

#[test]
fn values_of_yaml_are_those_of_its_core_schema() {
    for (value, what) in [
        ("null", "an empty value (null)"),
        ("~", "an empty value (null)"),
        ("", "an empty value (null)"),
        ("True", "true or false"),
        ("7", "a whole number"),
        ("-0x1F", ""),
        ("0x1F", "a whole number"),
        ("0o17", "a whole number"),
        ("99999999999999999999", "a number that is too large"),
        ("1.5", "a floating-point number"),
        ("1e3", "a floating-point number"),
        ("+.inf", "a floating-point number"),
        ("yes", ""),
        ("12:30", ""),
        ("2026-01-01", ""),
        ("infinity", ""),
        ("1_000", ""),
        ("[a]", "a list"),
        ("{}", "a table"),
        ("'7'", ""),
        ("|\n   7", ""),
    ] {
        let text = format!(
            "id: x\ninitial: a\nstates:\n a:\n  on: {{go: a}}\nroutes:\n- id: r\n  event: go\n  match: any\n  response: {value}\n"
        );
        match parse(&text, Format::Yaml) {
            Ok(_) => assert_eq!(what, "", "{value}"),
            Err(invalid) => {
                let detail = invalid.problems()[0].detail.clone();
                assert_eq!(detail.as_deref(), Some(&*format!("expected a text, found {what}")), "{value}");
            }
        }
    }
}

#[test]
fn revisions() {
    for (text, code) in [
        ("1", None),
        ("9007199254740991", None),
        ("0", Some("CONVERSATION_FILE_OUT_OF_RANGE")),
        ("-1", Some("CONVERSATION_FILE_OUT_OF_RANGE")),
        ("9007199254740992", Some("CONVERSATION_FILE_OUT_OF_RANGE")),
        ("1.0", Some("CONVERSATION_FILE_WRONG_TYPE")),
        ("\"1\"", Some("CONVERSATION_FILE_WRONG_TYPE")),
        ("99999999999999999999", Some("CONVERSATION_FILE_WRONG_TYPE")),
    ] {
        let json = format!(
            "{{\"id\": \"x\", \"revision\": {text}, \"initial\": \"a\", \"states\": {{\"a\": {{}}}}}}"
        );
        for format in [Format::Json, Format::Yaml] {
            let found = parse(&json, format).err().map(|invalid| invalid.problems()[0].code());
            assert_eq!(found, code, "{text} {format:?}");
        }
    }
    let toml = "id = \"x\"\nrevision = 99999999999999999999\ninitial = \"a\"\nstates.a = {}\n";
    assert_eq!(at(toml, Format::Toml), (Some(2), Some(12), "CONVERSATION_FILE_WRONG_TYPE"));
    let toml = toml.replace("99999999999999999999", "0x1_0");
    assert_eq!(parse(&toml, Format::Toml).unwrap().revision.get(), 16);
}

#[test]
fn texts_that_are_no_table_of_fields() {
    for (text, format) in [
        ("", Format::Yaml),
        ("# nothing", Format::Yaml),
        ("null", Format::Json),
        ("[]", Format::Json),
        ("\"id\"", Format::Json),
        ("- id", Format::Yaml),
    ] {
        assert_eq!(only(text, format).code(), "CONVERSATION_FILE_WRONG_TYPE", "{text}");
    }
    assert_eq!(only("", Format::Json).code(), "CONVERSATION_FILE_SYNTAX");
    let missing = |line| {
        ["id", "initial", "states"].map(|field| (line, "CONVERSATION_FILE_MISSING", field.to_string()))
    };
    assert_eq!(short("", Format::Toml), missing(1));
    assert_eq!(short("\n{}", Format::Json), missing(2));
    for format in [Format::Json, Format::Yaml] {
        let problem = only("{\"id\": \"x\", \"initial\": \"a\", \"states\": {}}", format);
        assert_eq!((problem.code(), problem.field.as_str()), ("AK_STATECHART_DEFINITION_INVALID", "states"));
    }
}

#[test]
fn depth_and_size_are_bounded() {
    for open in ["[", "{\"a\":", "{\"states\":", "[{\"a\":"] {
        for depth in [20, 200, 2_000, 50_000] {
            let text = open.repeat(depth)
                + "1"
                + &open
                    .chars()
                    .rev()
                    .filter(|open| "[{".contains(*open))
                    .map(|open| if open == '[' { "]" } else { "}" })
                    .collect::<String>()
                    .repeat(depth);
            for format in [Format::Json, Format::Yaml] {
                assert_eq!(
                    only(&text, format).code(),
                    "CONVERSATION_FILE_TOO_DEEP",
                    "{open} {depth} {format:?}"
                );
            }
        }
    }
    for depth in [20, 200, 100_000] {
        let text = format!("id = {}1{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(only(&text, Format::Toml).code(), "CONVERSATION_FILE_TOO_DEEP");
        let text = format!("{}a = 1", "a.".repeat(depth));
        assert_eq!(only(&text, Format::Toml).code(), "CONVERSATION_FILE_TOO_DEEP");
        let text = "- ".repeat(depth) + "a";
        assert_eq!(only(&text, Format::Yaml).code(), "CONVERSATION_FILE_TOO_DEEP");
    }
    for format in Format::ALL {
        let problem = only(&" ".repeat(Definition::MAX_FILE_BYTES + 1), format);
        assert_eq!(problem.code(), "CONVERSATION_FILE_TOO_LARGE");
        assert_eq!((problem.limit, problem.actual), (Some(1_048_576), Some(1_048_577)));
        assert_ne!(
            problems(&" ".repeat(Definition::MAX_FILE_BYTES), format)[0].code(),
            "CONVERSATION_FILE_TOO_LARGE"
        );
    }
}

#[test]
fn large_files_take_no_long_time() {
    let begun = Instant::now();
    let pieces = [
        "[",
        "{",
        "? ",
        "- ",
        "&a ",
        "a: ",
        "|\n",
        "'",
        "\"",
        "a\n",
        "a:\n",
        "{a,",
        "[\"a\": b, ",
        "#\n",
        "---\n",
        "é",
        "\r",
        "a = 1\n",
        "[a]\n",
        "[[a]]\n",
        "a.b.",
        "\\",
        "\"\\u00e9\"",
        "\u{feff}",
    ];
    for format in Format::ALL {
        for piece in pieces {
            assert!(parse(&piece.repeat(Definition::MAX_FILE_BYTES / piece.len()), format).is_err());
        }
    }
    // Many states, many routes, and many problems, of which only the first are listed.
    let states: Vec<String> =
        (0..20_000).map(|number| format!("\"s{number}\": {{\"on\":{{\"e\":\"s0\"}}}}")).collect();
    let names: Vec<String> = (0..20_000).map(|number| format!("\"s{number}\"")).collect();
    let text = |initial: &str, names: &str| {
        let routes: Vec<String> = (0..1_000)
            .map(|number| format!("{{\"id\": \"r{number}\", \"event\": \"e\", \"command\": \"{number}\", \"response\": \"\", \"states\": [{}]}}", if number == 0 { names } else { "\"s1\"" }))
            .collect();
        format!(
            "{{\"id\": \"x\", \"initial\": {initial:?}, \"states\": {{{}}}, \"routes\": [{}]}}",
            states.join(","),
            routes.join(",")
        )
    };
    assert!(parse(&text("s0", &names.join(",")), Format::Json).is_ok());
    assert_eq!(problems(&text("x", &names.join(",").replace("s", "z")), Format::Json).len(), 50);
    let targets: Vec<String> = (0..20_000).map(|number| format!("\"e{number}\": \"z{number}\"")).collect();
    let many = text("s0", "\"s0\"").replacen(
        "\"s0\": {\"on\":{\"e\":\"s0\"}}",
        &format!("\"s0\": {{\"on\": {{{}}}}}", targets.join(",")),
        1,
    );
    assert_eq!(problems(&many, Format::Json).len(), 50);
    // Routes in every state, in pairs of one command, of which the second is never taken.
    let states: Vec<String> = (0..12_000).map(|number| format!("{number}: {{on: {{e: '0'}}}}")).collect();
    let routes: Vec<String> = (0..8_000)
        .map(|number| format!("{{id: r{number}, event: e, command: '/{}', response: ''}}", number % 4_000))
        .collect();
    let text = format!(
        "{{id: x, initial: '0', states: {{{}}}, routes: [{}]}}",
        states.join(", "),
        routes.join(", ")
    );
    assert_eq!(problems(&text, Format::Yaml).len(), 50);
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

/// Pieces of files, so that what is made of them comes far.
fn text() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        prop::sample::select(vec![
            "id", "initial", "states", "routes", "on", "event", "command", "match", "any", "template",
            "{input", "}", "{", "[", "]", "[[", "]]", "\"", "'", ":", " = ", ",", "\n", "\r\n", "  ", "- ",
            "a", "é", "\u{feff}", "\u{0}", "1", "null", "&a", "*a", "!", "|", ">", "?", "#", "---", "...",
            "\\u", "\\", ".", "%", "\t", "\u{2028}", "\u{85}",
        ])
        .prop_map(str::to_string),
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn no_text_makes_it_panic(text in text(), cut in 0_usize..1_500, until in 0_usize..60) {
        for format in Format::ALL {
            let extension = ["toml", "json", "yaml"][format as usize];
            // Also in the middle of a file that was right.
            let mut file: Vec<char> = std::fs::read_to_string(fixture(extension)).unwrap().chars().collect();
            let (from, to) = (cut.min(file.len()), (cut + until).min(file.len()));
            file.splice(from..to, text.chars());
            for text in [text.clone(), file.into_iter().collect()] {
                if let Err(invalid) = parse(&text, format) {
                    prop_assert!(!invalid.problems().is_empty());
                    prop_assert_eq!(invalid.to_string().lines().count(), invalid.problems().len());
                    let lines = text.matches('\n').count() + 1;
                    prop_assert!(invalid.problems().iter().all(|problem| problem.line.is_none_or(|line| line <= lines)));
                }
            }
        }
    }
}

#[test]
fn the_page_shows_the_fixture() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/conversation.md");
    let page = std::fs::read_to_string(page).unwrap();
    let shown = std::fs::read_to_string(fixture("toml")).unwrap();
    assert!(page.contains(&format!("```toml\n{shown}```")));
    // And the problem that it shows is one of the fixture.
    let problem =
        only(&shown.replace("cancel = \"idle\" }\nactions", "cancel = \"idel\" }\nactions"), Format::Toml);
    let (_, rest) = page.split_once("```text\nsupport.toml").unwrap();
    assert_eq!(rest.lines().next().unwrap(), problem.to_string().trim_start_matches("conversation"));
}
