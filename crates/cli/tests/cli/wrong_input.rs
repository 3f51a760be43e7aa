//! Wrong input: one clear line, the right status, and nothing of the input in it.

use std::path::Path;

use crate::run::{CANARY, GARDEN_HASH, Run, Scene, answerplane};

fn on(command: &str, site: &Path, more: &[&str]) -> Run {
    answerplane([&[command, site.to_str().unwrap()], more].concat())
}

/// An artifact that is wrong in one way: `ask` escalates every question, `verify` and `inspect` find it wrong.
#[track_caller]
fn artifact_is_wrong(scene: &Scene, parts: &[&str]) {
    let ask = on("ask", scene.folder(), &["Waiting list", "x", "--json"]);
    ask.complained(1, &[parts, &["(corrupt)"]].concat());
    let reasons: Vec<_> = ask.json().iter().map(|envelope| envelope["reason"].clone()).collect();
    assert_eq!(reasons, ["corrupt", "corrupt"]);
    on("verify", scene.folder(), &[]).complained(1, parts);
    on("inspect", scene.folder(), &[]).complained(1, parts);
}

/// A site configuration that cannot be used: nothing can be done.
#[track_caller]
fn site_is_wrong(site: &Path, parts: &[&str]) {
    for (command, more) in
        [("ask", &["x"][..]), ("ask", &[]), ("verify", &["--json"]), ("inspect", &["--json"])]
    {
        let run = on(command, site, more);
        run.complained(2, parts);
        assert_eq!(run.stdout, "");
    }
}

/// Contents that are no document at all, with what is said of them.
fn broken_documents() -> Vec<(Vec<u8>, &'static str)> {
    let text = |text: &str| text.as_bytes().to_vec();
    vec![
        (text(""), "DETERMINISTIC_INVALID_PAYLOAD: Deterministic payload is not valid JSON."),
        (text(r#"{"CANARY-7f3a": CANARY-7f3a"#), "is not valid JSON."),
        (text(r#"["CANARY-7f3a"]"#), "DETERMINISTIC_INVALID_PAYLOAD: Deterministic payload is invalid."),
        (text(r#"{"protocol":"CANARY-7f3a","version":1}"#), "is invalid."),
        ([b"\x7fELF\0\x01CANARY-7f3a\0".as_slice(), &[0xff; 4_000]].concat(), "is not valid JSON."),
        ([b"\"CANARY-7f3a\xff\xfe\"".as_slice()].concat(), "is not valid JSON."),
        ([b"\xef\xbb\xbf{\"a\":\"CANARY-7f3a\"}".as_slice()].concat(), "is not valid JSON."),
        (
            text(&CANARY.repeat(60_000)),
            "DETERMINISTIC_LIMIT_EXCEEDED: Deterministic payload exceeds its safety limit.",
        ),
    ]
}

#[test]
fn broken_artifacts() {
    let scene = Scene::garden();
    for (content, message) in broken_documents() {
        scene.write("knowledge.json", content);
        artifact_is_wrong(&scene, &["knowledge.json", message]);
    }
    let scene = Scene::garden();
    scene.change("knowledge.json", "\"version\": 1", "\"CANARY-7f3a\": 1, \"version\": 2");
    artifact_is_wrong(&scene, &["knowledge.json: DETERMINISTIC_UNSUPPORTED_VERSION"]);
}

#[test]
fn broken_site_configurations() {
    let scene = Scene::garden();
    for (content, message) in broken_documents() {
        scene.write("site-config.json", content);
        site_is_wrong(scene.folder(), &["site-config.json", message]);
        site_is_wrong(&scene.path("site-config.json"), &["site-config.json", message]);
    }
    let scene = Scene::garden();
    scene.change("site-config.json", "\"version\": 1", "\"CANARY-7f3a\": 1, \"version\": 2");
    site_is_wrong(scene.folder(), &["DETERMINISTIC_UNSUPPORTED_VERSION"]);
}

#[test]
fn broken_files_to_hash() {
    let scene = Scene::empty();
    for (content, message) in broken_documents() {
        let file = scene.write("knowledge.json", &content);
        for more in [&[][..], &["--json"], &["--write"]] {
            let run = on("hash", &file, more);
            run.complained(2, &["knowledge.json", message]);
            assert_eq!(run.stdout, "");
        }
        assert_eq!(std::fs::read(&file).unwrap(), content);
    }
}

#[test]
fn hashes_and_sites_that_do_not_belong_together() {
    let scene = Scene::garden();
    scene.change("knowledge.json", "Put your name", CANARY);
    artifact_is_wrong(
        &scene,
        &["DETERMINISTIC_HASH_MISMATCH: Deterministic artifact content does not match"],
    );

    let scene = Scene::garden();
    scene.change("knowledge.json", "Put your name", CANARY);
    scene.change("knowledge.json", GARDEN_HASH, &GARDEN_HASH.replace("47b1", "47b2"));
    artifact_is_wrong(
        &scene,
        &[
            "DETERMINISTIC_HASH_MISMATCH: Deterministic artifact does not match the configured",
            "hash ARTIFACT --write",
        ],
    );

    let scene = Scene::garden();
    scene.change("knowledge.json", "\"garden-help\"", &format!("\"{CANARY}\""));
    artifact_is_wrong(
        &scene,
        &[
            "DETERMINISTIC_INVALID_PAYLOAD: Deterministic artifact belongs to a different site.",
            "same siteId",
        ],
    );
}

#[test]
fn what_is_missing_or_no_file() {
    let scene = Scene::garden();
    std::fs::remove_file(scene.path("knowledge.json")).unwrap();
    artifact_is_wrong(&scene, &["there is no artifact", "knowledge.json"]);
    std::fs::create_dir(scene.path("knowledge.json")).unwrap();
    artifact_is_wrong(&scene, &["knowledge.json: CLI_NOT_A_FILE: this is not a file"]);

    site_is_wrong(&scene.path("none"), &["none: CLI_MISSING: there is no such file or folder"]);
    site_is_wrong(&scene.path("site-config.json/more"), &["there is no such file or folder"]);
    site_is_wrong(
        &scene.path("knowledge.json"),
        &["site-config.json: CLI_MISSING: there is no such file or folder"],
    );
    std::fs::remove_file(scene.path("site-config.json")).unwrap();
    std::fs::create_dir(scene.path("site-config.json")).unwrap();
    site_is_wrong(scene.folder(), &["site-config.json: CLI_NOT_A_FILE: this is not a file"]);

    on("hash", &scene.path("none"), &[]).complained(2, &["none: CLI_MISSING: there is no such file"]);
    on("hash", scene.folder(), &["--write"]).complained(2, &["this is not a file"]);
    let scene = Scene::garden();
    on("hash", &scene.path("knowledge.json"), &["--write", "--site-config", "none"]).complained(2, &["none"]);
}

#[test]
#[cfg(target_os = "linux")]
fn what_never_ends_or_never_begins() {
    let scene = Scene::garden();
    std::fs::remove_file(scene.path("knowledge.json")).unwrap();
    assert!(
        std::process::Command::new("mkfifo").arg(scene.path("knowledge.json")).status().unwrap().success()
    );
    artifact_is_wrong(&scene, &["knowledge.json: CLI_NOT_A_FILE: this is not a file"]);
    site_is_wrong("/dev/zero".as_ref(), &["/dev/zero: CLI_NOT_A_FILE: this is not a file"]);
    on("hash", "/dev/zero".as_ref(), &[]).complained(2, &["/dev/zero: CLI_NOT_A_FILE: this is not a file"]);
    let pipe = scene.path("knowledge.json");
    on("hash", &pipe, &[]).complained(2, &["knowledge.json: CLI_NOT_A_FILE: this is not a file"]);
    on("assess", &pipe, &[]).complained(2, &["knowledge.json: CLI_NOT_A_FILE: this is not a file"]);
    let check = |file: &Path| answerplane(["conformance".as_ref(), "check".as_ref(), file.as_os_str()]);
    check(&pipe).complained(2, &["knowledge.json: CLI_NOT_A_FILE: this is not a file"]);
    std::fs::rename(&pipe, scene.path("deliberate.json")).unwrap();
    check(&scene.write("v.jsonl", ""))
        .complained(2, &["deliberate.json: CLI_NOT_A_FILE: this is not a file"]);
    std::fs::rename(scene.path("deliberate.json"), &pipe).unwrap();
    // A file of ten gigabytes that takes no space.
    std::fs::remove_file(scene.path("knowledge.json")).unwrap();
    std::fs::File::create(scene.path("knowledge.json")).unwrap().set_len(10 << 30).unwrap();
    artifact_is_wrong(&scene, &["DETERMINISTIC_LIMIT_EXCEEDED"]);
    let run = answerplane(["conformance", "check", scene.path("knowledge.json").to_str().unwrap()]);
    run.complained(2, &["it has more than 268435456 bytes"]);
}

#[test]
#[cfg(unix)]
fn what_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt;

    use crate::run::unprivileged;

    let lock = |path: &Path, mode| std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    let scene = Scene::garden();
    lock(scene.folder(), 0o755);
    lock(&scene.path("site-config.json"), 0o644);
    lock(&scene.path("knowledge.json"), 0);
    let ask = ["ask".as_ref(), scene.folder().as_os_str(), "x".as_ref()];
    let parts = ["knowledge.json: CLI_UNREADABLE: it cannot be read: Permission denied", "permissions"];
    unprivileged(&scene, &ask).complained(1, &parts);
    let file = scene.path("knowledge.json");
    unprivileged(&scene, &["hash".as_ref(), file.as_os_str()]).complained(2, &parts);
    lock(&scene.path("site-config.json"), 0);
    let parts = ["site-config.json: CLI_UNREADABLE: it cannot be read: Permission denied"];
    unprivileged(&scene, &ask).complained(2, &parts);
}

#[test]
fn wrong_usage() {
    for (arguments, parts) in [
        (&["ask", "x", "--jsn"][..], &["unexpected argument '--jsn'", "'--json'", "--help"][..]),
        (&["ak"], &["unrecognized subcommand 'ak'"]),
        (&["ask"], &["required arguments were not provided: <SITE>"]),
        (&["ask", "x", "--at", "yesterday"], &["--at", "not a date-time: YYYY-MM-DD"]),
        (&["ask", "x", "--at", "2026-01-01T00:00:00"], &["not a date-time"]),
        (&["verify", "x", "y"], &["unexpected argument 'y'"]),
        (&["conformance", "x"], &["'x'"]),
        (&["hash"], &["<FILE>"]),
    ] {
        answerplane(arguments).complained(2, parts);
    }
}

#[test]
#[cfg(unix)]
fn arguments_that_are_no_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let scene = Scene::garden();
    let latin = OsStr::from_bytes(b"caf\xe9");
    let site = scene.folder().as_os_str();
    answerplane(["ask".as_ref(), site, latin]).complained(2, &["invalid UTF-8"]);
    answerplane(["ask".as_ref(), latin, "x".as_ref()]).complained(2, &["caf", "there is no such file"]);
    let folder = scene.folder().join(latin);
    std::fs::create_dir(&folder).unwrap();
    for name in ["site-config.json", "knowledge.json"] {
        std::fs::rename(scene.path(name), folder.join(name)).unwrap();
    }
    assert_eq!(answerplane(["ask".as_ref(), folder.as_os_str(), "Waiting list".as_ref()]).status, 0);
}
