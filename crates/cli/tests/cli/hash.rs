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
fn beyond_a_size_limit_the_old_file_is_whole() {
    let scene = Scene::garden();
    scene.change("knowledge.json", GARDEN_HASH, ZEROS);
    let before = scene.read("knowledge.json");
    let output = std::process::Command::new("sh")
        .args(["-c", "ulimit -f 1; exec \"$0\" hash --write \"$1\"", env!("CARGO_BIN_EXE_answerplane")])
        .arg(scene.path("knowledge.json"))
        .output()
        .unwrap();
    Run::of(output).complained(
        2,
        &["knowledge.json: CLI_UNWRITABLE: it cannot be written: file too large", "unchanged"],
    );
    assert_eq!(scene.read("knowledge.json"), before);
    assert_eq!(scene.names(), ["knowledge.json", "site-config.json"]);
}

#[test]
#[cfg(unix)]
fn ended_by_a_signal_nothing_is_left_over() {
    use std::os::unix::process::ExitStatusExt;

    let scene = Scene::garden();
    let good = scene.read("knowledge.json");
    let mut ended = 0;
    for round in 0..60_u64 {
        scene.write("knowledge.json", good.replace(GARDEN_HASH, ZEROS));
        let mut command = crate::run::program();
        command.args(["hash".as_ref(), scene.path("knowledge.json").as_os_str(), "--write".as_ref()]);
        let mut child = command.stdout(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_micros(200 * round));
        let signal = if round % 2 == 0 { "TERM" } else { "INT" };
        // It may be done already.
        let _ = std::process::Command::new("kill").args(["-s", signal, &child.id().to_string()]).output();
        let status = child.wait().unwrap();
        assert!(status.success() || matches!(status.signal(), Some(2 | 15)), "{status}");
        ended += usize::from(!status.success());
        assert_eq!(scene.names(), ["knowledge.json", "site-config.json"], "round {round}");
        let now = scene.read("knowledge.json");
        assert!(now == good || now == good.replace(GARDEN_HASH, ZEROS), "{now}");
    }
    assert!(ended > 0, "no signal came in time");
}

/// A garden that has changed, with a configuration that is to be written too.
#[cfg(unix)]
fn changed() -> (Scene, String, String) {
    let scene = Scene::garden();
    scene.change("knowledge.json", "7:00", "6:30");
    let (artifact, config) = (scene.read("knowledge.json"), scene.read("site-config.json"));
    (scene, artifact, config)
}

#[test]
#[cfg(unix)]
fn a_configuration_that_may_not_be_written_keeps_the_artifact_as_it_was() {
    use std::os::unix::fs::PermissionsExt;

    use crate::run::unprivileged;

    let (scene, artifact, config) = changed();
    let path = scene.path("site-config.json");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o444)).unwrap();
    hash(&scene, &["--write", "--site-config", path.to_str().unwrap()])
        .complained(2, &["site-config.json: CLI_UNWRITABLE: it cannot be written", "unchanged"]);
    assert_eq!((scene.read("knowledge.json"), scene.read("site-config.json")), (artifact, config));
    assert_eq!(scene.names(), ["knowledge.json", "site-config.json"]);

    // The configuration lies in a folder in which nothing can be made.
    let (scene, artifact, config) = changed();
    let path = scene.write("locked/site-config.json", &config);
    for (name, mode) in
        [("", 0o777), ("knowledge.json", 0o666), ("locked/site-config.json", 0o666), ("locked", 0o555)]
    {
        std::fs::set_permissions(scene.path(name), PermissionsExt::from_mode(mode)).unwrap();
    }
    let file = scene.path("knowledge.json");
    let arguments =
        ["hash".as_ref(), file.as_os_str(), "--write".as_ref(), "--site-config".as_ref(), path.as_os_str()];
    let run = unprivileged(&scene, &arguments);
    std::fs::set_permissions(scene.path("locked"), PermissionsExt::from_mode(0o755)).unwrap();
    run.complained(2, &["locked/site-config.json: CLI_UNWRITABLE: it cannot be written", "unchanged"]);
    assert_eq!((scene.read("knowledge.json"), scene.read("locked/site-config.json")), (artifact, config));
    assert!(!scene.names().iter().any(|name| name.starts_with(".answerplane")), "{:?}", scene.names());
}

#[test]
#[cfg(target_os = "linux")]
fn when_only_the_artifact_could_be_written_it_is_said() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    use crate::run::unprivileged;

    let (scene, _, config) = changed();
    // Only a privileged user can make a folder in which others may make files and not replace them.
    if std::fs::metadata(scene.folder()).unwrap().uid() != 0 {
        return;
    }
    let path = scene.write("shared/site-config.json", &config);
    for (name, mode) in
        [("", 0o777), ("knowledge.json", 0o666), ("shared/site-config.json", 0o666), ("shared", 0o1777)]
    {
        std::fs::set_permissions(scene.path(name), PermissionsExt::from_mode(mode)).unwrap();
    }
    let file = scene.path("knowledge.json");
    let arguments =
        ["hash".as_ref(), file.as_os_str(), "--write".as_ref(), "--site-config".as_ref(), path.as_os_str()];
    let run = unprivileged(&scene, &arguments);
    let written = format!("{} was written, but this was not and still holds the old hash", file.display());
    run.complained(2, &["shared/site-config.json: ", &written, "run the same command again"]);
    assert!(!run.stderr.contains("unchanged"), "{}", run.stderr);
    assert!(!scene.read("knowledge.json").contains(GARDEN_HASH));
    assert_eq!(scene.read("shared/site-config.json"), config);
    assert_eq!(std::fs::read_dir(scene.path("shared")).unwrap().count(), 1);
    // What to do helps.
    let run = hash(&scene, &["--write", "--site-config", path.to_str().unwrap()]);
    assert_eq!((run.status, run.stdout.contains("already in ")), (0, true));
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
    run.complained(2, &["knowledge.json: CLI_UNWRITABLE: it cannot be written", "unchanged"]);
    assert_eq!(scene.read("knowledge.json"), before);

    std::fs::set_permissions(scene.path("knowledge.json"), PermissionsExt::from_mode(0o444)).unwrap();
    hash(&scene, &["--write"]).complained(2, &["it cannot be written: permission denied"]);
    assert_eq!(scene.read("knowledge.json"), before);
}
