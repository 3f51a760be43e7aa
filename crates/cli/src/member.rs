//! Setting one member of a JSON object while keeping every other byte of the text.

use std::ops::Range;

use answerplane_protocol::declare::RawMembers;

/// A member of an object: where its name and its value stand in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    /// Where the name stands, with its quotation marks.
    name: Range<usize>,
    /// Where the value stands.
    pub(crate) value: Range<usize>,
    /// Where the member before it ends, or the object begins.
    after: usize,
}

/// Why a member cannot be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unset {
    /// The text is no object, or has not the member to stand after.
    NoPlace,
    /// The member stands there more than once.
    Repeated,
}

/// The members named `name` of the object that stands in `object`; none where that is no object.
pub(crate) fn named(text: &str, object: Range<usize>, name: &str) -> Vec<Member> {
    let source = &text[object.clone()];
    let Ok(RawMembers(members)) = serde_json::from_str::<RawMembers<'_>>(source) else {
        return Vec::new();
    };
    let offset = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    let mut found = Vec::new();
    let mut after = object.start + source.find('{').map_or(0, |at| at + 1);
    for (is_it, value) in members.iter().map(|(member, value)| (&**member == name.as_bytes(), value.get())) {
        let start = offset(value);
        let value = start..start + value.len();
        if is_it && let Some(quote) = text[after..start].find('"') {
            let colon = text[..start].trim_end_matches([' ', '\t', '\n', '\r', ':']).len();
            found.push(Member { name: after + quote..colon, value: value.clone(), after });
        }
        after = value.end;
    }
    found
}

/// The text with the member `name` of an object set to a string; where there is none it is put after the member
/// `after`, laid out like that.
pub(crate) fn set(
    text: &str,
    object: Range<usize>,
    name: &str,
    string: &str,
    after: &str,
) -> Result<String, Unset> {
    let string = serde_json::Value::from(string).to_string();
    let present = named(text, object.clone(), name);
    let (place, written) = match (present.as_slice(), named(text, object, after).as_slice()) {
        ([member], _) => (member.value.clone(), string),
        ([], [neighbour]) => {
            let before =
                text[neighbour.after..neighbour.name.start].trim_start_matches([' ', '\t', '\n', '\r']);
            let layout = before.strip_prefix(',').unwrap_or(&text[neighbour.after..neighbour.name.start]);
            let colon = &text[neighbour.name.end..neighbour.value.start];
            let end = neighbour.value.end;
            (end..end, format!(",{layout}\"{name}\"{colon}{string}"))
        }
        ([], _) => return Err(Unset::NoPlace),
        _ => return Err(Unset::Repeated),
    };
    Ok(format!("{}{written}{}", &text[..place.start], &text[place.end..]))
}

/// The text without the members named `name` of an object, and otherwise as it was.
pub(crate) fn without(text: &str, object: Range<usize>, name: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    let mut first = text[object.clone()].find('{').map_or(object.start, |brace| object.start + brace + 1);
    for member in named(text, object, name) {
        kept.push_str(text.get(at..member.after).unwrap_or_default());
        at = member.value.end;
        // Of a first member it is the comma behind it that goes with it.
        if member.after == first {
            let rest = text[at..].trim_start_matches([' ', '\t', '\n', '\r']);
            first = at;
            at = if rest.starts_with(',') { text.len() - rest.len() + 1 } else { at };
        }
    }
    kept.push_str(&text[at..]);
    kept
}

#[cfg(test)]
mod tests {
    use super::{Unset, set, without};

    #[test]
    fn members_are_left_out() {
        for (before, after) in [
            (r#"{"op":"a","expect":{"b":[1,{}]},"c":1e0}"#, r#"{"op":"a","c":1e0}"#),
            (r#" { "expect" : 1 , "op":"a" } "#, r#" { "op":"a" } "#),
            (r#"{"op":"a" , "expect":1}"#, r#"{"op":"a"}"#),
            (r#"{"expect":1}"#, "{}"),
            (r#"{"expect":1,"expect":2,"op":"a","exp\u0065ct":3}"#, r#"{"op":"a"}"#),
            (r#"{"op":{"expect":1}}"#, r#"{"op":{"expect":1}}"#),
            (r#"["expect",1]"#, r#"["expect",1]"#),
            (r#"{"expect":1"#, r#"{"expect":1"#),
        ] {
            assert_eq!(without(before, 0..before.len(), "expect"), after);
        }
    }

    fn set_hash(text: &str) -> Result<String, Unset> {
        set(text, 0..text.len(), "contentHash", "new", "siteId")
    }

    #[test]
    fn only_the_value_changes() {
        for (before, after) in [
            (r#"{"contentHash":"old"}"#, r#"{"contentHash":"new"}"#),
            (
                r#" { "content\u0048ash" : null , "b" : 1.0 } "#,
                r#" { "content\u0048ash" : "new" , "b" : 1.0 } "#,
            ),
            (
                r#"{"\ud800":[{"contentHash":1}],"contentHash":{}}"#,
                r#"{"\ud800":[{"contentHash":1}],"contentHash":"new"}"#,
            ),
        ] {
            assert_eq!(set_hash(before).as_deref(), Ok(after));
        }
    }

    #[test]
    fn an_absent_member_is_laid_out_like_its_neighbour() {
        for (before, after) in [
            (r#"{"siteId":"s"}"#, r#"{"siteId":"s","contentHash":"new"}"#),
            (r#"{ "siteId": "s", "b": 1 }"#, r#"{ "siteId": "s", "contentHash": "new", "b": 1 }"#),
            (
                "{\n  \"a\": \",\\\"\" ,\n  \"siteId\" : \"s:\"\n}",
                "{\n  \"a\": \",\\\"\" ,\n  \"siteId\" : \"s:\",\n  \"contentHash\" : \"new\"\n}",
            ),
        ] {
            assert_eq!(set_hash(before).as_deref(), Ok(after));
        }
    }

    #[test]
    fn what_is_unclear_is_left_alone() {
        assert_eq!(set_hash(r#"{"siteId":"s","contentHash":1,"contentHash":2}"#), Err(Unset::Repeated));
        for text in [r#"{"a":1}"#, "[]", "?", r#"{"siteId":1,"siteId":2}"#] {
            assert_eq!(set_hash(text), Err(Unset::NoPlace), "{text}");
        }
    }
}
