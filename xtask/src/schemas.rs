//! `cargo xtask schemas`: the JSON Schema of every wire type.

use std::path::Path;

use crate::generated::File;

pub(crate) fn generate() -> Result<Vec<File>, String> {
    answerplane_conformance::schemas()
        .into_iter()
        .map(|(name, schema)| {
            let mut content = serde_json::to_vec_pretty(&schema).map_err(|error| error.to_string())?;
            content.push(b'\n');
            Ok(File { path: Path::new("schemas").join(format!("{name}.schema.json")), content })
        })
        .collect()
}
