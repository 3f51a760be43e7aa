//! What is found in the sources or in an artifact: where, what, how much, and what to do about it.

use std::fmt;

use serde::Serialize;

use crate::rule::Rule;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Something was done that an author may want to know.
    Note,
    /// Something is doubtful; the result is written.
    Warning,
    /// Something is wrong; nothing is written.
    Error,
}

impl Level {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A place in a source.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Place {
    /// The file, with `/` between its folders, as seen from the working directory.
    pub file: String,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The field, such as `title`, or a path of names, such as `entries[3].label`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

impl Place {
    /// A whole file.
    #[must_use]
    pub fn file(file: impl Into<String>) -> Self {
        Self { file: file.into(), line: None, field: None }
    }

    /// The place at a line, from 1.
    #[must_use]
    pub fn line(mut self, line: usize) -> Self {
        self.line = u32::try_from(line).ok();
        self
    }

    /// The place at a field.
    #[must_use]
    pub fn field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        match &self.field {
            Some(field) => write!(f, " ({field})"),
            None => Ok(()),
        }
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic {
    /// Which rule it is about. Its code is stable.
    #[serde(rename = "code")]
    pub rule: Rule,
    /// How much it matters.
    pub level: Level,
    /// Where it is.
    #[serde(flatten)]
    pub place: Place,
    /// What is the matter, without the place.
    pub message: String,
    /// The limit that was passed, in the unit that the message names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// The value that passed the limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<u64>,
    /// Other places that take part in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Place>,
}

impl Diagnostic {
    /// A finding of the level that the rule has by default.
    #[must_use]
    pub fn new(rule: Rule, place: Place, message: impl Into<String>) -> Self {
        Self {
            rule,
            level: rule.level(),
            place,
            message: message.into(),
            limit: None,
            actual: None,
            related: Vec::new(),
        }
    }

    /// The finding with the limit that was passed and the value that passed it.
    #[must_use]
    pub fn beyond(mut self, limit: usize, actual: usize) -> Self {
        self.limit = Some(limit as u64);
        self.actual = Some(actual as u64);
        self
    }

    /// The finding with the other places that take part in it.
    #[must_use]
    pub fn with(mut self, related: impl IntoIterator<Item = Place>) -> Self {
        self.related.extend(related);
        self
    }

    /// What to do about it.
    #[must_use]
    pub fn remedy(&self) -> &'static str {
        self.rule.remedy()
    }
}

/// One line: place, level, code, message, limit and actual value, other places, remedy.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} {}: {}", self.place, self.level, self.rule, self.message)?;
        if let (Some(limit), Some(actual)) = (self.limit, self.actual) {
            write!(f, " ({actual}, at most {limit})")?;
        }
        for (place, number) in self.related.iter().zip(0..) {
            write!(f, "{} {place}", if number == 0 { "; see" } else { "," })?;
        }
        write!(f, ". {}", self.remedy())
    }
}

/// Whether anything among these is an error.
#[must_use]
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.level == Level::Error)
}
