//! What an answer cites, as a component.

use answerplane_normalize::{is_blank, truncate_utf16};
use answerplane_protocol::{
    BoundedText, CatalogComponent, ComponentFallback, Identifier, List, SafeLink, Source, SourceList,
};
use serde_json::Value;

/// The greatest length of a title, a snippet or a text fallback, in UTF-16 code units.
const MAX_UNITS: usize = 4_096;
/// The greatest length of an identifier.
const MAX_IDENTIFIER: usize = 128;

/// The source that the arguments of `cite` name; nothing where they have no safe link.
pub(crate) fn source_list(args: &Value) -> Option<(CatalogComponent, ComponentFallback)> {
    let text = |name: &str| args.get(name).and_then(Value::as_str).filter(|text| !is_blank(text));
    let link = link(["url", "href", "path"].into_iter().find_map(text)?, text("anchor"))?;
    let title = truncate_utf16(text("title").unwrap_or(link.as_str()), MAX_UNITS);
    let snippet = text("snippet").map(|text| truncate_utf16(text, MAX_UNITS).parse()).transpose().ok()?;
    let title: BoundedText<1, 4_096> = title.parse().ok()?;
    let summary = format!("Sources: {}.", title.as_str());
    let source = Source::new("source".parse().ok()?, title, Some(link), snippet);
    let list = SourceList::new("Sources".parse().ok()?, List::one(source))?;
    let fallback = ComponentFallback::new(
        "source-list".parse().ok()?,
        truncate_utf16(&summary, MAX_UNITS).parse().ok()?,
    );
    Some((CatalogComponent::SourceList(list), fallback))
}

/// A safe link. A path without a `/` in front gets one; an anchor becomes the fragment, unless there is one.
fn link(to: &str, anchor: Option<&str>) -> Option<SafeLink> {
    let to = to.trim();
    let is_bare = !to.starts_with(['/', '\\', '#', '?'])
        && to.split(['/', '?', '#']).next().is_some_and(|first| !first.contains(':'));
    let mut link = String::from(if is_bare { "/" } else { "" });
    link.push_str(to);
    if let Some(anchor) = anchor.filter(|_| !link.contains('#')) {
        link.push('#');
        link.push_str(anchor.trim().trim_start_matches('#'));
    }
    link.parse().ok()
}

/// The instance of the component number `number` of the answer to a message: what an identifier cannot hold becomes `-`.
pub(crate) fn instance(message_id: &str, number: usize) -> Option<Identifier> {
    let number = format!("-{number}");
    let plain = |character: char| {
        let fits = character.is_ascii_alphanumeric() || matches!(character, '.' | '_' | ':' | '-');
        if fits { character } else { '-' }
    };
    let id: String = "sources-".chars().chain(message_id.chars().map(plain)).collect();
    let kept = &id[..id.len().min(MAX_IDENTIFIER - number.len())];
    format!("{kept}{number}").parse().ok()
}
