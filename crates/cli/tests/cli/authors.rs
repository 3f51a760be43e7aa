//! `lint`, `diff`, `explain`, `coverage` and `suggest`.

use serde_json::json;

use crate::run::{CANARY, Run, Scene, answerplane, root, site};

const NOW: &str = "2026-02-01T00:00:00Z";

fn fixture(name: &str) -> String {
    root().join("fixtures/lint").join(name).display().to_string()
}

fn garden(command: &str, arguments: &[&str]) -> Run {
    answerplane([&[command, site("garden").to_str().unwrap()], arguments].concat())
}

#[test]
fn lint_follows_links_into_a_site_tree() {
    let tree = fixture("site-tree");
    let lint = |file: &str, more: &[&str]| {
        let base = ["--site-tree", &tree, "--base-url", "https://lamp.example/", "--at", NOW];
        answerplane([&["lint", &fixture(file)], &base[..], more].concat())
    };
    lint("clean.json", &["--strict"]).printed(0, "nothing found\n");
    let dead = lint("LINT_DEAD_LINK.json", &[]);
    assert_eq!(dead.status, 1);
    assert!(dead.stdout.contains("error LINT_DEAD_LINK"), "{}", dead.stdout);
    let anchor = lint("LINT_MISSING_ANCHOR.json", &[]);
    assert!(anchor.status == 0 && anchor.stdout.ends_with("\n1 warning\n"), "{}", anchor.stdout);
    assert_eq!(lint("LINT_MISSING_ANCHOR.json", &["--strict"]).status, 1);
    // Nothing is followed without a tree.
    answerplane(["lint", &fixture("LINT_DEAD_LINK.json")]).printed(0, "nothing found\n");
    let nowhere = answerplane(["lint", &fixture("clean.json"), "--at", NOW, "--site-tree", "no/such/folder"]);
    assert_eq!(nowhere.status, 2);
    assert!(nowhere.stdout.contains("AUTHOR_UNREADABLE"), "{}", nowhere.stdout);
}

#[test]
fn lint_judges_what_remains() {
    let lint = |more: &[&str]| {
        let file = fixture("LINT_EXPIRES_SOON.json");
        answerplane([&["lint", &file, "--json"], more].concat()).json()[0]["found"].clone()
    };
    assert_eq!(lint(&["--at", NOW])[0]["level"], "warning");
    assert_eq!(lint(&["--at", NOW, "--min-remaining", "3d"]), json!([]));
    assert_eq!(lint(&["--at", "2026-03-01T00:00:00Z"])[0]["level"], "error");
    answerplane(["lint", "x", "--min-remaining", "soon"]).complained(2, &["--min-remaining", "not a length"]);
}

#[test]
fn lint_gives_sarif() {
    let run = answerplane(["lint", &fixture("LINT_FAN_OUT.json"), "--sarif"]);
    assert_eq!(run.status, 1);
    let result = &run.json()[0]["runs"][0]["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&json!("LINT_FAN_OUT"), &json!("error")));
    assert_eq!(result["relatedLocations"].as_array().unwrap().len(), 8);
}

#[test]
fn lint_looks_at_what_readers_refuse() {
    let scene = Scene::garden();
    scene.change("knowledge.json", "\"document\"", "\"page\"");
    let run = answerplane(["lint", scene.folder().to_str().unwrap()]);
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    assert!(run.stdout.contains("(entries[3].kind): error LINT_INVALID"), "{}", run.stdout);
    // What only a hash can tell is told beside it.
    let scene = Scene::garden();
    scene.change("knowledge.json", "Put your name", CANARY);
    let run = answerplane(["lint", scene.folder().to_str().unwrap()]);
    run.complained(1, &["DETERMINISTIC_HASH_MISMATCH"]);
    std::fs::remove_file(scene.path("knowledge.json")).unwrap();
    answerplane(["lint", scene.folder().to_str().unwrap()]).complained(1, &["there is no artifact"]);
    answerplane(["lint", "no/such/file"]).complained(2, &["no such file"]);
}

#[test]
fn lint_reads_every_shard() {
    let scene = Scene::empty();
    for (name, config, id) in
        [("a.json", "site-config.json", "lamp"), ("b.json", "site-config.2.json", "lamp.2")]
    {
        let from = if id == "lamp" { "LINT_SPLIT_KEY.json" } else { "LINT_SPLIT_KEY.2.json" };
        std::fs::copy(fixture(from), scene.path(name)).unwrap();
        let text = json!({
            "protocol": "agentskit.chat.site", "version": 1, "siteId": id,
            "artifact": { "href": format!("/{name}"), "contentHash": format!("sha256:{}", "0".repeat(64)) },
            "fallback": { "mode": "backend" },
        });
        scene.write(config, text.to_string());
        let (file, config) = (scene.path(name), scene.path(config));
        let arguments = [
            "hash".as_ref(),
            file.as_os_str(),
            "--write".as_ref(),
            "--site-config".as_ref(),
            config.as_os_str(),
        ];
        assert_eq!(answerplane(arguments).status, 0);
    }
    let run = answerplane(["lint", scene.folder().to_str().unwrap(), "--at", NOW]);
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    assert!(run.stdout.contains("error LINT_SPLIT_KEY"), "{}", run.stdout);
    let folder = scene.folder().to_str().unwrap();
    assert_eq!(answerplane(["explain", folder, "How do I switch it on?"]).status, 0);
    answerplane(["diff", folder, folder, "--json"]).json()[0]["new"]["shards"]
        .as_u64()
        .into_iter()
        .for_each(|shards| assert_eq!(shards, 2));
}

#[test]
fn texts_of_an_artifact_cannot_steer_a_terminal() {
    let scene = Scene::garden();
    scene.change("knowledge.json", "\"Rent a plot\"", r#""Rent\u001b[2J a plot\u202e", "Opening hours""#);
    scene.change("knowledge.json", "Put your name", r"Put \u001b]0;x\u0007 your name");
    scene.hash();
    let folder = scene.folder().to_str().unwrap();
    scene.write("asked.txt", "Rent a plot\nRent a\u{1b}[2J plot\n");
    let asked = scene.path("asked.txt").display().to_string();
    let garden = site("garden").display().to_string();
    for arguments in [
        &["lint", folder][..],
        &["lint", folder, "--json"],
        &["lint", folder, "--sarif"],
        &["diff", &garden, folder],
        &["diff", &garden, folder, "--markdown"],
        &["diff", &garden, folder, "--json"],
        &["explain", folder, "rent a plot\u{1b}[1m\u{202e}"],
        &["explain", folder, "rent a plot", "--json"],
        &["coverage", folder, "--queries", &asked],
        &["suggest", folder, "--queries", &asked],
    ] {
        let run = answerplane(arguments.iter().copied());
        let is_bad = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}');
        assert!(!run.stdout.contains(is_bad) && !run.stdout.is_empty(), "{arguments:?} {:?}", run.stdout);
    }
}

#[test]
fn diff_tells_a_change_from_a_no_op() {
    let scene = Scene::garden();
    let folder = scene.folder().to_str().unwrap();
    scene.change("knowledge.json", "2025-03-01T09:00:00Z", "2025-04-01T09:00:00Z");
    scene.hash();
    let run = garden("diff", &[folder]);
    assert_eq!(run.status, 0);
    assert!(run.stdout.starts_with("A no-op: only the times changed"), "{}", run.stdout);
    assert_eq!(garden("diff", &[folder, "--json"]).json()[0]["verdict"], "only-times");
    scene.change("knowledge.json", "\"Rent a plot\",", "");
    scene.hash();
    let run = garden("diff", &[folder, "--markdown"]);
    assert_eq!(run.status, 1);
    assert!(
        run.stdout.contains("<summary>No longer answered: 1</summary>\n\n- `Rent a plot`\n"),
        "{}",
        run.stdout
    );
    // An artifact by itself has nobody who vouches for it, and can be compared all the same.
    let file = scene.path("knowledge.json").display().to_string();
    assert_eq!(garden("diff", &[&file]).status, 1);
    scene.write("broken.json", format!("{{\"{CANARY}\":1}}"));
    let broken = scene.path("broken.json").display().to_string();
    garden("diff", &[&broken]).complained(2, &["broken.json", "DETERMINISTIC_INVALID_PAYLOAD"]);
    scene.change("knowledge.json", "Put your name", "Put");
    garden("diff", &[folder]).complained(2, &["DETERMINISTIC_HASH_MISMATCH"]);
}

#[test]
fn explain_says_why_there_are_choices_and_why_a_site_is_stale() {
    let run = garden("explain", &["opening HOURS"]);
    assert_eq!(run.status, 0);
    assert!(
        run.stdout.contains("  choices\n  garden-hours declares \"Opening hours\" (Garden opening hours)\n")
    );
    let run = garden("explain", &["opening hour", "--json"]);
    assert_eq!(run.status, 1);
    let found = &run.json()[0];
    assert_eq!(found["reasons"][0]["reason"], "near");
    assert_eq!(found["reasons"][0]["difference"]["declared"]["name"], "LATIN SMALL LETTER S");
    let scene = Scene::with_expiry("2030-01-01T00:00:00Z");
    let run =
        answerplane(["explain", scene.folder().to_str().unwrap(), "Water", "--at", "2030-01-01T00:00:00Z"]);
    assert_eq!(run.status, 1);
    assert!(run.stdout.contains("  stale\n  the site has expired\n"), "{}", run.stdout);
}

#[test]
fn queries_that_cannot_be_read_are_named_all_at_once() {
    let scene = Scene::empty();
    let queries = scene.write("asked.jsonl", "{\"query\":\"Water\"}\n{\n[1]\n").display().to_string();
    for command in ["coverage", "suggest"] {
        let run = garden(command, &["--queries", &queries]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""));
        let lines: Vec<&str> = run.stderr.lines().collect();
        assert_eq!(lines.len(), 2, "{}", run.stderr);
        assert!(lines[0].contains("asked.jsonl:2: error AUTHOR_ROW_SYNTAX"), "{}", run.stderr);
        assert!(lines[1].contains("asked.jsonl:3: error AUTHOR_ROW_FIELD"), "{}", run.stderr);
        garden(command, &["--queries", "no/such/file"]).complained(2, &["no such file"]);
    }
    let good = scene.write("asked.csv", "intent,query\nwater,Water\nwater,Wter\n").display().to_string();
    let found = &garden("coverage", &["--queries", &good, "--json"]).json()[0];
    assert_eq!((&found["answers"], &found["intents"]["right"]), (&json!(1), &json!(1)));
    assert_eq!(garden("suggest", &["--queries", &good, "--json"]).json()[0]["missed"], json!(1));
}

#[test]
fn what_suggest_proposes_is_built_and_then_answered() {
    let scene = Scene::empty();
    let query = "Where can I get some water?";
    let asked = scene.write("asked.txt", format!("{query}\n")).display().to_string();
    let run = garden("suggest", &["--queries", &asked]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    scene.write("proposals.toml", &run.stdout);
    let config =
        "[site]\nid = \"garden-help\"\n[[source]]\npath = \"proposals.toml\"\nformat = \"entries\"\n";
    let config = scene.write("answerplane.toml", config).display().to_string();
    let built = scene.path("site").display().to_string();
    assert_eq!(answerplane(["build", &config, "-o", &built]).status, 0);
    let answer = &answerplane(["ask", &built, query, "--json"]).json()[0];
    assert_eq!(answer["answer"]["citations"][0]["id"], "garden-map", "{answer}");
    // What was built is what lint wants.
    answerplane(["lint", &built, "--strict"]).printed(0, "nothing found\n");
}

#[test]
fn proposals_find_slots_although_the_entry_has_typing_variants() {
    let scene = Scene::empty();
    let aliases = ["Refund", "money back", "how do I get a refund?", "what's your refund policy?"];
    let entry =
        format!("[[entry]]\nlabel = \"Refund\"\naliases = {aliases:?}\nanswer = \"Within 14 days.\"\n");
    scene.write("hand.toml", format!("{entry}\n[[entry]]\nlabel = \"Opening hours\"\nanswer = \"At 9.\"\n"));
    let build = |source: &str| {
        let config =
            format!("[site]\nid = \"shop\"\n[[source]]\npath = \"{source}\"\nformat = \"entries\"\n");
        let config = scene.write("answerplane.toml", config).display().to_string();
        let built = scene.path("site").display().to_string();
        let run = answerplane(["build", &config, "-o", &built]);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
        assert!(!run.stdout.contains("AUTHOR_ALIAS_DROPPED"), "{}", run.stdout);
        built
    };
    let built = build("hand.toml");
    let queries = ["can I get my money back", "how do I get my refund", "what's the refund policy"];
    let asked = scene.write("asked.txt", queries.join("\n")).display().to_string();
    let run = answerplane(["suggest", &built, "--queries", &asked]);
    assert_eq!(run.stdout.matches("# proposed").count(), queries.len(), "{}", run.stdout);
    assert!(!run.stdout.contains("refund policy!"), "typing variants are made again: {}", run.stdout);
    scene.write("proposals.toml", &run.stdout);
    let built = build("proposals.toml");
    for query in queries.iter().chain(&aliases) {
        let answer = &answerplane(["ask", &built, query, "--json"]).json()[0];
        assert_eq!(answer["answer"]["markdown"], "Within 14 days.", "{query}: {answer}");
    }
}
