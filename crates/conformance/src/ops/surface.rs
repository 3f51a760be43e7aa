//! `surface`.

use answerplane_surface::{NavResult, build, validate_text};
use serde_json::{Value, json};

use crate::request::{BadRequest, Request};

/// The surface of a reasoning result (`nav`), or whether a value is a surface (`payload`).
pub(super) fn surface(request: &Request) -> Result<Value, BadRequest> {
    let Some(nav) = request.raw("nav") else {
        return Ok(match validate_text(request.raw("payload").ok_or(BadRequest)?) {
            Ok(()) => json!({ "valid": true }),
            Err(error) => failure(error.code(), &error),
        });
    };
    Ok(match NavResult::decode(nav) {
        Err(error) => failure(error.code(), &error),
        Ok(nav) => match build(&nav) {
            Ok(surface) => json!({ "surface": surface }),
            Err(error) => failure(error.code(), &error),
        },
    })
}

fn failure(code: &str, error: &impl std::fmt::Display) -> Value {
    json!({ "error": { "code": code, "message": error.to_string() } })
}
