//! The Ask protocol: the rules of `docs/protocol/ask.md`, one by one.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use answerplane_protocol::ask::{
    AskArguments, AskBuffer, AskDiagnostic, AskMessage, AskMetric, AskReader, AskRecord, AskRequest, AskRole,
    BackendSite, EscalationEnvelope, LineTooLong,
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

/// One rule, however the record came about: its members in any order, and made from values.
#[test]
fn arguments_nest_alike_in_any_order_and_when_they_are_made() {
    for (depth, accepted) in [(125, true), (126, false), (127, false), (20_000, false)] {
        let args = format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
        let members = ["\"type\":\"tool\"", "\"id\":\"\"", "\"name\":\"\"", &format!("\"args\":{args}")];
        for first in 0..4 {
            let turned: Vec<&str> = members.iter().cycle().skip(first).take(4).copied().collect();
            let record = format!("{{{}}}", turned.join(","));
            assert_eq!(AskRecord::decode(&record).is_some(), accepted, "{depth} from {first}");
            // Too deep is an error even where a later member replaces it.
            let replaced = record.replace("]}", "],\"a\":1}");
            assert_eq!(AskRecord::decode(&replaced).is_some(), accepted, "{depth} from {first}, replaced");
        }
        let nested = (0..depth - 1).fold(json!([]), |inner, _| Value::Array(vec![inner]));
        let nested = Value::Object([("a".to_owned(), nested)].into_iter().collect());
        let made = AskArguments::new(&nested);
        // Dropping it would exhaust the stack.
        std::mem::forget(nested);
        assert_eq!(made.is_some(), accepted, "{depth}");
        if let Some(args) = made {
            let record = AskRecord::tool("".parse().unwrap(), "".parse().unwrap(), args);
            assert_eq!(AskBuffer::decode(&record.to_line().unwrap()).records, [record]);
        }
    }
}

/// A scalar lies as deep as it likes: only what holds others is a level.
#[test]
fn a_scalar_is_no_level() {
    let line = |depth: usize| {
        let args = format!("{{\"a\":{}1{}}}", "[".repeat(depth), "]".repeat(depth));
        [
            format!("{{\"type\":\"tool\",\"id\":\"\",\"name\":\"\",\"args\":{args}}}\n"),
            format!("{{\"args\":{args},\"type\":\"tool\",\"id\":\"\",\"name\":\"\"}}\n"),
        ]
        .map(|line| count(&line))
    };
    assert_eq!((line(125), line(126)), ([1, 1], [0, 0]));
}

#[test]
fn control_characters_in_names_and_lone_surrogates_are_inert() {
    for record in [
        "{\"type\":\"tool\",\"id\":\"\",\"name\":\"\",\"args\":{\"a\u{1}\":1}}",
        "{\"args\":{},\"type\":\"tool\",\"id\":\"\",\"na\u{0}me\":\"\"}",
        "{\"type\":\"text\",\"delta\":\"\\ud800\"}",
        "{\"type\":\"\\ud800\",\"delta\":\"a\"}",
        "{\"type\":\"tool\",\"id\":\"\",\"name\":\"\",\"args\":{\"\\ud800\":1}}",
    ] {
        assert_eq!((AskRecord::decode(record), count(&format!("{record}\n"))), (None, 0), "{record}");
    }
    assert!(
        AskRecord::decode("{\"type\":\"tool\",\"id\":\"\",\"name\":\"\",\"args\":{\"\\u0001\":1}}").is_some()
    );
}

#[test]
fn keys_of_arguments_are_bounded_at_the_outside() {
    assert!(AskArguments::new(&json!({ "k".repeat(128): 0 })).is_some());
    assert!(AskArguments::new(&json!({ "k".repeat(129): 0 })).is_none());
    assert!(AskArguments::new(&json!({ "a": { "k".repeat(1_000): 0 } })).is_some());
    assert!(AskArguments::new(&json!([])).is_none());
}

#[test]
fn texts_of_records_have_their_bounds() {
    let accepts = |record: &Value| AskRecord::decode(&record.to_string()).is_some();
    let text = |units: usize| "x".repeat(units);
    let tool =
        |id: usize, name: usize| json!({ "type": "tool", "id": text(id), "name": text(name), "args": {} });
    assert!(accepts(&tool(0, 0)) && accepts(&tool(256, 128)));
    assert!(!accepts(&tool(257, 0)) && !accepts(&tool(0, 129)));
    let done = |units: usize| json!({ "type": "done", "model": text(units) });
    assert!(accepts(&done(0)) && accepts(&done(256)) && !accepts(&done(257)));
    let error =
        |message: usize, code: &str| json!({ "type": "error", "message": text(message), "code": code });
    let code = |length: usize| format!("A{}", "0".repeat(length - 1));
    assert!(accepts(&error(1, &code(1))) && accepts(&error(4_096, &code(128))));
    assert!(!accepts(&error(0, "A")) && !accepts(&error(4_097, "A")) && !accepts(&error(1, &code(129))));
    for code in ["", "a", "0A", "_A", "A-B", "Aa"] {
        assert!(!accepts(&error(1, code)), "{code}");
    }
}

#[test]
fn suggestions_of_a_backend_site_have_their_bounds() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/version-1/backend-site.json");
    let site: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let accepts = |suggestions: Vec<String>| {
        let mut site = site.clone();
        site["assistant"]["suggestions"] = json!(suggestions);
        BackendSite::decode(site.to_string()).is_ok()
    };
    assert!(accepts(vec!["x".repeat(256)]) && !accepts(vec!["x".repeat(257)]));
    assert!(accepts(vec!["x".into(); 8]) && !accepts(vec!["x".into(); 9]) && !accepts(vec![" ".into()]));
}

#[test]
fn an_unfinished_line_of_exactly_1_mib_is_kept() {
    let line = "x".repeat(AskBuffer::MAX_LINE_BYTES);
    let decoded = AskBuffer::decode(&line);
    assert_eq!((decoded.rest.len(), decoded.discarded_partial), (line.len(), false));
    let padded = format!("{TEXT}{}", " ".repeat(AskBuffer::MAX_LINE_BYTES - TEXT.len()));
    assert!(read(&[padded.as_bytes()]).1.is_some());
    assert!(read(&[padded.as_bytes(), b" "]).1.is_none());
}

/// What an endless line costs is one line of the greatest length, and the room that a growing buffer takes.
#[test]
fn an_endless_line_takes_no_more_room() {
    let piece = vec![b'x'; 65_536];
    let mut records = 0;
    let cost = allocation_counter::measure(|| {
        let mut reader = AskReader::new();
        for _ in 0..512 {
            reader.push(&piece, |_| records += 1);
        }
        reader.push(b"\n", |_| records += 1);
        reader.push(TEXT.as_bytes(), |_| records += 1);
        reader.push(b"\n", |_| records += 1);
    });
    assert_eq!(records, 1);
    assert!(cost.bytes_max <= 3 * AskBuffer::MAX_LINE_BYTES as u64, "{} bytes", cost.bytes_max);
    assert!(cost.bytes_total <= 6 * AskBuffer::MAX_LINE_BYTES as u64, "{} bytes", cost.bytes_total);
}

#[test]
fn a_text_is_at_most_1048576_units() {
    let record = |length: usize| {
        AskRecord::decode(&json!({ "type": "text", "delta": "x".repeat(length) }).to_string())
    };
    assert!(record(0).is_some() && record(1_048_576).is_some() && record(1_048_577).is_none());
}

#[test]
fn any_cut_of_any_vector_reads_alike() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/conformance/ask_events.jsonl");
    // A cut is anywhere, and the same in every run.
    let mut random = 1_u64;
    let mut cut = |greatest: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % (greatest + 1)
    };
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let case: serde_json::Result<Value> = serde_json::from_str(line);
        // One expects what nests too deep to be read here.
        let Ok(case) = case else { continue };
        let buffer = case["buffer"].as_str().unwrap();
        let bytes = buffer.as_bytes();
        let whole = read(&[bytes]);
        if buffer.matches('\n').count() <= AskBuffer::MAX_LINES {
            assert_eq!(whole.0, AskBuffer::decode(buffer).records, "{line}");
        }
        let mut cuts: Vec<Vec<&[u8]>> = [1, 2, 3, 17, 1_021].map(|size| bytes.chunks(size).collect()).into();
        for _ in 0..4 {
            let mut rest = bytes;
            let mut pieces = Vec::new();
            while !rest.is_empty() {
                let (piece, behind) = rest.split_at(cut(rest.len().min(40_000)));
                pieces.push(piece);
                rest = behind;
            }
            cuts.push(pieces);
        }
        for pieces in cuts {
            // The last line is part of what is compared.
            assert!(read(&pieces) == whole, "{} pieces: {line:.200}", pieces.len());
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
        let line = AskRecord::from(*diagnostic).to_line().unwrap();
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
        let written: String = records.iter().map(|record| record.to_line().unwrap()).collect();
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

#[test]
fn a_line_that_nobody_reads_is_not_written() {
    let most = AskBuffer::MAX_LINE_BYTES - "{\"type\":\"text\",\"delta\":\"\"}".len();
    for (text, count) in [("a", most), ("\u{1}", most / 6), ("€", most / 3)] {
        let fits = AskRecord::text(text.repeat(count).parse().unwrap());
        let line = fits.to_line().unwrap();
        assert_eq!(AskBuffer::decode(&line).records, [fits]);
        let longer = AskRecord::text(text.repeat(count + 1).parse().unwrap());
        assert_eq!(longer.to_line(), Err(LineTooLong));
    }
}

#[test]
fn a_long_text_goes_in_records_that_are_read() {
    for text in ["", "short", &"\u{1}".repeat(100_000), &"a😀".repeat(20_000), &"€".repeat(600_000)] {
        let lines: String = AskRecord::texts(text).map(|record| record.to_line().unwrap()).collect();
        let mut read = String::new();
        let mut reader = AskReader::new();
        reader.push(lines.as_bytes(), |record| match record {
            AskRecord::Text(text) => {
                assert!((1..=16_384).contains(&text.delta().as_str().encode_utf16().count()));
                read.push_str(text.delta().as_str());
            }
            _ => panic!("only texts were sent"),
        });
        assert_eq!(read, text);
    }
}
