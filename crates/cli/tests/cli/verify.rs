//! `verify`.

use serde_json::{Value, json};

use crate::run::{ATLAS_HASH, GARDEN_HASH, Scene, answerplane, site};

fn verify(site: &std::path::Path, arguments: &[&str]) -> crate::run::Run {
    answerplane([&["verify", site.to_str().unwrap()], arguments].concat())
}

#[test]
fn a_good_artifact_is_verified() {
    let at = ["--at", "2025-03-03T09:00:00Z"];
    verify(&site("garden"), &at).printed(
        0,
        &format!(
            "verified  {}\nsite      garden-help\nartifact  garden-help-v1\nhash      {GARDEN_HASH}\n\
             generated 2025-03-01T09:00:00Z (2 days ago)\nexpires   never\n",
            site("garden").join("knowledge.json").display()
        ),
    );
    let run = verify(&site("atlas"), &["--json", "--at", "2099-12-31T23:59:59-08:00"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert_eq!(
        run.json(),
        [json!({
            "siteId": "atlas_reference:v3",
            "config": site("atlas").join("site-config.json"),
            "artifact": site("atlas").join("kb/atlas.json"),
            "contentHash": ATLAS_HASH,
            "verified": true,
            "artifactId": "atlas.kb:2025-06_b",
            "generatedAt": "2025-06-01T12:34:56.789012+05:30",
            "expiresAt": "2099-12-31T23:59:59.5-08:00",
            "expired": false,
            "remainingMs": 500,
        })]
    );
}

#[test]
fn an_expired_artifact_is_verified_with_a_note() {
    let scene = Scene::with_expiry("2030-01-01T00:00:00Z");
    let run = verify(scene.folder(), &["--at", "2030-01-01T00:00:00Z"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.ends_with("(now)  expired: every question escalates (stale)\n"), "{}", run.stdout);
    let json = verify(scene.folder(), &["--at", "2031-01-01T00:00:00Z", "--json"]);
    assert_eq!(json.status, 0);
    assert_eq!((&json.json()[0]["expired"], &json.json()[0]["remainingMs"]), (&json!(true), &json!(0)));
}

#[test]
fn an_artifact_from_the_future_is_noted() {
    let run = verify(&site("garden"), &["--at", "2025-02-28T09:00:00Z"]);
    assert!(run.stdout.contains("(in 1 day)  in the future"), "{}", run.stdout);
    assert_eq!(run.status, 0);
}

#[test]
fn a_wrong_artifact_is_found_wrong() {
    let scene = Scene::garden();
    scene.change("knowledge.json", "Put your name", "CANARY-7f3a name");
    verify(scene.folder(), &[])
        .complained(1, &["knowledge.json", "DETERMINISTIC_HASH_MISMATCH", "was changed"]);
    let run = verify(scene.folder(), &["--json"]);
    run.complained(1, &["DETERMINISTIC_HASH_MISMATCH"]);
    let finding = &run.json()[0];
    assert_eq!(finding["verified"], json!(false));
    assert_eq!(finding["problem"]["code"], "DETERMINISTIC_HASH_MISMATCH");
    assert_eq!(
        finding["problem"]["message"],
        "Deterministic artifact content does not match its SHA-256 hash."
    );
    assert_eq!(finding["problem"]["place"], json!(scene.path("knowledge.json")));
    assert_eq!(finding.get("artifactId"), None::<&Value>);
}

#[test]
fn the_timeout_is_a_number_of_seconds() {
    for (timeout, why) in
        [("0", "more than 0"), ("3601", "at most 3600"), ("soon", "not a number"), ("NaN", "3600")]
    {
        verify(&site("garden"), &["--timeout", timeout]).complained(2, &["--timeout", why]);
    }
    assert_eq!(verify(&site("garden"), &["--timeout", "0.5"]).status, 0);
}
