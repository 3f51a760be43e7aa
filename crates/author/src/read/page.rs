//! Markdown and MDX pages.

use std::borrow::Cow;

use answerplane_normalize::{normalize_key, trim};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use crate::draft::{DraftId, Origin};
use crate::invisible;
use crate::read::answer::needs_paragraph;
use crate::read::front_matter::{self, FrontMatter};
use crate::read::headings::{Anchors, html_headings, without_anchor};
use crate::read::links::{self, Target, is_index, page_stem};
use crate::read::mdx;
use crate::read::publish::{BadLink, MARKDOWN, has_text, paragraph, written};
use crate::read::sheet::{Answer, Piece, Said, Sheet};
use crate::read::text::{without_entities, words};
use crate::rule::Rule;

/// Reads a page; `below` is its path below the root of the tree.
pub(super) fn read(text: &str, below: &str, sheet: &mut Sheet<'_>) {
    let Some((front, body)) = front_matter::read(text, sheet) else { return };
    if front.is_draft {
        return;
    }
    let folder: Vec<&str> = below.split('/').collect();
    let (name, folder) = folder.split_last().map_or((below, &[][..]), |(name, folder)| (*name, folder));
    let stem = page_stem(name).unwrap_or(name);
    let Some(address) = address(&front, folder, name, sheet) else { return };
    let extension = Some(sheet.settings.source.page_extension.as_str());
    let place = links::Place { base: sheet.settings.base, folder, address: &address, extension };

    let mut bad = Vec::new();
    let description =
        front.description.as_ref().map_or(Cow::Borrowed(""), |said| written(&said.text, place, &mut bad));
    let description_line = front.description.as_ref().map_or(1, |said| said.line);
    sheet.report_links(bad, |_| description_line, "description");

    let first_line = 1 + text[..body].bytes().filter(|byte| *byte == b'\n').count();
    let original = &text[body..];
    let is_mdx = name.rsplit_once('.').is_some_and(|(_, end)| end.eq_ignore_ascii_case("mdx"));
    let source = if is_mdx { mdx::as_markdown(original) } else { Cow::Borrowed(original) };
    let own_title =
        front.title.as_ref().map(|said| said.text.as_str()).filter(|title| !trim(title).is_empty());
    let wants_paragraph = description.is_empty() || needs_paragraph(sheet.settings.answer);
    let walk = Walk {
        original,
        lines: Lines { text: original, at: 0, line: first_line },
        place,
        title: own_title.map(|title| without_entities(title).into_owned()),
        headings: sheet.settings.headings,
        wants_paragraph,
        ..Walk::new(original, place)
    };
    let found = walk.along(&source);

    let mut bad_lines = Lines { text: original, at: 0, line: first_line };
    for BadLink { at, link, target } in found.bad {
        sheet.report_link(&link, &target, bad_lines.of(at), "");
    }

    let Some(title) = found.title else {
        sheet.report(Rule::NoTitle, 1, "title", "nothing gives a title; the page was left out");
        return;
    };
    let title_said = match front.title {
        Some(said) if own_title.is_some() => Said { text: title.clone(), ..said },
        _ => Said { text: title.clone(), line: found.title_line, field: String::new() },
    };
    let kind = front.kind.as_ref().map_or(sheet.settings.kind, |said| sheet.kind(said));
    let priority = priority(front.priority.as_ref(), Rule::FrontMatter, sheet);
    let (path, qualifiers) = path(folder, stem);
    let prefix = &sheet.settings.source.id_prefix;
    let id = match &front.id {
        Some(said) => sheet.id(said),
        None => DraftId::Path(format!("{prefix}{path}")),
    };
    let path_words = words(&path);
    let mut aliases = front.aliases;
    aliases.extend(found.leading.map(|(text, line)| Said { text, line, field: String::new() }));
    sheet.add(Piece {
        origin: Origin::Page,
        title: title_said,
        aliases,
        id,
        id_line: front.id.as_ref().map_or(0, |said| said.line),
        kind,
        qualifiers,
        path: path_words.clone(),
        link: Some(address.clone()),
        answer: Answer::Parts {
            description: description.into_owned(),
            paragraph: found.paragraph.unwrap_or_default(),
        },
        citations: Vec::new(),
        priority,
    });
    let page_title = invisible::without(&title);
    for section in found.sections {
        let link = format!("{address}#{}", section.anchor);
        let mut qualifiers = section.parents;
        qualifiers.push(page_title.clone());
        sheet.add(Piece {
            origin: Origin::Page,
            title: Said { text: section.title, line: section.line, field: String::new() },
            aliases: Vec::new(),
            id: DraftId::Address(format!("{prefix}{path}#{}", section.anchor)),
            id_line: 0,
            kind,
            qualifiers,
            path: format!("{path_words} {}", words(&section.anchor)),
            link: Some(link),
            answer: Answer::Parts {
                description: String::new(),
                paragraph: section.paragraph.unwrap_or_default(),
            },
            citations: Vec::new(),
            priority,
        });
    }
}

/// The address of the page; nothing where the one that its author gave leads nowhere it may, which is noted.
fn address(front: &FrontMatter, folder: &[&str], name: &str, sheet: &mut Sheet<'_>) -> Option<String> {
    let names: Vec<Cow<'_, str>> = folder.iter().copied().chain([name]).map(Cow::Borrowed).collect();
    let base = sheet.settings.base;
    let given = front.address.as_ref().filter(|said| !trim(&said.text).is_empty());
    let (target, written) = match given {
        None => (links::safe(links::page_address(base, names, &sheet.settings.source.page_extension)), name),
        Some(said) => {
            let slug = trim(&said.text);
            let relative = match slug.strip_prefix('/') {
                // A slash begins at the root of the tree, not of the host.
                Some(rest) if !rest.starts_with('/') => {
                    links::Place { base, folder: &[], address: "", extension: None }
                        .resolve_own(if rest.is_empty() { "." } else { rest })
                }
                _ => links::Place { base, folder, address: "", extension: None }.resolve_own(slug),
            };
            (relative, slug)
        }
    };
    match target {
        Target::To(address) => Some(address),
        target => {
            let target = if target == Target::Nowhere { Target::Unsafe } else { target };
            let (line, field) = given.map_or((1, ""), |said| (said.line, said.field.as_str()));
            sheet.report_address(written, &target, line, field);
            None
        }
    }
}

/// The priority that the front matter or a row gives, or that of the settings.
pub(super) fn priority(said: Option<&Said>, rule: Rule, sheet: &mut Sheet<'_>) -> i64 {
    let Some(said) = said else { return sheet.settings.priority };
    trim(&said.text).parse().unwrap_or_else(|_| {
        sheet.report(rule, said.line, &said.field, "the priority is no whole number");
        sheet.settings.priority
    })
}

/// The path of a page without its end, and the names of its folders, nearest first. The page of a folder has the path
/// of the folder.
fn path(folder: &[&str], stem: &str) -> (String, Vec<String>) {
    let is_folder = is_index(stem) && !folder.is_empty();
    let mut names: Vec<&str> = folder.to_vec();
    if !is_folder {
        names.push(stem);
    }
    let qualifiers =
        names.iter().rev().skip(1).map(|name| words(name)).filter(|name| !name.is_empty()).collect();
    (names.join("/"), qualifiers)
}

/// Counts lines on the way through a text.
struct Lines<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl Lines<'_> {
    /// The line of a byte.
    fn of(&mut self, at: usize) -> usize {
        let at = at.min(self.text.len());
        let bytes = self.text.as_bytes();
        let count = |range: &[u8]| range.iter().filter(|byte| **byte == b'\n').count();
        if at >= self.at {
            self.line += count(&bytes[self.at..at]);
        } else {
            self.line -= count(&bytes[at..self.at]);
        }
        self.at = at;
        self.line
    }
}

/// One way through the events of a page.
struct Walk<'p> {
    original: &'p str,
    lines: Lines<'p>,
    place: links::Place<'p>,
    title: Option<String>,
    title_line: usize,
    headings: bool,
    wants_paragraph: bool,
    leading: Option<(String, usize)>,
    first_paragraph: Option<String>,
    sections: Vec<Section>,
    anchors: Anchors,
    /// The headings that enclose what comes, with their levels.
    parents: Vec<(u8, String)>,
    /// What the next paragraph belongs to.
    current: Current,
    /// Whether the title is that of the front matter and nothing has followed yet: a first heading of level 1 is then
    /// the title once more.
    seeks_leading: bool,
    bad: Vec<BadLink>,
}

/// A heading with an entry of its own.
struct Section {
    title: String,
    line: usize,
    anchor: String,
    parents: Vec<String>,
    paragraph: Option<String>,
}

/// What was found on the way.
struct Found {
    title: Option<String>,
    title_line: usize,
    leading: Option<(String, usize)>,
    paragraph: Option<String>,
    sections: Vec<Section>,
    bad: Vec<BadLink>,
}

#[derive(Clone, Copy, PartialEq)]
enum Current {
    /// Nothing that is wanted.
    Nothing,
    /// The page.
    Page,
    /// The last section.
    Section,
}

impl<'p> Walk<'p> {
    fn new(original: &'p str, place: links::Place<'p>) -> Self {
        Self {
            original,
            lines: Lines { text: original, at: 0, line: 1 },
            place,
            title: None,
            title_line: 1,
            headings: false,
            wants_paragraph: true,
            leading: None,
            first_paragraph: None,
            sections: Vec::new(),
            anchors: Anchors::default(),
            parents: Vec::new(),
            current: Current::Nothing,
            seeks_leading: false,
            bad: Vec::new(),
        }
    }

    fn found(self) -> Found {
        Found {
            title: self.title,
            title_line: self.title_line,
            leading: self.leading,
            paragraph: self.first_paragraph,
            sections: self.sections,
            bad: self.bad,
        }
    }

    /// Goes through a page as far as something is wanted.
    fn along(mut self, source: &str) -> Found {
        self.seeks_leading = self.title.is_some();
        if self.title.is_some() && self.wants_paragraph {
            self.current = Current::Page;
        }
        let mut events = Parser::new_ext(source, MARKDOWN).into_offset_iter();
        // Within how many lists, quotes, tables and notes.
        let mut depth = 0_usize;
        while let Some((event, range)) = events.next() {
            match event {
                Event::Start(Tag::Heading { level, .. }) => {
                    let title = heading_title(events.by_ref().map(|(event, _)| event));
                    if depth == 0 || self.title.is_none() {
                        let (title, anchor) = without_anchor(&title, &self.original[range.clone()]);
                        self.heading(level as u8, title, anchor, range.start);
                    }
                }
                Event::Start(Tag::HtmlBlock) => {
                    if let Some(html) = self.original.get(range.clone()).filter(|_| depth == 0) {
                        for heading in html_headings(html) {
                            let at = range.start + heading.at;
                            self.heading(heading.level, heading.title, heading.anchor, at);
                        }
                    }
                }
                Event::Start(Tag::Paragraph) if depth == 0 && self.wants_next() => {
                    let inside = events.by_ref().map(|(event, range)| (event, range.start));
                    let inside = inside.take_while(|(event, _)| *event != Event::End(TagEnd::Paragraph));
                    self.paragraph(inside.collect());
                }
                Event::Start(tag) if is_container(&tag) => depth += 1,
                Event::End(tag) if is_container_end(tag) => depth = depth.saturating_sub(1),
                _ => {}
            }
            if self.title.is_some() && !self.headings && !self.wants_next() {
                break;
            }
        }
        self.found()
    }

    /// Whether the next paragraph means anything.
    fn wants_next(&self) -> bool {
        self.current != Current::Nothing || self.seeks_leading
    }

    fn paragraph(&mut self, inside: Vec<(Event<'_>, usize)>) {
        if !has_text(&inside) {
            return;
        }
        self.seeks_leading = false;
        let current = std::mem::replace(&mut self.current, Current::Nothing);
        if current == Current::Nothing {
            return;
        }
        let text = paragraph(inside, self.place, &mut self.bad);
        match (current, self.sections.last_mut()) {
            (Current::Section, Some(section)) => section.paragraph = Some(text),
            _ => self.first_paragraph = Some(text),
        }
    }

    fn heading(&mut self, level: u8, title: String, anchor: Option<String>, at: usize) {
        let is_leading = std::mem::replace(&mut self.seeks_leading, false) && level == 1;
        let given = anchor.is_some();
        let anchor = match anchor {
            Some(anchor) => {
                self.anchors.take(&anchor);
                anchor
            }
            None if self.headings => self.anchors.of(&title),
            None => String::new(),
        };
        if trim(&title).is_empty() {
            return;
        }
        let Some(page_title) = &self.title else {
            self.title_line = self.lines.of(at);
            self.title = Some(title);
            self.current = if self.wants_paragraph { Current::Page } else { Current::Nothing };
            return;
        };
        if is_leading {
            // The title of the page once more, perhaps in other words.
            if normalize_key(page_title) != normalize_key(&title) {
                self.leading = Some((invisible::without(&title), self.lines.of(at)));
            }
            return;
        }
        self.current = Current::Nothing;
        if !self.headings || (anchor.is_empty() && !given) {
            return;
        }
        while self.parents.last().is_some_and(|(above, _)| *above >= level) {
            self.parents.pop();
        }
        let parents = self.parents.iter().rev().map(|(_, title)| title.clone()).collect();
        self.parents.push((level, invisible::without(&title)));
        let line = self.lines.of(at);
        self.sections.push(Section { title, line, anchor, parents, paragraph: None });
        self.current = Current::Section;
    }
}

/// The text of a heading whose start has been read, up to its end.
fn heading_title<'e>(events: impl Iterator<Item = Event<'e>>) -> String {
    let mut title = String::new();
    let mut images = 0_usize;
    for event in events {
        match event {
            Event::End(TagEnd::Heading(_)) => break,
            Event::Start(Tag::Image { .. }) => images += 1,
            Event::End(TagEnd::Image) => images = images.saturating_sub(1),
            Event::Text(text) | Event::Code(text) if images == 0 => title.push_str(&text),
            Event::SoftBreak | Event::HardBreak => title.push(' '),
            _ => {}
        }
    }
    title
}

fn is_container(tag: &Tag<'_>) -> bool {
    matches!(tag, Tag::BlockQuote(_) | Tag::List(_) | Tag::Item | Tag::FootnoteDefinition(_) | Tag::Table(_))
}

fn is_container_end(tag: TagEnd) -> bool {
    matches!(
        tag,
        TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item | TagEnd::FootnoteDefinition | TagEnd::Table
    )
}
