//! What a build does to the folder that it writes to.

use std::time::Duration;

use serde_json::Value;

use crate::run::{Run, Scene, answerplane};

fn build(scene: &Scene, name: &str, arguments: &[&str]) -> Run {
    let (source, output) = (scene.path(name), scene.path("site"));
    let fixed = ["build", source.to_str().unwrap(), "-o", output.to_str().unwrap()];
    let run = answerplane([&fixed, arguments].concat());
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    // Files are told apart by their dates.
    std::thread::sleep(Duration::from_millis(20));
    run
}

/// Builds the site of `page.md` once for each of these texts.
fn build_often(scene: &Scene, arguments: &[&str], count: usize) -> Vec<Run> {
    let run = |number| {
        scene.write("page.md", format!("# Page\n\nText {number}.\n"));
        build(scene, "page.md", arguments)
    };
    (0..count).map(run).collect()
}

#[test]
fn files_that_only_look_like_an_artifact_stay() {
    let scene = Scene::empty();
    let foreign: Vec<String> = (0..6).map(|number| format!("{}{number}.json", "0".repeat(63))).collect();
    for (name, number) in foreign.iter().zip(0..) {
        let content = match number % 2 {
            0 => "{\"mine\": true}",
            _ => "{\"protocol\":\"agentskit.chat.knowledge\",\"siteId\":\"page\"}",
        };
        scene.write(&format!("site/{name}"), content);
    }
    build_often(&scene, &["--keep", "0"], 2);
    assert!(foreign.iter().all(|name| scene.path("site").join(name).exists()));
}

#[test]
fn another_site_in_the_folder_keeps_its_artifact() {
    let scene = Scene::empty();
    scene.write("other.md", "# Other\n\nText.\n");
    build(&scene, "other.md", &[]);
    std::fs::rename(scene.path("site/site-config.json"), scene.path("site/other.json")).unwrap();
    build_often(&scene, &["--keep", "0"], 1);
    // One of the same site stays too as long as somebody names it.
    std::fs::copy(scene.path("site/site-config.json"), scene.path("site/stable.json")).unwrap();
    build_often(&scene, &["--keep", "0"], 4);
    for name in ["other.json", "stable.json"] {
        let verified = answerplane(["verify".as_ref(), scene.path("site").join(name).as_os_str()]);
        assert_eq!(verified.status, 0, "{name}: {}", verified.stderr);
    }
}

#[test]
fn what_is_removed_is_said() {
    let scene = Scene::empty();
    let config =
        |scene: &Scene| -> Value { serde_json::from_str(&scene.read("site/site-config.json")).unwrap() };
    build_often(&scene, &[], 1);
    let href = config(&scene)["artifact"]["href"].as_str().unwrap().to_owned();
    let runs = build_often(&scene, &["--keep", "0"], 2);
    let name = href.rsplit('/').next().unwrap();
    assert!(!runs[0].stdout.contains("removed"), "the text is the same");
    assert!(runs[1].stdout.contains(&format!("removed  {name}")), "{}", runs[1].stdout);
    assert!(!scene.path("site").join(name).exists());
}

#[test]
fn configurations_of_others_are_neither_replaced_nor_removed() {
    let foreign_site = |id: &str| {
        let hash = "0".repeat(64);
        format!(
            "{{\"protocol\":\"agentskit.chat.site\",\"protocolVersion\":\"1.0.0\",\"siteId\":\"{id}\",\
             \"artifact\":{{\"href\":\"/{hash}.json\",\"contentHash\":\"sha256:{hash}\"}},\
             \"fallback\":{{\"mode\":\"backend\"}}}}"
        )
    };
    for foreign in ["hello", "{\"mine\":1}", "", &foreign_site("other.2")] {
        for (name, shards, is_first_there) in [
            ("site-config.json", 1, false),
            ("site-config.2.json", 1, false),
            ("site-config.2.json", 1, true),
            ("site-config.2.json", 2, false),
            ("site-config.3.json", 2, true),
        ] {
            let scene = Scene::empty();
            scene.write("pages/a.md", "# Alpha\n\nOne.\n");
            scene.write("pages/b.md", "# Beta\n\nTwo.\n");
            let size = if shards == 1 { "2" } else { "1" };
            let arguments = ["--site-id", "s", "--max-entries", size];
            if is_first_there {
                build(&scene, "pages", &arguments);
            }
            scene.write(&format!("site/{name}"), foreign);
            scene.write("pages/a.md", "# Alpha\n\nChanged.\n");
            let names = || {
                let files = std::fs::read_dir(scene.path("site")).unwrap();
                let mut names: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
                names.sort();
                names
            };
            let before = names();
            let (source, output) = (scene.path("pages"), scene.path("site"));
            let fixed = ["build", source.to_str().unwrap(), "-o", output.to_str().unwrap()];
            let run = answerplane([&fixed, &arguments[..]].concat());
            run.complained(2, &["it is no configuration of the site s", name]);
            assert_eq!((scene.read(&format!("site/{name}")).as_str(), names()), (foreign, before), "{name}");
        }
    }
}
