//! `assess`.

use answerplane_assessment::{Declarations, Record, assess as fold};
use serde_json::{Value, json};

use crate::request::{BadRequest, Request};

pub(super) fn assess(request: &Request) -> Result<Value, BadRequest> {
    let record = request.raw("record").ok_or(BadRequest)?;
    Ok(folded(record, request.raw("declarations")).unwrap_or_else(|| json!({ "refused": true })))
}

fn folded(record: &str, declarations: Option<&str>) -> Option<Value> {
    let declarations = match declarations {
        Some(text) => Declarations::decode(&serde_json::from_str(text).ok()?).ok()?,
        None => Declarations::default(),
    };
    let record: Value = serde_json::from_str(record).ok()?;
    let assessment = fold(Record::new(&record).ok()?, &declarations);
    serde_json::to_value(&assessment).ok()
}
