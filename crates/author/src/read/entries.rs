//! Entries written by hand, in TOML, YAML or JSON.

use answerplane_normalize::{is_blank, utf16_len};
use answerplane_protocol::Identifier;

use crate::draft::{DraftCitation, DraftId, Origin};
use crate::invisible;
use crate::read::items::{self, Item, Problem};
use crate::read::page::priority;
use crate::read::rows::published;
use crate::read::sheet::{Answer, Piece, Said, Sheet};
use crate::read::text::{MAX_TITLE, one_line, words};
use crate::read::value::Value;
use crate::rule::Rule;

/// The greatest number of citations of an entry.
const MAX_CITATIONS: usize = 8;

/// The format of a file of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    Toml,
    Yaml,
    Json,
}

/// Reads a file of entries.
pub(super) fn read(text: &str, syntax: Syntax, sheet: &mut Sheet<'_>) {
    let items = match syntax {
        Syntax::Toml => items::toml(text),
        Syntax::Yaml => items::yaml(text),
        Syntax::Json => items::json(text),
    };
    match items {
        Ok(items) => {
            for (item, number) in items.iter().zip(0..) {
                let at =
                    if syntax == Syntax::Toml { format!("entry[{number}]") } else { format!("[{number}]") };
                Entry { source: text.get(item.range.clone()).unwrap_or_default(), item, at }.add_to(sheet);
            }
        }
        Err(Problem { line, message }) => sheet.report(Rule::RowSyntax, line, "", message),
    }
}

/// One entry, and where it stands.
struct Entry<'i> {
    source: &'i str,
    item: &'i Item,
    at: String,
}

const FIELDS: &str =
    "id, kind, label or title, aliases, answer, citations, section and priority are possible";

impl Entry<'_> {
    fn add_to(&self, sheet: &mut Sheet<'_>) {
        let Value::Map(fields) = &self.item.value else {
            sheet.report(Rule::RowField, self.item.line, &self.at, "an entry with fields is expected");
            return;
        };
        let (mut id, mut kind, mut title, mut answer, mut section, mut rank) =
            (None, None, None, None, None, None);
        let (mut aliases, mut citations) = (Vec::new(), Vec::new());
        for (name, value) in fields {
            let slot = match name.as_str() {
                "id" => &mut id,
                "kind" => &mut kind,
                "label" | "title" => &mut title,
                "answer" => &mut answer,
                "section" => &mut section,
                "priority" => &mut rank,
                "aliases" => {
                    self.aliases(value, &mut aliases, sheet);
                    continue;
                }
                "citations" => {
                    self.citations(value, &mut citations, sheet);
                    continue;
                }
                _ => {
                    let said = self.said("", name);
                    sheet.report(
                        Rule::RowField,
                        said.line,
                        &said.field,
                        format!("this field is not known: {FIELDS}"),
                    );
                    continue;
                }
            };
            match value {
                Value::Null => {}
                Value::Text(_) if slot.is_some() => {
                    let said = self.said("", name);
                    sheet.report(
                        Rule::RowField,
                        said.line,
                        &said.field,
                        "label and title are the same; give one",
                    );
                }
                Value::Text(text) => *slot = Some(self.said(text, name)),
                _ => self.refuse(name, "this is no text", sheet),
            }
        }
        let mut required = |said: Option<Said>, name: &str| {
            let said = said.filter(|said| !is_blank(&invisible::without(&said.text)));
            if said.is_none() {
                let line = self.item.line;
                sheet.report(
                    Rule::RowField,
                    line,
                    &format!("{}.{name}", self.at),
                    format!("an entry needs {name}"),
                );
            }
            said
        };
        let (title, answer) = (required(title, "label"), required(answer, "answer"));
        let id_line = id.as_ref().map_or(0, |said| said.line);
        let id = match id {
            Some(said) => Some(sheet.id(&said)),
            None => title.as_ref().map(|said| {
                DraftId::Address(format!("{}{}", sheet.settings.source.id_prefix, one_line(&said.text)))
            }),
        };
        let kind = kind.map_or(sheet.settings.kind, |said| sheet.kind(&said));
        let priority = priority(rank.as_ref(), Rule::RowField, sheet);
        let answer = answer.map(|said| published(&said, sheet));
        let (Some(title), Some(answer), Some(id)) = (title, answer, id) else { return };
        let path = match &id {
            DraftId::Declared(id) => words(id),
            DraftId::Path(text) | DraftId::Address(text) => words(text),
        };
        let line = if self.item.line > 0 { self.item.line } else { title.line };
        sheet.add(Piece {
            origin: Origin::Hand,
            title: Said { line, ..title },
            aliases,
            id,
            id_line,
            kind,
            qualifiers: section
                .into_iter()
                .map(|said| said.text)
                .filter(|section| !is_blank(section))
                .collect(),
            path,
            link: None,
            answer: Answer::Written(answer),
            citations,
            priority,
        });
    }

    fn said(&self, text: &str, name: &str) -> Said {
        let line = items::field_line(self.source, self.item.line, name);
        Said { text: text.to_owned(), line, field: format!("{}.{name}", self.at) }
    }

    fn refuse(&self, name: &str, message: &str, sheet: &mut Sheet<'_>) {
        let said = self.said("", name);
        sheet.report(Rule::RowField, said.line, &said.field, message);
    }

    fn aliases(&self, value: &Value, aliases: &mut Vec<Said>, sheet: &mut Sheet<'_>) {
        match value {
            Value::Null => {}
            Value::Text(text) => aliases.push(self.said(text, "aliases")),
            Value::List(list) => {
                for (value, number) in list.iter().zip(0..) {
                    let name = format!("aliases[{number}]");
                    match value {
                        Value::Text(text) => aliases.push(self.said(text, &name)),
                        _ => self.refuse(&name, "this is no text", sheet),
                    }
                }
            }
            Value::Map(_) => self.refuse("aliases", "this is no list of texts", sheet),
        }
    }

    fn citations(&self, value: &Value, citations: &mut Vec<DraftCitation>, sheet: &mut Sheet<'_>) {
        let list = match value {
            Value::Null => return,
            Value::List(list) => list,
            _ => return self.refuse("citations", "this is no list", sheet),
        };
        if list.len() > MAX_CITATIONS {
            let said = self.said("", "citations");
            let place = sheet.place(said.line, &said.field);
            let diagnostic =
                crate::Diagnostic::new(Rule::RowField, place, "the entry has too many citations");
            sheet.diagnostics.push(diagnostic.beyond(MAX_CITATIONS, list.len()));
        }
        let citation =
            |(value, number): (&Value, usize)| self.citation(value, &format!("citations[{number}]"), sheet);
        citations.extend(list.iter().take(MAX_CITATIONS).zip(0..).filter_map(citation));
    }

    fn citation(&self, value: &Value, name: &str, sheet: &mut Sheet<'_>) -> Option<DraftCitation> {
        let Value::Map(fields) = value else {
            self.refuse(name, "a citation has title and href, and perhaps an id", sheet);
            return None;
        };
        let unknown = fields.iter().find(|(field, _)| !matches!(field.as_str(), "id" | "title" | "href"));
        if let Some((field, _)) = unknown {
            self.refuse(
                &format!("{name}.{field}"),
                "this field is not known: id, title and href are possible",
                sheet,
            );
            return None;
        }
        let text = |field: &str| value.get(field).and_then(Value::text);
        let (Some(title), Some(href)) = (text("title"), text("href")) else {
            self.refuse(name, "a citation needs title and href", sheet);
            return None;
        };
        let title = one_line(title).into_owned();
        if utf16_len(&title) > MAX_TITLE {
            self.refuse(&format!("{name}.title"), "the title has more than 256 UTF-16 units", sheet);
            return None;
        }
        let id = text("id").map(str::to_owned);
        if id.as_ref().is_some_and(|id| id.parse::<Identifier>().is_err()) {
            let said = self.said("", &format!("{name}.id"));
            sheet.report(Rule::IdInvalid, said.line, &said.field, "this is no identifier");
            return None;
        }
        let href = sheet.link(&self.said(href, &format!("{name}.href")))?;
        Some(DraftCitation { id, title, href })
    }
}
