//! Every component, event and answer as reviewed HTML, and nothing in any input becomes anything else.
//!
//! `ANSWERPLANE_CASES` random texts (1,000 unless set, and at most 10,000) from `ANSWERPLANE_SEED`.
#![allow(clippy::unwrap_used, clippy::panic)]

mod scenes;
mod walker;

use answerplane_protocol::render::{Renderer, render_parts};
use answerplane_protocol::{
    CatalogComponent, Content, ContentPart, EventValue, InteractFrame, Manifest, RenderFrame, Role,
};
use answerplane_render_html::{Direction, Html, Page};
use scraper::{ElementRef, Html as Document, Selector};
use serde_json::{Map, Value};

use scenes::{Scene, attack_answers, attack_scene, attacks, compare, compare_names, fixture, full, scenes};
use walker::findings;

fn html(scene: &Scene) -> String {
    let mut html = Html::new();
    scene.show(&mut html);
    html.into_string()
}

#[test]
fn everything_is_shown_as_it_was_reviewed() {
    let mut names = Vec::new();
    for (name, scene) in scenes() {
        let shown = html(&scene);
        assert_eq!(findings(&shown), Vec::<String>::new(), "{name}");
        names.push(format!("{name}.html"));
        compare(&format!("{name}.html"), &shown);
    }
    compare_names(names);
}

fn selected<'d>(document: &'d Document, selector: &str) -> Vec<ElementRef<'d>> {
    document.select(&Selector::parse(selector).unwrap()).collect()
}

/// What a host makes of a control that a person has used: attributes alone.
fn interaction(control: ElementRef<'_>, value: Option<Value>) -> InteractFrame {
    let component = control
        .ancestors()
        .filter_map(ElementRef::wrap)
        .find_map(|element| {
            let key = element.value().attr("data-ap-component")?;
            Some((key.to_string(), element.value().attr("data-ap-instance")?.to_string()))
        })
        .unwrap();
    let value = value.or(control.value().attr("data-ap-value").map(Value::from));
    InteractFrame::new(
        component.0.parse().unwrap(),
        component.1.parse().unwrap(),
        control.value().attr("data-ap-event").unwrap().parse().unwrap(),
        value.map(|value| EventValue::new(&value).unwrap()),
    )
}

/// What a person fills in: something of the right type in each field.
fn filled(form: ElementRef<'_>) -> Value {
    let mut values = Map::new();
    for field in form.select(&Selector::parse("[data-ap-field]").unwrap()) {
        let value = match (field.value().name(), field.value().attr("type")) {
            ("select", _) => {
                let option = field.select(&Selector::parse("option:nth-child(2)").unwrap()).next().unwrap();
                Value::from(option.value().attr("value").unwrap())
            }
            (_, Some("checkbox")) => Value::from(true),
            (_, Some("number")) => Value::from(3),
            _ => Value::from("a@b.test"),
        };
        values.insert(field.value().attr("data-ap-field").unwrap().to_string(), value);
    }
    Value::Object(values)
}

#[test]
fn every_event_has_a_control_that_is_accepted() {
    for key in CatalogComponent::KEYS {
        let frame = full(key);
        let shown = html(&Scene::Parts(vec![ContentPart::component(frame.clone())]));
        let document = Document::parse_fragment(&shown);
        let mut events = Vec::new();
        for control in selected(&document, "[data-ap-event]") {
            let value = (control.value().name() == "form").then(|| filled(control));
            let interaction = interaction(control, value);
            let accepted = Manifest::standard().check_interaction(&frame, &interaction);
            if control.value().attr("disabled").is_none() {
                assert_eq!(accepted, Ok(()), "{key}");
                events.push(interaction.event().as_str().to_string());
            } else {
                assert!(accepted.is_err(), "{key}: a disabled control does something");
            }
        }
        events.dedup();
        assert_eq!(events, CatalogComponent::semantics_of(key).unwrap().events, "{key}");
    }
}

#[test]
fn every_component_has_its_role_and_its_live_region() {
    for key in CatalogComponent::KEYS {
        let semantics = CatalogComponent::semantics_of(key).unwrap();
        let shown = html(&Scene::Parts(vec![ContentPart::component(full(key))]));
        let document = Document::parse_fragment(&shown);
        let role = match semantics.role {
            Role::Alert => "[role=alert]",
            Role::Form => "form[aria-label]",
            Role::Group => "fieldset > legend",
            Role::Link => "a[href]",
            Role::List => "ul[role=list]",
            Role::Progressbar => "label > progress",
            Role::Status => "[role=status]",
            Role::Table => "table > caption",
        };
        assert!(!selected(&document, role).is_empty(), "{key} is no {role}");
        let live = match semantics.live.as_str() {
            "polite" => "[data-ap-component][aria-live=polite]",
            "assertive" => "[role=alert]",
            _ => "[data-ap-component]:not([aria-live])",
        };
        assert!(!selected(&document, live).is_empty(), "{key} is not {live}");
    }
}

#[test]
fn what_is_inert_can_be_read_and_not_used() {
    for (name, scene) in scenes() {
        let mut inert = Html::inert();
        scene.show(&mut inert);
        let inert = inert.into_string();
        let document = Document::parse_fragment(&inert);
        assert!(
            selected(&document, "button:not([disabled]), input:not([disabled]), select:not([disabled])")
                .is_empty(),
            "{name}"
        );
        assert_eq!(inert.replace(" disabled", ""), html(&scene).replace(" disabled", ""), "{name}");
    }
}

#[test]
fn no_attack_becomes_anything_else() {
    let attacks = attacks();
    assert!(attacks.len() >= 300, "{}", attacks.len());
    for (name, text) in &attacks {
        let scenes = std::iter::once(attack_scene(text)).chain(attack_answers(text));
        for scene in scenes {
            let shown = html(&scene);
            assert_eq!(findings(&shown), Vec::<String>::new(), "{name}\n{shown}");
        }
    }
}

/// The named reports do what they should, beyond doing no harm.
#[test]
fn reports_are_shown_as_they_should_be() {
    let attacks = attacks();
    let shown = |name: &str| {
        let (_, text) = attacks.iter().find(|(known, _)| known.contains(name)).unwrap();
        html(&Scene::Parts(vec![ContentPart::text(text).unwrap()]))
    };
    let unlinked = "<p dir=\"auto\"><span class=\"ap-unlinked\">x</span></p>\n";
    for name in ["B7-01", "B7-02 tab as", "B7-11 user", "B7-11 slash", "B7-11 two", "B7-11 control"] {
        assert_eq!(shown(name), unlinked, "{name}");
    }
    assert!(!shown("B7-02 tab in").contains("<a"));
    assert!(!shown("B7-04 title").contains('\u{1b}'));
    assert_eq!(shown("B7-05"), "<p class=\"ap-raw\" dir=\"auto\">&lt;img src=x onerror=1&gt;</p>\n");
}

#[test]
fn a_page_is_whole_and_loads_nothing() {
    let mut page = Page::new("</title><script>alert(1)</script>")
        .with_language("en\" onload=\"x", Direction::RightToLeft);
    page.said("<script>alert(1)</script>");
    let mut answer = Html::inert();
    answer.text("See [this](https://x.test).").unwrap();
    page.answered(answer);
    let page = page.into_string();
    let document = Document::parse_document(&page);
    assert!(
        selected(&document, "script, link, img, iframe, [src], [style], [id], [name]:not(meta)").is_empty()
    );
    assert_eq!(selected(&document, "html[lang=und][dir=rtl] > body > main > [role=log] > article").len(), 2);
    assert!(!page.contains("url(") && !page.contains("@import"));
}

#[test]
fn the_galleries_show_the_whole_catalog() {
    let content = fixture("render/gallery.content");
    let content = Content::decode(&content).unwrap();
    assert!(content.is_complete());
    let frames: Vec<&RenderFrame> = content
        .parts()
        .iter()
        .filter_map(|part| match part {
            ContentPart::Component(part) => Some(part.frame()),
            ContentPart::Text(_) => None,
        })
        .collect();
    for key in CatalogComponent::KEYS {
        let frame = frames.iter().find(|frame| frame.component_key().as_str() == *key).unwrap();
        assert!(Manifest::standard().component(frame).is_ok(), "{key}");
    }
    let mut html = Html::new();
    render_parts(content.parts(), &Manifest::standard(), &mut html).unwrap();
    assert_eq!(findings(&html.into_string()), Vec::<String>::new());
}

#[test]
fn headings_leave_no_level_out() {
    let mut html = Html::new();
    html.text("### a\n\n###### b\n\n# c\n\n## d\n\n##\n").unwrap();
    let shown = html.into_string();
    let levels: Vec<&str> = shown.lines().map(|line| &line[..3]).collect();
    assert_eq!(levels, ["<h3", "<h4", "<h3", "<h4"]);
}

#[test]
fn what_shows_nothing_has_a_name() {
    let mut html = Html::new();
    html.text("[](https://x.test) [&#x200b;](/a) ![](https://x.test/i.png)\n\n| | b |\n|-|-|\n| c | d |\n")
        .unwrap();
    let shown = html.into_string();
    assert!(
        shown.contains(">https://x.test</a>")
            && shown.contains("/a</a>")
            && shown.contains("<tr><td></td><th"),
        "{shown}"
    );
}
