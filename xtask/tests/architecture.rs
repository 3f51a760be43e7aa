//! The map in ARCHITECTURE.md against the workspace as it is.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

const PURE: [&str; 7] =
    ["normalize", "protocol", "artifact", "resolver", "statechart", "assessment", "surface"];

/// Crates that read a clock, a file, a network or randomness, or run tasks.
const IMPURE: [&str; 20] = [
    "tokio",
    "async-std",
    "smol",
    "futures",
    "mio",
    "socket2",
    "hyper",
    "reqwest",
    "ureq",
    "h2",
    "rustls",
    "rand",
    "getrandom",
    "fastrand",
    "chrono",
    "time",
    "jiff",
    "tempfile",
    "notify",
    "walkdir",
];

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO")).args(arguments).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Each crate of the workspace, named by its folder, and the crates of the workspace that it depends on directly.
fn workspace() -> BTreeMap<String, BTreeSet<String>> {
    let metadata: Value =
        serde_json::from_str(&cargo(&["metadata", "--format-version", "1", "--no-deps"])).unwrap();
    let root = metadata["workspace_root"].as_str().unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let folder = |path: &str| {
        let path = path.trim_end_matches("/Cargo.toml").strip_prefix(root).unwrap_or(path);
        path.trim_start_matches('/').trim_start_matches("crates/").to_string()
    };
    packages
        .iter()
        .map(|package| {
            let depends = package["dependencies"].as_array().unwrap().iter();
            let depends = depends.filter(|dependency| dependency["kind"] != "dev");
            let depends = depends.filter_map(|dependency| dependency["path"].as_str()).map(folder);
            (folder(package["manifest_path"].as_str().unwrap()), depends.collect())
        })
        .collect()
}

/// The rows of the table: who, and what they may depend on.
fn table() -> Vec<(Vec<String>, Vec<String>)> {
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, table) = page.split_once("| crate | may depend on |\n| --- | --- |\n").unwrap();
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let mut above: Vec<String> = Vec::new();
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let who: Vec<String> = cells[0].split(" · ").map(str::to_string).collect();
        let allowed = match cells[1].strip_prefix("all of the above") {
            Some(but) => {
                let but: Vec<&str> = but.trim().trim_start_matches("but ").split(" and ").collect();
                let kept = above.iter().filter(|name| {
                    !but.iter()
                        .any(|but| name == but || (*but == "adapters" && name.starts_with("adapters/")))
                });
                kept.cloned().collect()
            }
            None => {
                // What one crate of a row may beyond the others stands behind a semicolon.
                let (common, own) = cells[1].split_once("; ").unwrap_or((cells[1], ""));
                let own = own.split_once(" also ").map(|(_, more)| more.split(" (").next().unwrap());
                common.split(", ").chain(own).map(str::to_string).collect()
            }
        };
        above.extend(who.iter().cloned());
        (who, allowed)
    })
    .collect()
}

fn fits(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |prefix| name.starts_with(prefix))
}

#[test]
fn no_crate_depends_on_another_than_the_table_says() {
    let table = table();
    assert!(table.len() >= 18);
    for (name, depends) in workspace() {
        let (_, allowed) = table
            .iter()
            .find(|(who, _)| who.iter().any(|pattern| fits(pattern, &name)))
            .unwrap_or_else(|| panic!("ARCHITECTURE.md has no row for {name}"));
        for dependency in depends {
            let is_allowed = allowed.iter().any(|pattern| fits(pattern, &dependency));
            assert!(is_allowed, "{name} must not depend on {dependency}");
        }
    }
}

#[test]
fn the_pure_crates_are_pure() {
    for name in workspace().into_keys().filter(|name| PURE.contains(&name.as_str())) {
        let source = std::fs::read_to_string(root().join(format!("crates/{name}/src/lib.rs"))).unwrap();
        assert!(source.contains("\n#![no_std]\n"), "{name} is not no_std");
        assert!(!source.contains("extern crate std"), "{name} takes std back");
        let package = format!("answerplane-{name}");
        let tree = cargo(&[
            "tree",
            "--package",
            &package,
            "--edges",
            "normal",
            "--prefix",
            "none",
            "--format",
            "{p}",
        ]);
        for line in tree.lines() {
            let dependency = line.split(' ').next().unwrap();
            assert!(!IMPURE.contains(&dependency), "{name} reaches {dependency}");
        }
    }
}

#[test]
fn every_direct_dependency_has_one_version() {
    let metadata: Value = serde_json::from_str(&cargo(&["metadata", "--format-version", "1"])).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let members = metadata["workspace_members"].as_array().unwrap();
    let direct: BTreeSet<&str> = packages
        .iter()
        .filter(|package| members.contains(&package["id"]))
        .flat_map(|package| package["dependencies"].as_array().unwrap())
        .filter(|dependency| dependency["path"].is_null())
        .map(|dependency| dependency["name"].as_str().unwrap())
        .collect();
    let mut requirements: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in packages.iter().filter(|package| members.contains(&package["id"])) {
        for dependency in package["dependencies"].as_array().unwrap() {
            let name = dependency["name"].as_str().unwrap();
            if direct.contains(name) {
                requirements.entry(name).or_default().insert(dependency["req"].as_str().unwrap());
            }
        }
    }
    for (name, versions) in requirements {
        assert_eq!(versions.len(), 1, "{name} is asked for in several versions: {versions:?}");
    }
}

#[test]
fn every_source_file_says_what_it_is() {
    let mut folders = vec![root().join("crates"), root().join("xtask"), root().join("benches")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let source = std::fs::read_to_string(&path).unwrap();
                let begins = ["//!", "#![doc"].iter().any(|comment| source.starts_with(comment));
                assert!(begins, "{} begins without a module comment", path.display());
                let generated = source.starts_with("//! Generated by");
                assert!(
                    generated || source.lines().count() <= 700,
                    "{} holds more than one subject",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn no_file_holds_both_sides_of_a_merge() {
    let markers = ['<', '>'].map(|sign| sign.to_string().repeat(7) + " ");
    let mut folders = vec![root().to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                if name != "target" && name != ".git" {
                    folders.push(path);
                }
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                let left = text.lines().any(|line| markers.iter().any(|marker| line.starts_with(marker)));
                assert!(!left, "{} holds a conflict of a merge", path.display());
            }
        }
    }
}
