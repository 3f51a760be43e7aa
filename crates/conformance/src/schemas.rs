//! The JSON Schemas of everything that travels, from the crates that read and write it.

use schemars::Schema;

/// The short name and the JSON Schema (2020-12) of every wire type.
///
/// ```
/// assert!(answerplane_conformance::schemas().iter().any(|(name, _)| *name == "artifact"));
/// ```
#[must_use]
pub fn schemas() -> Vec<(&'static str, Schema)> {
    [
        answerplane_protocol::schema::all(),
        answerplane_assessment::schema::all(),
        answerplane_surface::schema::all(),
    ]
    .concat()
}
