//! Titles and anchors of headings.

use std::collections::HashMap;

use answerplane_normalize::trim;
use pulldown_cmark::{Event, Parser};

use crate::invisible::is_word;

/// The anchors of a page: each is there once.
#[derive(Debug, Default)]
pub(super) struct Anchors {
    /// Anchors given so far, with the number that the next heading of the same text gets.
    given: HashMap<String, usize>,
}

impl Anchors {
    /// The anchor of a heading, as GitHub and most site generators make it: lower case, without punctuation, `-`
    /// for spaces, and a number where the text has been there before.
    pub(super) fn of(&mut self, title: &str) -> String {
        let mut slug = String::with_capacity(title.len());
        for character in title.trim().chars() {
            match character {
                ' ' => slug.push('-'),
                '-' => slug.push('-'),
                _ if is_word(character) => slug.extend(character.to_lowercase()),
                _ => {}
            }
        }
        if !self.given.contains_key(&slug) {
            self.given.insert(slug.clone(), 1);
            return slug;
        }
        loop {
            let number = self.given.entry(slug.clone()).or_insert(1);
            let anchor = format!("{slug}-{number}");
            *number += 1;
            if !self.given.contains_key(&anchor) {
                self.given.insert(anchor.clone(), 1);
                return anchor;
            }
        }
    }

    /// Notes an anchor that the author gave.
    pub(super) fn take(&mut self, anchor: &str) {
        self.given.entry(anchor.to_owned()).or_insert(1);
    }
}

/// A heading's title without the anchor that its author gave, and that anchor: `{#id}` or, in MDX, `{/*id*/}`.
///
/// `source` is the heading as it stands in the file; in `title` emphasis is gone.
pub(super) fn without_anchor(title: &str, source: &str) -> (String, Option<String>) {
    let title = trim(title);
    let source = source.trim_end().trim_end_matches('#').trim_end();
    if let Some(start) = title.rfind("{#")
        && let Some(anchor) = title[start + 2..].strip_suffix('}')
        && is_anchor(anchor)
    {
        return (trim(&title[..start]).to_owned(), Some(anchor.to_owned()));
    }
    if source.ends_with("*/}")
        && let Some(start) = source.rfind("{/*")
    {
        let comment = trim(&source[start + 3..source.len() - 3]);
        let end = title.rfind("{/").filter(|_| title.ends_with("/}")).unwrap_or(title.len());
        let anchor = is_anchor(comment).then(|| comment.to_owned());
        return (trim(&title[..end]).to_owned(), anchor);
    }
    (title.to_owned(), None)
}

fn is_anchor(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c.is_control() || "{}<>\"#".contains(c))
}

/// A heading in HTML.
#[derive(Debug, PartialEq)]
pub(super) struct HtmlHeading {
    /// From 1 to 6.
    pub(super) level: u8,
    /// What it says.
    pub(super) title: String,
    /// Its `id` or `name`.
    pub(super) anchor: Option<String>,
    /// The byte where it begins.
    pub(super) at: usize,
}

/// The headings in a piece of HTML.
pub(super) fn html_headings(html: &str) -> Vec<HtmlHeading> {
    let mut headings = Vec::new();
    let mut from = 0;
    while let Some(found) = html[from..].find("<h").or_else(|| html[from..].find("<H")) {
        let at = from + found;
        from = at + 2;
        let Some(level @ b'1'..=b'6') = html.as_bytes().get(at + 2).copied() else { continue };
        let Some(tag) = html[at..].find('>') else { break };
        let open = &html[at + 3..at + tag];
        if !open.is_empty() && !open.starts_with(|c: char| c.is_ascii_whitespace()) {
            continue;
        }
        let body = at + tag + 1;
        let ends = [format!("</h{}", char::from(level)), format!("</H{}", char::from(level))];
        let Some(end) = ends.iter().filter_map(|end| html[body..].find(end.as_str())).min() else { break };
        from = body + end;
        let title = plain(&html[body..from]);
        if !title.is_empty() {
            let anchor = attribute(open, "id").or_else(|| attribute(open, "name"));
            headings.push(HtmlHeading { level: level - b'0', title, anchor, at });
        }
    }
    headings
}

/// What HTML says, without its tags and entities.
fn plain(html: &str) -> String {
    let lines: Vec<&str> = html.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    // The letter keeps the text a paragraph, whatever it begins with.
    let source = format!("x{}", lines.join(" "));
    let mut text = String::new();
    for event in Parser::new(&source) {
        if let Event::Text(part) | Event::Code(part) = event {
            text.push_str(&part);
        }
    }
    trim(text.strip_prefix('x').unwrap_or(&text)).to_owned()
}

/// The value of an attribute in an open tag.
fn attribute(tag: &str, name: &str) -> Option<String> {
    tag.match_indices(name).find_map(|(at, _)| {
        if !tag[..at].ends_with(|c: char| c.is_ascii_whitespace()) {
            return None;
        }
        let value = tag[at + name.len()..].trim_start().strip_prefix('=')?.trim_start();
        let value = match value.chars().next()? {
            quote @ ('"' | '\'') => value[1..].split(quote).next()?,
            _ => value.split(|c: char| c.is_ascii_whitespace() || c == '/').next()?,
        };
        is_anchor(value).then(|| value.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::{Anchors, HtmlHeading, html_headings, without_anchor};

    #[test]
    fn anchors_are_those_of_github() {
        let mut anchors = Anchors::default();
        for (title, anchor) in [
            ("Getting Started!", "getting-started"),
            ("Getting started", "getting-started-1"),
            ("getting-started-1", "getting-started-1-1"),
            ("Getting started", "getting-started-2"),
            ("What's `rg` & why?", "whats-rg--why"),
            ("Größe: 始め方 क्या", "größe-始め方-क्या"),
            ("snake_case", "snake_case"),
            ("!", ""),
            ("?", "-1"),
        ] {
            assert_eq!(anchors.of(title), anchor, "{title}");
        }
    }

    #[test]
    fn anchors_of_the_author_are_taken_out_of_the_title() {
        let given = |title: &str, source: &str| without_anchor(title, source);
        assert_eq!(
            given("Install {#get-it}", "## Install {#get-it}\n"),
            ("Install".into(), Some("get-it".into()))
        );
        assert_eq!(given("Use {/ref/}", "## Use {/*ref*/}\n"), ("Use".into(), Some("ref".into())));
        assert_eq!(given("Use {/ a note /}", "## Use {/* a note */}"), ("Use".into(), None));
        assert_eq!(given("Use", "## Use {/*x*/} ##"), ("Use".into(), Some("x".into())));
        assert_eq!(given("Set {a, b}", "## Set {a, b}"), ("Set {a, b}".into(), None));
    }

    #[test]
    fn headings_in_html_are_found() {
        let html = "<h3 name=\"config\">\nDoes <code>rg</code> read\nR&amp;D files?\n</h3>\n<hr><h1 id=x>Y</h1><h7>z</h7>";
        assert_eq!(
            html_headings(html),
            [
                HtmlHeading {
                    level: 3,
                    title: "Does rg read R&D files?".into(),
                    anchor: Some("config".into()),
                    at: 0
                },
                HtmlHeading { level: 1, title: "Y".into(), anchor: Some("x".into()), at: 70 },
            ]
        );
        assert_eq!(html_headings("<h1><img src='x'></h1><h2 class=\"a\">"), []);
    }
}
