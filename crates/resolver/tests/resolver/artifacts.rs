//! Artifacts made for a test.

use answerplane_artifact::content_hash;
use answerplane_protocol::ArtifactContent;
use answerplane_resolver::{Timestamp, Trust, VerifiedArtifact};
use serde_json::{Value, json};

pub(crate) const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);
/// Before `NOW`.
pub(crate) const PAST: &str = "2026-06-01T00:00:00Z";

pub(crate) fn entry<S: AsRef<str>>(id: &str, values: &[S]) -> Value {
    labelled(id, &format!("Label of {id}"), values)
}

pub(crate) fn labelled<S: AsRef<str>>(id: &str, label: &str, values: &[S]) -> Value {
    json!({
        "id": id,
        "kind": "document",
        "label": label,
        "match": { "type": "exact", "values": values.iter().map(AsRef::as_ref).collect::<Vec<_>>() },
        "answer": { "markdown": format!("Answer of {id}."), "citations": [] },
    })
}

pub(crate) fn verified(id: &str, entries: &[Value], expires_at: Option<&str>) -> VerifiedArtifact {
    let mut artifact = json!({
        "protocol": "agentskit.chat.knowledge",
        "version": 1,
        "artifactId": id,
        "siteId": "s",
        "generatedAt": "2026-01-01T00:00:00Z",
        "entries": entries,
    });
    if let Some(expires_at) = expires_at {
        artifact["expiresAt"] = json!(expires_at);
    }
    let hash = content_hash(&ArtifactContent::decode_value(&artifact).unwrap());
    artifact["contentHash"] = json!(hash);
    let trust = Trust { content_hash: hash, site_id: "s".parse().unwrap() };
    VerifiedArtifact::verify(artifact.to_string(), &trust).unwrap()
}
