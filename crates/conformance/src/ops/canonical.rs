//! `computeHash` and `canonicalize`.

use answerplane_artifact::{canonical_json, content_hash};
use answerplane_protocol::{ArtifactContent, ContentHash, DeterministicDiagnostic};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::request::{BadRequest, Request, failure, value};

pub(super) fn compute_hash(request: &Request) -> Result<Value, BadRequest> {
    let content = content(request)?;
    Ok(content.map_or_else(|_| refused(), |content| json!({ "hash": content_hash(&content) })))
}

pub(super) fn canonicalize(request: &Request) -> Result<Value, BadRequest> {
    if request.optional("decoded").unwrap_or(false) {
        let content = content(request)?;
        return Ok(content.map_or_else(failure, |content| canonical(canonical_json(&content))));
    }
    let artifact = match request.raw("artifact") {
        Some(artifact) => value(artifact),
        None => value(&request.required::<String>("text")?),
    };
    Ok(artifact.as_ref().and_then(as_it_stands).map_or_else(refused, canonical))
}

fn content(request: &Request) -> Result<Result<ArtifactContent, DeterministicDiagnostic>, BadRequest> {
    Ok(match request.raw("artifact") {
        Some(artifact) => ArtifactContent::decode_embedded(artifact),
        None => ArtifactContent::decode(request.required::<String>("text")?),
    })
}

fn refused() -> Value {
    json!({ "refused": true })
}

fn canonical(text: String) -> Value {
    let hash = ContentHash::from_bytes(Sha256::digest(text.as_bytes()).into()).to_string();
    json!({ "sha256": hash.trim_start_matches("sha256:"), "canonical": text })
}

/// The fields of an artifact in canonical order, whatever they hold; `None` where its shape is not that of one.
fn as_it_stands(artifact: &Value) -> Option<String> {
    let entries = list(artifact, "entries", |entry| {
        let matching = fields(entry.get("match")?, &["type", "values"], None)?;
        let answer = entry.get("answer")?;
        let citations =
            list(answer, "citations", |citation| fields(citation, &["id", "title", "href"], None))?;
        let answer = fields(answer, &["markdown"], Some(("citations", citations)))?;
        let head = fields(entry, &["id", "kind", "label"], Some(("match", matching)))?;
        Some(format!("{},\"answer\":{answer}}}", head.strip_suffix('}')?))
    })?;
    let names = ["protocol", "version", "artifactId", "siteId", "generatedAt", "expiresAt"];
    fields(artifact, &names, Some(("entries", entries)))
}

fn list(object: &Value, name: &str, item: impl Fn(&Value) -> Option<String>) -> Option<String> {
    let items: Option<Vec<String>> = object.get(name)?.as_array()?.iter().map(item).collect();
    Some(format!("[{}]", items?.join(",")))
}

/// An object of those of the names that are there, and at its end a field that is written already.
fn fields(object: &Value, names: &[&str], last: Option<(&str, String)>) -> Option<String> {
    let object: &Map<String, Value> = object.as_object()?;
    let written = names
        .iter()
        .filter_map(|name| Some(format!("\"{name}\":{}", object.get(*name)?)))
        .chain(last.map(|(name, text)| format!("\"{name}\":{text}")));
    Some(format!("{{{}}}", written.collect::<Vec<_>>().join(",")))
}
