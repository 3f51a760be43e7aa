//! Reading whole documents: what is refused, why, and in which order.
#![allow(clippy::unwrap_used)]

use answerplane_protocol::{AnswerEnvelope, Artifact, ArtifactContent, DeterministicDiagnostic, SiteConfig};
use proptest::prelude::*;
use serde_json::{Value, json};

use DeterministicDiagnostic::{Invalid, LimitExceeded, NotJson, UnsupportedVersion};

const HASH: &str = "sha256:7777777777777777777777777777777777777777777777777777777777777777";

fn site() -> String {
    format!(
        r#"{{"protocol":"agentskit.chat.site","version":1,"siteId":"garden","artifact":{{"href":"/a.json","contentHash":"{HASH}"}},"fallback":{{"mode":"backend"}}}}"#
    )
}

fn entry(id: &str, values: &[&str]) -> Value {
    json!({
        "id": id,
        "kind": "document",
        "label": format!("Label of {id}"),
        "match": { "type": "exact", "values": values },
        "answer": { "markdown": "Text.", "citations": [{ "id": "c", "title": "T", "href": "/c" }] },
    })
}

fn artifact(entries: &[Value]) -> Value {
    json!({
        "protocol": "agentskit.chat.knowledge",
        "version": 1,
        "artifactId": "a",
        "siteId": "garden",
        "contentHash": HASH,
        "generatedAt": "2026-01-01T00:00:00Z",
        "entries": entries,
    })
}

fn escalation() -> Value {
    json!({
        "protocol": "agentskit.chat.answer",
        "version": 1,
        "outcome": "escalation",
        "query": "Where?",
        "normalizedQuery": "where?",
        "message": "Nobody knows.",
        "reason": "miss",
        "confidence": { "level": "low", "basis": "miss" },
    })
}

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T, DeterministicDiagnostic>, why: DeterministicDiagnostic) {
    assert_eq!(result.unwrap_err(), why);
}

#[test]
fn repeated_declared_names_are_refused() {
    for (from, to) in [
        (r#""siteId":"garden""#, r#""siteId":"garden","siteId":"garden""#),
        (r#""siteId":"garden""#, r#""siteId":"garden","site\u0049d":"garden""#),
        (r#""href":"/a.json""#, r#""href":"/a.json","href":"/b.json""#),
        (r#""mode":"backend""#, r#""mode":"backend","mode":"backend""#),
        (r#""version":1"#, r#""version":1,"version":2"#),
        (r#""version":1"#, r#""protocol":"agentskit.chat.site","version":2"#),
    ] {
        refused(SiteConfig::decode(site().replace(from, to)), Invalid);
    }
    let answer = escalation().to_string();
    refused(AnswerEnvelope::decode(answer.replace(r#""query""#, r#""reason":"miss","query""#)), Invalid);
    let entries = artifact(&[entry("e", &["x"])]).to_string();
    for name in ["id", "values", "markdown", "title", "entries"] {
        let twice = entries.replacen(&format!("\"{name}\":"), &format!("\"{name}\":null,\"{name}\":"), 1);
        refused(Artifact::decode(twice), Invalid);
    }
}

#[test]
fn an_unsupported_version_is_reported_before_a_repeated_name() {
    let text = site().replace(r#""version":1"#, r#""version":2,"siteId":"garden""#);
    refused(SiteConfig::decode(text), UnsupportedVersion);
}

#[test]
fn unknown_names_may_repeat_and_hold_anything_that_is_json() {
    let deep = format!("{}0{}", "[".repeat(4_000), "]".repeat(4_000));
    for unknown in [
        r#""x":1,"x":2,"#.to_string(),
        r#""\ud800":"\udfff","#.to_string(),
        r#""x":1e999,"y":-0.00,"z":"\ud800","#.to_string(),
        r#""":{"siteId":null,"siteId":null},"#.to_string(),
        format!(r#""x":{deep},"#),
    ] {
        let text = site().replacen('{', &format!("{{{unknown}"), 1);
        assert_eq!(SiteConfig::decode(&text).unwrap(), SiteConfig::decode(site()).unwrap());
        let inner = site().replace(r#""mode":"#, &format!(r#"{unknown}"mode":"#));
        assert!(SiteConfig::decode(inner).is_ok());
    }
}

#[test]
fn unknown_fields_are_checked_for_grammar() {
    for unknown in
        [r#""x":01,"#, r#""x":"\q","#, r#""x":[1,],"#, r#""x":{"y"},"#, r#""x":+1,"#, r#""x":nul,"#]
    {
        refused(SiteConfig::decode(site().replacen('{', &format!("{{{unknown}"), 1)), NotJson);
    }
}

#[test]
fn control_characters_in_names_are_not_json_unless_escaped() {
    for control in ["\n", "\t", "\0", "\u{1f}"] {
        for unknown in [format!("\"x{control}y\":0,"), format!("\"\\u0041{control}\":0,")] {
            refused(SiteConfig::decode(site().replacen('{', &format!("{{{unknown}"), 1)), NotJson);
            refused(SiteConfig::decode(site().replace("\"mode\":", &format!("{unknown}\"mode\":"))), NotJson);
            let answer = escalation().to_string();
            refused(AnswerEnvelope::decode(answer.replacen('{', &format!("{{{unknown}"), 1)), NotJson);
            let artifact = artifact(&[entry("e", &["x"])]).to_string();
            refused(
                ArtifactContent::decode(artifact.replace("\"id\":", &format!("{unknown}\"id\":"))),
                NotJson,
            );
            refused(
                Artifact::decode_embedded(&artifact.replace("\"id\":", &format!("{unknown}\"id\":"))),
                NotJson,
            );
        }
    }
    for escaped in [r#""x\ny":0,"#, r#""\u0000":0,"#, r#""\t\u001f":0,"#] {
        assert!(SiteConfig::decode(site().replacen('{', &format!("{{\n{escaped}"), 1)).is_ok());
    }
}

#[test]
fn a_lone_surrogate_is_reported_whichever_variant_meets_it() {
    let local = r#"{"protocol":"agentskit.chat.answer","version":1,"query":"q","normalizedQuery":"q","provenance":{"source":"local","artifactId":"a","contentHash":"HASH","entryIds":["e"]},"confidence":{"level":"high","basis":"exact"},"answer":{"markdown":"M","citations":[]},"outcome":"answer"}"#;
    let local = local.replace("HASH", HASH);
    assert!(AnswerEnvelope::decode(&local).is_ok());
    for place in ["\"M\"", "[\"e\"]", "\"a\",", "\"q\","] {
        let surrogate = place.replace(char::is_alphabetic, r"\ud800");
        refused(AnswerEnvelope::decode(local.replacen(place, &surrogate, 1)), NotJson);
        let outcome_first =
            local.replace(r#","outcome":"answer""#, "").replacen('{', r#"{"outcome":"answer","#, 1);
        refused(AnswerEnvelope::decode(outcome_first.replacen(place, &surrogate, 1)), NotJson);
    }
}

#[test]
fn lone_surrogates_are_not_json_where_a_text_is_needed() {
    for escape in [r"\ud800", r"\udfff", r"\ud800x", r"\ud800\u0041"] {
        refused(SiteConfig::decode(site().replace("/a.json", &format!("/{escape}"))), NotJson);
        let answer = escalation().to_string();
        refused(AnswerEnvelope::decode(answer.replace("Nobody", escape)), NotJson);
        // What an outcome does not name is not needed.
        let extra = answer.replace(r#""query""#, &format!(r#""suggestions":["{escape}"],"query""#));
        assert!(AnswerEnvelope::decode(extra).is_ok());
    }
    assert!(SiteConfig::decode(site().replace("/a.json", r"/\ud83d\ude80")).is_ok());
}

#[test]
fn a_value_of_the_wrong_type_is_invalid_however_large_or_deep() {
    let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
    for value in ["1e999", "-1E+400", "{}", "[]", "true", "null", "[[[0]]]", &deep] {
        refused(SiteConfig::decode(site().replace(r#""garden""#, value)), Invalid);
    }
    for value in ["[]", "null", "1e999", r#""x""#, r#"["/a.json",0]"#] {
        refused(SiteConfig::decode(site().replace(r#"{"mode":"backend"}"#, value)), Invalid);
    }
}

#[test]
fn a_list_never_stands_for_an_object() {
    let list = format!(r#"["agentskit.chat.site",1,"garden",["/a.json","{HASH}"],["backend"]]"#);
    refused(SiteConfig::decode(list), Invalid);
    refused(SiteConfig::decode(site().replace(r#"{"mode":"backend"}"#, r#"["backend"]"#)), Invalid);
}

#[test]
fn null_is_never_an_absent_field() {
    let mut value = artifact(&[]);
    value["expiresAt"] = Value::Null;
    refused(Artifact::decode_value(&value), Invalid);
    let mut value = escalation();
    value["candidateEntryIds"] = Value::Null;
    refused(AnswerEnvelope::decode(value.to_string()), Invalid);
}

#[test]
fn the_version_is_compared_as_a_number() {
    let with =
        |token: &str| SiteConfig::decode(site().replace(r#""version":1"#, &format!(r#""version":{token}"#)));
    for token in ["1.0", "1e0", "10E-1", "0.1e+1", "1.0000000000000001", "0.99999999999999999"] {
        assert!(with(token).is_ok(), "{token}");
    }
    for token in
        ["0", "-1", "2", "1.5", "1e400", "-1e400", "1e-400", "0.9999999999999999", "9007199254740993"]
    {
        refused(with(token), UnsupportedVersion);
    }
    for token in [r#""1""#, "true", "null", "[1]", r#"{"$serde_json::private::RawValue":"1"}"#] {
        refused(with(token), Invalid);
    }
    let foreign = site().replace("chat.site", "chat.sites").replace(r#""version":1"#, r#""version":1e400"#);
    refused(SiteConfig::decode(foreign), Invalid);
}

#[test]
fn the_checks_of_a_text_come_in_order() {
    let mut padded = site();
    padded.push_str(&" ".repeat(SiteConfig::MAX_TEXT_BYTES - padded.len()));
    assert!(SiteConfig::decode(&padded).is_ok());
    padded.push(' ');
    refused(SiteConfig::decode(&padded), LimitExceeded);
    refused(SiteConfig::decode("{".repeat(SiteConfig::MAX_TEXT_BYTES + 1)), LimitExceeded);
    refused(SiteConfig::decode(site().replace(r#""version":1"#, r#""version":2,"#)), NotJson);
    refused(
        SiteConfig::decode(site().replace(r#""version":1"#, r#""version":2"#).replace("garden", "??")),
        UnsupportedVersion,
    );
    for text in ["", " ", "\u{feff}{}", "{}{}", "{} x", "\u{a0}{}", "'a'", "{a:1}"] {
        refused(SiteConfig::decode(text), NotJson);
    }
    for text in ["{}", "null", "[]", "0", "\"{}\""] {
        refused(SiteConfig::decode(text), Invalid);
    }
    refused(SiteConfig::decode(b"{\"siteId\":\"\xff\"}"), NotJson);
}

#[test]
fn an_embedded_text_and_a_value_have_the_size_of_the_accepted_value() {
    // Unknown fields count in a text of its own and nowhere else.
    let mut value = artifact(&[entry("e", &["x"])]);
    value["more"] = json!("y".repeat(Artifact::MAX_TEXT_BYTES));
    refused(Artifact::decode(value.to_string()), LimitExceeded);
    assert!(Artifact::decode_value(&value).is_ok());
    assert!(Artifact::decode_embedded(&value.to_string()).is_ok());

    let large: Vec<Value> = (0..40)
        .map(|number| {
            let mut entry = entry(&format!("e{number}"), &[&format!("x{number}")]);
            entry["answer"]["markdown"] = json!("ä".repeat(8_000));
            entry
        })
        .collect();
    let value = artifact(&large);
    refused(Artifact::decode_value(&value), LimitExceeded);
    refused(Artifact::decode_embedded(&value.to_string()), LimitExceeded);
    assert!(Artifact::decode_value(&artifact(&large[..30])).is_ok());
    // What no reader would accept has no hash either.
    refused(ArtifactContent::decode_value(&value), LimitExceeded);
    assert!(ArtifactContent::decode_value(&artifact(&large[..30])).is_ok());
}

#[test]
fn the_rules_across_entries_hold() {
    let read = |entries: &[Value]| Artifact::decode_value(&artifact(entries));
    assert!(read(&[]).is_ok());
    assert!(read(&[entry("a", &["one", "shared"]), entry("b", &["two", "Shared "])]).is_ok());
    refused(read(&[entry("a", &["one"]), entry("a", &["two"])]), Invalid);
    refused(read(&[entry("a", &["one", "ONE"])]), Invalid);
    refused(read(&[entry("a", &["one"]), entry("b", &["one"])]), Invalid);
    refused(read(&[entry("a", &["one", "two"]), entry("b", &["two"])]), Invalid);
    let many: Vec<Value> =
        (0..1_025).map(|number| entry(&format!("e{number}"), &[&format!("x{number}")])).collect();
    assert!(read(&many[..1_024]).is_ok());
    refused(read(&many), Invalid);
    // Two UTF-16 units each, and four in the key.
    refused(read(&[entry("a", &[&"㌀".repeat(130)])]), Invalid);
}

#[test]
fn an_artifact_expires_after_it_was_made() {
    let with = |expires: &str| {
        let mut value = artifact(&[]);
        value["expiresAt"] = json!(expires);
        Artifact::decode_value(&value)
    };
    assert!(with("2026-01-01T00:00:00.001Z").is_ok());
    refused(with("2026-01-01T00:00:00.0009Z"), Invalid);
    refused(with("2026-01-01T00:00:00Z"), Invalid);
    refused(with("2025-12-31T23:59:59Z"), Invalid);
}

#[test]
fn a_producer_reads_without_a_hash() {
    let mut value = artifact(&[entry("e", &["x"])]);
    for hash in [json!("garbage"), Value::Null, json!([[]])] {
        value["contentHash"] = hash;
        assert!(ArtifactContent::decode_value(&value).is_ok());
        refused(Artifact::decode_value(&value), Invalid);
    }
    let text = value.to_string().replacen('{', r#"{"contentHash":0,"contentHash":1,"#, 1);
    assert!(ArtifactContent::decode(text).is_ok());
}

#[test]
fn an_answer_reads_what_its_outcome_names_and_nothing_else() {
    for name in ["answer", "suggestions", "provenance"] {
        let mut value = escalation();
        value[name] = json!({ "malformed": true });
        assert!(AnswerEnvelope::decode_value(&value).is_ok(), "{name}");
    }
    for (name, wrong) in [
        ("outcome", json!("other")),
        ("reason", json!("unknown")),
        ("message", json!("")),
        ("query", json!("x".repeat(513))),
        ("normalizedQuery", json!("Where?")),
        ("confidence", json!({ "level": "low", "basis": "stale" })),
        ("confidence", json!({ "level": "high", "basis": "miss" })),
        ("candidateEntryIds", json!(["a", "b", "c", "d", "e", "f", "g", "h", "i"])),
    ] {
        let mut value = escalation();
        value[name] = wrong;
        refused(AnswerEnvelope::decode_value(&value), Invalid);
        refused(AnswerEnvelope::decode(value.to_string()), Invalid);
    }
}

#[test]
fn an_envelope_survives_its_own_text() {
    for name in ["answer.jsonl", "resolve.jsonl"] {
        let path =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/conformance").join(name);
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            let value = if case["expect"]["ok"] == true {
                &case["expect"]["value"]
            } else {
                &case["expect"]["response"]
            };
            if value.is_null() {
                continue;
            }
            let envelope = AnswerEnvelope::decode_value(value).unwrap();
            assert_eq!(serde_json::to_value(&envelope).unwrap(), *value);
            assert_eq!(AnswerEnvelope::decode(serde_json::to_string(&envelope).unwrap()).unwrap(), envelope);
        }
    }
}

/// So many cases, or as many as a long run asks for.
fn cases(usual: u32) -> u32 {
    std::env::var("ANSWERPLANE_CASES").map_or(usual, |cases| cases.parse().unwrap())
}

/// JSON that is often nearly a document of ours.
fn mangled() -> impl Strategy<Value = String> {
    let whole = prop_oneof![
        Just(site()),
        Just(artifact(&[entry("a", &["one", "shared"]), entry("b", &["two", "shared"])]).to_string()),
        Just(escalation().to_string()),
    ];
    let piece = proptest::sample::select(vec![
        "", "\"", "{", "}", "[", "]", ":", ",", "null", "1e999", "\\ud800", "\\u0000", "protocol", "version",
        "\u{feff}", "😀", "-",
    ]);
    (whole, proptest::collection::vec((any::<proptest::sample::Index>(), 0usize..6, piece), 0..4)).prop_map(
        |(mut text, edits)| {
            for (place, length, piece) in edits {
                let start =
                    (0..=place.index(text.len() + 1)).rev().find(|at| text.is_char_boundary(*at)).unwrap();
                let end = (start..=text.len())
                    .find(|at| *at >= start + length && text.is_char_boundary(*at))
                    .unwrap_or(text.len());
                text.replace_range(start..end, piece);
            }
            text
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(4_000)))]

    /// A text and its parsed value read alike, but for what a parsed value no longer shows.
    #[test]
    fn text_and_value_agree(text in mangled()) {
        let by_text = (SiteConfig::decode(&text).is_ok(), Artifact::decode(&text).is_ok(), AnswerEnvelope::decode(&text).is_ok());
        if let Ok(value) = serde_json::from_str::<Value>(&text) {
            let by_value = (SiteConfig::decode_value(&value).is_ok(), Artifact::decode_value(&value).is_ok(), AnswerEnvelope::decode_value(&value).is_ok());
            prop_assert!(by_value.0 >= by_text.0 && by_value.1 >= by_text.1 && by_value.2 >= by_text.2);
            if value.to_string().len() == text.len() {
                prop_assert_eq!(by_value, by_text);
            }
        } else if text.len() < SiteConfig::MAX_TEXT_BYTES {
            let known = [NotJson, Invalid, UnsupportedVersion];
            prop_assert!(SiteConfig::decode(&text).is_err_and(|why| known.contains(&why)) || by_text.0);
        }
    }

    #[test]
    fn any_bytes_are_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = SiteConfig::decode(&bytes);
        let _ = Artifact::decode(&bytes);
        let _ = ArtifactContent::decode(&bytes);
        let _ = AnswerEnvelope::decode(&bytes);
    }
}
