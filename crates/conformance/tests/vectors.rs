//! The project's own vectors.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use answerplane_conformance::{Deliberate, OPS, Report, check, op, respond_if_known};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/conformance")
}

fn deliberate() -> Deliberate {
    serde_json::from_slice(&std::fs::read(folder().join("deliberate.json")).unwrap()).unwrap()
}

/// Every file of vectors, with what became of it.
fn reports() -> Vec<(PathBuf, Vec<u8>, Report)> {
    let files = std::fs::read_dir(folder()).unwrap().map(|file| file.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    files
        .map(|path| {
            let vectors = std::fs::read(&path).unwrap();
            let report = check(&vectors, &deliberate(), respond_if_known);
            (path, vectors, report)
        })
        .collect()
}

#[test]
fn every_vector_of_a_known_op_gives_its_result() {
    let mut ops = BTreeSet::new();
    for (path, vectors, report) in reports() {
        assert_eq!(report.failed, [], "{}", path.display());
        let lines = vectors.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let known: Vec<String> = lines.filter_map(op).filter(|op| OPS.contains(&op.as_str())).collect();
        assert_eq!(report.passed + report.deliberate.len(), known.len(), "{}", path.display());
        ops.extend(known);
    }
    assert_eq!(ops.into_iter().collect::<Vec<_>>(), {
        let mut names = OPS.to_vec();
        names.sort_unstable();
        names
    });
}

#[test]
fn every_deliberate_difference_is_one_and_is_written_down() {
    let differing: BTreeSet<String> =
        reports().into_iter().flat_map(|(_, _, report)| report.deliberate).map(|case| case.id).collect();
    assert_eq!(differing, deliberate().into_keys().collect());
    let page = std::fs::read_to_string(folder().join("../../docs/compatibility.md")).unwrap();
    for id in differing {
        assert!(page.contains(&format!("`{id}`")), "docs/compatibility.md does not name {id}");
    }
}
