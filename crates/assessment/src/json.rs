//! Looking into a JSON value that is built already, or still text, without building anything.
//!
//! A result's text can be large and can nest as deep as it likes. Only a handful of its members matter, so
//! the text is checked once, skimmed member by member, and never turned into a tree.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use answerplane_normalize::{trim, truncate_utf16};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

/// The largest whole number that a double holds without a gap below it.
const MAX_WHOLE: f64 = 9_007_199_254_740_991.0;

/// A value of the record, or of a JSON text in it.
#[derive(Clone, Copy)]
pub(crate) enum Json<'a> {
    Built(&'a Value),
    /// A text that is JSON, without white space at its ends.
    Text(&'a str),
}

impl<'a> Json<'a> {
    /// A whole text, where it is JSON.
    pub(crate) fn of_text(text: &'a [u8]) -> Option<Self> {
        let text = core::str::from_utf8(text).ok()?;
        serde_json::from_str::<&RawValue>(text).ok().map(|value| Self::Text(value.get()))
    }

    /// What a message says: of a text the first `toolChars` UTF-16 units, where that is a length it has.
    ///
    /// A text that is a JSON object or list is read as that, once; any other text stays text.
    pub(crate) fn of_content(message: &'a Value) -> Self {
        let content = message.get("content").unwrap_or(&Value::Null);
        let Some(text) = content.as_str() else { return Self::Built(content) };
        let chars = message.get("toolChars").and_then(whole_number);
        // A length that the text has not reads all of it.
        let own = chars
            .and_then(|units| usize::try_from(units).ok())
            .map_or(text, |units| truncate_utf16(text, units));
        let own = trim(own);
        if own.starts_with(['{', '[']) && serde_json::from_str::<&RawValue>(own).is_ok() {
            return Self::Text(own);
        }
        Self::Built(content)
    }

    pub(crate) fn is_object(self) -> bool {
        match self {
            Self::Built(value) => value.is_object(),
            Self::Text(text) => text.starts_with('{'),
        }
    }

    pub(crate) fn is_string(self) -> bool {
        match self {
            Self::Built(value) => value.is_string(),
            Self::Text(text) => text.starts_with('"'),
        }
    }

    pub(crate) fn is_true(self) -> bool {
        match self {
            Self::Built(value) => *value == Value::Bool(true),
            Self::Text(text) => text == "true",
        }
    }

    /// Whether a list is empty; nothing for what is no list.
    pub(crate) fn is_empty_list(self) -> Option<bool> {
        match self {
            Self::Built(value) => value.as_array().map(|rows| rows.is_empty()),
            Self::Text(text) => text
                .strip_prefix('[')
                .map(|rest| rest.trim_start_matches([' ', '\t', '\n', '\r']).starts_with(']')),
        }
    }

    pub(crate) fn is_list_with_items(self) -> bool {
        self.is_empty_list() == Some(false)
    }

    /// Whether it is a string for which `holds`.
    pub(crate) fn is_string_with(self, holds: impl FnOnce(&str) -> bool) -> bool {
        match self {
            Self::Built(value) => value.as_str().is_some_and(holds),
            Self::Text(_) => self.string().is_some_and(|text| holds(&text)),
        }
    }

    /// What a string says; where half a surrogate pair stands in a text, U+FFFD.
    pub(crate) fn string(self) -> Option<Cow<'a, str>> {
        match self {
            Self::Built(value) => value.as_str().map(Cow::Borrowed),
            Self::Text(_) if !self.is_string() => None,
            Self::Text(text) => Lenient.deserialize(&mut serde_json::Deserializer::from_str(text)).ok(),
        }
    }

    /// A whole number from 0 that a double holds exactly.
    pub(crate) fn whole_number(self) -> Option<u64> {
        match self {
            Self::Built(value) => whole_number(value),
            Self::Text(text) => serde_json::from_str::<f64>(text).ok().and_then(whole),
        }
    }

    /// An object's own members of these names, in this order; of a name that stands twice, the last.
    pub(crate) fn members<const N: usize>(self, names: [&str; N]) -> [Option<Json<'a>>; N] {
        match self {
            Self::Built(value) => names.map(|name| value.as_object()?.get(name).map(Json::Built)),
            Self::Text(text) if text.starts_with('{') => {
                let mut reader = serde_json::Deserializer::from_str(text);
                reader.deserialize_map(Members { names }).unwrap_or([None; N])
            }
            Self::Text(_) => [None; N],
        }
    }

    /// An object's members; those of a text in its order, also one that stands twice.
    pub(crate) fn entries(self) -> Vec<(Cow<'a, str>, Json<'a>)> {
        match self {
            Self::Built(value) => {
                let members = value.as_object().into_iter().flatten();
                members.map(|(name, member)| (name.as_str().into(), Json::Built(member))).collect()
            }
            Self::Text(text) if text.starts_with('{') => {
                serde_json::Deserializer::from_str(text).deserialize_map(Entries).unwrap_or_default()
            }
            Self::Text(_) => Vec::new(),
        }
    }

    /// A list's items.
    pub(crate) fn items(self) -> Vec<Json<'a>> {
        match self {
            Self::Built(value) => value.as_array().into_iter().flatten().map(Json::Built).collect(),
            Self::Text(text) => {
                let items: Vec<&RawValue> = serde_json::from_str(text).unwrap_or_default();
                items.into_iter().map(|item| Json::Text(item.get())).collect()
            }
        }
    }

    /// Whether it is a list or an object.
    pub(crate) fn is_nested(self) -> bool {
        self.is_object() || self.is_empty_list().is_some()
    }

    /// The value of what is no list and no object, for which it is null. A number beyond a double is the largest
    /// double of its sign.
    pub(crate) fn scalar(self) -> Value {
        match self {
            _ if self.is_nested() => Value::Null,
            Self::Built(value) => value.clone(),
            Self::Text(_) if self.is_string() => {
                self.string().map_or(Value::Null, |text| text.as_ref().into())
            }
            Self::Text(text) => serde_json::from_str(text).unwrap_or_else(|_| {
                text.parse::<f64>().map_or(Value::Null, |beyond| beyond.clamp(f64::MIN, f64::MAX).into())
            }),
        }
    }
}

/// A number of the record that is whole, from 0, and held exactly by a double: a count or a length.
pub(crate) fn whole_number(value: &Value) -> Option<u64> {
    value.as_f64().and_then(whole)
}

fn whole(number: f64) -> Option<u64> {
    // Within these bounds the conversion loses nothing but a fraction.
    let in_range = (0.0..=MAX_WHOLE).contains(&number);
    (in_range && (number as u64) as f64 == number).then_some(number as u64)
}

struct Members<'n, const N: usize> {
    names: [&'n str; N],
}

impl<'de, const N: usize> Visitor<'de> for Members<'_, N> {
    type Value = [Option<Json<'de>>; N];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = [None; N];
        while let Some(name) = map.next_key_seed(Name(&self.names))? {
            match name.and_then(|at| found.get_mut(at)) {
                Some(place) => *place = Some(Json::Text(map.next_value::<&RawValue>()?.get())),
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(found)
    }
}

/// A member's name, as its position among the names looked for. Read as bytes: a name with half a surrogate
/// pair is no text, but no error either.
struct Name<'n>(&'n [&'n str]);

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_bytes(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member's name")
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|wanted| wanted.as_bytes() == name))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        self.visit_bytes(name.as_bytes())
    }
}

struct Entries;

impl<'de> Visitor<'de> for Entries {
    type Value = Vec<(Cow<'de, str>, Json<'de>)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(name) = map.next_key_seed(Lenient)? {
            entries.push((name, Json::Text(map.next_value::<&RawValue>()?.get())));
        }
        Ok(entries)
    }
}

/// A string, read as bytes: the parser gives half a surrogate pair as the three bytes that it would have in
/// UTF-8. U+FFFD has as many, and is one UTF-16 unit too, so that lengths stay what they are.
struct Lenient;

impl<'de> DeserializeSeed<'de> for Lenient {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_bytes(self)
    }
}

impl<'de> Visitor<'de> for Lenient {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_bytes<E: Error>(self, bytes: &'de [u8]) -> Result<Self::Value, E> {
        core::str::from_utf8(bytes).map_or_else(|_| self.visit_bytes(bytes), |text| Ok(text.into()))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        let text = String::from_utf8(bytes.into()).or_else(|error| {
            let mut bytes = error.into_bytes();
            for at in 0..bytes.len() {
                if let Some([first @ 0xed, second @ 0xa0..=0xff, third]) = bytes.get_mut(at..at + 3) {
                    (*first, *second, *third) = (0xef, 0xbf, 0xbd);
                }
            }
            String::from_utf8(bytes)
        });
        text.map(Cow::Owned).map_err(E::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_text_and_its_tree_look_alike() {
        for text in [
            r#"{"a":[1],"b":{"c":true},"d":"x"}"#,
            r#"{ "a" : [ ] , "b" : null, "b" : 7.0, "d" : "\u0078" }"#,
            r#"{"\u0061":[[]],"b":-0,"d":1e2}"#,
            "[]",
            "[\n]",
            "[0]",
        ] {
            let tree: Value = serde_json::from_str(text).unwrap();
            let content = json!({ "content": text });
            let (text, tree) = (Json::of_content(&content), Json::Built(&tree));
            assert!(matches!(text, Json::Text(_)));
            assert_eq!(text.is_object(), tree.is_object());
            assert_eq!(text.is_empty_list(), tree.is_empty_list());
            for (one, other) in text.members(["d", "a", "b"]).into_iter().zip(tree.members(["d", "a", "b"])) {
                let look = |json: Json<'_>| {
                    let spelled_x = json.is_string_with(|text| text == "x");
                    (json.is_object(), json.is_empty_list(), json.is_true(), json.whole_number(), spelled_x)
                };
                assert_eq!(one.map(look), other.map(look));
            }
        }
    }

    #[test]
    fn what_no_tree_could_hold_is_skimmed_all_the_same() {
        let deep = ["{\"a\":", &"[".repeat(100_000), &"]".repeat(100_000), "}"].concat();
        for text in [
            deep.as_str(),
            r#"{"\ud800":1,"a":[0]}"#,
            r#"{"x":"\udc00","a":[0]}"#,
            r#"{"x":1e999,"a":[0]}"#,
            "\u{feff}{\"a\":[0]}\u{3000}",
        ] {
            let content = json!({ "content": text });
            let [list] = Json::of_content(&content).members(["a"]);
            assert_eq!(list.map(Json::is_list_with_items), Some(true));
        }
    }

    #[test]
    fn what_is_no_json_stays_text() {
        for text in ["{", "[1,]", "{\"a\":1} x", "[\u{1}]", "[\"\n\"]", "[01]", "nothing", "\"[]\"", ""] {
            let content = json!({ "content": text });
            assert!(matches!(Json::of_content(&content), Json::Built(_)), "{text:?}");
        }
    }

    #[test]
    fn only_a_length_that_the_text_has_cuts_it() {
        for (chars, is_list) in [
            (json!(2), true),
            (json!(2.0), true),
            (json!(3), true), // within the pair: the cut falls before it
            (json!(4), false),
            (json!(-1), false),
            (json!(2.5), false),
            (json!(9), false),
            (json!("2"), false),
            (json!(null), false),
        ] {
            let content = json!({ "content": "[]🚀note", "toolChars": chars });
            assert_eq!(Json::of_content(&content).is_empty_list().is_some(), is_list, "{chars}");
        }
    }
}
