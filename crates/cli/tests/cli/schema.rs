//! `schema`.

use crate::run::{Scene, answerplane};

fn names() -> Vec<&'static str> {
    answerplane_conformance::schemas().into_iter().map(|(name, _)| name).collect()
}

#[test]
fn schemas_are_listed_and_printed() {
    answerplane(["schema"]).printed(0, &(names().join("\n") + "\n"));
    assert_eq!(answerplane(["schema", "--json"]).json(), [serde_json::json!(names())]);
    for name in names() {
        let run = answerplane(["schema", name]);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""));
        assert!(run.stdout.starts_with("{\n  ") && run.stdout.ends_with("}\n"), "{name}");
        let schema: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    }
    answerplane(["schema", "nothing"]).complained(2, &["no such schema", "answerplane schema"]);
}

#[test]
fn all_schemas_are_written() {
    let scene = Scene::empty();
    let folder = scene.path("new/schemas");
    let run = answerplane(["schema".as_ref(), "--all".as_ref(), folder.as_os_str()]);
    let paths: Vec<_> = names().iter().map(|name| folder.join(format!("{name}.schema.json"))).collect();
    run.printed(0, &paths.iter().map(|path| format!("{}\n", path.display())).collect::<String>());
    for (name, path) in names().into_iter().zip(&paths) {
        assert_eq!(std::fs::read_to_string(path).unwrap(), answerplane(["schema", name]).stdout);
    }
    let run = answerplane(["schema".as_ref(), "--json".as_ref(), "--all".as_ref(), folder.as_os_str()]);
    assert_eq!(run.json()[0], serde_json::json!(paths));

    let file = scene.write("file", "");
    answerplane(["schema".as_ref(), "--all".as_ref(), file.as_os_str()])
        .complained(2, &["cannot be written"]);
    answerplane(["schema", "site", "--all", "x"]).complained(2, &["cannot be used with"]);
}

#[test]
#[cfg(unix)]
fn schemas_are_written_whole_or_not_at_all() {
    use std::os::unix::fs::PermissionsExt;

    let scene = Scene::empty();
    for command in ["schema", "man"] {
        let folder = scene.path(command);
        let run = answerplane([command.as_ref(), "--all".as_ref(), folder.as_os_str()]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let contents = || -> Vec<(std::ffi::OsString, Vec<u8>)> {
            let mut files: Vec<_> = std::fs::read_dir(&folder)
                .unwrap()
                .map(|entry| entry.unwrap())
                .map(|entry| (entry.file_name(), std::fs::read(entry.path()).unwrap()))
                .collect();
            files.sort();
            files
        };
        let before = contents();
        let mode = std::fs::metadata(folder.join(&before[0].0)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777 & !0o022, 0o644, "{mode:o}");
        // Neither over what is there nor where nothing is.
        for round in 0..2 {
            let output = std::process::Command::new("sh")
                .args([
                    "-c",
                    "ulimit -f 1; exec \"$0\" \"$1\" --all \"$2\"",
                    env!("CARGO_BIN_EXE_answerplane"),
                ])
                .arg(command)
                .arg(&folder)
                .output()
                .unwrap();
            let run = crate::run::Run::of(output);
            run.complained(2, &["it cannot be written: file too large"]);
            let after = contents();
            assert!(after.iter().all(|file| before.contains(file)), "{command} tears a file");
            assert_eq!(after.len() == before.len(), round == 0);
            std::fs::remove_dir_all(&folder).unwrap();
            std::fs::create_dir(&folder).unwrap();
        }
    }
}
