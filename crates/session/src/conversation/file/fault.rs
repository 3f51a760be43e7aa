//! What can be wrong with the file of a definition, and where.

use std::fmt;
use std::path::{Path, PathBuf};

use answerplane_protocol::InvalidScalar;
use answerplane_statechart::Fault;

use crate::conversation::definition::InvalidConversation;
use crate::conversation::file::tree::Lines;
use crate::snapshot_session::Definition;

/// How many problems of one file are listed.
pub(super) const MAX_PROBLEMS: usize = 50;

/// What can be wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileFault {
    /// It cannot be read.
    #[error("the file cannot be read")]
    Unreadable,
    /// Its name ends in none of the known ways.
    #[error("the name of the file does not say its format")]
    UnknownFormat,
    /// It has more bytes than [`Definition::MAX_FILE_BYTES`].
    #[error("the file has too many bytes")]
    TooLarge,
    /// Its bytes are no UTF-8.
    #[error("the file is not UTF-8")]
    NotUtf8,
    /// It is no TOML, JSON or YAML.
    #[error("the file is not valid in its format")]
    Syntax,
    /// Tables and lists stand too deep in each other.
    #[error("tables and lists are nested too deeply")]
    TooDeep,
    /// An alias, a tag, a name that is no text, or a second document of YAML.
    #[error("this part of YAML is not read here")]
    UnreadYaml,
    /// A name stands twice in one table.
    #[error("the name stands there twice")]
    Repeated,
    /// There is no field of this name.
    #[error("there is no field of this name")]
    UnknownField,
    /// A field that is needed is absent.
    #[error("the field is missing")]
    Missing,
    /// A value is of another type than is needed.
    #[error("the value is of another type")]
    WrongType,
    /// A word is none of those that are possible.
    #[error("the word is none of those that are possible")]
    UnknownWord,
    /// Two fields are there of which only one may be.
    #[error("only one of the two fields is possible")]
    Exclusive,
    /// A number is too small or too large.
    #[error("the number is out of range")]
    OutOfRange,
    /// Braces in a template hold no name that is filled in, or have no end or no beginning.
    #[error("the braces hold nothing that is filled in")]
    Placeholder,
    /// A route is restricted to no state at all.
    #[error("a route with an empty list of states is never taken")]
    NoStates,
    /// The event of a route is accepted by none of the states in which the route may be taken.
    #[error("the route is never taken: no state that it may be taken in accepts its event")]
    UnacceptedEvent,
    /// Wherever a route could be taken, an earlier one is.
    #[error("the route is never taken: an earlier one always comes before it")]
    Shadowed,
    /// A command begins or ends with white space.
    #[error("the command has white space at its ends, which nobody types")]
    SpacedCommand,
    /// A text is no identifier, or too long to be saved.
    #[error("{0}")]
    Scalar(InvalidScalar),
    /// The file can be read, but what stands in it is no conversation.
    #[error("{0}")]
    Conversation(InvalidConversation),
}

impl FileFault {
    /// Every fault of a file itself: all but [`Scalar`](Self::Scalar) and [`Conversation`](Self::Conversation), which
    /// have the reasons of others in them.
    pub const OF_FILES: [Self; 19] = [
        Self::Unreadable,
        Self::UnknownFormat,
        Self::TooLarge,
        Self::NotUtf8,
        Self::Syntax,
        Self::TooDeep,
        Self::UnreadYaml,
        Self::Repeated,
        Self::UnknownField,
        Self::Missing,
        Self::WrongType,
        Self::UnknownWord,
        Self::Exclusive,
        Self::OutOfRange,
        Self::Placeholder,
        Self::NoStates,
        Self::UnacceptedEvent,
        Self::Shadowed,
        Self::SpacedCommand,
    ];

    /// A stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreadable => "CONVERSATION_FILE_UNREADABLE",
            Self::UnknownFormat => "CONVERSATION_FILE_FORMAT",
            Self::TooLarge => "CONVERSATION_FILE_TOO_LARGE",
            Self::NotUtf8 => "CONVERSATION_FILE_NOT_UTF8",
            Self::Syntax => "CONVERSATION_FILE_SYNTAX",
            Self::TooDeep => "CONVERSATION_FILE_TOO_DEEP",
            Self::UnreadYaml => "CONVERSATION_FILE_UNREAD_YAML",
            Self::Repeated => "CONVERSATION_FILE_REPEATED",
            Self::UnknownField => "CONVERSATION_FILE_UNKNOWN_FIELD",
            Self::Missing => "CONVERSATION_FILE_MISSING",
            Self::WrongType => "CONVERSATION_FILE_WRONG_TYPE",
            Self::UnknownWord => "CONVERSATION_FILE_UNKNOWN_WORD",
            Self::Exclusive => "CONVERSATION_FILE_EXCLUSIVE",
            Self::OutOfRange => "CONVERSATION_FILE_OUT_OF_RANGE",
            Self::Placeholder => "CONVERSATION_FILE_PLACEHOLDER",
            Self::NoStates => "CONVERSATION_FILE_NO_STATES",
            Self::UnacceptedEvent => "CONVERSATION_FILE_UNACCEPTED_EVENT",
            Self::Shadowed => "CONVERSATION_FILE_SHADOWED",
            Self::SpacedCommand => "CONVERSATION_FILE_SPACED_COMMAND",
            Self::Scalar(invalid) => invalid.code(),
            Self::Conversation(invalid) => invalid.code(),
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Unreadable => "Check that it exists and that its permissions let you read it.",
            Self::UnknownFormat => "Let its name end in .toml, .json, .yaml or .yml.",
            Self::TooLarge => "Shorten the answers, or make several definitions of it.",
            Self::NotUtf8 => "Save it as UTF-8.",
            Self::Syntax => "Mend it at this place, or a little before.",
            Self::TooDeep => "See docs/conversation.md for what a file holds.",
            Self::UnreadYaml => {
                "Write what is meant in full, as one document of plain texts, lists and tables."
            }
            Self::Repeated => "Remove one; which of two counts differs between readers.",
            Self::UnknownField => "Correct or remove it; see docs/conversation.md for what a file holds.",
            Self::Missing => "Add it.",
            Self::WrongType => "Write a value of the type that is expected, or leave out what is absent.",
            Self::UnknownWord => "Use one of the words that are listed.",
            Self::Exclusive => "Remove one of them.",
            Self::OutOfRange => "Use a whole number within the limits.",
            Self::Placeholder => {
                "Use {input}, {sessionId} or {messageId}; a brace that is meant is written twice: {{ or }}."
            }
            Self::NoStates => {
                "Name the states in which it may be taken, or leave states out: then all are meant."
            }
            Self::UnacceptedEvent => {
                "Let a state in which it may be taken accept the event (on), or correct its name."
            }
            Self::Shadowed => {
                "Put it before the one that is named, restrict that one to other states, or remove it."
            }
            Self::SpacedCommand => "Remove it: what is typed is compared exactly.",
            Self::Scalar(InvalidScalar::Text { .. }) => "Shorten it.",
            Self::Scalar(_) => "Use another text.",
            Self::Conversation(invalid) => match invalid {
                InvalidConversation::Machine(invalid) => match invalid.fault() {
                    Fault::Blank => "Give it a name that can be seen.",
                    Fault::NoStates => "Declare at least the initial one.",
                    Fault::UnknownState => {
                        "Declare the state, or correct the name: capitals and spaces count."
                    }
                    _ => "Correct it.",
                },
                InvalidConversation::RouteWithoutId(_) => "Give it one.",
                InvalidConversation::RouteRepeated(_) => "Give it another.",
                InvalidConversation::UnknownState(_) => "Declare the state, or name one that is declared.",
                InvalidConversation::EmptyCommand(_) => "Name what a person types.",
                InvalidConversation::RouteWithoutEvent(_) => "Name the event that it makes of what was said.",
            },
        }
    }

    /// What is wrong, without the place.
    fn message(&self) -> String {
        match self {
            Self::Conversation(InvalidConversation::Machine(invalid)) => invalid.fault().to_string(),
            fault => fault.to_string(),
        }
    }
}

/// One thing that is wrong with a file, and where. Of what the author wrote it holds no more than names of fields, states,
/// events and routes, cut where they are long.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileProblem {
    /// The file; nothing for a text that came from none.
    pub file: Option<PathBuf>,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column, in characters from 1.
    pub column: Option<usize>,
    /// The field, such as `states.idle.on.reserve` or `routes[2].states[0]`, counted from 0; empty for the file as a whole.
    pub field: String,
    /// The id of the route that the field is of.
    pub route: Option<String>,
    /// What is wrong.
    pub fault: FileFault,
    /// More about it: what was expected, or what a parser said.
    pub detail: Option<String>,
    /// The known name that is nearest to the one that is not known.
    pub nearest: Option<String>,
    /// The limit that was passed, in the unit that the message names.
    pub limit: Option<u64>,
    /// The value that passed the limit.
    pub actual: Option<u64>,
    /// What to do about it, where that is more than its fault says.
    advice: Option<&'static str>,
}

impl FileProblem {
    fn new(fault: FileFault) -> Self {
        Self {
            file: None,
            line: None,
            column: None,
            field: String::new(),
            route: None,
            fault,
            detail: None,
            nearest: None,
            limit: None,
            actual: None,
            advice: None,
        }
    }

    /// The stable code of its fault.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.fault.code()
    }

    /// What to do about it: the remedy of its fault, or one that fits what stands there.
    #[must_use]
    pub fn remedy(&self) -> &'static str {
        self.advice.unwrap_or_else(|| self.fault.remedy())
    }
}

/// One line: place, code, message, what else is known of it, remedy.
impl fmt::Display for FileProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{}", file.display())?,
            None => f.write_str("conversation")?,
        }
        for number in [self.line, self.column].into_iter().flatten() {
            write!(f, ":{number}")?;
        }
        f.write_str(": ")?;
        if !self.field.is_empty() {
            f.write_str(&self.field)?;
            if let Some(route) = &self.route {
                write!(f, " (route {route})")?;
            }
            f.write_str(": ")?;
        }
        write!(f, "{}: {}", self.code(), self.fault.message())?;
        if let Some(detail) = &self.detail {
            write!(f, ": {detail}")?;
        }
        if let Some(limit) = self.limit {
            f.write_str(" (")?;
            if let Some(actual) = self.actual {
                write!(f, "{actual}, ")?;
            }
            write!(f, "at most {limit})")?;
        }
        if let Some(nearest) = &self.nearest {
            write!(f, "; did you mean {nearest}?")?;
        } else {
            f.write_str(".")?;
        }
        write!(f, " {}", self.remedy())
    }
}

/// A file that holds no definition: everything that is wrong with it, in the order of the lines, but no more than 50 problems.
/// It is shown with a line for each.
///
/// ```
/// use answerplane_session::{Definition, Format};
///
/// let text = "id: support\ninitial: idle\nstates:\n  idle:\n    one: 1\n";
/// let invalid = Definition::parse(text, Format::Yaml).unwrap_err();
/// let problem = &invalid.problems()[0];
/// assert_eq!((problem.line, problem.field.as_str()), (Some(5), "states.idle.one"));
/// assert_eq!(problem.code(), "CONVERSATION_FILE_UNKNOWN_FIELD");
/// assert_eq!(problem.nearest.as_deref(), Some("on"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidFile {
    problems: Vec<FileProblem>,
}

impl InvalidFile {
    /// What is wrong; never empty.
    #[must_use]
    pub fn problems(&self) -> &[FileProblem] {
        &self.problems
    }

    pub(super) fn only(fault: FileFault, detail: Option<String>) -> Self {
        Self { problems: vec![FileProblem { detail, ..FileProblem::new(fault) }] }
    }

    pub(super) fn too_large(actual: Option<usize>) -> Self {
        let problem = FileProblem {
            limit: Some(Definition::MAX_FILE_BYTES as u64),
            actual: actual.map(|actual| actual as u64),
            ..FileProblem::new(FileFault::TooLarge)
        };
        Self { problems: vec![problem] }
    }

    /// Bytes that are text up to one of them.
    pub(super) fn not_utf8(bytes: &[u8], at: usize) -> Self {
        let before = String::from_utf8_lossy(bytes.get(..at).unwrap_or_default());
        let mut findings = Findings::default();
        findings.push(Found::new(FileFault::NotUtf8).at(before.len()));
        findings.into_invalid(&before)
    }

    pub(super) fn in_file(mut self, file: &Path) -> Self {
        self.problems.iter_mut().for_each(|problem| problem.file = Some(file.to_owned()));
        self
    }
}

impl fmt::Display for InvalidFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, problem) in self.problems.iter().enumerate() {
            if number > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for InvalidFile {}

/// A problem whose place is still a byte of the text.
#[derive(Debug)]
pub(super) struct Found {
    at: Option<usize>,
    problem: FileProblem,
}

impl Found {
    pub(super) fn new(fault: FileFault) -> Self {
        Self { at: None, problem: FileProblem::new(fault) }
    }

    pub(super) fn at(self, at: usize) -> Self {
        Self { at: Some(at), ..self }
    }

    pub(super) fn field(mut self, field: impl Into<String>) -> Self {
        self.problem.field = field.into();
        self
    }

    pub(super) fn detail(mut self, detail: impl Into<String>) -> Self {
        self.problem.detail = Some(detail.into());
        self
    }

    pub(super) fn route(mut self, route: Option<&str>) -> Self {
        self.problem.route = route.map(shown);
        self
    }

    pub(super) fn beyond(mut self, limit: u64, actual: Option<u64>) -> Self {
        self.problem.limit = Some(limit);
        self.problem.actual = actual;
        self
    }

    /// What to do about it, where that is more than its fault says.
    pub(super) fn advice(mut self, advice: Option<&'static str>) -> Self {
        self.problem.advice = advice;
        self
    }

    /// The nearest of the names that are known.
    pub(super) fn near<'k>(mut self, name: &str, known: impl IntoIterator<Item = &'k str>) -> Self {
        self.problem.nearest = nearest(name, known).map(shown);
        self
    }
}

/// Problems as they are found.
#[derive(Debug, Default)]
pub(super) struct Findings(Vec<Found>);

impl Findings {
    pub(super) fn push(&mut self, found: Found) {
        if !self.is_full() {
            self.0.push(found);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn is_full(&self) -> bool {
        self.0.len() >= MAX_PROBLEMS
    }

    /// The problems with their lines in the text.
    pub(super) fn into_invalid(mut self, text: &str) -> InvalidFile {
        self.0.sort_by_key(|found| found.at);
        let lines = Lines::of(text);
        let placed = self.0.into_iter().map(|Found { at, mut problem }| {
            let place = at.map(|at| lines.place(at));
            problem.line = place.map(|(line, _)| line);
            problem.column = place.map(|(_, column)| column);
            problem
        });
        InvalidFile { problems: placed.collect() }
    }
}

/// How many characters of a name are shown, and how long names are that are compared.
const MAX_SHOWN: usize = 64;

/// A name as it stands in a field: in quotes where it is no plain word, and cut where it is long.
pub(super) fn shown(name: &str) -> String {
    let is_word = |character: char| character.is_alphanumeric() || "_-".contains(character);
    let mut cut: String = name.chars().take(MAX_SHOWN).collect();
    let is_cut = cut.len() < name.len();
    if cut.is_empty() || !cut.chars().all(is_word) {
        cut = format!("{cut:?}");
    }
    if is_cut { cut + "…" } else { cut }
}

/// The nearest of so many names is looked for.
const MAX_COMPARED: usize = 1_000;

/// The known name with the fewest edits from this one, where they are no more than a third of it.
pub(super) fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let length = |text: &str| text.chars().take(MAX_SHOWN + 1).count();
    let most = length(name).div_ceil(3).max(1);
    if length(name) > MAX_SHOWN {
        return None;
    }
    known
        .into_iter()
        .take(MAX_COMPARED)
        .filter(|known| length(known) <= MAX_SHOWN)
        .map(|known| (strsim::osa_distance(&name.to_lowercase(), &known.to_lowercase()), known))
        .filter(|(edits, _)| *edits <= most)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, known)| known)
}
