//! llms.txt: lists of links, each with a description.

use answerplane_normalize::trim;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use crate::draft::{DraftId, Origin};
use crate::read::links;
use crate::read::publish::{MARKDOWN, has_text, paragraph};
use crate::read::rows::address_part;
use crate::read::sheet::{Answer, Piece, Said, Sheet};
use crate::read::text::words;

/// Reads an llms.txt: every item of a list that begins with a link is an entry, described by the rest of it.
pub(super) fn read(text: &str, sheet: &mut Sheet<'_>) {
    let mut events = Parser::new_ext(text, MARKDOWN).into_offset_iter();
    let mut headings: Vec<(u8, String)> = Vec::new();
    let (mut line, mut counted) = (1, 0);
    // Whether an item has begun and nothing else has.
    let mut begins = false;
    while let Some((event, range)) = events.next() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let inside =
                    events.by_ref().take_while(|(event, _)| !matches!(event, Event::End(TagEnd::Heading(_))));
                let title = plain(inside.map(|(event, _)| event));
                let level = level as u8;
                while headings.last().is_some_and(|(above, _)| *above >= level) {
                    headings.pop();
                }
                headings.push((level, title));
                begins = false;
            }
            Event::Start(Tag::Item) => begins = true,
            Event::Start(Tag::Paragraph) => {}
            Event::Start(Tag::Link { dest_url, .. }) if begins => {
                begins = false;
                line += text[counted..range.start].bytes().filter(|byte| *byte == b'\n').count();
                counted = range.start;
                let inside = events.by_ref().take_while(|(event, _)| *event != Event::End(TagEnd::Link));
                let title = plain(inside.map(|(event, _)| event));
                let mut rest = Vec::new();
                for (event, range) in events.by_ref() {
                    let is_end = matches!(
                        event,
                        Event::End(TagEnd::Item | TagEnd::Paragraph)
                            | Event::Start(Tag::List(_) | Tag::Paragraph)
                    );
                    if is_end {
                        break;
                    }
                    rest.push((event, range.start));
                }
                let link = Said { text: dest_url.into_string(), line, field: String::new() };
                add(title, &link, rest, &headings, sheet);
            }
            _ => begins = false,
        }
    }
}

fn add(
    title: String,
    link: &Said,
    mut rest: Vec<(Event<'_>, usize)>,
    headings: &[(u8, String)],
    sheet: &mut Sheet<'_>,
) {
    without_separator(&mut rest);
    let mut bad = Vec::new();
    let place = links::Place { base: sheet.settings.base, folder: &[], address: "", extension: None };
    let description = if has_text(&rest) { paragraph(rest, place, &mut bad) } else { String::new() };
    sheet.report_links(bad, |_| link.line, "");
    let Some(address) = sheet.address(link) else { return };
    let part = address_part(&address).to_owned();
    let id = DraftId::Address(format!("{}{part}", sheet.settings.source.id_prefix));
    let qualifiers = headings.iter().rev().map(|(_, title)| title.clone()).filter(|title| !title.is_empty());
    sheet.add_row(Piece {
        origin: Origin::Page,
        title: Said { text: title, line: link.line, field: String::new() },
        aliases: Vec::new(),
        id,
        id_line: 0,
        kind: sheet.settings.kind,
        qualifiers: qualifiers.collect(),
        path: words(&part),
        link: Some(address),
        answer: Answer::Parts { description, paragraph: String::new() },
        citations: Vec::new(),
        priority: sheet.settings.priority,
    });
}

/// Takes the colon or dash away that stands between a link and its description.
fn without_separator(rest: &mut Vec<(Event<'_>, usize)>) {
    while let Some((Event::Text(text), _)) = rest.first_mut() {
        let kept = text.trim_start_matches([':', '–', '—', '-', ' ', '\u{a0}']);
        if kept.is_empty() {
            rest.remove(0);
            continue;
        }
        if kept.len() < text.len() {
            *text = kept.to_owned().into();
        }
        return;
    }
}

fn plain<'e>(events: impl Iterator<Item = Event<'e>>) -> String {
    let mut text = String::new();
    for event in events {
        match event {
            Event::Text(part) | Event::Code(part) => text.push_str(&part),
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            _ => {}
        }
    }
    trim(&text).to_owned()
}
