//! `assess`.

use answerplane_assessment::{Declarations, Record, assess as fold};
use serde_json::{Value, json};

use crate::request::{BadRequest, Request, value};

pub(super) fn assess(request: &Request) -> Result<Value, BadRequest> {
    let record = request.raw("record").ok_or(BadRequest)?;
    Ok(folded(record, request.raw("declarations")).unwrap_or_else(|| json!({ "refused": true })))
}

fn folded(record: &str, declarations: Option<&str>) -> Option<Value> {
    let declarations = match declarations {
        Some(text) => Declarations::decode(&value(text)?).ok()?,
        None => Declarations::default(),
    };
    let record = value(record)?;
    let assessment = fold(Record::new(&record).ok()?, &declarations);
    serde_json::to_value(&assessment).ok()
}
