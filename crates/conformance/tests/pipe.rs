//! The pipe and the checker over input that is not what it should be.
#![allow(clippy::unwrap_used)]

use std::io::{BufReader, Cursor, Read};

use answerplane_conformance::{Deliberate, MAX_REQUEST_BYTES, check, respond, respond_if_known, serve};
use serde_json::{Value, json};

fn served(input: impl Read) -> Vec<String> {
    let mut output = Vec::new();
    serve(&mut BufReader::new(input), &mut output).unwrap();
    String::from_utf8(output).unwrap().lines().map(str::to_string).collect()
}

const BAD: &str = r#"{"error":"bad-request"}"#;

#[test]
fn every_line_gets_one_result_in_order() {
    let good = r#"{"op":"normalize","value":"A"}"#;
    let input = format!("\n{good}\r\nx\n{{}}\n\u{feff}{good}\n{good} {good}\n\u{2028}\n{good}");
    let result = r#"{"length":1,"output":"a"}"#;
    assert_eq!(served(Cursor::new(input)), [BAD, result, BAD, BAD, BAD, BAD, BAD, result]);
    assert_eq!(served(Cursor::new("")), Vec::<String>::new());
    assert_eq!(served(Cursor::new(b"\xff\n")), [BAD]);
}

#[test]
fn a_line_without_an_end_is_bounded() {
    let endless = std::io::repeat(b' ').take(2 * MAX_REQUEST_BYTES as u64);
    let then = Cursor::new("\n{\"op\":\"normalize\",\"value\":\"A\"}\n");
    assert_eq!(served(endless.chain(then)), [BAD, r#"{"length":1,"output":"a"}"#]);
    let exact = std::io::repeat(b' ').take(MAX_REQUEST_BYTES as u64);
    assert_eq!(served(exact.chain(Cursor::new("\n"))), [BAD]);
}

#[test]
fn a_request_is_read_strictly() {
    let refused = json!({ "error": "bad-request" });
    for request in [
        r#"{"op":7}"#,
        r#"{"op":"unknown"}"#,
        r#"{"op":"normalize"}"#,
        r#"{"op":"normalize","value":1}"#,
        r#"{"op":"normalize","value":"\ud800"}"#,
        "{\"op\":\"normalize\",\"value\":\"A\",\"x\ty\":0}",
        r#"{"op":"decodeArtifact","input":{},"options":"nonsense"}"#,
        r#"{"op":"decodeArtifact","input":{},"options":{"x":"\ud800"}}"#,
        r#"{"op":"resolve","artifact":null,"query":"x","nowMs":"0"}"#,
    ] {
        assert_eq!(respond(request.as_bytes()), refused, "{request}");
    }
    let unknown_name = respond(br#"{"op":"normalize","value":"A","\ud800":[[]]}"#);
    assert_eq!(unknown_name, json!({ "output": "a", "length": 1 }));
}

/// A context, a patch and an event are kept as they stand.
#[test]
fn no_key_of_a_context_or_an_event_means_anything() {
    let odd = r#"{"$serde_json::private::RawValue":"{\"x\":1}"}"#;
    let request = format!(
        r#"{{"op":"statechart","definition":{{"id":"m","version":"1","initial":"a","states":{{"a":{{"on":{{"GO":{{"target":"a"}}}}}}}}}},
        "context":{{"a":{odd}}},"instancePatch":{{"context":{{"b":{odd}}}}},"events":[{{"type":"GO","c":{odd}}}],"serialize":true}}"#
    )
    .replace('\n', "");
    let result = respond(request.as_bytes());
    let odd: Value = json!({ "$serde_json::private::RawValue": "{\"x\":1}" });
    assert_eq!(result["created"]["context"], json!({ "a": odd }), "{result}");
    assert_eq!(result["results"][0]["event"], json!({ "type": "GO", "c": odd }));
    assert_eq!(result["results"][0]["instance"]["context"], json!({ "b": odd }));
    assert_eq!(result["serialized"]["context"], json!({ "b": odd }));
}

#[test]
fn no_key_of_a_foreign_value_means_anything() {
    let inner = r#"{\"protocol\":\"p\",\"entries\":[]}"#;
    let request =
        format!(r#"{{"op":"canonicalize","artifact":{{"$serde_json::private::RawValue":"{inner}"}}}}"#);
    assert_eq!(respond(request.as_bytes()), json!({ "refused": true }));
    // A text in a text in a text, each of which such a key would have parsed, is only a text.
    let mut nested = String::from("0");
    for _ in 0..60 {
        let escaped = nested.replace('\\', "\\u005c").replace('"', "\\u0022");
        nested = format!(
            "{}{{\"$serde_json::private::RawValue\":\"{escaped}\"}}{}",
            "[".repeat(120),
            "]".repeat(120)
        );
    }
    let request = format!(r#"{{"op":"canonicalize","artifact":{nested}}}"#);
    assert_eq!(respond(request.as_bytes()), json!({ "refused": true }));
    let request = format!(r#"{{"op":"assess","record":{{"a":{}}}}}"#, "[".repeat(5_000));
    assert_eq!(respond(request.as_bytes()), json!({ "error": "bad-request" }));
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    assert_eq!(
        respond(format!(r#"{{"op":"assess","record":{deep}}}"#).as_bytes()),
        json!({ "refused": true })
    );
}

#[test]
fn a_line_that_is_no_vector_fails_the_check() {
    let good = r#"{"id":"n-1","op":"normalize","value":"A","expect":{"output":"a","length":1}}"#;
    let wrong = r#"{"id":7,"op":"normalize","value":"A","expect":{"output":"b","length":1}}"#;
    for (line, failed, not_run) in [
        (wrong, 1, 0),
        (&good[..40], 1, 0),
        ("hello", 1, 0),
        (r#"{"op":"normalize","value":"A"}"#, 1, 0),
        (r#"{"value":"A","expect":1}"#, 1, 0),
        (r#"{"op":"normalise","value":"A","expect":{}}"#, 0, 1),
        (r#"{"op":"normalize","value":"A","expect":null}"#, 1, 0),
    ] {
        let file = format!("{good}\n{line}\n\n");
        let report = check(file.as_bytes(), &Deliberate::new(), respond_if_known);
        assert_eq!((report.passed, report.failed.len(), report.not_run), (1, failed, not_run), "{line}");
        assert_eq!(report.is_good(), failed == 0);
    }
    let deliberate = Deliberate::from([("7".to_string(), "on purpose".to_string())]);
    let report = check(wrong.as_bytes(), &deliberate, respond_if_known);
    assert!(report.is_good() && report.deliberate.len() == 1);
}

#[test]
fn results_compare_as_values() {
    let line = r#"{"op":"normalize","value":"A","expect":{"length":1.0e0,"output":"\u0061"}}"#;
    assert!(check(line.as_bytes(), &Deliberate::new(), respond_if_known).is_good());
    let silent = check(line.as_bytes(), &Deliberate::new(), |_| Some(Value::Null));
    assert_eq!(silent.failed.len(), 1);
    assert!(!check(b"", &Deliberate::new(), respond_if_known).is_good());
}
