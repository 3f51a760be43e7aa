//! `decodeSessionSnapshot`.

use answerplane_protocol::session_snapshot::SessionSnapshot;
use serde_json::Value;

use crate::request::{BadRequest, Request, decoded_as};

pub(super) fn decode_session_snapshot(request: &Request) -> Result<Value, BadRequest> {
    decoded_as("snapshot", request.decode(SessionSnapshot::decode, SessionSnapshot::decode_embedded)?)
}
