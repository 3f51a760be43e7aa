//! `decodeTurnEvent` and `encodeTurnEvent`.

use answerplane_protocol::turn::TurnEvent;
use serde_json::{Value, json};

use crate::request::{BadRequest, Request, decoded_as};

pub(super) fn decode_turn_event(request: &Request) -> Result<Value, BadRequest> {
    decoded_as("event", request.decode(TurnEvent::decode, TurnEvent::decode_embedded)?)
}

pub(super) fn encode_turn_event(request: &Request) -> Result<Value, BadRequest> {
    Ok(match request.decode(TurnEvent::decode, TurnEvent::decode_embedded)? {
        Ok(event) => json!({ "encoded": serde_json::to_string(&event).map_err(|_| BadRequest)? }),
        Err(_) => json!({ "refused": true }),
    })
}
