//! `cargo xtask renderers`: what each renderer shows of the catalog; and pages for a browser to judge.

use std::convert::Infallible;
use std::fmt::Write as _;
use std::path::Path;

use answerplane_protocol::render::{PlainText, Renderer, render_answer, render_parts};
use answerplane_protocol::{
    AnswerEnvelope, CatalogComponent, ComponentFallback, Content, ContentPart, Manifest, Props, RenderFrame,
};
use answerplane_render_html::{Direction, Html, Page};
use answerplane_render_terminal::{Effect, Terminal};
use serde_json::Value;

use crate::generated::File;
use crate::root;

const DOCS: &str = "docs/renderers.md";
const BEGIN: &str = "<!-- begin of what `cargo xtask renderers` writes -->\n";
const END: &str = "<!-- end of what `cargo xtask renderers` writes -->\n";

pub(crate) fn generate() -> Result<Vec<File>, String> {
    let docs = read(DOCS)?;
    let (before, rest) = docs.split_once(BEGIN).ok_or("docs/renderers.md has no place for the table")?;
    let (_, after) = rest.split_once(END).ok_or("the table in docs/renderers.md does not end")?;
    let text = format!("{before}{BEGIN}\n{}\n{END}{after}", table()?);
    Ok(vec![File { path: DOCS.into(), content: text.into_bytes() }])
}

/// Writes the pages that browsers are to judge.
pub(crate) fn write_pages(folder: &Path) -> Result<(), String> {
    let pages = [("gallery", gallery()?), ("gallery-rtl", gallery_rtl()?), ("attacks", attacks()?)];
    let write = || -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        pages.iter().try_for_each(|(name, page)| std::fs::write(folder.join(format!("{name}.html")), page))
    };
    write().map_err(|error| format!("{}: {error}", folder.display()))
}

fn read(path: &str) -> Result<String, String> {
    std::fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))
}

fn json(path: &str) -> Result<Value, String> {
    serde_json::from_str(&read(path)?).map_err(|error| format!("{path}: {error}"))
}

/// The component of a case of the catalog, with every prop.
fn full(key: &str) -> Result<RenderFrame, String> {
    let case = json(&format!("fixtures/catalog/{key}.json"))?;
    frame(key, &case["accepted"][0]["props"]).ok_or_else(|| format!("{key} has no accepted case"))
}

fn frame(key: &str, props: &Value) -> Option<RenderFrame> {
    let fallback = ComponentFallback::new(key.parse().ok()?, "Shown elsewhere.".parse().ok()?);
    Some(RenderFrame::new(key.parse().ok()?, "i-1".parse().ok()?, Props::new(props)?, fallback))
}

fn show<R: Renderer<Error = Infallible>>(parts: &[ContentPart], mut renderer: R) -> R {
    match render_parts(parts, &Manifest::standard(), &mut renderer) {
        Ok(()) => renderer,
    }
}

/// A row for each component and for each of its events. What a renderer lacks is an error.
fn table() -> Result<String, String> {
    let mut table = String::from(
        "| component | event | HTML | terminal | plain text |\n| --- | --- | --- | --- | --- |\n",
    );
    for key in CatalogComponent::KEYS {
        let parts = [ContentPart::component(full(key)?)];
        let html = show(&parts, Html::new()).into_string();
        let terminal = show(&parts, Terminal::plain(80));
        let plain = show(&parts, PlainText::new()).into_string();
        let is_shown =
            html.contains(&format!("data-ap-component=\"{key}\"")) && !plain.starts_with("[unsupported");
        if !is_shown {
            return Err(format!("a renderer does not show {key}"));
        }
        let _ = writeln!(table, "| `{key}` | | shown | shown | shown |");
        let events =
            CatalogComponent::semantics_of(key).map(|semantics| semantics.events).unwrap_or_default();
        for event in events {
            let control = match html.split(&format!("data-ap-event=\"{event}\"")).next() {
                Some(before) if before.len() < html.len() => {
                    before.rsplit('<').next().and_then(|tag| tag.split(' ').next()).unwrap_or_default()
                }
                _ => return Err(format!("HTML has no control for {event} of {key}")),
            };
            let is_numbered = terminal.controls().iter().any(
                |control| matches!(&control.effect, Effect::Event { event: known, .. } if known == event),
            );
            if !is_numbered {
                return Err(format!("the terminal has no number for {event} of {key}"));
            }
            let _ = writeln!(table, "| `{key}` | `{event}` | `<{control}>` | number | to be read |");
        }
    }
    Ok(table)
}

fn answer(name: &str) -> Result<Html, String> {
    let text = read(&format!("fixtures/schema/answer/valid/{name}.json"))?;
    let envelope = AnswerEnvelope::decode(text).map_err(|why| format!("{name}: {why}"))?;
    let mut html = Html::new();
    match render_answer(&envelope, &mut html) {
        Ok(()) => Ok(html),
    }
}

fn content(path: &str) -> Result<Html, String> {
    let content = Content::decode(&read(path)?).map_err(|why| format!("{path}: {why}"))?;
    Ok(show(content.parts(), Html::new()))
}

/// Everything there is to show, as a conversation.
fn gallery() -> Result<String, String> {
    let mut page = Page::new("The garden");
    page.said("Which plots are free?");
    page.answered(content("fixtures/render/gallery.content")?);
    page.said("How do I water the beds?");
    let mut markdown = Html::new();
    match markdown.text(&read("fixtures/render/markdown.md")?) {
        Ok(()) => page.answered(markdown),
    }
    for (question, name) in [
        ("When is the library open?", "answer-local"),
        ("And on a day like this?", "answer-backend"),
        ("opening hours", "choices-2"),
        ("Do you sell bees?", "escalation-miss"),
        ("What is new?", "escalation-stale"),
        ("Is this signed?", "escalation-corrupt"),
        ("Who decides?", "escalation-offline"),
    ] {
        page.said(question);
        page.answered(answer(name)?);
    }
    Ok(page.into_string())
}

fn gallery_rtl() -> Result<String, String> {
    let mut page = Page::new("الحديقة").with_language("ar", Direction::RightToLeft);
    page.said("متى تُفتح الحديقة؟");
    page.answered(content("fixtures/render/gallery-rtl.content")?);
    Ok(page.into_string())
}

/// Every attack as Markdown, as said by a person, and as the texts of a component.
fn attacks() -> Result<String, String> {
    let mut page = Page::new("Attacks");
    for name in ["links", "html", "markdown", "direction", "terminal"] {
        let path = Path::new("fixtures/attacks").join(name).with_extension("jsonl");
        for line in read(&path.to_string_lossy())?.lines() {
            let case: Value = serde_json::from_str(line).map_err(|error| format!("{name}: {error}"))?;
            let text = case["text"].as_str().ok_or("an attack without a text")?;
            let mut parts: Vec<ContentPart> = ContentPart::text(text).into_iter().collect();
            let props = serde_json::json!({
                "title": text, "description": text, "approveLabel": text, "denyLabel": text,
            });
            parts.extend(frame("approval-request", &props).map(ContentPart::component));
            page.said(text);
            page.answered(show(&parts, Html::new()));
        }
    }
    Ok(page.into_string())
}
