//! Sources become drafts.
//!
//! | module | what it reads |
//! | --- | --- |
//! | `files` | which files a source has, and their texts |
//! | `page`, with `front_matter`, `headings`, `mdx` | Markdown and MDX |
//! | `tables`, with `rows` | CSV, YAML, JSON, JSON Lines |
//! | `llms`, `packages`, `entries`, `artifact` | the other formats |
//! | `items`, `value` | lists in any syntax, with the lines of their items |
//! | `publish`, `links`, `answer`, `text` | what of it may be published, and how |
//! | `sheet` | what one file gives: limits, drafts, diagnostics |

mod answer;
mod artifact;
mod entries;
mod files;
mod front_matter;
mod headings;
mod items;
mod links;
mod llms;
mod mdx;
mod packages;
mod page;
mod publish;
mod rows;
mod sheet;
mod tables;
#[cfg(test)]
mod tests;
mod text;
mod value;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use answerplane_protocol::EntryKind;
use globset::GlobMatcher;

use crate::config::{Config, Format, Shared, SourceConfig};
use crate::diagnostic::{Diagnostic, Level, Place};
use crate::draft::Drafts;
use crate::rule::Rule;
use files::{Found, Root, Stamp};
use links::Base;
use sheet::{Settings, Sheet};

pub(crate) use answer::unknown_name;
pub(crate) use files::slashed;

/// Reads sources; keeps what it has read, so that reading again costs only what has changed.
#[derive(Debug, Default)]
pub struct Reader {
    /// By the number of the source.
    sources: Vec<Known>,
}

/// What is known of a source.
#[derive(Debug)]
struct Known {
    source: SourceConfig,
    base: Base,
    shared: Shared,
    /// Its folder or file as the system names it, once it was looked through.
    real: Option<PathBuf>,
    /// Its files, in the order in which they are read.
    files: Vec<(Found, Read)>,
    /// What could not be looked at.
    unseen: Vec<Diagnostic>,
}

/// What a file gave when it was read.
#[derive(Clone, Debug)]
struct Read {
    stamp: Stamp,
    /// Whether a later change would change the stamp.
    is_settled: bool,
    drafts: Drafts,
    diagnostics: Arc<[Diagnostic]>,
}

/// What was read.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The drafts of each of the files, in the order of the sources and then of the paths.
    pub drafts: Vec<Drafts>,
    /// Everything that is the matter, by place.
    pub diagnostics: Vec<Diagnostic>,
    /// The files.
    pub files: Vec<PathBuf>,
}

impl Reader {
    /// A reader that knows nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the sources of a configuration.
    ///
    /// Everything that is the matter with them is in the result, beside what could be read. With a finding of
    /// [`Unreadable`](Rule::Unreadable) it is not known what is missing.
    pub fn read(&mut self, config: &Config) -> Reading {
        self.read_sources(config, None)
    }

    /// Reads the sources of a configuration again after nothing but these files have changed, which are named by their
    /// real paths. Where one of them was not there before, or is gone, its source is looked through.
    pub fn read_changed(&mut self, config: &Config, changed: &[PathBuf]) -> Reading {
        self.read_sources(config, Some(changed))
    }

    fn read_sources(&mut self, config: &Config, changed: Option<&[PathBuf]>) -> Reading {
        let mut before = std::mem::take(&mut self.sources).into_iter();
        let mut reading = Reading::default();
        for source in &config.sources {
            let base = Base::new(source.base_url.as_ref().map_or(config.base_url(), |url| url.as_str()));
            let shared = source.shared.unwrap_or(config.policy.shared);
            let mut known = match before.next() {
                Some(known) if known.source == *source && known.base == base && known.shared == shared => {
                    known
                }
                _ => Known {
                    source: source.clone(),
                    base,
                    shared,
                    real: None,
                    files: Vec::new(),
                    unseen: Vec::new(),
                },
            };
            let root = Root::new(&config.folder, source);
            if !changed.is_some_and(|changed| known.read_changed(&root, changed)) {
                known.read(&root);
            }
            known.tell(&root, &mut reading);
            self.sources.push(known);
        }
        reading.diagnostics.sort_by(|a, b| a.place.cmp(&b.place));
        reading
    }
}

impl Known {
    /// Looks through the source, and reads what has changed.
    fn read(&mut self, root: &Root) {
        let before = std::mem::take(&mut self.files).into_iter();
        let mut before: HashMap<PathBuf, Read> = before.map(|(found, read)| (found.path, read)).collect();
        let rules = self.rules();
        self.unseen.clear();
        self.real = root.real();
        for file in files::find(root, &self.source, &mut self.unseen) {
            let known = before.remove(&file.path).filter(|read| read.is_settled && read.stamp == file.stamp);
            let read = known.unwrap_or_else(|| self.read_file(&file, root, &rules));
            self.files.push((file, read));
        }
    }

    /// Reads the files that have changed; false where that is not enough.
    fn read_changed(&mut self, root: &Root, changed: &[PathBuf]) -> bool {
        let Some(real) = &self.real else { return false };
        let mut numbers = Vec::new();
        for path in changed {
            let Ok(below) = path.strip_prefix(real) else { continue };
            let path = root.at(below);
            let number = self.files.iter().position(|(file, _)| file.path == path);
            let Some(number) = number.filter(|_| path.is_file()) else { return false };
            numbers.push(number);
        }
        let rules = self.rules();
        for number in numbers {
            if !self.files[number].0.look_again() {
                return false;
            }
            let read = self.read_file(&self.files[number].0, root, &rules);
            self.files[number].1 = read;
        }
        true
    }

    fn rules(&self) -> Vec<Option<GlobMatcher>> {
        self.source.rules.iter().map(|rule| files::matcher(&rule.matching)).collect()
    }

    /// Adds what was read.
    fn tell(&self, root: &Root, reading: &mut Reading) {
        let first = (reading.drafts.len(), reading.diagnostics.len());
        reading.diagnostics.extend(self.unseen.iter().cloned());
        for (file, read) in &self.files {
            reading.drafts.push(Arc::clone(&read.drafts));
            reading.diagnostics.extend(read.diagnostics.iter().cloned());
            reading.files.push(file.path.clone());
        }
        let has_drafts = reading.drafts[first.0..].iter().any(|drafts| !drafts.is_empty());
        let has_errors = reading.diagnostics[first.1..].iter().any(|found| found.level == Level::Error);
        if !has_drafts && !has_errors {
            let place = Place::file(root.own_name());
            let message = "nothing in this source becomes an entry";
            reading.diagnostics.push(Diagnostic::new(Rule::NothingFound, place, message));
        }
    }

    fn read_file(&self, file: &Found, root: &Root, rules: &[Option<GlobMatcher>]) -> Read {
        let (name, below) = (root.name(&file.path), root.below(&file.path));
        let mut sheet = Sheet::new(&name, self.settings(file.format, &below, rules));
        let now = SystemTime::now();
        match files::text(file, &name) {
            Ok(text) => read_text(&text, file.format, &below, &mut sheet),
            Err(diagnostic) => sheet.diagnostics.push(*diagnostic),
        }
        Read {
            stamp: file.stamp,
            is_settled: file.stamp.is_settled(now),
            drafts: sheet.drafts.into(),
            diagnostics: sheet.diagnostics.into(),
        }
    }

    /// The settings that apply to a file: those of the first rule that matches, then those of the source.
    fn settings(&self, format: Format, below: &str, rules: &[Option<GlobMatcher>]) -> Settings<'_> {
        let source = &self.source;
        let is_match = |glob: &Option<GlobMatcher>| glob.as_ref().is_some_and(|glob| glob.is_match(below));
        let rule = rules.iter().zip(&source.rules).find(|(glob, _)| is_match(glob)).map(|(_, rule)| rule);
        let kind = rule.and_then(|rule| rule.kind).or(source.kind).map(|kind| kind.0);
        Settings {
            source,
            base: &self.base,
            kind: kind.unwrap_or(match format {
                Format::Llms => EntryKind::Navigation,
                Format::Packages => EntryKind::Package,
                _ => EntryKind::Document,
            }),
            headings: rule.and_then(|rule| rule.headings).unwrap_or(source.headings),
            answer: rule.and_then(|rule| rule.answer.as_deref()).or(source.answer.as_deref()),
            shared: rule.and_then(|rule| rule.shared).unwrap_or(self.shared),
            priority: rule.and_then(|rule| rule.priority).unwrap_or(source.priority),
        }
    }
}

fn read_text(text: &str, format: Format, below: &str, sheet: &mut Sheet<'_>) {
    let name = below.rsplit('/').next().unwrap_or(below);
    let ends = |end: &str| name.len() > end.len() && name.to_ascii_lowercase().ends_with(end);
    match format {
        Format::Markdown => page::read(text, below, sheet),
        Format::Csv => tables::csv(text, sheet),
        Format::Yaml => tables::yaml(text, sheet),
        Format::Json if sheet.settings.source.format.is_none() && artifact::is_one(text) => {
            artifact::read(text, sheet);
        }
        Format::Json => tables::json(text, sheet),
        Format::Jsonl => tables::jsonl(text, sheet),
        Format::Llms => llms::read(text, sheet),
        Format::Packages if ends(".toml") => packages::cargo(text, below, sheet),
        Format::Packages => packages::npm(text, below, sheet),
        Format::Entries if ends(".json") => entries::read(text, entries::Syntax::Json, sheet),
        Format::Entries if ends(".yaml") || ends(".yml") => entries::read(text, entries::Syntax::Yaml, sheet),
        Format::Entries => entries::read(text, entries::Syntax::Toml, sheet),
        Format::Artifact => artifact::read(text, sheet),
    }
}
