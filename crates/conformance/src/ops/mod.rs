//! The ops of the contract, a module for each subject.

mod adapter;
mod answer;
mod artifact;
mod ask;
mod assess;
mod canonical;
mod component;
mod content;
mod normalize;
mod session;
mod session_snapshot;
mod site;
mod statechart;
mod surface;
mod turn;

use serde_json::{Value, json};

use crate::request::{BadRequest, Request};

type Op = fn(&Request) -> Result<Value, BadRequest>;

const OPS: &[(&str, Op)] = &[
    ("normalize", normalize::normalize),
    ("decodeSiteConfig", site::decode_site_config),
    ("decodeArtifact", artifact::decode_artifact),
    ("verifyArtifact", artifact::verify_artifact),
    ("computeHash", canonical::compute_hash),
    ("canonicalize", canonical::canonicalize),
    ("resolve", answer::resolve),
    ("resolveChoice", answer::resolve_choice),
    ("decodeAnswer", answer::decode_answer),
    ("adapter", adapter::adapter),
    ("session", session::session),
    ("assess", assess::assess),
    ("decodeComponentFrame", component::decode_component_frame),
    ("decodeAssistantContent", content::decode_assistant_content),
    ("encodeAssistantContent", content::encode_assistant_content),
    ("surface", surface::surface),
    ("statechart", statechart::statechart),
    ("decodeTurnEvent", turn::decode_turn_event),
    ("encodeTurnEvent", turn::encode_turn_event),
    ("decodeSessionSnapshot", session_snapshot::decode_session_snapshot),
    ("decodeAskEvents", ask::decode_ask_events),
];

/// The names of the ops, in the order of the contract.
pub const NAMES: [&str; OPS.len()] = {
    let mut names = [""; OPS.len()];
    let mut at = 0;
    while at < OPS.len() {
        names[at] = OPS[at].0;
        at += 1;
    }
    names
};

/// The result of one request line. Never fails: a line that is no request gives `{"error":"bad-request"}`.
#[must_use]
pub fn respond(line: &[u8]) -> Value {
    answer(line).unwrap_or_else(|BadRequest| json!({ "error": "bad-request" }))
}

/// The op that a request line names, whether it is known or not.
#[must_use]
pub fn op(line: &[u8]) -> Option<String> {
    Request::parse(line).ok()?.optional("op")
}

/// The result of one request line, or `None` for an op that this implementation does not have.
#[must_use]
pub fn respond_if_known(line: &[u8]) -> Option<Value> {
    op(line).is_some_and(|op| NAMES.contains(&op.as_str())).then(|| respond(line))
}

fn answer(line: &[u8]) -> Result<Value, BadRequest> {
    let request = Request::parse(line)?;
    let name: String = request.required("op")?;
    let (_, op) = OPS.iter().find(|(known, _)| *known == name).ok_or(BadRequest)?;
    op(&request)
}
