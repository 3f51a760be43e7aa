//! What the assessment writes about the records of its vectors, for other schema validators to judge.

use std::collections::BTreeSet;
use std::path::Path;

use answerplane_assessment::{Declarations, Projection, SavedRecord, TurnEnd, assess, how_sure};
use serde_json::Value;

use crate::generated::File;
use crate::root;

pub(crate) fn generate() -> Result<Vec<File>, String> {
    let path = "fixtures/conformance/assess.jsonl";
    let vectors = std::fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))?;
    let mut assessments = BTreeSet::new();
    let mut projections = BTreeSet::new();
    let mut rows = BTreeSet::new();
    for vector in vectors.lines() {
        let Ok(vector) = serde_json::from_str::<Value>(vector) else { continue };
        let declarations = vector
            .get("declarations")
            .map_or_else(|| Ok(Declarations::default()), Declarations::decode_value);
        let saved = SavedRecord::decode(vector["record"].to_string());
        let (Ok(declarations), Ok(saved)) = (declarations, saved) else { continue };
        let assessment = assess(saved.record(), &declarations);
        assessments.insert(line(&assessment)?);
        projections.insert(line(&Projection::of(&assessment))?);
        for end in [TurnEnd::Shown, TurnEnd::NotShown] {
            rows.insert(line(&how_sure(&assessment, saved.record(), end))?);
        }
    }
    let file = |schema: &str, lines: BTreeSet<String>| File {
        path: Path::new("fixtures/schema").join(schema).join("valid/of-the-vectors.jsonl"),
        content: lines.into_iter().collect::<String>().into_bytes(),
    };
    Ok(vec![
        file("assessment", assessments),
        file("assessment-projection", projections),
        file("assessment-how-sure", rows),
    ])
}

fn line(written: &impl serde::Serialize) -> Result<String, String> {
    serde_json::to_string(written).map(|line| line + "\n").map_err(|error| error.to_string())
}
