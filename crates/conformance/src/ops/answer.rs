//! `resolve`, `resolveChoice` and `decodeAnswer`.

use answerplane_artifact::VerifiedArtifact;
use answerplane_protocol::{AnswerEnvelope, Artifact, Timestamp};
use answerplane_resolver::Resolver;
use serde_json::{Value, json};

use crate::ops::artifact::trust;
use crate::request::{BadRequest, Request, decoded};

pub(super) fn resolve(request: &Request) -> Result<Value, BadRequest> {
    let (resolver, query, now) = scene(request)?;
    Ok(response(&resolver.answer(&query, now)))
}

pub(super) fn resolve_choice(request: &Request) -> Result<Value, BadRequest> {
    let (resolver, query, now) = scene(request)?;
    let choice: String = request.required("choiceId")?;
    Ok(response(&resolver.resolve_choice(&choice, &query, now).to_envelope(&query)))
}

pub(super) fn decode_answer(request: &Request) -> Result<Value, BadRequest> {
    let answer = request.decode(AnswerEnvelope::decode, AnswerEnvelope::decode_embedded);
    decoded(answer.map(|answer| answer.map(|answer| json!(answer))))
}

fn scene(request: &Request) -> Result<(Resolver, String, Timestamp), BadRequest> {
    let artifact = Artifact::decode_embedded(request.raw("artifact").ok_or(BadRequest)?);
    let verified = trust(request).and_then(|trust| VerifiedArtifact::of(artifact?, &trust));
    let now: f64 = request.required("nowMs")?;
    let now = Timestamp::from_millis(now.floor() as i64);
    Ok((Resolver::new(verified), request.required("query")?, now))
}

fn response(envelope: &AnswerEnvelope) -> Value {
    json!({ "response": envelope })
}
