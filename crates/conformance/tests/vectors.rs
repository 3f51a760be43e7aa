//! The project's own vectors.

#![allow(clippy::unwrap_used)]
use std::path::Path;

use answerplane_conformance::{Deliberate, check, respond_if_known};

const FILES: &[&str] = &[
    "normalize",
    "site_config",
    "artifact",
    "verify",
    "hash",
    "hash_utf8",
    "resolve",
    "resolve_utf8",
    "answer",
    "turn_event",
    "component_frame",
    "content_decode",
    "content_encode",
    "session_snapshot",
    "ask_events",
];

fn read(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/conformance").join(name))
        .unwrap()
}

fn deliberate() -> Deliberate {
    serde_json::from_slice(&read("deliberate.json")).unwrap()
}

#[test]
fn every_vector_of_a_known_op_gives_its_result() {
    for name in FILES {
        let report = check(&read(&format!("{name}.jsonl")), &deliberate(), respond_if_known);
        assert_eq!(report.failed, [], "{name}");
        assert_eq!(report.not_run, 0, "{name}");
        assert!(report.is_good(), "{name}");
    }
    let traps = check(&read("traps.jsonl"), &deliberate(), respond_if_known);
    assert_eq!(traps.failed, []);
    assert_eq!(traps.passed + traps.deliberate.len(), 19);
}

#[test]
fn every_deliberate_difference_is_one_and_is_written_down() {
    let differing: Vec<String> = FILES
        .iter()
        .chain(&["traps"])
        .flat_map(|name| check(&read(&format!("{name}.jsonl")), &deliberate(), respond_if_known).deliberate)
        .map(|case| case.id)
        .collect();
    let mut listed: Vec<String> = deliberate().into_keys().collect();
    listed.sort();
    let mut sorted = differing.clone();
    sorted.sort();
    assert_eq!(sorted, listed);
    let page =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/compatibility.md"))
            .unwrap();
    for id in listed {
        assert!(page.contains(&format!("`{id}`")), "docs/compatibility.md does not name {id}");
    }
}
