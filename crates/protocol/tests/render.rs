//! The reference renderer shows everything there is.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use answerplane_protocol::render::{PlainText, render_answer, render_parts};
use answerplane_protocol::{
    AnswerEnvelope, CatalogComponent, ComponentFallback, ContentPart, Manifest, Outcome, Props, RenderFrame,
};
use serde_json::{Value, json};

fn fixture(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(path)).unwrap()
}

fn component(key: &str, props: &Value) -> ContentPart {
    ContentPart::component(RenderFrame::new(
        key.parse().unwrap(),
        "i-1".parse().unwrap(),
        Props::new(props).unwrap(),
        ComponentFallback::new("plot".parse().unwrap(), "Plot 12 is sunny.".parse().unwrap()),
    ))
}

fn shown(parts: &[ContentPart]) -> String {
    let mut page = PlainText::new();
    render_parts(parts, &Manifest::standard(), &mut page).unwrap();
    page.into_string()
}

#[test]
fn every_component_of_the_catalog_is_shown() {
    for key in CatalogComponent::KEYS {
        let case: Value = serde_json::from_str(&fixture(&format!("catalog/{key}.json"))).unwrap();
        let accepted = &case["accepted"][0];
        assert_eq!(shown(&[component(key, &accepted["props"])]), accepted["text"].as_str().unwrap());
    }
}

#[test]
fn what_is_inert_says_so() {
    let inert = "[unsupported visual: plot] Plot 12 is sunny.\n";
    assert_eq!(shown(&[component("plot-card", &Value::Null)]), inert);
    assert_eq!(shown(&[component("progress", &Value::Null)]), inert);
}

#[test]
fn parts_stand_in_order_each_on_lines_of_its_own() {
    let parts = [
        ContentPart::text("One").unwrap(),
        component("x", &Value::Null),
        ContentPart::text("Two\n").unwrap(),
    ];
    assert_eq!(shown(&parts), "One\n[unsupported visual: plot] Plot 12 is sunny.\nTwo\n");
}

/// A long answer is cut at 16,384 units, wherever that is.
#[test]
fn runs_of_text_that_follow_each_other_are_one() {
    let page = |texts: &[&str]| {
        let parts: Vec<ContentPart> = texts.iter().map(|text| ContentPart::text(text).unwrap()).collect();
        shown(&parts)
    };
    assert_eq!(page(&["Hel", "lo"]), "Hello\n");
    assert_eq!(page(&["Hel\n", "lo"]), "Hel\nlo\n");
    assert_eq!(page(&["Hel", "\n", "\n", "lo\n"]), "Hel\n\nlo\n");
    assert_eq!(page(&["Hel", "\u{1b}", "lo"]), "Hello\n");
    assert_eq!(page(&["\u{1b}", "a"]), "a\n");
    let between = [
        ContentPart::text("a").unwrap(),
        component("x", &Value::Null),
        ContentPart::text("\u{1b}").unwrap(),
        ContentPart::text("b").unwrap(),
    ];
    assert_eq!(shown(&between), "a\n[unsupported visual: plot] Plot 12 is sunny.\nb\n");
}

/// No label can pretend to be another choice, source or row.
#[test]
fn nothing_in_a_component_begins_a_line() {
    for key in CatalogComponent::KEYS {
        let case: Value = serde_json::from_str(&fixture(&format!("catalog/{key}.json"))).unwrap();
        let accepted = &case["accepted"][0];
        let forged = serde_json::from_str(&accepted["props"].to_string().replace(' ', "\\n")).unwrap();
        let page = shown(&[component(key, &forged)]);
        assert!(!page.contains("[unsupported"), "{key}: {page}");
        assert_eq!(page.lines().count(), accepted["text"].as_str().unwrap().lines().count(), "{key}: {page}");
    }
    let list = json!({ "prompt": "P", "choices": [{ "id": "a", "label": "A\n- B\r\u{2028}\u{85}C" }] });
    assert_eq!(shown(&[component("choice-list", &list)]), "P\n- A - B   C\n");
    let frame = RenderFrame::new(
        "x".parse().unwrap(),
        "i-1".parse().unwrap(),
        Props::new(&Value::Null).unwrap(),
        ComponentFallback::new("a\nb".parse().unwrap(), "c\nd".parse().unwrap()),
    );
    assert_eq!(shown(&[ContentPart::component(frame)]), "[unsupported visual: a b] c d\n");
}

#[test]
fn control_characters_are_left_out() {
    assert_eq!(shown(&[ContentPart::text("a\u{1b}[31mb\u{9b}c\td\r\n").unwrap()]), "a[31mbc\td\n");
}

#[test]
fn answers_are_shown_with_who_vouches_for_them() {
    let page = |name: &str| {
        let mut page = PlainText::new();
        let envelope = AnswerEnvelope::decode(fixture(&format!("schema/answer/valid/{name}.json"))).unwrap();
        render_answer(&envelope, &mut page).unwrap();
        (page.into_string(), envelope)
    };
    let local = page("answer-local").0;
    assert!(local.contains("\n\n[1] ") && local.contains("\nfrom "), "{local}");
    assert!(page("answer-backend").0.contains("\nfrom the backend, "));
    let (choices, envelope) = page("choices-2");
    let Outcome::Choices(offered) = envelope.outcome() else { panic!("choices") };
    let label = offered.suggestions()[1].label();
    assert!(choices.contains(&format!("\n2. {label}\n   type: ")), "{choices}");
    assert!(page("escalation-miss").0.ends_with(" (miss)\n"));
}

#[test]
fn a_link_begins_no_line() {
    let mut envelope: Value = serde_json::from_str(&fixture("version-1/answer.json")).unwrap();
    envelope["answer"]["citations"][0]["href"] = json!("/guide> \u{2028}[2] Forged <https://evil.example/");
    let mut page = PlainText::new();
    render_answer(&AnswerEnvelope::decode_value(&envelope).unwrap(), &mut page).unwrap();
    assert!(!page.as_str().contains('\u{2028}'), "{}", page.as_str());
}

#[test]
fn a_message_forges_no_line() {
    let mut envelope: Value = serde_json::from_str(&fixture("version-1/answer.json")).unwrap();
    for name in ["answer", "provenance"] {
        envelope.as_object_mut().unwrap().remove(name);
    }
    envelope["outcome"] = json!("escalation");
    envelope["reason"] = json!("miss");
    envelope["confidence"] = json!({ "level": "low", "basis": "miss" });
    envelope["message"] = json!("none\nfrom fake of real");
    let mut page = PlainText::new();
    render_answer(&AnswerEnvelope::decode_value(&envelope).unwrap(), &mut page).unwrap();
    assert_eq!(page.as_str(), "none from fake of real (miss)\n");
}
