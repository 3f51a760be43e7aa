//! Sites of several shards.

use std::path::PathBuf;

use serde_json::json;

use crate::run::{CANARY, Run, Scene, answerplane};
use crate::server::{Server, respond};

/// Adds a shard to the garden: one entry, with a question of its own.
fn add_shard(scene: &Scene, number: usize, expiry: &str) {
    let (artifact, config) = (format!("knowledge.{number}.json"), format!("site-config.{number}.json"));
    scene.write(
        &artifact,
        format!(
            r#"{{"protocol":"agentskit.chat.knowledge","version":1,"artifactId":"part-{number}","siteId":"garden-help.{number}","generatedAt":"2025-01-01T00:00:00Z",{expiry}"entries":[{{"id":"e{number}","kind":"document","label":"Part {number}","match":{{"type":"exact","values":["Question {number}"]}},"answer":{{"markdown":"Answer {number}.","citations":[]}}}}]}}"#
        ),
    );
    let garden = scene.read("site-config.json");
    scene.write(
        &config,
        garden
            .replace("garden-help", &format!("garden-help.{number}"))
            .replace("/knowledge", &format!("/knowledge.{number}")),
    );
    hash(scene, number);
}

fn hash(scene: &Scene, number: usize) {
    let path = |name: &str| scene.path(&format!("{name}.{number}.json"));
    let run = answerplane([
        "hash".as_ref(),
        path("knowledge").as_os_str(),
        "--write".as_ref(),
        "--site-config".as_ref(),
        path("site-config").as_os_str(),
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
}

fn garden(shards: usize) -> Scene {
    let scene = Scene::garden();
    (2..=shards).for_each(|number| add_shard(&scene, number, ""));
    scene
}

fn run(scene: &Scene, command: &str, arguments: &[&str]) -> Run {
    answerplane([&[command, scene.folder().to_str().unwrap()], arguments].concat())
}

#[test]
fn every_shard_answers() {
    let scene = garden(3);
    let asked = run(&scene, "ask", &["--json", "Waiting list", "question 2", "question 3", "question 4"]);
    assert_eq!((asked.status, asked.stderr.as_str()), (1, ""));
    let artifact = |at: usize| asked.json()[at]["provenance"]["artifactId"].clone();
    assert_eq!([artifact(0), artifact(1), artifact(2)], ["garden-help-v1", "part-2", "part-3"]);
    assert_eq!(asked.json()[3]["reason"], "miss");

    // By name too.
    let config = scene.path("site-config.json");
    let asked = answerplane(["ask".as_ref(), config.as_os_str(), "Question 3".as_ref()]);
    assert!(asked.stdout.starts_with("Answer 3.\n"), "{}", asked.stdout);
    let moved = |from: &str, to: &str| std::fs::rename(scene.path(from), scene.path(to)).unwrap();
    moved("site-config.json", "other.json");
    moved("site-config.2.json", "other.2.json");
    let asked = answerplane(["ask".as_ref(), scene.path("other.json").as_os_str(), "Question 2".as_ref()]);
    assert_eq!(asked.status, 0, "{}", asked.stderr);
    // What is absent ends the shards.
    let asked = answerplane(["ask".as_ref(), scene.path("other.json").as_os_str(), "Question 3".as_ref()]);
    assert_eq!(asked.status, 1);
}

#[test]
fn each_shard_is_verified() {
    let scene = garden(2);
    let good = run(&scene, "verify", &["--at", "2025-03-03T09:00:00Z"]);
    assert_eq!((good.status, good.stderr.as_str()), (0, ""));
    let verified: Vec<&str> = good.stdout.lines().filter(|line| line.starts_with("site ")).collect();
    assert_eq!(verified, ["site      garden-help", "site      garden-help.2"]);
    assert!(good.stdout.ends_with("\n\n2 of 2 shards verified\n"), "{}", good.stdout);

    scene.change("knowledge.2.json", "Answer 2", CANARY);
    let wrong = run(&scene, "verify", &[]);
    wrong.complained(1, &["knowledge.2.json", "DETERMINISTIC_HASH_MISMATCH"]);
    assert!(wrong.stdout.ends_with("\n\n1 of 2 shards verified\n"), "{}", wrong.stdout);
    let wrong = run(&scene, "verify", &["--json"]);
    wrong.complained(1, &["knowledge.2.json"]);
    let finding = &wrong.json()[0];
    assert_eq!((&finding["siteId"], &finding["verified"]), (&json!("garden-help"), &json!(true)));
    let shards = finding["shards"].as_array().unwrap();
    assert_eq!(shards.len(), 2);
    assert_eq!(shards[0]["artifactId"], finding["artifactId"]);
    assert_eq!(shards[1]["problem"]["code"], "DETERMINISTIC_HASH_MISMATCH");
    // The others still answer.
    let asked = run(&scene, "ask", &["--json", "Waiting list", "Question 2"]);
    asked.complained(
        1,
        &["knowledge.2.json", "every question that no other shard answers escalates (corrupt)"],
    );
    assert_eq!(
        (&asked.json()[0]["outcome"], &asked.json()[1]["reason"]),
        (&json!("answer"), &json!("corrupt"))
    );

    let one = run(&garden(1), "verify", &["--json"]);
    assert_eq!(one.json()[0].get("shards"), None);
}

#[test]
fn a_configuration_that_cannot_be_used_does_not_stop_the_others() {
    for (content, code) in [
        ("{".to_owned(), "DETERMINISTIC_INVALID_PAYLOAD"),
        (CANARY.repeat(10_000), "DETERMINISTIC_LIMIT_EXCEEDED"),
        (garden(1).read("site-config.json"), "CLI_FOREIGN_SHARD"),
        (garden(3).read("site-config.3.json"), "CLI_FOREIGN_SHARD"),
    ] {
        let scene = garden(3);
        scene.write("site-config.2.json", content);
        let verified = run(&scene, "verify", &["--json"]);
        verified.complained(1, &["site-config.2.json"]);
        let shard = &verified.json()[0]["shards"][1];
        assert_eq!((&shard["verified"], &shard["problem"]["code"]), (&json!(false), &json!(code)));
        assert_eq!(shard["config"], json!(scene.path("site-config.2.json")));
        assert_eq!(verified.json()[0]["shards"][2]["verified"], json!(true));
        let asked = run(&scene, "ask", &["--json", "Question 3", "Waiting list", "x"]);
        asked.complained(1, &["site-config.2.json", "(corrupt)"]);
        let said: Vec<_> = asked.json().iter().map(|answer| answer["confidence"]["basis"].clone()).collect();
        assert_eq!(said, ["exact", "exact", "corrupt"]);
        let inspected = run(&scene, "inspect", &[]);
        assert!(
            inspected.stdout.contains(&format!("site-config.2.json  not verified: {code}\n")),
            "{}",
            inspected.stdout
        );
    }
    let scene = garden(3);
    std::fs::remove_file(scene.path("site-config.2.json")).unwrap();
    std::fs::create_dir(scene.path("site-config.2.json")).unwrap();
    run(&scene, "verify", &[]).complained(1, &["site-config.2.json", "this is not a file"]);
    assert_eq!(run(&scene, "ask", &["Question 3"]).stdout.lines().next(), Some("Answer 3."));
}

#[test]
fn an_expired_shard_is_named_once() {
    let scene = garden(1);
    add_shard(&scene, 2, "\"expiresAt\":\"2030-01-01T00:00:00Z\",");
    let asked =
        run(&scene, "ask", &["--json", "--at", "2031-01-01T00:00:00Z", "Waiting list", "Question 2", "x"]);
    asked.complained(1, &["knowledge.2.json", "expired at 2030", "no other shard answers escalates (stale)"]);
    let said: Vec<_> = asked.json().iter().map(|answer| answer["confidence"]["basis"].clone()).collect();
    assert_eq!(said, ["exact", "stale", "stale"]);
    assert_eq!(run(&scene, "verify", &["--at", "2031-01-01T00:00:00Z"]).status, 0);
}

#[test]
fn shards_are_summed_up() {
    let scene = garden(2);
    let shown = run(&scene, "inspect", &["--at", "2025-03-01T09:00:00Z"]);
    assert_eq!((shown.status, shown.stderr.as_str()), (0, ""));
    let total =
        "garden-help\n2 of 2 shards verified\nentries   7\naliases   19 with 18 keys, 1 of them ambiguous\n";
    assert!(shown.stdout.starts_with(total), "{}", shown.stdout);
    assert!(shown.stdout.contains("\n\ngarden-help.2\nconfig    "), "{}", shown.stdout);
    let report = &run(&scene, "inspect", &["--json"]).json()[0];
    assert_eq!((&report["siteId"], &report["summary"]["entries"]), (&json!("garden-help"), &json!(6)));
    assert_eq!(report["shards"][0]["summary"], report["summary"]);
    assert_eq!(report["shards"][1]["summary"]["entries"], json!(1));
}

#[test]
fn there_is_an_end_to_shards() {
    let scene = garden(1);
    let config = scene.read("site-config.json");
    for number in 2..=1_001 {
        let text = config.replace("garden-help", &format!("garden-help.{number}"));
        scene.write(&format!("site-config.{number}.json"), text);
    }
    run(&scene, "verify", &[]).complained(2, &["site-config.1001.json", "more than 1000 shards"]);
}

#[test]
fn an_address_has_shards() {
    let scene = garden(3);
    let folder = scene.folder().to_owned();
    let server = Server::start(move |path, connection| {
        let name = path.trim_start_matches('/').split('?').next().unwrap();
        match std::fs::read(folder.join(name)) {
            Ok(body) => respond(connection, "200 OK", "", &body),
            Err(_) => respond(connection, "410 Gone", "", CANARY.as_bytes()),
        }
    });
    let asked = answerplane(["ask", &server.at("/site-config.json?v=1"), "Question 3", "--json"]);
    assert_eq!((asked.status, asked.stderr.as_str()), (0, ""));
    // Four configurations and three artifacts.
    assert_eq!(server.requests(), 7);
    scene.write("site-config.2.json", "{");
    let verified = answerplane(["verify", &server.at("/"), "--json"]);
    verified.complained(1, &["/site-config.2.json"]);
    assert_eq!(verified.json()[0]["shards"][2]["config"], json!(server.at("/site-config.3.json")));
}

/// A server of a folder that answers every other address with this.
fn answering_everything(folder: PathBuf, body: &'static [u8]) -> Server {
    Server::start(move |path, connection| {
        let file = std::fs::read(folder.join(path.trim_start_matches('/')));
        respond(connection, "200 OK", "", file.as_deref().unwrap_or(body));
    })
}

/// So do hosts of single-page applications.
#[test]
fn a_page_where_a_further_configuration_would_be_is_none() {
    for (shards, page) in
        [(1, "<!doctype html><title>Docs</title>"), (3, "\u{feff}\r\n <html>"), (2, "Not found"), (1, "null")]
    {
        let scene = garden(shards);
        let server = answering_everything(scene.folder().to_owned(), page.as_bytes());
        let verified = answerplane(["verify", &server.at("/"), "--json"]);
        assert_eq!((verified.status, verified.stderr.as_str()), (0, ""), "{page}");
        assert_eq!(server.requests(), 2 * shards + 1);
    }
    // A page of any length, of which no more is read than of a configuration.
    let large: &'static [u8] = format!("<p>{}", " ".repeat(1 << 20)).leak().as_bytes();
    let scene = garden(1);
    let server = answering_everything(scene.folder().to_owned(), large);
    assert_eq!(answerplane(["verify", &server.at("/")]).status, 0);
    // What is broken, empty, or in a folder is a shard that cannot be used.
    for body in ["{", "{}", " ", ""] {
        let server = answering_everything(scene.folder().to_owned(), body.as_bytes());
        let verified = answerplane(["verify", &server.at("/")]);
        assert_eq!((verified.status, verified.stderr.lines().count()), (1, 3), "{body}");
    }
    scene.write("site-config.2.json", "<!doctype html>");
    run(&scene, "verify", &[]).complained(1, &["site-config.2.json: DETERMINISTIC_INVALID_PAYLOAD"]);
}

#[test]
fn a_further_shard_never_takes_the_artifact_of_the_first() {
    let scene = garden(3);
    std::fs::remove_file(scene.path("knowledge.2.json")).unwrap();
    let verified = run(&scene, "verify", &["--json"]);
    verified.complained(1, &["site-config.2.json: CLI_NO_ARTIFACT: there is no artifact of this shard"]);
    let shard = &verified.json()[0]["shards"][1];
    assert_eq!((&shard["artifact"], &shard["problem"]["code"]), (&json!(null), &json!("CLI_NO_ARTIFACT")));
    assert_eq!(verified.json()[0]["shards"][2]["verified"], json!(true));
    // That of the first may lie there, as ever.
    scene.change("site-config.json", "/knowledge.json", "/elsewhere.json");
    assert_eq!(run(&scene, "ask", &["Waiting list"]).status, 0);
}

#[test]
fn a_server_that_answers_everything_has_an_end() {
    let scene = garden(1);
    let folder = scene.folder().to_owned();
    let server = answering_everything(folder, b"{\"path\":\"/\"}");
    let verified = answerplane(["verify", &server.at("/"), "--json"]);
    assert_eq!(verified.status, 1);
    assert_eq!(verified.stderr.lines().count(), 3, "{}", verified.stderr);
    assert_eq!(server.requests(), 5);
    // What the site has is answered all the same.
    assert!(answerplane(["ask", &server.at("/"), "Waiting list"]).stdout.contains("Plot form"));
}
