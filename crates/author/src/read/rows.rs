//! Rows of any format become drafts.

use answerplane_normalize::trim;

use crate::config::{Columns, Names};
use crate::draft::{DraftId, Origin};
use crate::read::links::{self, scheme_of};
use crate::read::page::priority;
use crate::read::publish::written;
use crate::read::sheet::{Answer, Piece, Said, Sheet};
use crate::read::text::words;
use crate::read::value::Value;
use crate::rule::Rule;

/// A row, and where it stands.
pub(super) struct Row<'r> {
    pub(super) value: Value,
    /// Its line, from 1; 0 where it is not known.
    pub(super) line: usize,
    /// Its place in a list, such as `[3]`; empty where the line says enough.
    pub(super) at: &'r str,
    /// Finds the line of a field of it.
    pub(super) line_of: &'r dyn Fn(&str) -> usize,
}

/// Where things usually stand.
const TITLE: &[&str] = &["title", "question", "q", "name", "label"];
const ALIASES: &[&str] = &["aliases"];
const TEXT: &[&str] = &["text", "answer", "description", "summary", "answer_snippet"];
const LINK: &[&str] =
    &["link", "url", "href", "homepage", "documentation", "repository", "url_or_path", "path"];
const KIND: &[&str] = &["kind"];
const SECTION: &[&str] = &["section", "category"];
const ID: &[&str] = &["id"];
const PRIORITY: &[&str] = &["priority"];

/// The names of all columns that the configuration gives, with the field of the configuration.
pub(super) fn mapped(columns: &Columns) -> impl Iterator<Item = (&'static str, &Names)> {
    let Columns { id, title, aliases, text, link, kind, section, priority } = columns;
    [
        ("id", id),
        ("title", title),
        ("aliases", aliases),
        ("text", text),
        ("link", link),
        ("kind", kind),
        ("section", section),
        ("priority", priority),
    ]
    .into_iter()
    .filter_map(|(field, names)| Some((field, names.as_ref()?)))
}

impl Row<'_> {
    /// The first value under one of the names that is not empty, with its name.
    fn find(&self, mapped: Option<&Names>, usual: &[&'static str]) -> Option<(&Value, String)> {
        let has_content = |value: &&Value| match value {
            Value::Null => false,
            Value::Text(text) => !trim(text).is_empty(),
            Value::List(list) => !list.is_empty(),
            Value::Map(map) => !map.is_empty(),
        };
        let get = |name: &str| Some((self.value.get(name).filter(has_content)?, name.to_owned()));
        match mapped {
            Some(names) => names.as_slice().iter().find_map(|name| get(name)),
            // By chance a usual name may hold something else; it is passed over.
            None => usual
                .iter()
                .filter(|name| self.value.get(name).is_some_and(is_usual))
                .find_map(|name| get(name)),
        }
    }

    fn said(&self, text: &str, name: &str) -> Said {
        let field = match self.at {
            "" => name.to_owned(),
            at => format!("{at}.{name}"),
        };
        Said { text: text.to_owned(), line: (self.line_of)(name), field }
    }

    /// The text that stands under one of the names. Something else than a text is noted.
    fn text(&self, mapped: Option<&Names>, usual: &[&'static str], sheet: &mut Sheet<'_>) -> Option<Said> {
        let (value, name) = self.find(mapped, usual)?;
        // Of several, such as categories, the first counts.
        let first = match value {
            Value::List(list) => list.iter().find_map(Value::text),
            value => value.text(),
        };
        let said = self.said(first.unwrap_or_default(), &name);
        if first.is_none() {
            sheet.report(Rule::RowField, said.line, &said.field, "this is no text");
            return None;
        }
        Some(said)
    }

    /// Notes that an object stands where a text usually does.
    fn refuse_objects(&self, usual: &[&'static str], sheet: &mut Sheet<'_>) {
        let is_object = |value: &Value| matches!(value, Value::Map(map) if !map.is_empty());
        for name in usual.iter().filter(|name| self.value.get(name).is_some_and(is_object)) {
            let said = self.said("", name);
            sheet.report(Rule::RowField, said.line, &said.field, "this is no text");
        }
    }

    /// Whether the row passes the filter of its source.
    fn passes(&self, sheet: &Sheet<'_>) -> bool {
        sheet.settings.source.filter.iter().all(|(name, wanted)| match self.value.get(name) {
            None | Some(Value::Null) => wanted.is_empty(),
            Some(Value::Text(text)) => trim(text) == wanted,
            Some(Value::List(list)) => list.iter().any(|value| value.text() == Some(wanted)),
            Some(Value::Map(_)) => false,
        })
    }

    /// Adds the draft of the row.
    pub(super) fn add_to(&self, sheet: &mut Sheet<'_>) {
        if !self.passes(sheet) {
            return;
        }
        if !matches!(self.value, Value::Map(_)) {
            sheet.report(Rule::RowField, self.line, self.at, "a row with names is expected");
            return;
        }
        let columns = &sheet.settings.source.columns;
        let Some(title) = self.text(columns.title.as_ref(), TITLE, sheet) else {
            sheet.report(Rule::NoTitle, self.line, self.at, "nothing gives the row a title; it was left out");
            return;
        };
        let aliases = self.aliases(columns, sheet);
        let link = self.text(columns.link.as_ref(), LINK, sheet).and_then(|said| sheet.link(&said));
        let description = self.text(columns.text.as_ref(), TEXT, sheet);
        if description.is_none() && columns.text.is_none() {
            self.refuse_objects(TEXT, sheet);
        }
        let description = description.map(|said| published(&said, sheet)).unwrap_or_default();
        let section = self.text(columns.section.as_ref(), SECTION, sheet);
        let kind = self.text(columns.kind.as_ref(), KIND, sheet);
        let kind = kind.map_or(sheet.settings.kind, |said| sheet.kind(&said));
        let priority_said = self.text(columns.priority.as_ref(), PRIORITY, sheet);
        let priority = priority(priority_said.as_ref(), Rule::RowField, sheet);
        let prefix = &sheet.settings.source.id_prefix;
        let source = link.as_deref().map_or(&*title.text, address_part);
        let id_said = self.text(columns.id.as_ref(), ID, sheet);
        let id_line = id_said.as_ref().map_or(0, |said| said.line);
        let id = match id_said {
            Some(said) => sheet.id(&said),
            None => DraftId::Address(format!("{prefix}{source}")),
        };
        let path = words(source);
        sheet.add_row(Piece {
            origin: Origin::Row,
            title: Said { line: if title.line > 0 { title.line } else { self.line }, ..title },
            aliases,
            id,
            id_line,
            kind,
            qualifiers: section.into_iter().map(|said| said.text).collect(),
            path,
            link,
            answer: Answer::Parts { description, paragraph: String::new() },
            citations: Vec::new(),
            priority,
        });
    }

    fn aliases(&self, columns: &Columns, sheet: &mut Sheet<'_>) -> Vec<Said> {
        let Some((value, name)) = self.find(columns.aliases.as_ref(), ALIASES) else { return Vec::new() };
        match value {
            Value::Text(text) => {
                let parts = text.split(['|', '\n']).map(trim).filter(|part| !part.is_empty());
                parts.map(|part| self.said(part, &name)).collect()
            }
            Value::List(list) => {
                let mut aliases = Vec::new();
                for (value, number) in list.iter().zip(0..) {
                    let mut said = self.said("", &name);
                    said.field = format!("{}[{number}]", said.field);
                    match value {
                        Value::Text(text) => aliases.push(Said { text: text.clone(), ..said }),
                        Value::Null => {}
                        _ => sheet.report(Rule::RowField, said.line, &said.field, "this is no text"),
                    }
                }
                aliases
            }
            _ => {
                let said = self.said("", &name);
                sheet.report(Rule::RowField, said.line, &said.field, "this is no text and no list");
                Vec::new()
            }
        }
    }
}

/// Whether a value can stand under a usual name.
fn is_usual(value: &Value) -> bool {
    !matches!(value, Value::Map(_))
}

/// A text as it may be published; links in it that lead nowhere they may are noted.
pub(super) fn published(said: &Said, sheet: &mut Sheet<'_>) -> String {
    let mut bad = Vec::new();
    let place = links::Place { base: sheet.settings.base, folder: &[], address: "", extension: None };
    let text = written(&said.text, place, &mut bad).into_owned();
    sheet.report_links(bad, |_| said.line, &said.field);
    text
}

/// What an address adds to its host; the host where it adds nothing.
pub(super) fn address_part(link: &str) -> &str {
    if scheme_of(link).is_none() {
        return link.trim_matches('/');
    }
    let Some(start) = link.find("://") else { return link };
    let rest = &link[start + 3..];
    let path = rest.find('/').map_or("", |at| rest[at..].trim_matches('/'));
    if path.is_empty() { rest.trim_end_matches('/') } else { path }
}

#[cfg(test)]
mod tests {
    use super::address_part;

    #[test]
    fn ids_come_from_what_an_address_adds_to_its_host() {
        for (link, part) in [
            ("https://docs.python.org/3/faq/design.html#x", "3/faq/design.html#x"),
            ("https://akos.example/", "akos.example"),
            ("/docs/install", "docs/install"),
            ("https://x.example?a=b", "x.example?a=b"),
        ] {
            assert_eq!(address_part(link), part);
        }
    }
}
