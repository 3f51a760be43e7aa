//! Ordered content: the rules of `docs/protocol/content.md`, one by one.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use answerplane_protocol::{
    ComponentFallback, Content, ContentDiagnostic, ContentEncoder, ContentPart, ContentReader, Props,
    RenderFrame,
};
use proptest::prelude::*;
use serde_json::{Value, json};

const HEADER: &str = "\u{1e}agentskit.chat.content/1\n";

fn record(text: &str) -> String {
    format!("{}\n", json!({ "kind": "text", "text": text }))
}

fn text(text: &str) -> ContentPart {
    ContentPart::text(text).unwrap()
}

fn refused(content: &str) -> ContentDiagnostic {
    Content::decode(content).unwrap_err()
}

/// Reads pieces; all parts, and what came of it.
fn read(pieces: &[&[u8]]) -> (Vec<ContentPart>, Result<bool, ContentDiagnostic>) {
    let mut reader = ContentReader::new();
    let mut parts = Vec::new();
    for piece in pieces {
        if let Err(refused) = reader.push(piece, |part| parts.push(part)) {
            return (parts, Err(refused));
        }
    }
    (parts, Ok(reader.is_complete()))
}

#[test]
fn only_what_begins_with_the_separator_is_ordered() {
    assert!(Content::is_ordered("\u{1e}"));
    assert!(!Content::is_ordered("Hello"));
    assert_eq!(refused("Hello"), ContentDiagnostic::InvalidHeader);
    assert_eq!(refused(""), ContentDiagnostic::InvalidHeader);
}

#[test]
fn every_prefix_of_the_header_is_incomplete() {
    for end in 1..=HEADER.len() {
        let content = Content::decode(&HEADER[..end]).unwrap();
        assert_eq!((content.parts(), content.is_complete()), (&[][..], false), "{end}");
    }
}

#[test]
fn another_version_is_unsupported_whatever_its_size() {
    let version = "\u{1e}agentskit.chat.content/2";
    assert_eq!(refused(version), ContentDiagnostic::UnsupportedVersion);
    let long = format!("{version}{}", "x".repeat(Content::MAX_BYTES));
    assert_eq!(refused(&long), ContentDiagnostic::UnsupportedVersion);
    assert_eq!(read(&[long.as_bytes()]).1, Err(ContentDiagnostic::UnsupportedVersion));
}

#[test]
fn a_part_needs_its_line_feed() {
    let whole = format!("{HEADER}{}", record("a"));
    let content = Content::decode(&whole).unwrap();
    assert_eq!((content.parts(), content.is_complete()), (&[text("a")][..], true));
    let unfinished = Content::decode(&whole[..whole.len() - 1]).unwrap();
    assert_eq!((unfinished.parts().len(), unfinished.is_complete()), (0, false));
    let begun = Content::decode(&format!("{whole}no record")).unwrap();
    assert_eq!((begun.parts().len(), begun.is_complete()), (1, false));
}

#[test]
fn bytes_are_counted_with_the_unfinished_line() {
    let at_limit = format!("{HEADER}{}", "x".repeat(Content::MAX_BYTES - HEADER.len()));
    assert!(Content::decode(&at_limit).is_ok());
    assert_eq!(read(&[at_limit.as_bytes()]).1, Ok(false));
    assert_eq!(refused(&format!("{at_limit}x")), ContentDiagnostic::TooManyBytes);
    assert_eq!(read(&[at_limit.as_bytes(), b"x"]).1, Err(ContentDiagnostic::TooManyBytes));
}

#[test]
fn the_size_comes_before_the_records_and_those_before_each() {
    let empty_lines = format!("{HEADER}{}", "\n".repeat(513));
    assert_eq!(refused(&empty_lines), ContentDiagnostic::TooManyRecords);
    assert_eq!(refused(&empty_lines[..empty_lines.len() - 1]), ContentDiagnostic::InvalidRecord);
    let large = format!("{empty_lines}{}", "x".repeat(Content::MAX_BYTES));
    assert_eq!(refused(&large), ContentDiagnostic::TooManyBytes);
}

#[test]
fn a_513th_record_is_too_many() {
    let full = format!("{HEADER}{}", record("x").repeat(Content::MAX_RECORDS));
    assert_eq!(Content::decode(&full).unwrap().parts().len(), Content::MAX_RECORDS);
    let more = format!("{full}{}", record("x"));
    assert_eq!(refused(&more), ContentDiagnostic::TooManyRecords);
    let (parts, end) = read(&[more.as_bytes()]);
    assert_eq!((parts.len(), end), (Content::MAX_RECORDS, Err(ContentDiagnostic::TooManyRecords)));
}

#[test]
fn records_that_are_none_are_refused() {
    for line in ["", "null", "[]", "{}", r#"{"kind":"text","text":""}"#, r#"{"kind":"html","text":"x"}"#] {
        assert_eq!(refused(&format!("{HEADER}{line}\n")), ContentDiagnostic::InvalidRecord, "{line}");
    }
    let repeated = format!("{HEADER}{{\"kind\":\"text\",\"text\":\"x\",\"text\":\"y\"}}\n");
    assert_eq!(refused(&repeated), ContentDiagnostic::InvalidRecord);
}

#[test]
fn texts_are_1_to_16384_units() {
    assert!(ContentPart::text("").is_err());
    assert!(ContentPart::text(&"🚀".repeat(8_192)).is_ok());
    assert!(ContentPart::text(&"🚀".repeat(8_193)).is_err());
}

#[test]
fn text_cannot_forge_a_record() {
    let forged = format!("a\n{HEADER}{}", record("forged"));
    let written = ContentEncoder::encode_all(&[text(&forged)]);
    assert_eq!(Content::decode(&written).unwrap().parts(), [text(&forged)]);
}

#[test]
fn an_endless_line_ends_in_an_error() {
    let mut reader = ContentReader::new();
    reader.push(HEADER.as_bytes(), |_| ()).unwrap();
    let piece = [b'x'; 4_096];
    let taken = (0..1_000).take_while(|_| reader.push(&piece, |_| ()).is_ok()).count();
    assert_eq!(taken, (Content::MAX_BYTES - HEADER.len()) / 4_096);
    assert_eq!(reader.push(b"", |_| ()), Err(ContentDiagnostic::TooManyBytes));
}

#[test]
fn bytes_that_are_no_text_are_no_record() {
    let (_, end) = read(&[HEADER.as_bytes(), b"{\"kind\":\"text\",\"text\":\"x\",\"y\":\"\xff\"}\n"]);
    assert_eq!(end, Err(ContentDiagnostic::InvalidRecord));
}

/// JSON allows them as white space between tokens only, and the line feed ends a record.
#[test]
fn control_characters_in_names_are_no_record() {
    let content = |name: &str| format!("{HEADER}{{\"kind\":\"text\",\"text\":\"a\",\"{name}\":1}}\n");
    for name in ["x\u{1}y", "\u{0}", "\t", "\r"] {
        assert_eq!(refused(&content(name)), ContentDiagnostic::InvalidRecord, "{name:?}");
        let (parts, end) = read(&[content(name).as_bytes()]);
        assert_eq!((parts.len(), end), (0, Err(ContentDiagnostic::InvalidRecord)), "{name:?}");
    }
    assert!(Content::decode(&content("x\\u0001y")).is_ok(), "an escape");
}

#[test]
fn white_space_of_json_may_stand_around_and_in_a_record() {
    let content = |line: &str| Content::decode(&format!("{HEADER}{line}\n")).map(Content::into_parts);
    assert_eq!(content(" \t{\"kind\":\r\"text\", \"text\":\"a\"}\t\r"), Ok(vec![text("a")]));
    assert_eq!(content("{\"kind\":\"text\",\"text\":\"a\u{2028}b\"}"), Ok(vec![text("a\u{2028}b")]));
    for other in ["\u{2028}", "\u{a0}", "\u{feff}", "\u{b}"] {
        let line = format!("{other}{{\"kind\":\"text\",\"text\":\"a\"}}");
        assert_eq!(content(&line), Err(ContentDiagnostic::InvalidRecord), "{other:?}");
    }
    assert_eq!(content("{\"kind\":\"text\",\"text\":\"a\rb\"}"), Err(ContentDiagnostic::InvalidRecord));
}

#[test]
fn lone_surrogates_are_no_record_where_they_count() {
    let content =
        |line: &str| Content::decode(&format!("{HEADER}{line}\n")).map(|content| content.parts().len());
    for line in [
        r#"{"kind":"text","text":"\ud800"}"#,
        r#"{"text":"\udc00","kind":"text"}"#,
        r#"{"kind":"\ud800","text":"a"}"#,
    ] {
        assert_eq!(content(line), Err(ContentDiagnostic::InvalidRecord), "{line}");
    }
    assert_eq!(content(r#"{"kind":"text","text":"a","\ud800":"\ud800"}"#), Ok(1), "an unknown field");
}

/// A refused part never becomes a `ContentPart`, so an encoder does not know of it.
#[test]
fn behind_a_refused_part_the_next_is_written_as_if_it_had_not_been_there() {
    let mut encoder = ContentEncoder::new();
    let parts =
        [ContentPart::text(""), ContentPart::text("a"), ContentPart::text(""), ContentPart::text("b")];
    let written: String = parts.iter().flatten().map(|part| encoder.encode(part)).collect();
    assert_eq!(written, format!("{HEADER}{}{}", record("a"), record("b")));
}

/// What a piece holds beyond the limit does not keep what was finished before it from being handed over.
#[test]
fn parts_before_a_limit_are_handed_over_whatever_the_cut() {
    let good = format!("{HEADER}{}{}", record("a"), record("b"));
    let too_long = format!("{good}{}", "x".repeat(Content::MAX_BYTES));
    let bad_first = format!("{good}no record\n{}", "x".repeat(Content::MAX_BYTES));
    let at_limit = format!("{good}{}\n", "x".repeat(Content::MAX_BYTES - good.len()));
    for (content, reason) in [
        (too_long, ContentDiagnostic::TooManyBytes),
        (bad_first, ContentDiagnostic::InvalidRecord),
        (at_limit, ContentDiagnostic::TooManyBytes),
    ] {
        for size in [1, 2, 7, 4_096, good.len(), Content::MAX_BYTES, usize::MAX] {
            let pieces: Vec<&[u8]> = content.as_bytes().chunks(size).collect();
            assert_eq!(read(&pieces), (vec![text("a"), text("b")], Err(reason)), "pieces of {size}");
        }
    }
}

#[test]
fn any_cut_of_any_vector_reads_alike() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let vectors = std::fs::read_to_string(fixtures.join("conformance/content_decode.jsonl")).unwrap();
    let cases = vectors.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["input"].clone());
    let whole = std::fs::read_to_string(fixtures.join("version-1/content.txt")).unwrap();
    // A cut is anywhere, and the same in every run.
    let mut random = 1_u64;
    let mut cut = |greatest: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % (greatest + 1)
    };
    for case in cases.chain([json!(whole)]) {
        let Some(content) = case.as_str().filter(|content| !content.is_empty()) else { continue };
        let bytes = content.as_bytes();
        let expected = read(&[bytes]);
        match Content::decode(content) {
            Ok(content) => assert_eq!(expected, (content.parts().to_vec(), Ok(content.is_complete()))),
            // What is still to come is not known: the first bad line is reported.
            Err(_) => assert!(expected.1.is_err(), "{content:.200}"),
        }
        let mut cuts: Vec<Vec<&[u8]>> = [1, 2, 3, 97].map(|size| bytes.chunks(size).collect()).into();
        for _ in 0..8 {
            let mut rest = bytes;
            let mut pieces = Vec::new();
            while !rest.is_empty() {
                let (piece, behind) = rest.split_at(cut(rest.len().min(20_000)));
                pieces.push(piece);
                rest = behind;
            }
            cuts.push(pieces);
        }
        for pieces in cuts {
            // The parts that were handed over, and the refusal.
            assert!(read(&pieces) == expected, "{} pieces: {content:.200}", pieces.len());
        }
    }
}

fn parts() -> impl Strategy<Value = Vec<ContentPart>> {
    let value = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    let props = value.prop_recursive(4, 40, 5, |value| {
        prop_oneof![
            prop::collection::vec(value.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(".{0,6}", value, 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    });
    let part = prop_oneof![
        ".{1,40}".prop_map(|words| text(&words)),
        (props, "[a-z][a-z0-9-]{0,9}", ".{1,20}").prop_map(|(props, key, summary)| {
            ContentPart::component(RenderFrame::new(
                key.parse().unwrap(),
                "card-1".parse().unwrap(),
                Props::new(&props).unwrap(),
                ComponentFallback::new(key.parse().unwrap(), summary.parse().unwrap()),
            ))
        }),
    ];
    prop::collection::vec(part, 1..6)
}

proptest! {
    #[test]
    fn what_is_written_reads_back(parts in parts(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8)) {
        let written = ContentEncoder::encode_all(&parts);
        let whole = Content::decode(&written).unwrap();
        prop_assert_eq!(whole.parts(), parts.as_slice());
        prop_assert!(whole.is_complete());
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(written.len())).collect();
        cuts.extend([0, written.len()]);
        cuts.sort_unstable();
        let pieces: Vec<&[u8]> = cuts.windows(2).map(|cut| &written.as_bytes()[cut[0]..cut[1]]).collect();
        prop_assert_eq!(read(&pieces), (parts, Ok(true)));
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), ordered in any::<bool>()) {
        let mut content = if ordered { HEADER.as_bytes().to_vec() } else { Vec::new() };
        content.extend(bytes);
        let (parts, end) = read(&[&content]);
        if let (Ok(content), false) = (std::str::from_utf8(&content), content.is_empty()) {
            match Content::decode(content) {
                Ok(content) => prop_assert_eq!((content.parts(), Ok(content.is_complete())), (parts.as_slice(), end)),
                Err(_) => prop_assert!(end.is_err()),
            }
        }
    }
}

#[test]
fn as_text_a_message_says_what_its_good_records_say() {
    let text = |text| ContentPart::text(text).unwrap();
    let whole = ContentEncoder::encode_all(&[text(" Hello\n"), text("there ")]);
    assert_eq!(Content::as_text(&whole), "Hello\n\nthere");
    assert_eq!(Content::as_text(&format!("{whole}{{\"kind\":\"te")), "Hello\n\nthere");
    assert_eq!(Content::as_text(&format!("{whole}no record\n")), "Hello\n\nthere");
    assert_eq!(Content::as_text("\u{1e}something else"), "");
    assert_eq!(Content::as_text(" ordinary \n"), " ordinary \n");
}
