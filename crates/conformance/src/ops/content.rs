//! `decodeAssistantContent` and `encodeAssistantContent`.

use answerplane_protocol::{Content, ContentDiagnostic, ContentEncoder, ContentPart};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::request::{BadRequest, Request, failure};

pub(super) fn decode_assistant_content(request: &Request) -> Result<Value, BadRequest> {
    let text = request.optional("text").or_else(|| request.optional::<String>("input"));
    if text.is_none() && request.raw("input").is_none() {
        return Err(BadRequest);
    }
    // What is no text does not begin as ordered content does.
    let content = text.ok_or(ContentDiagnostic::InvalidHeader).and_then(|text| Content::decode(&text));
    Ok(content.map_or_else(
        failure,
        |content| json!({ "ok": true, "parts": content.parts(), "complete": content.is_complete() }),
    ))
}

pub(super) fn encode_assistant_content(request: &Request) -> Result<Value, BadRequest> {
    let text;
    let parts = match request.raw("parts") {
        Some(parts) => parts,
        None => {
            text = request.required::<String>("text")?;
            text.as_str()
        }
    };
    let parts: Vec<Box<RawValue>> = serde_json::from_str(parts).map_err(|_| BadRequest)?;
    let mut encoder = ContentEncoder::new();
    let encoded: Vec<Value> = parts
        .iter()
        .map(|part| match ContentPart::decode(part.get()) {
            Ok(part) => encoder.encode(&part).into(),
            Err(_) => json!({ "refused": true }),
        })
        .collect();
    Ok(json!({ "encoded": encoded }))
}
