//! What to do about a field, where its fault alone does not say it.

use crate::conversation::file::tree::Value;

/// About a field of the whole file that stands in a table of TOML.
pub(super) const MISPLACED: &str =
    "It is a field of the whole file: in TOML these stand before the first [table].";

/// About a field of the whole file that is nowhere to be seen.
pub(super) const MISSING: &str = "Add it; in TOML these stand before the first [table].";

/// About a word where only one is possible.
pub(super) const ONLY_WORD: &str = "Use it, or name a command instead.";

/// About a value of another type than is expected.
pub(super) fn of_type(expected: &str, found: &Value, path: &str) -> Option<&'static str> {
    Some(match (expected, found) {
        ("a text", Value::Integer(_) | Value::Other(_)) => "Put it in quotes.",
        ("a text", Value::Null) => "Write a text; the word null stands in quotes where it is meant as one.",
        ("a text", _) => "Write one text, in quotes.",
        ("a whole number", Value::Text(_)) => "Write it without quotes, such as 1.",
        ("a whole number", _) => "Write a whole number, such as 1.",
        ("a list", _) if path == "routes" => {
            "Write a list of routes: [[routes]] before each in TOML, [{...}] in JSON, a dash before each in YAML."
        }
        ("a list", _) => "Write a list, also of a single text: [\"idle\"].",
        ("a table", _) if path.is_empty() => "Write the fields that docs/conversation.md lists.",
        ("a table", Value::Null) => "Write {} where nothing is in it.",
        ("a table", _) => "Write names with their values; where there are none, {}.",
        _ => return None,
    })
}
