//! `decodeComponentFrame`.

use answerplane_protocol::RenderFrame;
use serde_json::Value;

use crate::request::{BadRequest, Request, decoded_as};

pub(super) fn decode_component_frame(request: &Request) -> Result<Value, BadRequest> {
    decoded_as("frame", request.decode(RenderFrame::decode, RenderFrame::decode_embedded)?)
}
