//! `build` and `check`.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::run::{Run, Scene, answerplane, program, root};

const TIME: &str = "2026-11-01T00:00:00Z";

/// The sample of the guide, copied.
fn handbook() -> Scene {
    let scene = Scene::empty();
    let from = root().join("fixtures/authoring/handbook");
    for name in [
        "answerplane.toml",
        "questions.csv",
        "golden.jsonl",
        "guide/index.md",
        "guide/opening-hours.md",
        "guide/brakes.mdx",
        "guide/tools.md",
    ] {
        scene.write(name, std::fs::read(from.join(name)).unwrap());
    }
    scene
}

fn build(scene: &Scene, arguments: &[&str]) -> Run {
    let source = scene.path("answerplane.toml");
    let output = scene.path("site");
    let fixed = ["build", source.to_str().unwrap(), "-o", output.to_str().unwrap(), "--generated-at", TIME];
    answerplane([&fixed, arguments].concat())
}

/// Builds at the time of the test, so that the site lives.
fn build_now(scene: &Scene) {
    let (source, output) = (scene.path("answerplane.toml"), scene.path("site"));
    let arguments = ["build".as_ref(), source.as_os_str(), "-o".as_ref(), output.as_os_str()];
    let run = answerplane([&arguments[..], &["--generated-at".as_ref(), "now".as_ref()]].concat());
    assert_eq!(run.status, 0, "{}", run.stdout);
}

fn check(scene: &Scene, arguments: &[&str]) -> Run {
    let source = scene.path("answerplane.toml");
    let output = scene.path("site");
    answerplane([&["check", source.to_str().unwrap(), "-o", output.to_str().unwrap()], arguments].concat())
}

/// Every file of the site and its bytes.
fn site(scene: &Scene) -> BTreeMap<String, Vec<u8>> {
    let Ok(files) = std::fs::read_dir(scene.path("site")) else { return BTreeMap::new() };
    files
        .map(|file| {
            let file = file.unwrap();
            (file.file_name().into_string().unwrap(), std::fs::read(file.path()).unwrap())
        })
        .collect()
}

fn ask(scene: &Scene, query: &str) -> Value {
    let site = scene.path("site");
    answerplane(["ask".as_ref(), site.as_os_str(), query.as_ref(), "--json".as_ref()]).json().remove(0)
}

/// The codes of what was found.
fn codes(run: &Run) -> Vec<String> {
    run.json()[0]["found"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| found["code"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_folder_becomes_a_site_that_answers() {
    let scene = handbook();
    let run = build(&scene, &[]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    assert!(run.stdout.contains("written") && run.stdout.contains("restricted-faq"));
    assert_eq!(answerplane(["verify".as_ref(), scene.path("site").as_os_str()]).status, 0);
    let answer = ask(&scene, "MY BRAKES DON’T WORK?!".trim_end_matches('!'));
    assert_eq!(answer["outcome"], "answer", "{answer}");
    assert_eq!(ask(&scene, "overview")["outcome"], "choices");
    assert_eq!(ask(&scene, "my brakes")["reason"], "miss");
}

#[test]
fn the_same_sources_give_the_same_bytes() {
    let scene = handbook();
    build(&scene, &[]);
    let first = site(&scene);
    let again = build(&scene, &["--json"]);
    assert_eq!(site(&scene), first);
    assert_eq!(again.json()[0]["written"]["written"], json!([]));
    // From another working directory, by relative paths.
    let elsewhere = program()
        .args(["build", "answerplane.toml", "-o", "other", "--generated-at", TIME])
        .current_dir(scene.folder())
        .output()
        .unwrap();
    assert!(elsewhere.status.success());
    for (name, bytes) in &first {
        assert_eq!(std::fs::read(scene.path("other").join(name)).unwrap(), *bytes);
    }
    scene.change("guide/tools.md", "left wall", "right wall");
    build(&scene, &[]);
    assert_ne!(site(&scene), first);
    scene.change("guide/tools.md", "right wall", "left wall");
    build(&scene, &[]);
    let back = site(&scene);
    assert!(first.iter().all(|(name, bytes)| back[name] == *bytes));
}

#[test]
fn a_folder_alone_is_enough() {
    let scene = handbook();
    let (guide, output) = (scene.path("guide"), scene.path("site"));
    let arguments = ["build".as_ref(), guide.as_os_str(), "-o".as_ref(), output.as_os_str()];
    assert_eq!(answerplane(arguments).status, 0);
    assert_eq!(ask(&scene, "Borrow a tool")["outcome"], "answer");
    let config: Value = serde_json::from_str(&scene.read("site/site-config.json")).unwrap();
    assert_eq!(config["siteId"], "guide");
}

#[test]
fn dates_follow_flag_environment_and_the_previous_build() {
    let scene = handbook();
    let generated = |scene: &Scene| -> String {
        let verified = answerplane(["verify".as_ref(), scene.path("site").as_os_str(), "--json".as_ref()]);
        verified.json()[0]["generatedAt"].as_str().unwrap().to_owned()
    };
    let build_at = |epoch: Option<&str>, arguments: &[&str]| {
        let mut command = program();
        command.args(["build", "answerplane.toml", "-o", "site"]).args(arguments).current_dir(scene.folder());
        match epoch {
            Some(epoch) => command.env("SOURCE_DATE_EPOCH", epoch),
            None => command.env_remove("SOURCE_DATE_EPOCH"),
        };
        Run::of(command.output().unwrap())
    };
    assert_eq!(build_at(Some("1793491200"), &[]).status, 0);
    assert_eq!(generated(&scene), "2026-11-01T00:00:00Z");
    build_at(Some("1793577600"), &[]);
    assert_eq!(generated(&scene), "2026-11-01T00:00:00Z", "nothing has changed");
    build_at(None, &["--generated-at", "2026-11-03T00:00:00Z"]);
    assert_eq!(generated(&scene), "2026-11-03T00:00:00Z");
    scene.change("guide/tools.md", "left wall", "right wall");
    build_at(Some("1793491200"), &[]);
    assert_eq!(generated(&scene), "2026-11-03T00:00:00Z", "never older than what it replaces");

    let refused = build_at(None, &["--expires-at", "2001-01-01T00:00:00Z"]);
    assert_eq!(refused.status, 1);
    assert!(refused.stdout.contains("AUTHOR_EXPIRY_PAST"), "{}", refused.stdout);
    let soon = build_at(None, &["--expires-in", "3d", "--generated-at", "now"]);
    assert_eq!(soon.status, 0);
    assert!(soon.stdout.contains("AUTHOR_EXPIRY_SOON"), "{}", soon.stdout);
    build_at(None, &["--no-expiry"]);
    let verified = answerplane(["verify".as_ref(), scene.path("site").as_os_str(), "--json".as_ref()]);
    assert_eq!(verified.json()[0]["expiresAt"], Value::Null);
}

#[test]
fn the_newest_commit_dates_a_site() {
    let scene = handbook();
    let git = |arguments: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.arg("-C").arg(scene.folder()).args(["-c", "user.name=A", "-c", "user.email=a@example.org"]);
        command.args(arguments).env("GIT_COMMITTER_DATE", "1793577600 +0000");
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    if !git(&["init"]) || !git(&["add", "."]) || !git(&["commit", "-m", "Begin"]) {
        panic!("git is needed");
    }
    let mut command = program();
    command.args(["build", "answerplane.toml", "-o", "site"]).current_dir(scene.folder());
    command.env_remove("SOURCE_DATE_EPOCH");
    assert!(command.output().unwrap().status.success());
    let verified = answerplane(["verify".as_ref(), scene.path("site").as_os_str(), "--json".as_ref()]);
    assert_eq!(verified.json()[0]["generatedAt"], "2026-11-02T00:00:00Z");
}

#[test]
fn everything_wrong_is_told_at_once_and_what_was_published_stays() {
    let scene = handbook();
    build(&scene, &[]);
    let before = site(&scene);
    scene.write("guide/bad-yaml.md", "---\ntitle: [\n---\n# X\n");
    scene.write("guide/twin.md", "---\nid: brakes\n---\n# Twin\n");
    scene.write("guide/long.md", format!("# {}\n", "n".repeat(600)));
    scene.write("guide/leaves.md", "# Leaves\n\nSee [there](../../there.md).\n");
    scene.write("guide/latin.md", b"# Caf\xe9\n");
    let run = build(&scene, &["--json"]);
    assert_eq!(run.status, 1);
    let codes = codes(&run);
    for code in [
        "AUTHOR_FRONT_MATTER",
        "AUTHOR_ID_COLLISION",
        "AUTHOR_TITLE_TOO_LONG",
        "AUTHOR_LINK_OUTSIDE",
        "AUTHOR_NOT_UTF8",
    ] {
        assert!(codes.contains(&code.to_owned()), "{code} of {codes:?}");
    }
    let found = run.json()[0]["found"].clone();
    let long =
        found.as_array().unwrap().iter().find(|found| found["code"] == "AUTHOR_TITLE_TOO_LONG").unwrap();
    let name = scene.path("guide/long.md");
    assert_eq!((&long["file"], &long["line"]), (&json!(name.to_str().unwrap()), &json!(1)));
    assert_eq!((&long["limit"], &long["actual"]), (&json!(256), &json!(600)));
    assert_eq!(site(&scene), before, "nothing is written");
    let told = build(&scene, &[]);
    assert!(
        told.stdout.contains("guide/twin.md") && told.stdout.contains("guide/brakes.mdx"),
        "both are named"
    );
}

#[test]
fn a_configuration_is_refused_with_its_line() {
    let scene = handbook();
    scene.change("answerplane.toml", "expires-in = \"90d\"", "expires-in = \"90 days\"\nkeap = 1");
    let run = build(&scene, &["--json"]);
    assert_eq!((run.status, codes(&run)), (1, vec!["AUTHOR_CONFIG_SYNTAX".to_owned()]));
    let found = &run.json()[0]["found"][0];
    let name = scene.path("answerplane.toml");
    assert_eq!((&found["file"], &found["line"]), (&json!(name.to_str().unwrap()), &json!(6)));
    scene.write(
        "answerplane.toml",
        "site.id = \"x\"\npolicy.max-bytes = 0\n[[source]]\npath = \"guide\"\ninclude = [\"[\"]\n",
    );
    let run = build(&scene, &["--json"]);
    assert_eq!(codes(&run), ["AUTHOR_CONFIG_VALUE", "AUTHOR_CONFIG_VALUE"], "both at once");
    let missing = answerplane(["build", "no-such-folder", "-o", "site"]);
    missing.complained(2, &["no-such-folder", "there is no such file or folder"]);
}

#[test]
fn files_are_named_as_the_working_directory_sees_them() {
    let scene = Scene::empty();
    scene.write("hb/answerplane.toml", "site.id = \"hb\"\n[[source]]\npath = \"guide\"\n");
    scene.write("hb/guide/good.md", "# Good\n\nText.\n");
    let inside = |folder: &str, arguments: &[&str]| {
        let mut command = program();
        command.args(arguments).args(["--generated-at", TIME]).current_dir(scene.path(folder));
        Run::of(command.output().unwrap())
    };
    assert_eq!(inside(".", &["build", "hb", "-o", "site"]).status, 0);
    assert_eq!(inside("hb", &["build", ".", "-o", "../elsewhere"]).status, 0);
    for (name, bytes) in site(&scene) {
        assert_eq!(std::fs::read(scene.path("elsewhere").join(name)).unwrap(), bytes);
    }
    scene.write("hb/guide/bad.md", "---\nkind: zz\n---\n# Bad\n");
    for (folder, input, name) in [
        (".", "hb", "hb/guide/bad.md"),
        (".", "hb/answerplane.toml", "hb/guide/bad.md"),
        ("hb", ".", "guide/bad.md"),
    ] {
        let sarif = inside(folder, &["build", input, "-o", "site", "--sarif"]).json().remove(0);
        let location = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(location["artifactLocation"]["uri"], name);
        let told = inside(folder, &["build", input, "-o", "site"]).stdout;
        assert!(told.starts_with(&format!("{name}:2 (kind): error")), "{told}");
    }
    scene.write("hb/answerplane.toml", "site.id = \"hb\"\nx = 1\n");
    let told = inside(".", &["build", "hb", "-o", "site"]).stdout;
    assert!(told.starts_with("hb/answerplane.toml:2: error"), "{told}");
}

#[test]
fn sources_that_cannot_be_read_are_status_2() {
    let scene = handbook();
    scene.change("answerplane.toml", "path = \"questions.csv\"", "path = \"gone.csv\"");
    let run = build(&scene, &["--json"]);
    assert_eq!((run.status, codes(&run)[0].as_str()), (2, "AUTHOR_UNREADABLE"));
    assert!(site(&scene).is_empty());
}

#[test]
fn a_site_that_grows_and_shrinks_keeps_its_shards_in_step() {
    let scene = Scene::empty();
    scene.write("answerplane.toml", "site.id = \"big\"\n[[source]]\npath = \"pages\"\n");
    let page = |at: usize| scene.write(&format!("pages/p{at}.md"), format!("# Page {at}\n\nText {at}.\n"));
    (0..60).for_each(|at| drop(page(at)));
    let few = ["--max-entries", "16", "--no-variants", "--keep", "1"];
    assert_eq!(build(&scene, &few).status, 0);
    let configs = |scene: &Scene| site(scene).keys().filter(|name| name.starts_with("site-config")).count();
    let grown = configs(&scene);
    assert!(grown >= 4, "{grown}");
    for at in [0, 31, 59] {
        assert_eq!(ask(&scene, &format!("page {at}"))["outcome"], "answer");
    }
    let verify = answerplane(["verify".as_ref(), scene.path("site").as_os_str()]);
    assert_eq!(verify.status, 0, "{}", verify.stderr);
    (20..60).for_each(|at| std::fs::remove_file(scene.path(&format!("pages/p{at}.md"))).unwrap());
    assert_eq!(build(&scene, &few).status, 0);
    assert!(configs(&scene) < grown, "what is no shard any more is gone");
    assert_eq!(ask(&scene, "page 19")["outcome"], "answer");
    assert_eq!(ask(&scene, "page 31")["reason"], "miss");
    let shed = build(&scene, &["--max-entries", "16", "--no-variants", "--shed", "--json"]);
    assert_eq!(codes(&shed).iter().filter(|code| *code == "AUTHOR_SHED").count(), 4);
    assert_eq!(configs(&scene), 1);
}

#[test]
fn earlier_builds_are_kept_and_the_oldest_go() {
    let scene = handbook();
    for number in 0..6 {
        scene.change("guide/tools.md", "the left wall", &format!("the left wall {number}, on"));
        scene.change("guide/tools.md", &format!("the left wall {number}, on"), "the left wall");
        scene.write("guide/extra.md", format!("# Extra {number}\n"));
        build(&scene, &["--keep", "2"]);
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(site(&scene).len(), 1 + 1 + 2, "a configuration, its artifact, two earlier ones");
    scene.write("site/notes.json", "mine");
    build(&scene, &["--keep", "0"]);
    let names: Vec<String> = site(&scene).into_keys().collect();
    assert_eq!(names.len(), 3, "{names:?}");
    assert!(names.contains(&"notes.json".to_owned()), "what is not ours stays");
}

#[test]
#[cfg(unix)]
fn an_output_that_cannot_be_written_is_status_2_and_stays_as_it_was() {
    let scene = handbook();
    build(&scene, &[]);
    let before = site(&scene);
    scene.change("guide/tools.md", "left wall", "right wall");
    // A limit on the size of files stands for a disk that is full.
    let script =
        format!("ulimit -f 1; exec {} build answerplane.toml -o site", env!("CARGO_BIN_EXE_answerplane"));
    let output =
        std::process::Command::new("sh").args(["-c", &script]).current_dir(scene.folder()).output().unwrap();
    let run = Run::of(output);
    run.complained(2, &["cannot be written"]);
    assert_eq!(site(&scene), before);
}

#[test]
fn problems_of_one_file_do_not_hide_each_other() {
    let scene = handbook();
    scene.write("guide/bad.md", "---\nid: \"b b\"\nkind: zz\naliases: [\"x\\u200by\"]\n---\n# Bad\n");
    scene.write(
        "hand.toml",
        format!(
            "[[entry]]\nid = \"a b\"\nlabel = \"{}\"\nanswer = \"{}\"\ncitations = [{{ title = \"T\", href = \"javascript:1\" }}]\n",
            "l".repeat(600),
            "a".repeat(20_000)
        ),
    );
    scene.change(
        "answerplane.toml",
        "[[source]]",
        "[[source]]\npath = \"hand.toml\"\nformat = \"entries\"\n\n[[source]]",
    );
    let run = build(&scene, &["--json"]);
    let codes = codes(&run);
    for (code, times) in [
        ("AUTHOR_ID_INVALID", 2),
        ("AUTHOR_KIND_UNKNOWN", 1),
        ("AUTHOR_ALIAS_INVISIBLE", 1),
        ("AUTHOR_TITLE_TOO_LONG", 1),
        ("AUTHOR_ANSWER_TOO_LONG", 1),
        ("AUTHOR_LINK_UNSAFE", 1),
    ] {
        assert_eq!(codes.iter().filter(|found| *found == code).count(), times, "{code} of {codes:?}");
    }
}

#[test]
fn a_configuration_says_what_a_value_should_be() {
    let scene = handbook();
    scene.change("answerplane.toml", "id = \"bike-workshop\"", "id = \"a b\"");
    let run = build(&scene, &[]);
    assert!(
        run.stdout.contains("answerplane.toml:2") && run.stdout.contains("not an identifier"),
        "{}",
        run.stdout
    );
}

#[test]
#[cfg(unix)]
fn links_that_lead_out_of_a_source_are_not_published() {
    let scene = handbook();
    scene.write("secret.md", "# Secret\n");
    std::os::unix::fs::symlink("../secret.md", scene.path("guide/leak.md")).unwrap();
    std::os::unix::fs::symlink("tools.md", scene.path("guide/same.md")).unwrap();
    let run = build(&scene, &["--json"]);
    assert_eq!(run.status, 1);
    assert_eq!(codes(&run).iter().filter(|code| *code == "AUTHOR_LINKED_OUTSIDE").count(), 1);
}

#[test]
fn another_site_is_not_replaced_by_mistake() {
    let scene = handbook();
    build(&scene, &[]);
    let before = site(&scene);
    let run = build(&scene, &["--site-id", "other"]);
    run.complained(
        2,
        &["site-config.json: CLI_ANOTHER_SITE: it is no configuration of the site other", "remove the file"],
    );
    assert_eq!(site(&scene), before);
}

#[test]
fn an_epoch_that_is_none_is_refused() {
    let scene = handbook();
    for epoch in ["garbage", "", "1e9", "1700000000.5", "99999999999999999999"] {
        let mut command = program();
        command.args(["build", "answerplane.toml", "-o", "site"]).current_dir(scene.folder());
        let run = Run::of(command.env("SOURCE_DATE_EPOCH", epoch).output().unwrap());
        run.complained(2, &["SOURCE_DATE_EPOCH"]);
    }
    assert!(site(&scene).is_empty());
}

#[test]
fn more_shards_than_are_read_are_an_error() {
    let scene = Scene::empty();
    scene.write("answerplane.toml", "site.id = \"many\"\n[[source]]\npath = \"rows.csv\"\n");
    let rows: String = (0..1_001).map(|at| format!("Row {at},Text {at}\n")).collect();
    scene.write("rows.csv", format!("title,text\n{rows}"));
    let run = build(&scene, &["--max-entries", "1", "--no-variants", "--json"]);
    assert_eq!((run.status, codes(&run)), (1, vec!["AUTHOR_TOO_MANY_SHARDS".to_owned()]));
    assert!(site(&scene).is_empty());
}

#[test]
fn of_two_builds_at_once_one_wins_whole() {
    for _ in 0..8 {
        let scene = Scene::empty();
        for name in ["one", "two"] {
            for at in 0..30 {
                scene.write(&format!("{name}/p{at}.md"), format!("# Page {at}\n\nOf {name}.\n"));
            }
        }
        let start = |name: &str| {
            let mut command = program();
            command.args([
                "build",
                name,
                "-o",
                "site",
                "--site-id",
                "same",
                "--keep",
                "0",
                "--max-entries",
                "8",
            ]);
            command.current_dir(scene.folder()).stdout(Stdio::null()).spawn().unwrap()
        };
        let (mut one, mut two) = (start("one"), start("two"));
        assert!(one.wait().unwrap().success() && two.wait().unwrap().success());
        let verified = answerplane(["verify".as_ref(), scene.path("site").as_os_str()]);
        assert_eq!(verified.status, 0, "{}", verified.stderr);
        let answers: Vec<String> =
            (0..30).map(|at| ask(&scene, &format!("page {at}"))["answer"]["markdown"].to_string()).collect();
        let of_one = answers.iter().filter(|answer| answer.contains("Of one")).count();
        assert!([0, 30].contains(&of_one), "{of_one}");
    }
}

#[test]
fn notes_are_shown_where_somebody_asks_for_them() {
    let scene = handbook();
    let quiet = build(&scene, &[]);
    assert!(!quiet.stdout.contains("AUTHOR_ALIAS_INVENTED") && quiet.stdout.contains("--verbose"));
    assert!(build(&scene, &["--verbose"]).stdout.contains("AUTHOR_ALIAS_INVENTED"));
    let sarif = build(&scene, &["--sarif"]).json().remove(0);
    assert_eq!(sarif["version"], "2.1.0");
}

/// A program that ends with the test.
struct Ended(std::process::Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn watching_builds_what_changes_and_leads_back() {
    let scene = handbook();
    build(&scene, &[]);
    let before = site(&scene)["site-config.json"].clone();
    let child = program()
        .args(["build", "answerplane.toml", "-o", "site", "--watch"])
        .current_dir(scene.folder())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let _child = Ended(child);
    let config = || site(&scene)["site-config.json"].clone();
    let wait_for = |wanted: &dyn Fn(&[u8]) -> bool| {
        let started = Instant::now();
        while !wanted(&config()) {
            assert!(started.elapsed() < Duration::from_secs(30), "nothing was built");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    // Whether it is read at the start or seen later.
    scene.change("guide/tools.md", "left wall", "right wall");
    wait_for(&|config| config != before);
    scene.change("guide/tools.md", "right wall", "left wall");
    wait_for(&|config| config == before);
    // A configuration that is gone for a while is no other configuration.
    let settings = scene.read("answerplane.toml");
    std::fs::remove_file(scene.path("answerplane.toml")).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(config(), before);
    scene.write("answerplane.toml", settings);
    scene.write("guide/broken.md", "---\ntitle: [\n---\n");
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(config(), before, "an error publishes nothing");
    std::fs::remove_file(scene.path("guide/broken.md")).unwrap();
    scene.write("guide/new.md", "# A new page\n");
    wait_for(&|config| config != before);
    assert_eq!(ask(&scene, "a new page")["outcome"], "answer");
}

#[test]
fn what_is_committed_is_checked() {
    let scene = handbook();
    build_now(&scene);
    let golden = scene.path("golden.jsonl");
    let golden = ["--golden", golden.to_str().unwrap(), "--min-remaining", "14d"];
    let good = check(&scene, &golden);
    assert_eq!((good.status, good.stderr.as_str()), (0, ""), "{}", good.stdout);
    assert!(good.stdout.starts_with("holds"));

    scene.change("golden.jsonl", "\"miss\": true", "\"answer\": \"brakes\"");
    let broken = check(&scene, &golden);
    assert_eq!(broken.status, 1);
    assert!(broken.stdout.contains("golden.jsonl:3") && broken.stdout.contains("AUTHOR_GOLDEN_BROKEN"));
    scene.write("golden.jsonl", "{}\n");
    assert!(check(&scene, &golden).stdout.contains("AUTHOR_GOLDEN_SYNTAX"));

    let life = check(&scene, &["--min-remaining", "91d", "--json"]);
    assert_eq!((life.status, codes(&life)), (1, vec!["AUTHOR_LIFE_TOO_SHORT".to_owned()]));

    scene.change("guide/tools.md", "left wall", "right wall");
    let outdated = check(&scene, &["--json"]);
    assert_eq!((outdated.status, codes(&outdated)), (1, vec!["AUTHOR_OUTDATED".to_owned()]));
    scene.change("guide/tools.md", "right wall", "left wall");

    for setting in ["fallback = \"disabled\"", "publish-url = \"/elsewhere/\""] {
        scene.change("answerplane.toml", "[site]\n", &format!("[site]\n{setting}\n"));
        let stale = check(&scene, &["--json"]);
        assert_eq!((stale.status, codes(&stale)), (1, vec!["AUTHOR_OUTDATED".to_owned()]), "{setting}");
        scene.change("answerplane.toml", &format!("{setting}\n"), "");
    }

    let config = scene.read("site/site-config.json");
    scene.write("site/site-config.json", config.replace("sha256:", "sha256:0").replacen("0", "", 0));
    assert_eq!(check(&scene, &["--json"]).status, 1);
    scene.write("site/site-config.json", config);
    assert_eq!(check(&scene, &[]).status, 0);
}

#[test]
fn links_of_what_is_committed_lead_somewhere() {
    let scene = handbook();
    build_now(&scene);
    for name in ["index.html", "opening-hours.html", "tools.html", "brakes.html"] {
        scene.write(
            &format!("public/{name}"),
            "<h1>Page</h1><h2 id=overview>O</h2><h2 id=\"holidays\">H</h2><h2 id=cost>C</h2>",
        );
    }
    let tree = scene.path("public");
    let tree = ["--site-tree", tree.to_str().unwrap(), "--json"];
    let good = check(&scene, &tree);
    assert_eq!((good.status, codes(&good)), (0, Vec::new()));
    std::fs::remove_file(scene.path("public/brakes.html")).unwrap();
    let dead = check(&scene, &tree);
    assert_eq!(dead.status, 1);
    assert!(codes(&dead).iter().all(|code| code == "LINT_DEAD_LINK"), "{:?}", codes(&dead));
    let config: Value = serde_json::from_str(&scene.read("site/site-config.json")).unwrap();
    let name = config["artifact"]["href"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let found = &dead.json()[0]["found"][0];
    assert_eq!(found["file"], scene.path("site").join(name).to_str().unwrap(), "where the link stands");
    assert_eq!(found["line"], 1);
    for name in ["no-such-folder", "public/index.html"] {
        let tree = scene.path(name);
        let unreadable = check(&scene, &["--site-tree", tree.to_str().unwrap(), "--json"]);
        assert_eq!((unreadable.status, codes(&unreadable)), (2, vec!["AUTHOR_UNREADABLE".to_owned()]));
    }
}

#[test]
fn a_shard_that_is_not_there_is_named_by_its_path() {
    let scene = handbook();
    build_now(&scene);
    let run = check(&scene, &["--max-entries", "4", "--json"]);
    assert_eq!(run.status, 1);
    let found = run.json()[0]["found"].as_array().unwrap().clone();
    let files: Vec<&str> = found.iter().filter_map(|found| found["file"].as_str()).collect();
    assert!(files.iter().any(|file| file.ends_with("site/site-config.2.json")), "{found:?}");
}
