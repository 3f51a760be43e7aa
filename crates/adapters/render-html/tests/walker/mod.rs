//! Walks through HTML as an independent parser reads it, and finds whatever is not allowed. It knows nothing of the
//! renderer's own rules: addresses are resolved as a browser does.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

use scraper::{ElementRef, Html, Node};
use url::Url;

const ELEMENTS: &[&str] = &[
    "a",
    "bdi",
    "blockquote",
    "br",
    "button",
    "caption",
    "code",
    "del",
    "details",
    "div",
    "em",
    "fieldset",
    "form",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "input",
    "label",
    "legend",
    "li",
    "ol",
    "option",
    "p",
    "pre",
    "progress",
    "select",
    "span",
    "strong",
    "summary",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "ul",
];

/// The attributes of each element beyond `class`, `dir`, `role`, `aria-label`.
fn attributes(element: &str) -> &'static [&'static str] {
    match element {
        "a" => &["href", "rel", "data-ap-event", "data-ap-value"],
        "button" => &["type", "disabled", "data-ap-event", "data-ap-value", "data-ap-choice", "data-ap-say"],
        "div" => &["tabindex", "aria-live", "data-ap-component", "data-ap-instance", "data-ap-reason"],
        "form" => &["method", "data-ap-event"],
        "input" => &["type", "data-ap-field", "placeholder", "required", "disabled", "step", "autocomplete"],
        "select" => &["data-ap-field", "required", "disabled"],
        "option" => &["value"],
        "ol" => &["start"],
        "pre" => &["tabindex"],
        "progress" => &["max", "value"],
        "span" => &["aria-hidden"],
        "th" => &["scope"],
        _ => &[],
    }
}

/// Everything in a fragment that is not allowed.
pub(crate) fn findings(fragment: &str) -> Vec<String> {
    let document = Html::parse_fragment(fragment);
    let mut findings = Vec::new();
    // The parser puts a root of its own around a fragment.
    for node in document.tree.nodes() {
        match node.value() {
            Node::Text(text) => {
                let steering = |letter: char| {
                    (letter.is_control() && !matches!(letter, '\n' | '\t'))
                        || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
                };
                if text.contains(steering) {
                    findings.push(format!("text that steers: {text:?}"));
                }
            }
            Node::Element(element)
                if matches!(element.name(), "html" | "body") && element.attrs().next().is_none() => {}
            Node::Element(_) => check(ElementRef::wrap(node).unwrap(), &mut findings),
            Node::Document | Node::Fragment => {}
            other => findings.push(format!("{other:?}")),
        }
    }
    findings
}

fn check(element: ElementRef<'_>, findings: &mut Vec<String>) {
    let name = element.value().name();
    if !ELEMENTS.contains(&name) {
        findings.push(format!("element {name}"));
    }
    for (attribute, value) in element.value().attrs() {
        let is_fit = match attribute {
            "class" => value.split(' ').all(|class| {
                let plain = |letter: u8| letter.is_ascii_alphanumeric() || b"+#-_.".contains(&letter);
                (class.starts_with("ap-") || class.starts_with("language-")) && class.bytes().all(plain)
            }),
            "dir" => matches!(value, "auto" | "ltr"),
            "role" => matches!(value, "alert" | "group" | "img" | "list" | "note" | "status"),
            "aria-live" => value == "polite",
            "aria-label" => !value.trim().is_empty(),
            "tabindex" => value == "0",
            "type" => matches!(value, "button" | "submit" | "text" | "email" | "number" | "checkbox"),
            "method" => value == "dialog",
            "href" => is_safe(value),
            "rel" => value == "nofollow noopener noreferrer",
            "start" | "max" | "value" if name != "option" => value.parse::<f64>().is_ok(),
            _ => attributes(name).contains(&attribute),
        };
        let is_known = matches!(attribute, "class" | "dir" | "role" | "aria-label")
            || attributes(name).contains(&attribute);
        if !is_fit || !is_known {
            findings.push(format!("{name} {attribute}={value:?}"));
        }
    }
    if matches!(name, "a" | "button" | "summary" | "legend" | "option") {
        let text: String = element.text().collect();
        if text.trim().is_empty() {
            findings.push(format!("{name} without a name"));
        }
    }
    if name == "a" && element.value().attr("href").is_none() {
        findings.push("a link without an address".to_string());
    }
}

/// Whether a browser that follows the address stays on the web, or on the site that shows it.
fn is_safe(href: &str) -> bool {
    let base = Url::parse("https://base.test/folder/page").unwrap();
    let Ok(url) = base.join(href) else { return false };
    let is_absolute = href.to_ascii_lowercase().starts_with("http");
    matches!(url.scheme(), "http" | "https")
        && url.username().is_empty()
        && url.password().is_none()
        && url.has_host()
        && (is_absolute || (href.starts_with('/') && url.host_str() == Some("base.test")))
        && !href.contains(['\\', '\t', '\n', '\r', '\0'])
}
