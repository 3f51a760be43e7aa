//! What to build, from what, and by which policies.
//!
//! A configuration is a small TOML file; paths in it are relative to its folder. Its reference is
//! `docs/authoring.md`.

mod life;
mod source;

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use answerplane_protocol::{Artifact, FallbackMode, Identifier, SafeLink};
use serde::{Deserialize, Deserializer};

pub use life::{Life, NoLife};
pub(crate) use source::kind_named;
pub use source::{Columns, Format, Kind, Names, SourceConfig, SourceRule};

use crate::diagnostic::{Diagnostic, Place};
use crate::rule::Rule;

/// What to build, from what, and by which policies.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// The site that is built.
    pub site: SiteSettings,
    /// The policies.
    #[serde(default)]
    pub policy: Policy,
    /// Where entries come from, in order. Entries stand in the artifact in this order.
    #[serde(default, rename = "source")]
    pub sources: Vec<SourceConfig>,
    /// The folder that paths are relative to.
    #[serde(skip)]
    pub folder: PathBuf,
    /// What its file is called in findings.
    #[serde(skip)]
    name: String,
}

/// The site that is built.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SiteSettings {
    /// The identifier of the site; further shards add `.2`, `.3` and so on.
    #[serde(deserialize_with = "scalar")]
    pub id: Identifier,
    /// The identifier of the artifact [default: that of the site].
    #[serde(default, deserialize_with = "optional_scalar")]
    pub artifact_id: Option<Identifier>,
    /// What links of pages are relative to: an http or https address, or a path [default: `/`].
    #[serde(default, deserialize_with = "optional_scalar")]
    pub base_url: Option<SafeLink>,
    /// Where the artifact will be published; its name is added [default: `/deterministic/`].
    #[serde(default, deserialize_with = "optional_scalar")]
    pub publish_url: Option<SafeLink>,
    /// Who answers what is not declared [default: `backend`].
    #[serde(default = "backend")]
    pub fallback: FallbackMode,
}

/// The policies of a build.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Policy {
    /// What happens to an alias that entries share, unless their source says otherwise.
    pub shared: Shared,
    /// Whether typing variants of aliases are declared too.
    pub variants: bool,
    /// Words that people leave out, such as `please`; an alias is declared without them too.
    pub boilerplate: Vec<String>,
    /// What happens to the keys of an entry beyond its 16 slots.
    pub overflow: Overflow,
    /// How long the artifact answers.
    pub expires_in: Life,
    /// The greatest number of bytes of an artifact.
    pub max_bytes: usize,
    /// The greatest number of entries of an artifact.
    pub max_entries: usize,
    /// What happens when everything does not fit into one artifact.
    pub over: Over,
    /// How many earlier builds stay in the output folder.
    pub keep: usize,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            shared: Shared::default(),
            variants: true,
            boilerplate: Vec::new(),
            overflow: Overflow::default(),
            expires_in: Life::default(),
            max_bytes: Artifact::MAX_TEXT_BYTES,
            max_entries: Artifact::MAX_ENTRIES,
            over: Over::default(),
            keep: 3,
        }
    }
}

/// What happens to an alias that several entries share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shared {
    /// Asking it gives choices, as long as at most 8 entries share it; beyond, it is qualified.
    #[default]
    Auto,
    /// Asking it gives choices, of which only 8 are ever offered.
    Keep,
    /// Each entry gets it together with its section, parent, path or id instead.
    Qualify,
    /// No entry gets it.
    Drop,
    /// Nothing is built.
    Error,
}

/// What happens to the keys of an entry beyond its 16 slots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Overflow {
    /// They go to continuation entries with the same label and answer.
    Continue,
    /// Variants are left out, then declared aliases.
    #[default]
    Trim,
    /// Variants are left out; too many declared aliases are an error.
    Error,
}

/// What happens when everything does not fit into one artifact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Over {
    /// Several artifacts are made.
    #[default]
    Shard,
    /// Entries of the lowest priority are left out.
    Shed,
}

/// The name of a configuration in a folder.
pub const CONFIG_FILE: &str = "answerplane.toml";

impl Config {
    /// Reads a configuration; `file` is its path.
    ///
    /// # Errors
    ///
    /// [`ConfigSyntax`](Rule::ConfigSyntax) for what is no TOML or has an unknown name;
    /// [`ConfigValue`](Rule::ConfigValue) for every value that is not possible.
    pub fn parse(text: &str, file: &Path) -> Result<Self, Vec<Diagnostic>> {
        let name = crate::read::slashed(file);
        let mut config: Self = toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| line_of(text, span.start));
            let place = Place::file(&name);
            let place = line.map_or(place.clone(), |line| place.line(line));
            vec![Diagnostic::new(Rule::ConfigSyntax, place, error.message().trim())]
        })?;
        config.folder = file.parent().unwrap_or(Path::new("")).to_owned();
        config.name = name;
        config.check().map(|()| config)
    }

    /// Whether every value in it is possible, which holds of a configuration that was read until it is changed.
    ///
    /// # Errors
    ///
    /// [`ConfigValue`](Rule::ConfigValue) for every value that is not.
    pub fn check(&self) -> Result<(), Vec<Diagnostic>> {
        let problems = self.problems(&self.name);
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// The configuration of a build without one: every folder or file is a source, the name of the first gives the
    /// site its id.
    ///
    /// # Errors
    ///
    /// [`ConfigValue`](Rule::ConfigValue) where no id can be made of the name.
    pub fn of_paths(paths: &[PathBuf]) -> Result<Self, Vec<Diagnostic>> {
        let first = paths.first().map(PathBuf::as_path).unwrap_or(Path::new("."));
        // Of `..` only the system knows the name.
        let named = match first.file_name() {
            Some(_) => std::path::absolute(first),
            None => std::fs::canonicalize(first),
        };
        let named = named.unwrap_or_else(|_| first.to_owned());
        let name = named.file_stem().unwrap_or_default().to_string_lossy();
        let id = crate::plan::ids::sanitize(&name).and_then(|id| id.parse().ok()).ok_or_else(|| {
            let place = Place::file(first.to_string_lossy());
            let message = "no site id can be made of this name; give one with --site-id";
            vec![Diagnostic::new(Rule::ConfigValue, place, message)]
        })?;
        Ok(Self::of_site(id, paths))
    }

    /// The configuration of a build without one, for a site of this id.
    #[must_use]
    pub fn of_site(id: Identifier, paths: &[PathBuf]) -> Self {
        Self {
            site: SiteSettings {
                id,
                artifact_id: None,
                base_url: None,
                publish_url: None,
                fallback: backend(),
            },
            policy: Policy::default(),
            sources: paths.iter().map(SourceConfig::of_path).collect(),
            folder: PathBuf::new(),
            name: "arguments".into(),
        }
    }

    /// What is not possible in it.
    fn problems(&self, file: &str) -> Vec<Diagnostic> {
        let mut problems = Vec::new();
        let mut impossible = |field: String, message: &str| {
            problems.push(Diagnostic::new(Rule::ConfigValue, Place::file(file).field(field), message));
        };
        if !(1..=Artifact::MAX_TEXT_BYTES).contains(&self.policy.max_bytes) {
            impossible("policy.max-bytes".into(), "1 to 524288 are possible");
        }
        if !(1..=Artifact::MAX_ENTRIES).contains(&self.policy.max_entries) {
            impossible("policy.max-entries".into(), "1 to 1024 are possible");
        }
        if !self.publish_url().ends_with('/') {
            impossible("site.publish-url".into(), "it has to end with /");
        }
        if self.base_url().contains(['?', '#']) {
            impossible("site.base-url".into(), "it has no ? and no #");
        }
        if self.sources.is_empty() {
            impossible("source".into(), "there is no [[source]]");
        }
        for (source, number) in self.sources.iter().zip(0..) {
            for (field, message) in source.problems() {
                impossible(format!("source[{number}].{field}"), &message);
            }
        }
        problems
    }

    /// What links of pages are relative to.
    #[must_use]
    pub fn base_url(&self) -> &str {
        self.site.base_url.as_ref().map_or("/", SafeLink::as_str)
    }

    /// Where the artifact will be published, up to its name.
    #[must_use]
    pub fn publish_url(&self) -> &str {
        self.site.publish_url.as_ref().map_or("/deterministic/", SafeLink::as_str)
    }

    /// The identifier of the artifact.
    #[must_use]
    pub fn artifact_id(&self) -> &Identifier {
        self.site.artifact_id.as_ref().unwrap_or(&self.site.id)
    }
}

/// The line, from 1, of a byte of a text.
pub(crate) fn line_of(text: &str, at: usize) -> usize {
    1 + text.as_bytes()[..at.min(text.len())].iter().filter(|byte| **byte == b'\n').count()
}

/// A scalar of the protocol, with what is wrong with it in words.
fn scalar<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(deserializer: D) -> Result<T, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}

/// The same of a name that may be absent.
pub(crate) fn optional_scalar<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    scalar(deserializer).map(Some)
}

fn backend() -> FallbackMode {
    FallbackMode::Backend
}
