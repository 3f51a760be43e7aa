//! `inspect`.

use serde_json::json;

use crate::run::{GARDEN_HASH, Run, Scene, answerplane, site};

fn inspect(site: &std::path::Path, arguments: &[&str]) -> Run {
    answerplane([&["inspect", site.to_str().unwrap()], arguments].concat())
}

#[test]
fn a_site_is_summed_up() {
    let garden = site("garden");
    inspect(&garden, &["--at", "2025-03-01T09:00:00Z"]).printed(
        0,
        &format!(
            "garden-help
config    {folder}/site-config.json (271 bytes)
artifact  {folder}/knowledge.json (4,454 bytes)
hash      {GARDEN_HASH}  verified
fallback  backend
id        garden-help-v1
generated 2025-03-01T09:00:00Z (now)
expires   never

Size
  bytes        4,454 of 524,288    0.8 %
  entries          6 of   1,024    0.6 %
               2,955 in canonical form

Entries by kind
  command             1
  contribution        1
  restricted-faq      3
  document            1

Aliases
  18 with 17 keys

Ambiguous keys
  2 entries  opening hours
    garden-hours, tool-shed-hours

Largest entries
      626 bytes  get-a-plot
      488 bytes  compost
      462 bytes  tool-shed-hours
      435 bytes  garden-hours
      405 bytes  water
      380 bytes  help-out
",
            folder = garden.display()
        ),
    );
}

#[test]
fn a_site_that_asks_no_backend_says_so() {
    let run = inspect(&site("atlas"), &[]);
    assert!(run.stdout.contains("\nfallback  disabled: this site asks no backend\n"), "{}", run.stdout);
}

#[test]
fn json_has_everything() {
    let run = inspect(&site("atlas"), &["--json", "--at", "2030-01-01T00:00:00Z"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let report = &run.json()[0];
    assert_eq!(report["verified"], json!(true));
    assert_eq!(report["fallback"], "disabled");
    assert_eq!((&report["configBytes"], &report["artifactBytes"]), (&json!(469), &json!(14_014)));
    let summary = &report["summary"];
    assert_eq!(summary["entries"], json!(18));
    assert_eq!((&summary["aliases"], &summary["keys"]), (&json!(86), &json!(76)));
    assert_eq!(summary["kinds"][0], json!({ "kind": "command", "entries": 1 }));
    assert_eq!(summary["ambiguous"][0]["entries"].as_array().unwrap().len(), 8);
    assert_eq!(summary["ambiguous"][0]["neverOffered"], json!([]));
    assert_eq!(summary["largest"].as_array().unwrap().len(), 18);
}

#[test]
fn entries_that_are_never_offered_are_named() {
    let scene = Scene::garden();
    let entries: Vec<String> = (1..=10)
        .map(|number| {
            format!(
                r#"{{"id":"e{number}","kind":"document","label":"L","match":{{"type":"exact","values":["All","Own {number}"]}},"answer":{{"markdown":"M","citations":[]}}}}"#
            )
        })
        .collect();
    let head = r#"{"protocol":"agentskit.chat.knowledge","version":1,"artifactId":"a","siteId":"garden-help","generatedAt":"2025-01-01T00:00:00Z","entries":["#;
    scene.write("knowledge.json", format!("{head}{}]}}", entries.join(",")));
    scene.hash();
    let run = inspect(scene.folder(), &[]);
    let expected = "\
  10 entries  all
    e1, e2, e3, e4, e5, e6, e7, e8
    never offered beyond 8: e9, e10
";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
    assert_eq!(
        inspect(scene.folder(), &["--json"]).json()[0]["summary"]["ambiguous"][0]["neverOffered"],
        json!(["e9", "e10"])
    );
}

#[test]
fn long_lists_are_cut_for_people() {
    let run = inspect(&site("atlas"), &[]);
    assert!(run.stdout.ends_with("  and 8 more (--json has all)\n"), "{}", run.stdout);
}

#[test]
fn of_an_artifact_that_cannot_be_believed_only_the_size_is_shown() {
    let scene = Scene::garden();
    scene.change("knowledge.json", "Put your name", "CANARY-7f3a");
    let run = inspect(scene.folder(), &[]);
    run.complained(1, &["knowledge.json", "DETERMINISTIC_HASH_MISMATCH"]);
    assert!(run.stdout.contains("not verified: DETERMINISTIC_HASH_MISMATCH\n"), "{}", run.stdout);
    assert!(run.stdout.contains("knowledge.json (4,452 bytes)\n"), "{}", run.stdout);
    assert_eq!(run.stdout.lines().count(), 5);
    let run = inspect(scene.folder(), &["--json"]);
    assert_eq!(run.json()[0]["summary"], json!(null));
    assert_eq!(run.json()[0]["problem"]["code"], "DETERMINISTIC_HASH_MISMATCH");

    scene.write("knowledge.json", "x".repeat(600_000));
    let run = inspect(scene.folder(), &[]);
    assert!(run.stdout.contains("knowledge.json (more than 524,288 bytes)\n"), "{}", run.stdout);
    std::fs::remove_file(scene.path("knowledge.json")).unwrap();
    inspect(scene.folder(), &[]).complained(1, &["there is no artifact"]);
}

#[test]
fn an_expired_artifact_is_shown_with_a_note() {
    let scene = Scene::with_expiry("2030-01-01T00:00:00Z");
    let run = inspect(scene.folder(), &["--at", "2030-01-03T00:00:00Z"]);
    assert_eq!(run.status, 0);
    assert!(run.stdout.contains("(2 days ago)  expired: "), "{}", run.stdout);
}
