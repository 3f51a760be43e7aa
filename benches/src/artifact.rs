//! Artifacts that the benchmarks ask.

use answerplane_artifact::{VerifiedArtifact, content_hash};
use answerplane_protocol::{ArtifactContent, Trust};
use serde_json::{Value, json};

/// A verified artifact of an entry for each `aliases` texts, which are its aliases.
pub(crate) fn verified(texts: &[String], aliases: usize) -> Option<VerifiedArtifact> {
    let entries: Vec<Value> = texts
        .chunks(aliases)
        .enumerate()
        .map(|(at, values)| {
            json!({
                "id": format!("e{at}"),
                "kind": "document",
                "label": values[0],
                "match": { "type": "exact", "values": values },
                "answer": { "markdown": format!("Answer {at}."), "citations": [] },
            })
        })
        .collect();
    let mut artifact = json!({
        "protocol": "agentskit.chat.knowledge",
        "version": 1,
        "artifactId": "bench",
        "siteId": "bench",
        "generatedAt": "2026-01-01T00:00:00Z",
        "entries": entries,
    });
    let hash = content_hash(&ArtifactContent::decode_value(&artifact).ok()?);
    artifact["contentHash"] = json!(hash);
    let trust = Trust { content_hash: hash, site_id: "bench".parse().ok()? };
    VerifiedArtifact::verify(artifact.to_string(), &trust).ok()
}
