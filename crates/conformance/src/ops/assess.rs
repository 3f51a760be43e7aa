//! `assess`.

use answerplane_assessment::{CallerError, Declarations, SavedRecord, assess as fold};
use serde_json::{Value, json};

use crate::request::{BadRequest, Request};

pub(super) fn assess(request: &Request) -> Result<Value, BadRequest> {
    let record = request.raw("record").ok_or(BadRequest)?;
    folded(record, request.raw("declarations")).unwrap_or_else(|_| Ok(json!({ "refused": true })))
}

fn folded(record: &str, declarations: Option<&str>) -> Result<Result<Value, BadRequest>, CallerError> {
    let declarations = declarations.map_or_else(|| Ok(Declarations::default()), Declarations::decode)?;
    let saved = SavedRecord::decode(record)?;
    Ok(serde_json::to_value(fold(saved.record(), &declarations)).map_err(|_| BadRequest))
}
