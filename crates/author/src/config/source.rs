//! Where entries come from.

use std::path::{Path, PathBuf};

use answerplane_protocol::{EntryKind, SafeLink};
use globset::Glob;
use serde::Deserialize;

use crate::config::Shared;

/// A folder or file that entries come from.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SourceConfig {
    /// The folder or file, relative to the configuration.
    pub path: PathBuf,
    /// What it holds [default: by its name; a folder holds Markdown, llms.txt and package manifests].
    pub format: Option<Format>,
    /// What its entries are about, unless they say so themselves [default: by format].
    pub kind: Option<Kind>,
    /// Whether every further heading of a page is an entry of its own, linked by its anchor.
    #[serde(default)]
    pub headings: bool,
    /// What links are relative to, instead of that of the site.
    #[serde(default, deserialize_with = "crate::config::optional_scalar")]
    pub base_url: Option<SafeLink>,
    /// What the address of a page has in place of `.md`, such as `.html` [default: nothing].
    #[serde(default)]
    pub page_extension: String,
    /// The answer, with `{title}`, `{text}`, `{description}`, `{paragraph}` and `{link}`. A line whose names are
    /// all empty is left out.
    pub answer: Option<String>,
    /// What stands before every id that is made.
    #[serde(default)]
    pub id_prefix: String,
    /// Only these paths, as globs below `path` [default: everything].
    #[serde(default)]
    pub include: Vec<String>,
    /// Not these paths, as globs below `path`.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// In which columns or fields of a row things stand.
    #[serde(default)]
    pub columns: Columns,
    /// Only rows whose fields have these values.
    #[serde(default, rename = "where")]
    pub filter: std::collections::BTreeMap<String, String>,
    /// What happens to an alias that its entries share.
    pub shared: Option<Shared>,
    /// Of two entries the one of lower priority goes first where there is no room.
    #[serde(default)]
    pub priority: i64,
    /// Differences for some of the paths; the first rule that matches counts.
    #[serde(default, rename = "rule")]
    pub rules: Vec<SourceRule>,
}

/// What is different for the paths, below that of the source, that match.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SourceRule {
    /// A glob, such as `reference/**`.
    #[serde(rename = "match")]
    pub matching: String,
    /// What its entries are about.
    pub kind: Option<Kind>,
    /// Whether every further heading is an entry.
    pub headings: Option<bool>,
    /// The answer.
    pub answer: Option<String>,
    /// What happens to an alias that its entries share.
    pub shared: Option<Shared>,
    /// Of two entries the one of lower priority goes first where there is no room.
    pub priority: Option<i64>,
}

/// What a source holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Markdown or MDX, a page a file.
    Markdown,
    /// Rows in a CSV file with a heading line.
    Csv,
    /// A YAML list of rows.
    Yaml,
    /// A JSON list of rows.
    Json,
    /// JSON rows, one a line.
    Jsonl,
    /// An llms.txt.
    Llms,
    /// A package.json or Cargo.toml, or a folder of them.
    Packages,
    /// Entries written by hand, in TOML, YAML or JSON.
    Entries,
    /// An artifact.
    Artifact,
}

/// What an entry is about, as a configuration says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind(pub EntryKind);

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        kind_named(&word).map(Self).ok_or_else(|| {
            let kinds: Vec<&str> = EntryKind::ALL.iter().map(|kind| kind.as_str()).collect();
            serde::de::Error::custom(format!("no kind of entry: {} are possible", kinds.join(", ")))
        })
    }
}

/// The kind of this name.
pub(crate) fn kind_named(name: &str) -> Option<EntryKind> {
    EntryKind::ALL.iter().copied().find(|kind| kind.as_str() == name)
}

/// In which columns or fields of a row things stand, each as the first that is not empty. A name with dots leads
/// into objects. Without a mapping, usual names are looked for.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Columns {
    /// The id.
    pub id: Option<Names>,
    /// The question or title.
    pub title: Option<Names>,
    /// Further questions: a list, or a text with `|` or line feeds between them.
    pub aliases: Option<Names>,
    /// The answer or description.
    pub text: Option<Names>,
    /// The address.
    pub link: Option<Names>,
    /// The kind.
    pub kind: Option<Names>,
    /// The section, which tells rows of the same title apart.
    pub section: Option<Names>,
    /// The priority, a whole number.
    pub priority: Option<Names>,
}

/// One name, or several.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Names {
    /// One name.
    One(String),
    /// Several: the first that is not empty counts.
    Several(Vec<String>),
}

impl Names {
    /// The names.
    #[must_use]
    pub fn as_slice(&self) -> &[String] {
        match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::Several(names) => names,
        }
    }
}

impl SourceConfig {
    /// A source with every default.
    #[must_use]
    pub fn of_path(path: impl AsRef<Path>) -> Self {
        Self {
            path: path.as_ref().to_owned(),
            format: None,
            kind: None,
            headings: false,
            base_url: None,
            page_extension: String::new(),
            answer: None,
            id_prefix: String::new(),
            include: Vec::new(),
            exclude: Vec::new(),
            columns: Columns::default(),
            filter: std::collections::BTreeMap::new(),
            shared: None,
            priority: 0,
            rules: Vec::new(),
        }
    }

    /// What is not possible in it: the field, and why.
    pub(super) fn problems(&self) -> Vec<(String, String)> {
        let mut problems = Vec::new();
        if self.path.as_os_str().is_empty() {
            problems.push(("path".into(), "a folder or file is needed".into()));
        }
        let is_extension = self.page_extension.is_empty()
            || (self.page_extension.starts_with('.') && !self.page_extension.contains(['/', '?', '#']));
        if !is_extension {
            problems.push(("page-extension".into(), "it begins with a dot, such as .html".into()));
        }
        let mut check = |field: String, glob: &str| {
            if glob.is_empty() {
                problems.push((field, "an empty glob matches nothing".into()));
            } else if let Err(error) = Glob::new(glob) {
                problems.push((field, format!("this is no glob: {}", error.kind())));
            }
        };
        self.include.iter().for_each(|glob| check("include".into(), glob));
        self.exclude.iter().for_each(|glob| check("exclude".into(), glob));
        for (rule, number) in self.rules.iter().zip(0..) {
            check(format!("rule[{number}].match"), &rule.matching);
        }
        let rules =
            self.rules.iter().zip(0..).map(|(rule, number)| (format!("rule[{number}].answer"), &rule.answer));
        for (field, answer) in [("answer".to_owned(), &self.answer)].into_iter().chain(rules) {
            if let Some(name) = answer.as_deref().and_then(crate::read::unknown_name) {
                problems.push((field, format!("there is no {name}")));
            }
        }
        problems
    }
}
