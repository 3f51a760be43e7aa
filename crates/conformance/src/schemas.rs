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

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::schemas;

    /// `$` alone is the end of a text in ECMAScript, and in Python also the place before a last line break.
    #[test]
    fn a_pattern_ends_where_the_text_ends() {
        fn walk(schema: &Value, patterns: &mut usize) {
            if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
                assert!(!pattern.contains('$') || pattern.ends_with(r"$(?!\n)"), "{pattern}");
                *patterns += 1;
            }
            match schema {
                Value::Object(members) => members.values().for_each(|member| walk(member, patterns)),
                Value::Array(items) => items.iter().for_each(|item| walk(item, patterns)),
                _ => {}
            }
        }
        let mut patterns = 0;
        schemas().iter().for_each(|(_, schema)| walk(schema.as_value(), &mut patterns));
        assert!(patterns > 30);
    }
}
