//! `hash`.

use serde_json::json;

use crate::run::{ATLAS_HASH, GARDEN_HASH, Run, Scene, answerplane, site};

const ZEROS: &str = "sha256:0000000000000000000000000000000000000000000000000000000000000000";

fn hash(scene: &Scene, arguments: &[&str]) -> Run {
    let path = scene.path("knowledge.json");
    answerplane([&["hash", path.to_str().unwrap()], arguments].concat())
}

#[test]
fn the_hash_is_computed_and_compared() {
    let scene = Scene::garden();
    hash(&scene, &[]).printed(0, &format!("{GARDEN_HASH}\nthe file declares this hash\n"));
    let before = scene.read("knowledge.json");
    for (declared, word, status, sentence) in [
        (format!("\"{ZEROS}\""), "different", 1, "the file declares another hash; --write replaces it"),
        ("null".into(), "malformed", 1, "what the file declares is no hash; --write replaces it"),
        ("\"CANARY-7f3a\"".into(), "malformed", 1, "what the file declares is no hash; --write replaces it"),
    ] {
        scene.write("knowledge.json", before.replace(&format!("\"{GARDEN_HASH}\""), &declared));
        hash(&scene, &[]).printed(status, &format!("{GARDEN_HASH}\n{sentence}\n"));
        let json = hash(&scene, &["--json"]);
        assert_eq!(
            (json.json(), json.status),
            (
                vec![json!({
                    "file": scene.path("knowledge.json"),
                    "contentHash": GARDEN_HASH,
                    "declared": word,
                    "written": false,
                })],
                status
            )
        );
    }
    scene.write("knowledge.json", before.replace(&format!("\"contentHash\": \"{GARDEN_HASH}\",\n"), ""));
    hash(&scene, &[]).printed(0, &format!("{GARDEN_HASH}\nthe file declares no hash; --write adds it\n"));
}

#[test]
fn writing_changes_the_value_alone() {
    let scene = Scene::garden();
    let good = scene.read("knowledge.json");
    scene.write("knowledge.json", good.replace(GARDEN_HASH, ZEROS));
    hash(&scene, &["--write"])
        .printed(0, &format!("{GARDEN_HASH}\nwritten to {}\n", scene.path("knowledge.json").display()));
    assert_eq!(scene.read("knowledge.json"), good);
    hash(&scene, &["--write"])
        .printed(0, &format!("{GARDEN_HASH}\nalready in {}\n", scene.path("knowledge.json").display()));
    assert_eq!(scene.names(), ["knowledge.json", "site-config.json"]);
}

#[test]
fn an_absent_hash_is_added_after_the_site() {
    let scene = Scene::garden();
    let good = scene.read("knowledge.json");
    scene.write("knowledge.json", good.replace(&format!("  \"contentHash\": \"{GARDEN_HASH}\",\n"), ""));
    assert_eq!(hash(&scene, &["--write"]).status, 0);
    assert_eq!(scene.read("knowledge.json"), good);
}

#[test]
fn every_feature_of_an_artifact_survives() {
    let scene = Scene::empty();
    let atlas = std::fs::read_to_string(site("atlas").join("kb/atlas.json")).unwrap();
    scene.write("knowledge.json", atlas.replace(ATLAS_HASH, "none yet"));
    let run = hash(&scene, &["--write", "--json"]);
    assert_eq!(run.json()[0]["written"], json!(true));
    assert_eq!(scene.read("knowledge.json"), atlas);
}

#[test]
fn the_site_configuration_is_written_too() {
    let scene = Scene::garden();
    let config = scene.path("site-config.json");
    let arguments = ["--write", "--site-config", config.to_str().unwrap()];
    let before = scene.read("site-config.json");
    scene.change("knowledge.json", "7:00", "6:30");
    let run = hash(&scene, &arguments);
    let new = run.stdout.lines().next().unwrap();
    assert_ne!(new, GARDEN_HASH);
    assert_eq!(scene.read("site-config.json"), before.replace(GARDEN_HASH, new));
    assert_eq!(answerplane(["verify".as_ref(), scene.folder().as_os_str()]).status, 0);

    scene
        .write("site-config.json", before.replace(&format!(",\n    \"contentHash\": \"{GARDEN_HASH}\""), ""));
    let run = hash(&scene, &[&arguments[..], &["--json"]].concat());
    assert_eq!(run.json()[0]["written"], json!(false));
    assert_eq!(run.json()[0]["siteConfig"], json!({ "file": config, "written": true }));
    assert_eq!(scene.read("site-config.json"), before.replace(GARDEN_HASH, new));
}

#[test]
fn nothing_is_written_when_something_is_wrong() {
    let config_of = |scene: &Scene| scene.path("site-config.json").to_str().unwrap().to_owned();
    let refused = |scene: &Scene, parts: &[&str]| {
        let before = (scene.read("knowledge.json"), scene.read("site-config.json"));
        let config = config_of(scene);
        hash(scene, &["--write", "--site-config", &config]).complained(2, parts);
        assert_eq!((scene.read("knowledge.json"), scene.read("site-config.json")), before);
    };

    let scene = Scene::garden();
    scene.change("knowledge.json", GARDEN_HASH, ZEROS);
    scene.change("site-config.json", "garden-help", "CANARY-7f3a");
    refused(&scene, &["site-config.json", "different site", "same siteId"]);

    let scene = Scene::garden();
    scene.change("knowledge.json", GARDEN_HASH, ZEROS);
    scene.change("site-config.json", "\"artifact\"", "\"CANARY-7f3a\"");
    refused(&scene, &["site-config.json", "DETERMINISTIC_INVALID_PAYLOAD"]);

    let scene = Scene::garden();
    scene.change("knowledge.json", "\"contentHash\"", "\"contentHash\": \"CANARY-7f3a\", \"contentHash\"");
    refused(&scene, &["knowledge.json", "more than once", "Keep one"]);
    hash(&scene, &[])
        .printed(1, &format!("{GARDEN_HASH}\nthe file declares a hash more than once; keep one\n"));

    // The hash would make it one byte too long.
    let scene = Scene::garden();
    let text = scene.read("knowledge.json").replace(GARDEN_HASH, "");
    scene.write("knowledge.json", text.clone() + &" ".repeat(524_288 - text.len()));
    refused(&scene, &["knowledge.json", "DETERMINISTIC_LIMIT_EXCEEDED"]);
}

#[test]
fn a_site_configuration_is_only_written() {
    let scene = Scene::garden();
    hash(&scene, &["--site-config", "x"]).complained(2, &["--write"]);
}

#[test]
#[cfg(unix)]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let scene = Scene::garden();
    scene.change("knowledge.json", GARDEN_HASH, ZEROS);
    std::fs::rename(scene.path("knowledge.json"), scene.path("v1.json")).unwrap();
    std::fs::set_permissions(scene.path("v1.json"), PermissionsExt::from_mode(0o640)).unwrap();
    symlink("v1.json", scene.path("knowledge.json")).unwrap();
    assert_eq!(hash(&scene, &["--write"]).status, 0);
    assert!(scene.path("knowledge.json").is_symlink());
    assert!(scene.read("v1.json").contains(GARDEN_HASH));
    let mode = std::fs::metadata(scene.path("v1.json")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
#[cfg(unix)]
fn killed_while_writing_the_old_file_is_whole() {
    let scene = Scene::garden();
    scene.change("knowledge.json", GARDEN_HASH, ZEROS);
    let before = scene.read("knowledge.json");
    // A program that writes more than the limit of one block is killed in the middle.
    let output = std::process::Command::new("sh")
        .args(["-c", "ulimit -f 1; exec \"$0\" hash --write \"$1\"", env!("CARGO_BIN_EXE_answerplane")])
        .arg(scene.path("knowledge.json"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), None, "it was to be killed: {output:?}");
    assert_eq!(scene.read("knowledge.json"), before);
}

#[test]
#[cfg(unix)]
fn in_a_folder_that_cannot_be_written_the_old_file_is_whole() {
    use std::os::unix::fs::PermissionsExt;

    use crate::run::unprivileged;

    let scene = Scene::garden();
    scene.change("knowledge.json", GARDEN_HASH, ZEROS);
    let before = scene.read("knowledge.json");
    std::fs::set_permissions(scene.folder(), PermissionsExt::from_mode(0o555)).unwrap();
    let run = unprivileged(
        &scene,
        &["hash".as_ref(), scene.path("knowledge.json").as_os_str(), "--write".as_ref()],
    );
    std::fs::set_permissions(scene.folder(), PermissionsExt::from_mode(0o755)).unwrap();
    run.complained(2, &["knowledge.json: it cannot be written", "unchanged"]);
    assert_eq!(scene.read("knowledge.json"), before);

    std::fs::set_permissions(scene.path("knowledge.json"), PermissionsExt::from_mode(0o444)).unwrap();
    hash(&scene, &["--write"]).complained(2, &["it cannot be written: permission denied"]);
    assert_eq!(scene.read("knowledge.json"), before);
}
