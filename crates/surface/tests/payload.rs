//! What is wrong with a payload, where, in which order, and what an error repeats of it.
#![allow(clippy::unwrap_used)]

use answerplane_surface::{Field, PayloadFault, Place, Surface, validate};
use serde_json::{Value, json};

fn payload() -> Value {
    json!({
        "version": 1,
        "text": "Text.",
        "conclusion_claim_id": "end",
        "inference_form": "deduction",
        "status": "known",
        "premise_claim_ids": ["a", "b"],
        "citations": [
            { "address": "kb:a", "claim_ids": ["a", "end"], "status": "known", "outdated": false },
            { "address": "kb:b#c", "claim_ids": ["b"], "status": "likely", "outdated": true },
        ],
        "outdated": true,
        "disclosure": "This answer rests on sources that are marked as outdated.",
    })
}

fn with(place: &str, value: Value) -> Value {
    let mut payload = payload();
    *payload.pointer_mut(place).unwrap() = value;
    payload
}

#[track_caller]
fn assert_error(payload: &Value, text: &str) {
    assert_eq!(validate(payload).unwrap_err().to_string(), text);
}

#[test]
fn a_payload_is_read_and_written_again() {
    let surface = Surface::from_payload(&payload()).unwrap();
    assert_eq!(json!(surface), payload());
    let spelled = with("/version", json!(1.0));
    assert_eq!(Surface::from_payload(&spelled).as_ref(), Ok(&surface));
    let mut fresh = with("/outdated", json!(false));
    fresh["disclosure"] = Value::Null;
    assert_eq!(validate(&fresh), Ok(()));
    assert_eq!(validate(&with("/premise_claim_ids", json!([]))), Ok(()));
}

#[test]
fn each_place_names_what_is_wrong_with_it() {
    for whole in [json!([]), json!("x"), Value::Null, json!([payload()])] {
        assert_error(&whole, "payload: is not an object");
    }
    for field in Field::OF_PAYLOAD {
        let mut missing = payload();
        missing.as_object_mut().unwrap().remove(field.as_str());
        let error = validate(&missing).unwrap_err();
        assert_eq!((error.fault(), error.place()), (PayloadFault::MissingField, Place::Field(*field)));
    }
    let mut more = payload();
    more["detail"] = json!(1);
    assert_error(&more, "payload: has a field that does not belong to it");
    for version in [json!(2), json!("1"), json!(1.5), json!(true), Value::Null] {
        assert_error(&with("/version", version), "version: is not 1");
    }
    for field in ["text", "conclusion_claim_id", "inference_form", "status"] {
        assert_error(&with(&format!("/{field}"), json!(1)), &format!("{field}: is not a text"));
        assert_error(&with(&format!("/{field}"), json!("")), &format!("{field}: is empty"));
    }
    let unknown = |place: &str, word: &str| format!("{place}: is not a word of its vocabulary: {word}");
    assert_error(&with("/inference_form", json!("Direct")), &unknown("inference_form", "Direct"));
    assert_error(&with("/status", json!("sure")), &unknown("status", "sure"));
    assert_error(&with("/premise_claim_ids", json!({})), "premise_claim_ids: is not a list");
    assert_error(&with("/premise_claim_ids/1", json!(1)), "premise_claim_ids[1]: is not a text");
    assert_error(&with("/premise_claim_ids/1", json!("")), "premise_claim_ids[1]: is empty");
    assert_error(&with("/premise_claim_ids/1", json!("a")), "premise_claim_ids[1]: repeats an earlier one");
    assert_error(&with("/citations", json!({})), "citations: is not a list");
    assert_error(&with("/citations", json!([])), "citations: has no item");
    assert_error(&with("/citations/1", json!([])), "citations[1]: is not an object");
    for field in Field::OF_CITATION {
        let mut missing = payload();
        missing["citations"][1].as_object_mut().unwrap().remove(field.as_str());
        let error = validate(&missing).unwrap_err();
        assert_eq!(
            (error.fault(), error.place()),
            (PayloadFault::MissingField, Place::CitationField(1, *field))
        );
    }
    let mut more = payload();
    more["citations"][1]["title"] = json!("x");
    assert_error(&more, "citations[1]: has a field that does not belong to it");
    assert_error(&with("/citations/1/address", json!(1)), "citations[1].address: is not a text");
    for address in ["", "kb", "kb:", "KB:a", "kb:a b", "kb:a/", "kb:a#", "kb:a#b#c", "kb:a%20", "kb:é"] {
        let text = "citations[1].address: is not a canonical address";
        assert_error(&with("/citations/1/address", json!(address)), text);
    }
    assert_error(
        &with("/citations/1/address", json!("kb:a")),
        "citations[1].address: repeats an earlier one",
    );
    assert_error(&with("/citations/0/claim_ids", json!("a")), "citations[0].claim_ids: is not a list");
    assert_error(&with("/citations/0/claim_ids", json!([])), "citations[0].claim_ids: has no item");
    assert_error(&with("/citations/0/claim_ids/1", json!(1)), "citations[0].claim_ids[1]: is not a text");
    assert_error(&with("/citations/0/claim_ids/1", json!("")), "citations[0].claim_ids[1]: is empty");
    assert_error(
        &with("/citations/0/claim_ids/1", json!("a")),
        "citations[0].claim_ids[1]: repeats an earlier one",
    );
    assert_error(&with("/citations/0/status", json!(1)), "citations[0].status: is not a text");
    assert_error(&with("/citations/0/status", json!("old")), &unknown("citations[0].status", "old"));
    assert_error(
        &with("/citations/0/outdated", json!(0)),
        "citations[0].outdated: is neither true nor false",
    );
    assert_error(&with("/outdated", json!("no")), "outdated: is neither true nor false");
    for disclosure in [Value::Null, json!(""), json!("This answer is outdated."), json!(true)] {
        assert_error(&with("/disclosure", disclosure), "disclosure: does not belong to outdated");
    }
    assert_error(&with("/outdated", json!(false)), "disclosure: does not belong to outdated");
}

#[test]
fn the_order_of_what_is_reported_is_fixed() {
    // Each line breaks one thing more than the one below; what is reported is the first broken in this order.
    let steps = [
        ("/version", json!(0), "version"),
        ("/text", json!(""), "text"),
        ("/conclusion_claim_id", json!(0), "conclusion_claim_id"),
        ("/inference_form", json!(""), "inference_form"),
        ("/status", json!([]), "status"),
        ("/premise_claim_ids/0", json!(""), "premise_claim_ids[0]"),
        ("/premise_claim_ids/1", json!(0), "premise_claim_ids[1]"),
        ("/citations/0/address", json!("?"), "citations[0].address"),
        ("/citations/0/claim_ids/0", json!(""), "citations[0].claim_ids[0]"),
        ("/citations/0/status", json!("?"), "citations[0].status"),
        ("/citations/0/outdated", json!(0), "citations[0].outdated"),
        ("/citations/1", json!(0), "citations[1]"),
        ("/outdated", json!(0), "outdated"),
        ("/disclosure", json!(0), "disclosure"),
    ];
    for first in 0..steps.len() {
        let mut broken = payload();
        for (place, value, _) in steps[first..].iter().rev() {
            *broken.pointer_mut(place).unwrap() = value.clone();
        }
        assert_eq!(validate(&broken).unwrap_err().place().to_string(), steps[first].2);
    }
    // The shapes of all four texts go before both vocabularies, the form before the status.
    let mut words = with("/inference_form", json!("x"));
    words["status"] = json!("");
    assert_error(&words, "status: is empty");
    words["status"] = json!("y");
    assert_error(&words, "inference_form: is not a word of its vocabulary: x");
    // Missing fields go before fields too many, and both before what is in the fields.
    let mut fields = with("/version", json!(0));
    fields["more"] = json!(0);
    assert_error(&fields, "payload: has a field that does not belong to it");
    fields.as_object_mut().unwrap().remove("disclosure");
    fields.as_object_mut().unwrap().remove("text");
    assert_error(&fields, "text: is missing");
}

#[test]
fn an_error_repeats_a_word_only_where_it_is_one() {
    let longest = "w".repeat(64);
    for word in ["maybe", "not-sure_2", &longest] {
        let error = validate(&with("/status", json!(word))).unwrap_err();
        assert_eq!(error.word(), Some(word));
        assert!(error.to_string().ends_with(&format!(": {word}")));
    }
    let too_long = "w".repeat(65);
    for other in
        ["my secret", "a\nb", "a\u{1b}[31m", "geheimnis\u{202e}", "vielleicht?", "élevé", &too_long, " "]
    {
        let error = validate(&with("/status", json!(other))).unwrap_err();
        assert_eq!((error.fault(), error.word()), (PayloadFault::UnknownWord, None));
        assert_eq!(error.to_string(), "status: is not a word of its vocabulary");
    }
}

#[test]
fn no_other_text_is_in_an_error() {
    const CANARY: &str = "canary-4711";
    let texts = ["/text", "/conclusion_claim_id", "/premise_claim_ids/0", "/citations/0/claim_ids/0"];
    let broken =
        ["/version", "/premise_claim_ids/1", "/citations/1/address", "/citations/1/status", "/disclosure"];
    for place in broken {
        let mut payload = payload();
        for text in texts {
            *payload.pointer_mut(text).unwrap() = json!(CANARY);
        }
        payload["citations"][0]["address"] = json!(format!("kb:{CANARY}"));
        *payload.pointer_mut(place).unwrap() = json!([CANARY, { CANARY: CANARY }]);
        let error = validate(&payload).unwrap_err();
        assert!(!format!("{error} {error:?}").contains(CANARY), "{place}");
        payload[CANARY] = json!(CANARY);
        let error = validate(&payload).unwrap_err();
        assert!(!format!("{error} {error:?}").contains(CANARY));
    }
    let repeated = with("/premise_claim_ids", json!([CANARY, CANARY]));
    assert!(!format!("{:?}", validate(&repeated)).contains(CANARY));
    let disclosure = with("/disclosure", json!(CANARY));
    assert!(!format!("{:?}", validate(&disclosure)).contains(CANARY));
    let address = with("/citations/0/address", json!(CANARY));
    assert!(!format!("{:?}", validate(&address)).contains(CANARY));
}

#[test]
fn every_fault_has_a_code_of_its_own() {
    let mut codes: Vec<&str> = PayloadFault::ALL.iter().map(|fault| fault.code()).collect();
    assert!(codes.iter().all(|code| code.starts_with("SURFACE_PAYLOAD_")));
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), PayloadFault::ALL.len());
}
