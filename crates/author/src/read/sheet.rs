//! What one file gives: drafts, and what is wrong in it.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use answerplane_normalize::{normalize_key, trim, truncate_utf16, utf16_len};
use answerplane_protocol::{EntryKind, Identifier, SafeLink};

use crate::config::{Shared, SourceConfig};
use crate::diagnostic::{Diagnostic, Level, Place};
use crate::draft::{Draft, DraftCitation, DraftId, Origin};
use crate::invisible;
use crate::read::answer::{Parts, answer};
use crate::read::links::{Base, MAX_LINK, Target};
use crate::read::publish::BadLink;
use crate::read::text::{self, MAX_ALIAS, MAX_MARKDOWN, MAX_TITLE, NoAlias};
use crate::rule::Rule;

/// The settings that apply to one file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings<'a> {
    /// Its source.
    pub(super) source: &'a SourceConfig,
    /// What its links are relative to.
    pub(super) base: &'a Base,
    /// What its entries are about, unless they say so themselves.
    pub(super) kind: EntryKind,
    /// Whether every further heading is an entry.
    pub(super) headings: bool,
    /// The template of answers, if not the usual one.
    pub(super) answer: Option<&'a str>,
    /// What happens to an alias that its entries share.
    pub(super) shared: Shared,
    /// The priority of its entries, unless they have their own.
    pub(super) priority: i64,
}

/// A text, and where it stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    /// The text.
    pub(super) text: String,
    /// The line, from 1; 0 where it is not known.
    pub(super) line: usize,
    /// The name of the field; empty for what is no field.
    pub(super) field: String,
}

/// What a format found for one entry, not yet held against the limits.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// What kind of source it comes from.
    pub(super) origin: Origin,
    /// The title.
    pub(super) title: Said,
    /// Further aliases.
    pub(super) aliases: Vec<Said>,
    /// How it is to be identified.
    pub(super) id: DraftId,
    /// The line where its author gives the id, from 1; 0 where nobody does.
    pub(super) id_line: usize,
    /// What it is about.
    pub(super) kind: EntryKind,
    /// What tells it apart from another of the same title, best first.
    pub(super) qualifiers: Vec<String>,
    /// Its path in words.
    pub(super) path: String,
    /// Its address, a safe link.
    pub(super) link: Option<String>,
    /// Its answer.
    pub(super) answer: Answer,
    /// Its sources beside its address.
    pub(super) citations: Vec<DraftCitation>,
    /// Its priority.
    pub(super) priority: i64,
}

/// What an answer is made of, in Markdown that may be published.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    /// A description and a first paragraph, for the template.
    Parts {
        /// The description; empty for none.
        description: String,
        /// The first paragraph; empty for none.
        paragraph: String,
    },
    /// The whole answer.
    Written(String),
}

/// What one file gives.
#[derive(Debug)]
pub(super) struct Sheet<'a> {
    /// The name of the file for people.
    pub(super) file: &'a str,
    /// The settings that apply to it.
    pub(super) settings: Settings<'a>,
    /// What was found in it.
    pub(super) drafts: Vec<Draft>,
    /// What is the matter with it.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The rows so far by a hash of what they say, with the number of the draft.
    rows: HashMap<u64, Vec<usize>>,
}

impl<'a> Sheet<'a> {
    pub(super) fn new(file: &'a str, settings: Settings<'a>) -> Self {
        Self { file, settings, drafts: Vec::new(), diagnostics: Vec::new(), rows: HashMap::new() }
    }

    /// A place in the file. A line of 0 and a field without name are left out.
    pub(super) fn place(&self, line: usize, field: &str) -> Place {
        let mut place = Place::file(self.file);
        if line > 0 {
            place = place.line(line);
        }
        if field.is_empty() { place } else { place.field(field) }
    }

    /// Notes what is the matter.
    pub(super) fn report(&mut self, rule: Rule, line: usize, field: &str, message: impl Into<String>) {
        let place = self.place(line, field);
        self.diagnostics.push(Diagnostic::new(rule, place, message));
    }

    fn beyond(&mut self, rule: Rule, said: &Said, message: &str, limit: usize, actual: usize) {
        let place = self.place(said.line, &said.field);
        self.diagnostics.push(Diagnostic::new(rule, place, message).beyond(limit, actual));
    }

    /// Notes links that lead nowhere they may.
    pub(super) fn report_links(&mut self, bad: Vec<BadLink>, line_of: impl Fn(usize) -> usize, field: &str) {
        for BadLink { at, link, target } in bad {
            self.report_link(&link, &target, line_of(at), field);
        }
    }

    /// Notes a link that leads nowhere it may.
    pub(super) fn report_link(&mut self, link: &str, target: &Target, line: usize, field: &str) {
        let link: String = invisible::without(link).chars().take(200).collect();
        let place = self.place(line, field);
        let diagnostic = match target {
            Target::To(_) | Target::Nowhere => return,
            Target::Unsafe => {
                Diagnostic::new(Rule::LinkUnsafe, place, format!("the link {link} is not safe"))
            }
            Target::TooLong(units) => {
                let message = format!("the link {link} has too many UTF-16 units");
                Diagnostic::new(Rule::LinkTooLong, place, message).beyond(MAX_LINK, *units)
            }
            Target::Outside => {
                let message = format!("the link {link} leads to a page outside of the tree");
                Diagnostic::new(Rule::LinkOutside, place, message)
            }
            Target::Above => {
                let message = format!("the link {link} leads above the base URL; only its text was kept");
                let mut diagnostic = Diagnostic::new(Rule::LinkOutside, place, message);
                diagnostic.level = Level::Warning;
                diagnostic
            }
        };
        self.diagnostics.push(diagnostic);
    }

    /// Notes that an address that an author gave leads nowhere it may.
    pub(super) fn report_address(&mut self, link: &str, target: &Target, line: usize, field: &str) {
        if *target == Target::Above {
            let link: String = invisible::without(link).chars().take(200).collect();
            self.report(
                Rule::LinkOutside,
                line,
                field,
                format!("the address {link} leads above the base URL"),
            );
        } else {
            self.report_link(link, target, line, field);
        }
    }

    /// An address that an author gave, as a safe link; nothing where it is empty or leads nowhere it may, which is
    /// noted.
    pub(super) fn link(&mut self, said: &Said) -> Option<String> {
        let link = trim(&said.text);
        if link.is_empty() {
            return None;
        }
        self.resolve(link).map_err(|target| self.report_address(link, &target, said.line, &said.field)).ok()
    }

    /// The address of an entry that is nothing without it, as [`link`](Self::link) gives it.
    pub(super) fn address(&mut self, said: &Said) -> Option<String> {
        let link = trim(&said.text);
        if link.is_empty() {
            self.report(Rule::LinkUnsafe, said.line, &said.field, "the link is empty");
            return None;
        }
        self.resolve(link).map_err(|target| self.report_address(link, &target, said.line, &said.field)).ok()
    }

    fn resolve(&self, link: &str) -> Result<String, Target> {
        match self.settings.base.resolve(link) {
            // What is absolute stays as its author wrote it.
            Target::To(_) if link.parse::<SafeLink>().is_ok() && !link.starts_with('/') => {
                Ok(link.to_owned())
            }
            Target::To(address) => Ok(address),
            Target::Nowhere => Err(Target::Unsafe),
            target => Err(target),
        }
    }

    /// An identifier that an author gave. Where it is none, that is noted, and one is made, so that whatever else is the
    /// matter with the entry is noted too.
    pub(super) fn id(&mut self, said: &Said) -> DraftId {
        let id = trim(&said.text);
        if id.parse::<Identifier>().is_ok() {
            return DraftId::Declared(id.to_owned());
        }
        self.report(Rule::IdInvalid, said.line, &said.field, "this is no identifier");
        DraftId::Address(id.to_owned())
    }

    /// A kind that an author gave; that of the settings where it is none, which is noted.
    pub(super) fn kind(&mut self, said: &Said) -> EntryKind {
        let name = trim(&said.text);
        crate::config::kind_named(name).unwrap_or_else(|| {
            let name: String = invisible::without(name).chars().take(40).collect();
            let message = format!("there is no kind {name}");
            self.report(Rule::KindUnknown, said.line, &said.field, message);
            self.settings.kind
        })
    }

    /// Adds a draft, if its title is one.
    pub(super) fn add(&mut self, piece: Piece) {
        let Some((title, aliases)) = self.names(&piece) else { return };
        let markdown = match piece.answer {
            Answer::Written(text) => text,
            Answer::Parts { description, paragraph } => {
                let link = piece.link.as_deref().unwrap_or_default();
                let parts = Parts { title: &title, description: &description, paragraph: &paragraph, link };
                answer(self.settings.answer, &parts)
            }
        };
        let mut markdown = markdown;
        if trim(&markdown).is_empty() && piece.origin == Origin::Row {
            let message = "nothing gives the row an answer; it was left out";
            self.report(Rule::NoAnswer, piece.title.line, "", message);
            return;
        }
        if trim(&markdown).is_empty() {
            markdown = text::escaped(&title).into_owned();
            self.report(Rule::AnswerIsTitle, piece.title.line, "", "the answer is the title");
        } else if trim(&markdown).len() < markdown.len() {
            markdown = trim(&markdown).to_owned();
        }
        let units = utf16_len(&markdown);
        if units > MAX_MARKDOWN {
            let said = Said { field: "answer".into(), line: piece.title.line, ..Said::default() };
            self.beyond(
                Rule::AnswerTooLong,
                &said,
                "the answer has too many UTF-16 units",
                MAX_MARKDOWN,
                units,
            );
            return;
        }
        let mut citations = piece.citations;
        if let (Some(href), true) = (piece.link, citations.is_empty()) {
            citations.push(DraftCitation { id: None, title: title.clone(), href });
        }
        self.drafts.push(Draft {
            place: self.place(piece.title.line, ""),
            origin: piece.origin,
            id: piece.id,
            id_line: u32::try_from(piece.id_line).ok().filter(|line| *line > 0),
            continues: None,
            kind: piece.kind,
            title,
            aliases,
            qualifiers: piece.qualifiers,
            path: piece.path,
            markdown,
            citations,
            shared: self.settings.shared,
            priority: piece.priority,
        });
    }

    /// Adds a draft that stands in a row, unless the same row was there before.
    pub(super) fn add_row(&mut self, piece: Piece) {
        let count = self.drafts.len();
        self.add(piece);
        if self.drafts.len() == count {
            return;
        }
        let row = &self.drafts[count];
        let mut hasher = DefaultHasher::new();
        (&row.title, &row.markdown, &row.aliases).hash(&mut hasher);
        let before = self.rows.entry(hasher.finish()).or_default();
        let is_same = |other: &Draft| {
            other.title == row.title
                && other.markdown == row.markdown
                && other.aliases == row.aliases
                && other.citations == row.citations
        };
        match before.iter().copied().find(|number| is_same(&self.drafts[*number])) {
            None => before.push(count),
            Some(number) => {
                let first = self.drafts[number].place.clone();
                let place = self.drafts[count].place.clone();
                self.drafts.truncate(count);
                let message = "the same title, answer and link stand in an earlier row";
                self.diagnostics.push(Diagnostic::new(Rule::RepeatedRow, place, message).with([first]));
            }
        }
    }

    /// The label, and all aliases. Nothing where the title is none.
    fn names(&mut self, piece: &Piece) -> Option<(String, Vec<String>)> {
        let said = &piece.title;
        let mut title = text::one_line(&said.text).into_owned();
        if let Some(character) = invisible::first(&title) {
            // Titles come from what is published already; nobody has to mend them for our sake.
            let place = self.place(said.line, &said.field);
            let message = format!("{} was left out of the title", text::code_point(character));
            let mut diagnostic = Diagnostic::new(Rule::AliasInvisible, place, message);
            diagnostic.level = Level::Warning;
            self.diagnostics.push(diagnostic);
            title = text::one_line(&invisible::without(&title)).into_owned();
        }
        if normalize_key(&title).is_empty() {
            self.report(Rule::NoTitle, said.line, &said.field, "nothing gives a title; it was left out");
            return None;
        }
        let units = utf16_len(&title);
        if units > MAX_TITLE {
            let message = "the title has too many UTF-16 units";
            self.beyond(Rule::TitleTooLong, said, message, MAX_TITLE, units);
            // Whatever else is the matter is noted too.
            title = truncate_utf16(&title, MAX_TITLE).to_owned();
        }
        let key = normalize_key(&title);
        if key.utf16_len() > MAX_ALIAS {
            let message = "the normalized title has too many UTF-16 units";
            self.beyond(Rule::AliasTooLong, said, message, MAX_ALIAS, key.utf16_len());
            return None;
        }
        let mut keys = HashSet::from([key.into_cow().into_owned()]);
        let mut aliases = vec![title.clone()];
        for said in &piece.aliases {
            match text::alias(&said.text) {
                Ok((alias, key)) => {
                    if keys.insert(key) {
                        aliases.push(alias.into_owned());
                    }
                }
                Err(NoAlias::Empty) => {
                    self.report(Rule::AliasEmpty, said.line, &said.field, "the alias is empty");
                }
                Err(NoAlias::TooLong(units)) => {
                    let message = "the alias, or its normalized form, has too many UTF-16 units";
                    self.beyond(Rule::AliasTooLong, said, message, MAX_ALIAS, units);
                }
                Err(NoAlias::Invisible(character)) => {
                    let message = format!("the alias holds {}", text::code_point(character));
                    self.report(Rule::AliasInvisible, said.line, &said.field, message);
                }
            }
        }
        Some((title, aliases))
    }
}
