//! `cargo xtask fixtures`: the hashes of the sample sites, what can be wrong with a site, diagrams, and assessments.

use std::path::{Path, PathBuf};

use answerplane_artifact::content_hash;
use answerplane_protocol::{Artifact, ArtifactContent};
use serde_json::Value;

use crate::generated::File;
use crate::{assessments, diagrams, root};

/// A sample site, with the place of its artifact.
const SITES: [(&str, &str); 2] = [("garden", "knowledge.json"), ("atlas", "kb/atlas.json")];

pub(crate) fn generate() -> Result<Vec<File>, String> {
    let mut files = diagrams::generate()?;
    files.extend(assessments::generate()?);
    for (name, artifact) in SITES {
        let folder = Path::new("fixtures/sites").join(name);
        let site = Site::read(&folder, artifact)?.hashed()?;
        if name == "garden" {
            files.extend(variants(&site)?);
        }
        files.extend(site.files(&folder, artifact));
    }
    Ok(files)
}

/// The texts of a site.
#[derive(Clone)]
struct Site {
    config: String,
    artifact: String,
}

impl Site {
    fn read(folder: &Path, artifact: &str) -> Result<Self, String> {
        let read = |name: &str| {
            let path = folder.join(name);
            std::fs::read_to_string(root().join(&path))
                .map_err(|error| format!("{}: {error}", path.display()))
        };
        Ok(Self { config: read("site-config.json")?, artifact: read(artifact)? })
    }

    /// The same site with the hash of its artifact wherever a hash stands.
    fn hashed(&self) -> Result<Self, String> {
        let content = ArtifactContent::decode(&self.artifact).map_err(|why| why.to_string())?;
        let hash = content_hash(&content).to_string();
        Ok(Self {
            config: with_hash(&self.config, &hash, |config| &config["artifact"])?,
            artifact: with_hash(&self.artifact, &hash, |artifact| artifact)?,
        })
    }

    fn replace(&self, from: &str, to: &str) -> Result<Self, String> {
        if !self.artifact.contains(from) {
            return Err(format!("the garden no longer holds {from:?}"));
        }
        Ok(Self { config: self.config.clone(), artifact: self.artifact.replacen(from, to, 1) })
    }

    fn files(self, folder: &Path, artifact: &str) -> Vec<File> {
        vec![
            File { path: folder.join("site-config.json"), content: self.config.into_bytes() },
            File { path: folder.join(artifact), content: self.artifact.into_bytes() },
        ]
    }
}

/// A document whose content hash, which stands in one place only, is another one.
fn with_hash(text: &str, hash: &str, holder: fn(&Value) -> &Value) -> Result<String, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let present = holder(&value)["contentHash"].as_str().ok_or("a sample site has no contentHash")?;
    Ok(text.replace(present, hash))
}

/// The garden, broken in every way that a reader has to cope with.
fn variants(garden: &Site) -> Result<Vec<File>, String> {
    let generated = r#""generatedAt": "#;
    let stale = garden
        .replace(generated, &format!("\"expiresAt\": \"2026-03-02T00:00:00Z\",\n  {generated}"))?
        .hashed()?;
    let foreign = garden.replace(r#""siteId": "garden-help""#, r#""siteId": "orchard-help""#)?.hashed()?;
    let corrupt = garden.replace("until sunset", "until sunrise")?;
    let unexpected = Site { config: garden.hashed()?.config, artifact: stale.artifact.clone() };
    let mut oversized = garden.clone();
    let padding = Artifact::MAX_TEXT_BYTES + 1 - oversized.artifact.len();
    oversized.artifact.push_str(&"\n".repeat(padding));
    let no_json = garden.replace("]", "")?;
    let sites = [
        ("stale", stale),
        ("foreign", foreign),
        ("corrupt", corrupt),
        ("unexpected", unexpected),
        ("oversized", oversized),
        ("no-json", no_json),
    ];
    let folder = |name: &str| -> PathBuf { Path::new("fixtures/sites/broken").join(name) };
    let mut files: Vec<File> =
        sites.into_iter().flat_map(|(name, site)| site.files(&folder(name), "knowledge.json")).collect();
    // A site without its artifact.
    files.push(File {
        path: folder("missing").join("site-config.json"),
        content: garden.config.clone().into_bytes(),
    });
    Ok(files)
}
