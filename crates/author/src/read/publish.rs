//! Parsed Markdown becomes Markdown again, with links as they will be followed.

use std::borrow::Cow;

use answerplane_normalize::trim;
use percent_encoding::percent_decode_str;
use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};
use pulldown_cmark_to_cmark as to_cmark;

use crate::read::links::{Place, Target};

/// The Markdown that pages are written in.
pub(super) const MARKDOWN: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS);

/// A link in a text that leads nowhere it may.
#[derive(Debug, PartialEq)]
pub(super) struct BadLink {
    /// The byte of the text where it stands.
    pub(super) at: usize,
    /// The link as written.
    pub(super) link: String,
    /// What is wrong with it.
    pub(super) target: Target,
}

/// Whether the inline events of a paragraph hold text of its own, beside that of images.
pub(super) fn has_text(events: &[(Event<'_>, usize)]) -> bool {
    let mut images = 0_usize;
    events.iter().any(|(event, _)| {
        match event {
            Event::Start(Tag::Image { .. }) => images += 1,
            Event::End(TagEnd::Image) => images = images.saturating_sub(1),
            Event::Text(text) | Event::Code(text) => return images == 0 && !trim(text).is_empty(),
            _ => {}
        }
        false
    })
}

/// The inline events of one paragraph as Markdown.
///
/// Links lead to addresses, images become their alternative text, HTML is left out.
pub(super) fn paragraph(events: Vec<(Event<'_>, usize)>, place: Place<'_>, bad: &mut Vec<BadLink>) -> String {
    let mut events = evenly_spaced(followed(events.into_iter(), place, false, bad).events);
    events.insert(0, Event::Start(Tag::Paragraph));
    events.push(Event::End(TagEnd::Paragraph));
    rendered(&events)
}

/// The events of a paragraph without the white space that what was left out had around it.
fn evenly_spaced(events: Vec<Event<'_>>) -> Vec<Event<'_>> {
    let mut kept: Vec<Event<'_>> = Vec::with_capacity(events.len() + 2);
    let mut after_space = true;
    for event in events {
        match event {
            Event::Text(text) => {
                let is_even =
                    !(text.contains("  ") || text.contains('\t') || after_space && text.starts_with(' '));
                let text = if is_even {
                    text
                } else {
                    let mut even = String::with_capacity(text.len());
                    for character in text.chars() {
                        let is_space = matches!(character, ' ' | '\t');
                        if !is_space {
                            even.push(character);
                        } else if !(even.ends_with(' ') || even.is_empty() && after_space) {
                            even.push(' ');
                        }
                    }
                    even.into()
                };
                if !text.is_empty() {
                    after_space = text.ends_with(' ');
                    kept.push(Event::Text(text));
                }
            }
            Event::SoftBreak | Event::HardBreak => {
                trim_end(&mut kept);
                // A break at the beginning, or one after another, breaks nothing.
                if kept
                    .iter()
                    .any(|event| matches!(event, Event::Text(_) | Event::Code(_) | Event::InlineHtml(_)))
                    && !matches!(kept.last(), Some(Event::SoftBreak | Event::HardBreak))
                {
                    kept.push(event);
                }
                after_space = true;
            }
            event => {
                after_space &= matches!(event, Event::Start(_) | Event::End(_));
                kept.push(event);
            }
        }
    }
    while matches!(kept.last(), Some(Event::SoftBreak | Event::HardBreak)) {
        kept.pop();
    }
    trim_end(&mut kept);
    kept
}

/// Takes white space away that ends a line.
fn trim_end(events: &mut Vec<Event<'_>>) {
    if let Some(Event::Text(text)) = events.last_mut() {
        let kept = text.trim_end_matches([' ', '\t']);
        if kept.is_empty() {
            events.pop();
        } else if kept.len() < text.len() {
            *text = kept.to_owned().into();
        }
    }
}

/// A text that its author wrote to be published: as it is, unless a link in it has to be changed.
pub(super) fn written<'t>(text: &'t str, place: Place<'_>, bad: &mut Vec<BadLink>) -> Cow<'t, str> {
    let text = trim(text);
    if !text.contains(['[', '<']) {
        return Cow::Borrowed(text);
    }
    let events =
        Parser::new_ext(text, MARKDOWN).into_offset_iter().map(|(event, range)| (event, range.start));
    let events = followed(events, place, true, bad);
    if !events.have_changed {
        return Cow::Borrowed(text);
    }
    Cow::Owned(rendered(&events.events))
}

/// Events whose links lead to addresses.
struct Followed<'e> {
    events: Vec<Event<'e>>,
    have_changed: bool,
}

fn followed<'e>(
    events: impl Iterator<Item = (Event<'e>, usize)>,
    place: Place<'_>,
    keep_html: bool,
    bad: &mut Vec<BadLink>,
) -> Followed<'e> {
    let mut kept: Vec<Event<'e>> = Vec::new();
    let mut have_changed = false;
    let mut open: Vec<OpenLink> = Vec::new();
    for (event, at) in events {
        match event {
            Event::Start(Tag::Link { link_type, dest_url, title, .. }) => {
                let target = match link_type {
                    LinkType::Email => Target::Nowhere,
                    _ => place.resolve(&dest_url),
                };
                open.push(match target {
                    Target::To(_) => OpenLink::Kept,
                    Target::Nowhere => OpenLink::Mailbox { begins: kept.len(), address: mailbox(&dest_url) },
                    _ => OpenLink::LeftOut,
                });
                match target {
                    Target::To(address) => {
                        let is_same = address == *dest_url;
                        have_changed |= !is_same;
                        let link_type = match link_type {
                            LinkType::Autolink if is_same => LinkType::Autolink,
                            _ => LinkType::Inline,
                        };
                        let dest_url = if is_same { dest_url } else { CowStr::from(address) };
                        kept.push(Event::Start(Tag::Link {
                            link_type,
                            dest_url,
                            title,
                            id: CowStr::Borrowed(""),
                        }));
                    }
                    Target::Nowhere => have_changed = true,
                    target => {
                        have_changed = true;
                        bad.push(BadLink { at, link: dest_url.into_string(), target });
                    }
                }
            }
            Event::End(TagEnd::Link) => {
                match open.pop() {
                    Some(OpenLink::Kept) if matches!(kept.last(), Some(Event::Start(Tag::Link { .. }))) => {
                        // Nothing is left of its text.
                        kept.pop();
                        have_changed = true;
                    }
                    Some(OpenLink::Kept) => kept.push(Event::End(TagEnd::Link)),
                    Some(OpenLink::Mailbox { begins, address }) => {
                        kept.extend(shown_mailbox(&kept[begins..], address).map(Event::Text));
                    }
                    Some(OpenLink::LeftOut) | None => {}
                }
            }
            Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => have_changed = true,
            Event::InlineHtml(html) if !keep_html => {
                let tag = html.trim_start_matches('<').trim_end_matches(['>', '/', ' ']);
                if tag.eq_ignore_ascii_case("br") {
                    kept.push(Event::SoftBreak);
                }
            }
            Event::Html(_) | Event::FootnoteReference(_) if !keep_html => {}
            event => kept.push(event),
        }
    }
    Followed { events: kept, have_changed }
}

/// What becomes of a link whose text is being read.
enum OpenLink {
    /// It stays.
    Kept,
    /// It leads to a mailbox or a telephone: the text stays, which begins at this event, and this address is shown.
    Mailbox { begins: usize, address: String },
    /// Only its text stays.
    LeftOut,
}

/// The address of a `mailto:` or `tel:` link, as it is read.
fn mailbox(link: &str) -> String {
    let address = link.split_once(':').map_or(link, |(_, address)| address);
    let address = address.split(['?', ';']).next().unwrap_or_default();
    let decoded = percent_decode_str(address).decode_utf8().unwrap_or(Cow::Borrowed(address));
    if decoded.contains(char::is_control) { address.to_owned() } else { decoded.into_owned() }
}

/// What stands behind the text of a link to a mailbox or a telephone; nothing where the text is its address already.
fn shown_mailbox<'e>(inside: &[Event<'_>], address: String) -> Option<CowStr<'e>> {
    let mut text = String::new();
    for event in inside {
        if let Event::Text(part) | Event::Code(part) = event {
            text.push_str(part);
        }
    }
    let signs = |text: &str| -> String {
        text.chars()
            .filter(|c| c.is_alphanumeric() || "@+".contains(*c))
            .flat_map(char::to_lowercase)
            .collect()
    };
    if address.is_empty() || signs(&text).ends_with(&signs(&address)) {
        return None;
    }
    Some(if trim(&text).is_empty() { address.into() } else { format!(" ({address})").into() })
}

fn rendered(events: &[Event<'_>]) -> String {
    let mut markdown = String::new();
    if to_cmark::cmark(events.iter(), &mut markdown, MARKDOWN).is_err() {
        markdown.clear();
        for event in events {
            match event {
                Event::Text(text) | Event::Code(text) => markdown.push_str(text),
                Event::SoftBreak | Event::HardBreak => markdown.push(' '),
                _ => {}
            }
        }
    }
    let trimmed = trim(&markdown);
    if trimmed.len() == markdown.len() { markdown } else { trimmed.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{BadLink, MARKDOWN, has_text, paragraph, written};
    use crate::read::links::{Base, Place, Target};
    use pulldown_cmark::{Event, Parser, Tag, TagEnd};

    fn check(markdown: &str, published: Option<&str>, bad_links: &[(usize, &str, Target)]) {
        let base = Base::new("/docs/");
        let place =
            Place { base: &base, folder: &["cli"], address: "/docs/cli/install", extension: Some("") };
        let events = Parser::new_ext(markdown, MARKDOWN)
            .into_offset_iter()
            .map(|(event, range)| (event, range.start))
            .filter(|(event, _)| {
                !matches!(event, Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph))
            })
            .take_while(|(event, _)| !matches!(event, Event::Start(Tag::FootnoteDefinition(_))))
            .collect::<Vec<_>>();
        let mut bad = Vec::new();
        let text = has_text(&events).then(|| paragraph(events, place, &mut bad));
        assert_eq!(text.as_deref(), published, "{markdown}");
        let expected: Vec<BadLink> = bad_links
            .iter()
            .map(|(at, link, target)| BadLink { at: *at, link: (*link).into(), target: target.clone() })
            .collect();
        assert_eq!(bad, expected, "{markdown}");
    }

    #[test]
    fn paragraphs_are_published() {
        check("See [use](use.md#a) and `x`.", Some("See [use](/docs/cli/use#a) and `x`."), &[]);
        check("See [use][u] *now*.\n\n[u]: ../top.md", Some("See [use](/docs/top) *now*."), &[]);
        check("An ![image of *it*](x.png) <kbd>Ctrl</kbd><!-- no -->", Some("An image of *it* Ctrl"), &[]);
        check("[![Build](b.svg)](https://ci.example)", None, &[]);
        check("<me@x.example> <https://x.example>", Some("me@x.example <https://x.example>"), &[]);
        check("Write to [us](mailto:help@x.example?subject=Hi).", Some("Write to us (help@x.example)."), &[]);
        check(
            "[Call us](tel:+49-30-123), *[all](mailto:a%2Bb@x.example)*",
            Some("Call us (+49-30-123), *all (a+b@x.example)*"),
            &[],
        );
        check(
            "[+49 30 123](tel:+4930123) [a@x.example](mailto:A@x.example) <mailto:b@x.example>",
            Some("+49 30 123 a@x.example mailto:b@x.example"),
            &[],
        );
        check("a<br/>b[^1]\n\n[^1]: note", Some("a\nb"), &[]);
        check("[![](x.png)](y.md) text", Some("text"), &[]);
    }

    #[test]
    fn bad_links_are_found() {
        check("Go [there](javascript:x).", Some("Go there."), &[(3, "javascript:x", Target::Unsafe)]);
        check(
            "[out](../../x.md) [up](../../../y)",
            Some("out up"),
            &[(0, "../../x.md", Target::Outside), (18, "../../../y", Target::Above)],
        );
    }

    #[test]
    fn written_texts_stay_as_they_are() {
        let base = Base::new("https://x.example/");
        let place = Place { base: &base, folder: &[], address: "", extension: None };
        let mut bad = Vec::new();
        for text in ["* a\n* b", "<class 'str'> __x__", "[a](https://x.example/b \"c\")", "1) x [ ] y"] {
            assert_eq!(written(text, place, &mut bad), text);
        }
        assert_eq!(written("<b>x</b> [a](b.md)", place, &mut bad), "<b>x</b> [a](https://x.example/b.md)");
        assert_eq!(bad, []);
    }
}
