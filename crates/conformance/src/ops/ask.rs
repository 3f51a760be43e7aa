//! `decodeAskEvents`.

use answerplane_protocol::ask::AskBuffer;
use serde_json::{Value, json};

use crate::request::{BadRequest, Request};

pub(super) fn decode_ask_events(request: &Request) -> Result<Value, BadRequest> {
    let buffer: String = request.optional("buffer").or_else(|| request.optional("text")).ok_or(BadRequest)?;
    let AskBuffer { records, rest, discarded_partial } = AskBuffer::decode(&buffer);
    Ok(json!({ "events": records, "rest": rest, "discardedPartial": discarded_partial }))
}
