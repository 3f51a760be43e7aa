//! `normalize`.

use answerplane_normalize::normalize_key;
use serde_json::{Value, json};

use crate::request::{BadRequest, Request};

pub(super) fn normalize(request: &Request) -> Result<Value, BadRequest> {
    let text: String = request.required("value")?;
    let key = normalize_key(&text);
    Ok(json!({ "output": key.as_str(), "length": key.utf16_len() }))
}
