//! The decoders over the same files that the schema validators judge (`cargo xtask test`).
#![allow(clippy::unwrap_used)]

use std::path::Path;

use answerplane_protocol::{AnswerEnvelope, Artifact, DeterministicDiagnostic, SiteConfig};

fn judge<T>(name: &str, decode: fn(&[u8]) -> Result<T, DeterministicDiagnostic>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/schema").join(name);
    for (verdict, accepted) in [("valid", true), ("invalid", false), ("beyond-schema", false)] {
        let mut judged = 0;
        for file in std::fs::read_dir(folder.join(verdict)).unwrap() {
            let path = file.unwrap().path();
            assert_eq!(decode(&std::fs::read(&path).unwrap()).is_ok(), accepted, "{}", path.display());
            judged += 1;
        }
        assert!(judged > 10, "{name}/{verdict}");
    }
}

/// What is written of each reason is a fixture that the schema accepts.
#[test]
fn diagnostics() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/schema/diagnostic/valid");
    let fixtures: Vec<serde_json::Value> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| serde_json::from_slice(&std::fs::read(file.unwrap().path()).unwrap()).unwrap())
        .collect();
    assert_eq!(fixtures.len(), DeterministicDiagnostic::ALL.len());
    for reason in DeterministicDiagnostic::ALL {
        assert!(fixtures.contains(&serde_json::to_value(reason).unwrap()), "{reason}");
    }
}

#[test]
fn site_configurations() {
    judge("site", |text| SiteConfig::decode(text));
}

#[test]
fn artifacts() {
    judge("artifact", |text| Artifact::decode(text));
}

#[test]
fn answers() {
    judge("answer", |text| AnswerEnvelope::decode(text));
}
