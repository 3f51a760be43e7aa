//! A surface as an answer of the answer plane.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use answerplane_surface::{
    Address, AnswerEnvelope, AnswerTooLong, Backend, OUTDATED_DISCLOSURE, Source, Surface,
};
use serde_json::{Value, json};

fn surface(text: &str, addresses: &[String], outdated: bool) -> Surface {
    let citations: Vec<Value> = addresses
        .iter()
        .map(|address| json!({ "address": address, "claim_ids": ["c"], "status": "known", "outdated": outdated }))
        .collect();
    Surface::from_payload(&json!({
        "version": 1,
        "text": text,
        "conclusion_claim_id": "c",
        "inference_form": "direct",
        "status": "known",
        "premise_claim_ids": [],
        "citations": citations,
        "outdated": outdated,
        "disclosure": outdated.then_some(OUTDATED_DISCLOSURE),
    }))
    .unwrap()
}

fn source(address: &Address) -> Option<Source> {
    Some(Source {
        link: format!("https://docs.example/{}", address.path()).parse().unwrap(),
        title: format!("Title of {address}").parse().unwrap(),
    })
}

#[test]
fn it_is_a_backends_answer_that_travels() {
    let surface = surface("**Sunset.**", &["kb:hours".into(), "kb:sun/set#today".into()], false);
    let backend = Backend { provider: "engine".parse().ok(), model: None };
    let envelope = surface.to_answer("  When? ", backend, source).unwrap();
    let value = json!(envelope);
    let expected = json!({
        "protocol": "agentskit.chat.answer",
        "version": 1,
        "outcome": "answer",
        "query": "  When? ",
        "normalizedQuery": "when?",
        "answer": {
            "markdown": "**Sunset.**",
            "citations": [
                { "id": "kb:hours", "title": "Title of kb:hours", "href": "https://docs.example/hours" },
                { "id": "citation-2", "title": "Title of kb:sun/set#today", "href": "https://docs.example/sun/set" },
            ],
        },
        "provenance": { "source": "backend", "provider": "engine" },
        "confidence": { "level": "high", "basis": "backend" },
    });
    assert_eq!(value, expected);
    assert_eq!(AnswerEnvelope::decode_value(&value).unwrap(), envelope);
}

#[test]
fn its_sources_are_the_first_eight_that_the_host_knows() {
    let addresses: Vec<String> = (10..40).map(|at| format!("kb:a{at}")).collect();
    let surface = surface("Text.", &addresses, false);
    // A host has a map; every third address is in it.
    let known: BTreeMap<Address, Source> = addresses
        .iter()
        .step_by(3)
        .map(|address| address.parse().unwrap())
        .map(|address| (address, source(&"kb:x".parse().unwrap()).unwrap()))
        .collect();
    let mut asked = 0;
    let envelope = surface.to_answer("q", Backend::default(), |address| {
        asked += 1;
        known.get(address).cloned()
    });
    let value = json!(envelope.unwrap());
    let ids: Vec<&Value> =
        value["answer"]["citations"].as_array().unwrap().iter().map(|it| &it["id"]).collect();
    assert_eq!(ids, ["kb:a10", "kb:a13", "kb:a16", "kb:a19", "kb:a22", "kb:a25", "kb:a28", "kb:a31"]);
    assert_eq!(asked, 22);
    assert_eq!(value["provenance"], json!({ "source": "backend" }));

    let without = surface.to_answer("q", Backend::default(), |_| None).unwrap();
    assert_eq!(json!(without)["answer"]["citations"], json!([]));
}

#[test]
fn an_outdated_answer_says_so() {
    // Whatever a text leaves open stands behind what has to be said, and a blank line keeps the two apart.
    for text in [
        "Text.",
        "Text. <!--",
        "```\nText.",
        "~~~",
        "<details>",
        "<script>",
        "<![CDATA[",
        "$$",
        "    Text.",
        "===",
        "---",
        "- [",
        "\n\n",
        "[link](",
        "<a href='",
        "&",
        "\\",
    ] {
        let envelope =
            surface(text, &["kb:a".into()], true).to_answer("q", Backend::default(), source).unwrap();
        let expected = format!("This answer rests on sources that are marked as outdated.\n\n{text}");
        assert_eq!(json!(envelope)["answer"]["markdown"], expected);
    }
}

#[test]
fn a_text_that_an_answer_cannot_hold_is_not_cut() {
    let fits = |units: usize, outdated: bool| {
        // Two units each.
        let text = "🚀".repeat(units / 2) + if units % 2 == 1 { "x" } else { "" };
        surface(&text, &["kb:a".into()], outdated).to_answer("q", Backend::default(), source).map(drop)
    };
    assert_eq!(fits(16_384, false), Ok(()));
    assert_eq!(fits(16_385, false), Err(AnswerTooLong));
    let disclosure = 2 + OUTDATED_DISCLOSURE.len();
    assert_eq!(fits(16_384 - disclosure, true), Ok(()));
    assert_eq!(fits(16_385 - disclosure, true), Err(AnswerTooLong));
    assert_eq!(AnswerTooLong.code(), "SURFACE_ANSWER_TOO_LONG");
    assert!(!AnswerTooLong.to_string().contains('🚀'));
}
