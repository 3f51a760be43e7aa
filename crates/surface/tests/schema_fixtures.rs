//! The readers over the same files that the schema validators judge (`cargo xtask test`).
#![allow(clippy::unwrap_used)]

use std::path::Path;

use answerplane_surface::{NavResult, validate};

fn judge(name: &str, accepts: fn(&str) -> bool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/schema").join(name);
    for (verdict, accepted) in [("valid", true), ("invalid", false), ("beyond-schema", false)] {
        let mut judged = 0;
        for file in std::fs::read_dir(folder.join(verdict)).unwrap() {
            let path = file.unwrap().path();
            assert_eq!(accepts(&std::fs::read_to_string(&path).unwrap()), accepted, "{}", path.display());
            judged += 1;
        }
        assert!(judged > 1, "{name}/{verdict}");
    }
}

#[test]
fn surfaces() {
    judge("surface", |text| validate(&serde_json::from_str(text).unwrap()).is_ok());
}

#[test]
fn inputs() {
    judge("surface-input", |text| NavResult::decode(text).is_ok());
}
