//! `decodeArtifact` and `verifyArtifact`.

use answerplane_artifact::{VerifiedArtifact, check_expected};
use answerplane_protocol::{Artifact, DeterministicDiagnostic, Trust};
use serde_json::Value;

use crate::request::{BadRequest, Request, decoded};

pub(super) fn decode_artifact(request: &Request) -> Result<Value, BadRequest> {
    let options = request.value("options")?.unwrap_or_else(|| serde_json::json!({}));
    if !options.is_object() {
        return Err(BadRequest);
    }
    // An expectation that is no text is malformed, and differs like any malformed one.
    let expected = |name| options.get(name).map(|value| value.as_str().unwrap_or_default());
    let artifact = read(request)?.and_then(|artifact| {
        check_expected(&artifact, expected("expectedContentHash"), expected("expectedSiteId"))?;
        Ok(artifact)
    });
    decoded(Ok(artifact.map(|artifact| value(&artifact))))
}

pub(super) fn verify_artifact(request: &Request) -> Result<Value, BadRequest> {
    let artifact = read(request)?;
    let verified = trust(request).and_then(|trust| VerifiedArtifact::of(artifact?, &trust));
    decoded(Ok(verified.map(|artifact| value(&artifact))))
}

fn read(request: &Request) -> Result<Result<Artifact, DeterministicDiagnostic>, BadRequest> {
    request.decode(Artifact::decode, Artifact::decode_embedded)
}

/// The two trusted anchors; what is absent is malformed.
pub(super) fn trust(request: &Request) -> Result<Trust, DeterministicDiagnostic> {
    let text = |name| request.optional::<String>(name).unwrap_or_default();
    Trust::parse(&text("expectedContentHash"), &text("expectedSiteId"))
}

fn value(artifact: &Artifact) -> Value {
    let mut text = String::new();
    // Writing to a string cannot fail, and what was written is JSON.
    let _ = artifact.write(&mut text);
    serde_json::from_str(&text).unwrap_or(Value::Null)
}
