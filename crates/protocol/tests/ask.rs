//! The Ask protocol: the rules of `docs/protocol/ask.md`, one by one.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use answerplane_protocol::ask::{
    AskArguments, AskBuffer, AskDiagnostic, AskMessage, AskMetric, AskReader, AskRecord, AskRequest, AskRole,
    BackendSite, EscalationEnvelope,
};
use answerplane_protocol::{AnswerEnvelope, Escalation, EscalationReason, List};
use proptest::prelude::*;
use serde_json::{Value, json};

const TEXT: &str = "{\"type\":\"text\",\"delta\":\"a\"}";

fn read(pieces: &[&[u8]]) -> (Vec<AskRecord>, Option<AskRecord>) {
    let mut reader = AskReader::new();
    let mut records = Vec::new();
    pieces.iter().for_each(|piece| reader.push(piece, |record| records.push(record)));
    (records, reader.finish())
}

fn count(buffer: &str) -> usize {
    AskBuffer::decode(buffer).records.len()
}

#[test]
fn lines_are_cut_at_line_feeds_only_and_trimmed() {
    assert_eq!(count(&format!("\u{feff}\u{a0}{TEXT}\u{2028}\r\n")), 1);
    assert_eq!(count(&format!("{TEXT}\u{2028}{TEXT}\n")), 0);
    assert_eq!(count(&format!("{TEXT}\r{TEXT}\n")), 0);
}

#[test]
fn lines_that_are_no_record_are_inert() {
    let lines =
        ["", "  ", "garbage", "[]", "{\"type\":\"text\"}", "{\"type\":\"text\",\"delta\":\"a\",\"x\":1}"];
    assert_eq!(count(&format!("{}\n{TEXT}\n", lines.join("\n"))), 1);
}

#[test]
fn an_unfinished_line_is_kept() {
    let buffer = format!("{TEXT}\n  {{\"ty");
    assert_eq!(AskBuffer::decode(&buffer).rest, "  {\"ty");
    assert_eq!(AskBuffer::decode("").rest, "");
}

#[test]
fn lines_beyond_4096_of_a_buffer_are_dropped() {
    let blank = "\n".repeat(AskBuffer::MAX_LINES - 1);
    assert_eq!(count(&format!("{blank}{TEXT}\n")), 1);
    let buffer = format!("{blank}\n{TEXT}\nrest");
    let decoded = AskBuffer::decode(&buffer);
    assert_eq!((decoded.records.len(), decoded.rest, decoded.discarded_partial), (0, "rest", false));
    assert_eq!(read(&[buffer.as_bytes()]).0.len(), 1, "a stream has no budget");
}

#[test]
fn a_line_has_at_most_1_mib() {
    let padded = |bytes: usize| format!("{TEXT}{}\n", " ".repeat(bytes - TEXT.len()));
    assert_eq!(count(&padded(1_048_576)), 1);
    assert_eq!(count(&padded(1_048_577)), 0);
    assert_eq!(read(&[padded(1_048_576).as_bytes()]).0.len(), 1);
    for pieces in [1, 7, 4_096] {
        let long = padded(1_048_577) + TEXT + "\n";
        let pieces: Vec<&[u8]> = long.as_bytes().chunks(long.len() / pieces).collect();
        assert_eq!(read(&pieces).0.len(), 1, "the line behind it");
    }
}

#[test]
fn the_tail_of_an_oversized_line_never_becomes_a_record() {
    let long = "x".repeat(1_048_577);
    let decoded = AskBuffer::decode(&long);
    assert_eq!((decoded.rest, decoded.discarded_partial), ("", true));
    let (records, last) = read(&[long.as_bytes(), TEXT.as_bytes(), b"\n", TEXT.as_bytes()]);
    assert!(records.is_empty() && last.is_some());
    let (records, last) = read(&[long.as_bytes(), TEXT.as_bytes()]);
    assert!(records.is_empty() && last.is_none());
}

#[test]
fn arguments_nest_less_than_128_levels() {
    let line = |depth: usize| {
        let args = format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
        format!("{{\"type\":\"tool\",\"id\":\"\",\"name\":\"\",\"args\":{args}}}\n")
    };
    // The record, the arguments, the lists.
    assert_eq!(count(&line(125)), 1);
    assert_eq!(count(&line(126)), 0);
    assert_eq!(count(&line(100_000)), 0);
}

#[test]
fn keys_of_arguments_are_bounded_at_the_outside() {
    assert!(AskArguments::new(&json!({ "k".repeat(128): 0 })).is_some());
    assert!(AskArguments::new(&json!({ "k".repeat(129): 0 })).is_none());
    assert!(AskArguments::new(&json!({ "a": { "k".repeat(1_000): 0 } })).is_some());
    assert!(AskArguments::new(&json!([])).is_none());
}

#[test]
fn a_text_is_at_most_1048576_units() {
    let record = |length: usize| {
        serde_json::from_value::<AskRecord>(json!({ "type": "text", "delta": "x".repeat(length) }))
    };
    assert!(record(0).is_ok() && record(1_048_576).is_ok() && record(1_048_577).is_err());
}

#[test]
fn any_cut_of_any_vector_reads_alike() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/conformance/ask_events.jsonl");
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let case: serde_json::Result<Value> = serde_json::from_str(line);
        // One expects what nests too deep to be read here.
        let Ok(case) = case else { continue };
        let buffer = case["buffer"].as_str().unwrap();
        if buffer.matches('\n').count() > AskBuffer::MAX_LINES {
            continue;
        }
        let whole = AskBuffer::decode(buffer);
        let sizes =
            if buffer.len() < 5_000 { vec![1, 2, 3, 17, usize::MAX] } else { vec![1_021, usize::MAX] };
        for size in sizes {
            let pieces: Vec<&[u8]> = buffer.as_bytes().chunks(size).collect();
            assert_eq!(read(&pieces).0, whole.records, "{line}");
        }
    }
}

fn request() -> Value {
    json!({ "messages": [{ "role": "user", "content": "Where?" }, { "role": "assistant", "content": "" }] })
}

#[test]
fn a_request_is_strict_and_carries_no_authority() {
    assert_eq!(AskRequest::decode(request().to_string()).unwrap().question(), Some("Where?"));
    for name in ["siteId", "corpus", "tenant", "subject", "components", "actions", "x"] {
        let mut request = request();
        request[name] = json!("x");
        assert_eq!(AskRequest::decode(request.to_string()), Err(AskDiagnostic::InvalidRequest), "{name}");
    }
    let mut inside = request();
    inside["messages"][0]["name"] = json!("x");
    assert!(AskRequest::decode_value(&inside).is_err());
    for role in ["system", "tool"] {
        let mut request = request();
        request["messages"][0]["role"] = json!(role);
        assert!(AskRequest::decode_value(&request).is_err(), "{role}");
    }
}

#[test]
fn a_request_has_1_to_64_messages() {
    let with = |count: usize| {
        AskRequest::decode(
            json!({ "messages": vec![json!({ "role": "user", "content": "a" }); count] }).to_string(),
        )
        .is_ok()
    };
    assert!(!with(0) && with(1) && with(64) && !with(65));
}

#[test]
fn what_a_request_says_of_declared_answers_is_an_escalation() {
    let envelope = AnswerEnvelope::new("Where?", Escalation::new(EscalationReason::Miss));
    let escalation = EscalationEnvelope::new(envelope).unwrap();
    assert_eq!(escalation.escalation().unwrap().reason(), EscalationReason::Miss);
    let messages = List::one(AskMessage::new(AskRole::User, "Where?".parse().unwrap()));
    let made = AskRequest::new(Some("s-1".parse().unwrap()), messages, Some(escalation));
    assert_eq!(AskRequest::decode(json!(made).to_string()), Ok(made));
    let answer = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/schema/answer/valid/answer-local.json"),
    )
    .unwrap();
    assert_eq!(EscalationEnvelope::new(AnswerEnvelope::decode(answer).unwrap()), None);
}

#[test]
fn diagnostics_are_versioned_and_become_error_records() {
    for diagnostic in AskDiagnostic::ALL {
        let written = json!(diagnostic);
        assert_eq!(written["version"], json!(1));
        assert!(written["code"].as_str().unwrap().starts_with("ASK_"));
        let line = AskRecord::from(*diagnostic).to_line();
        let record: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(record["code"], written["code"]);
        assert_eq!(count(&line), 1);
    }
    let conflict = json!(AskDiagnostic::PersistenceConflict);
    assert_eq!(
        (&conflict["code"], &conflict["retryable"]),
        (&json!("ASK_PERSISTENCE_CONFLICT"), &json!(true))
    );
}

#[test]
fn hints_have_to_agree_with_the_site() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/version-1/backend-site.json");
    let site = BackendSite::decode(std::fs::read(file).unwrap()).unwrap();
    assert!(site.agrees_with(None, None) && site.agrees_with(Some("garden"), Some("gardener")));
    assert!(!site.agrees_with(Some("orchard"), None) && !site.agrees_with(None, Some("orchardist")));
}

#[test]
fn metrics_have_their_names() {
    assert_eq!(AskMetric::ALL.len(), 16);
    assert_eq!(AskMetric::FirstToken.as_str(), "stream.first_token_ms");
}

fn records() -> impl Strategy<Value = Vec<AskRecord>> {
    let record = prop_oneof![
        ".{0,40}".prop_map(|text| AskRecord::text(text.parse().unwrap())),
        (
            ".{0,9}",
            prop::collection::btree_map(
                ".{0,6}",
                any::<f32>().prop_filter("finite", |n| n.is_finite()),
                0..4
            )
        )
            .prop_map(|(name, args)| AskRecord::tool(
                name.parse().unwrap(),
                name.parse().unwrap(),
                AskArguments::new(&json!(args)).unwrap(),
            )),
        prop::option::of(".{0,9}")
            .prop_map(|model| AskRecord::done(model.map(|model| model.parse().unwrap()))),
        (".{1,9}", prop::option::of("[A-Z][A-Z0-9_]{0,9}"), any::<Option<bool>>()).prop_map(
            |(message, code, retryable)| {
                AskRecord::error(message.parse().unwrap(), code.map(|code| code.parse().unwrap()), retryable)
            }
        ),
    ];
    prop::collection::vec(record, 0..6)
}

proptest! {
    #[test]
    fn what_is_written_reads_back(records in records(), size in 1..50_usize) {
        let written: String = records.iter().map(AskRecord::to_line).collect();
        prop_assert_eq!(&AskBuffer::decode(&written).records, &records);
        prop_assert_eq!(read(&written.as_bytes().chunks(size).collect::<Vec<_>>()), (records, None));
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), size in 1..50_usize) {
        read(&bytes.chunks(size).collect::<Vec<_>>());
        let _ = AskRequest::decode(&bytes);
        let _ = BackendSite::decode(&bytes);
        let _ = AskBuffer::decode(&String::from_utf8_lossy(&bytes));
    }
}
