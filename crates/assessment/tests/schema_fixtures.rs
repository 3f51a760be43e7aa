//! The readers over the same files that the schema validators judge (`cargo xtask test`).
#![allow(clippy::unwrap_used)] // in the helpers of tests too

use std::path::Path;

use answerplane_assessment::{Declarations, Projection, SavedRecord};

/// Judges every document of these folders of a schema; a `.jsonl` holds one on each line.
fn judge(name: &str, verdicts: &[(&str, bool)], accepts: fn(&str) -> bool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/schema").join(name);
    for (verdict, accepted) in verdicts {
        let mut judged = 0;
        for file in std::fs::read_dir(folder.join(verdict)).unwrap() {
            let path = file.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let is_many = path.extension().is_some_and(|extension| extension == "jsonl");
            for document in if is_many { text.lines().collect() } else { vec![text.as_str()] } {
                assert_eq!(accepts(document), *accepted, "{}: {document}", path.display());
                judged += 1;
            }
        }
        assert!(judged > 1, "{name}/{verdict}");
    }
}

#[test]
fn declarations() {
    judge("assessment-declarations", &[("valid", true), ("invalid", false)], |text| {
        Declarations::decode(text).is_ok()
    });
}

#[test]
fn projections() {
    judge(
        "assessment-projection",
        &[("valid", true), ("invalid", false), ("beyond-schema", false)],
        |text| Projection::read(&serde_json::from_str(text).unwrap()).is_some(),
    );
}

/// The schema asks for shapes, the reader for nothing but an object.
#[test]
fn records() {
    judge("assessment-record", &[("valid", true)], |text| SavedRecord::decode(text).is_ok());
}
