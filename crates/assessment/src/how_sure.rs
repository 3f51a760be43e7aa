//! The "how sure" row of an account of a run: the standing, opened up into lines with their sources.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;
use serde_json::Value;

use crate::assessment::{Assessment, FiredReason};
use crate::check::Check;
use crate::pointer::Pointer;
use crate::reason::Reason;
use crate::record::Record;
use crate::standing::Standing;
use crate::turn::named_call;
use crate::word::vocabulary;
use crate::words::{Counts, check_line, counted, counts, reason_line, shown_standing};

/// Whether the turn is known to have ended with an answer that was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnEnd {
    /// It ended, with an answer.
    Shown,
    /// No end is known: the run failed, was halted, or is still under way.
    NotShown,
}

vocabulary! {
    /// Why a fact cannot be told.
    pub enum Missing {
        /// Nothing on the record tells it.
        NoEvent = "no-event",
        /// It is kept out by a redaction policy.
        Redacted = "redacted",
    }
}

vocabulary! {
    /// Whether the record has a fact.
    pub enum FactStatus {
        /// It has.
        Recorded = "recorded",
        /// There is nothing to have.
        NotApplicable = "not-applicable",
        /// It has not.
        NotRecorded = "not-recorded",
    }
}

/// The standing as a fact of the account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact<'a> {
    /// The record has it. A known answer's fact points at the status of its validation.
    Recorded {
        /// The standing.
        standing: Standing,
        /// Where the record has it, for an answer that is known.
        pointer: Option<Pointer<'a>>,
    },
    /// The record has no verdict to rest on: the standing is *not assessed*.
    NotApplicable,
    /// It cannot be told.
    NotRecorded(Missing),
}

impl Fact<'_> {
    /// Whether the record has it.
    #[must_use]
    pub const fn status(&self) -> FactStatus {
        match self {
            Self::Recorded { .. } => FactStatus::Recorded,
            Self::NotApplicable => FactStatus::NotApplicable,
            Self::NotRecorded(_) => FactStatus::NotRecorded,
        }
    }

    /// The standing, where it can be told.
    #[must_use]
    pub const fn standing(&self) -> Option<Standing> {
        match self {
            Self::Recorded { standing, .. } => Some(*standing),
            Self::NotApplicable => Some(Standing::NotAssessed),
            Self::NotRecorded(_) => None,
        }
    }
}

/// The row: a headline, the fact, and a line for each reason or check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HowSure<'a> {
    headline: String,
    fact: Fact<'a>,
    lines: Vec<HowSureLine<'a>>,
}

/// A line under the headline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HowSureLine<'a> {
    text: String,
    item: Item,
    pointer: Option<Pointer<'a>>,
}

/// What a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A reason that fired.
    Reason(Reason),
    /// A check that ran.
    Check(Check),
}

impl<'a> HowSure<'a> {
    /// What the row says first.
    #[must_use]
    pub fn headline(&self) -> &str {
        &self.headline
    }

    /// The standing as a fact.
    #[must_use]
    pub fn fact(&self) -> &Fact<'a> {
        &self.fact
    }

    /// One line for each reason, in report order, or for each check that ran.
    #[must_use]
    pub fn lines(&self) -> &[HowSureLine<'a>] {
        &self.lines
    }
}

impl<'a> HowSureLine<'a> {
    /// The line.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it is about.
    #[must_use]
    pub fn item(&self) -> Item {
        self.item
    }

    /// Where the record has it first; nothing for a line that is not recorded.
    #[must_use]
    pub fn pointer(&self) -> Option<&Pointer<'a>> {
        self.pointer.as_ref()
    }
}

/// The how-sure row of an assessment, for the record that it was folded from.
///
/// `end` is what the caller knows about the turn's end; [`Record::turn_end`] reads it from a record's events.
///
/// ```
/// use answerplane_assessment::{Declarations, Record, TurnEnd, assess, how_sure};
/// use serde_json::json;
///
/// let record = json!({ "snapshot": { "sharedState": { "stoppedEarly": {} } } });
/// let record = Record::new(&record)?;
/// let row = how_sure(&assess(record, &Declarations::default()), record, TurnEnd::Shown);
/// assert_eq!(row.headline(), "Not sure: the record holds 1 reason.");
/// assert_eq!(row.lines()[0].text(), "the run reached a limit before it was done");
/// # Ok::<(), answerplane_assessment::CallerError>(())
/// ```
#[must_use]
pub fn how_sure<'a>(assessment: &Assessment<'a>, record: Record<'_>, end: TurnEnd) -> HowSure<'a> {
    let standing = assessment.standing();
    let untold = |why: &str, missing| HowSure {
        headline: format!("How sure cannot be told: {why}."),
        fact: Fact::NotRecorded(missing),
        lines: Vec::new(),
    };
    if record.state().is_none() {
        return untold("the record has no committed state", Missing::NoEvent);
    }
    if assessment.kept_out().is_some() {
        return untold("part of the state is kept out", Missing::Redacted);
    }
    if standing != Standing::Ask && end == TurnEnd::NotShown {
        return untold("no answer was shown", Missing::NoEvent);
    }

    let ran = || assessment.checked().iter().filter(|run| run.ran() > 0);
    let says = match standing {
        Standing::Known => "the app's checks passed exactly this answer".into(),
        Standing::Consistent => {
            format!("{} ran and none fired; this is not a verification", counted(ran().count(), "check"))
        }
        Standing::NotSure => {
            format!("the record holds {}", counted(assessment.reasons().len(), "reason"))
        }
        Standing::Ask => "the run stopped to ask before it could answer".into(),
        Standing::NotAssessed => "the record has no verdict to rest on".into(),
    };
    let lines = match standing {
        Standing::Known | Standing::NotAssessed => Vec::new(),
        Standing::Consistent => ran()
            .map(|run| HowSureLine {
                text: check_line(run.check(), run.ran(), run.of()),
                item: Item::Check(run.check()),
                pointer: run.witness().first().cloned(),
            })
            .collect(),
        Standing::NotSure | Standing::Ask => assessment
            .reasons()
            .iter()
            .map(|fired| HowSureLine {
                text: reason_line(fired.reason(), count(fired, record)),
                item: Item::Reason(fired.reason()),
                pointer: fired.witness().first().cloned(),
            })
            .collect(),
    };
    let report = || assessment.checked().iter().find(|run| run.check() == Check::AnswerChecks);
    let fact = match standing {
        Standing::NotAssessed => Fact::NotApplicable,
        Standing::Known => {
            Fact::Recorded { standing, pointer: report().and_then(|run| run.witness().first().cloned()) }
        }
        _ => Fact::Recorded { standing, pointer: None },
    };
    HowSure { headline: format!("{}: {says}.", shown_standing(standing)), fact, lines }
}

/// How many things are behind a reason, in the unit its line counts.
fn count(fired: &FiredReason<'_>, record: Record<'_>) -> usize {
    if counts(fired.reason()) != Counts::Calls {
        return fired.witness().len();
    }
    let mut calls = BTreeSet::new();
    let mut unnamed = 0;
    for pointer in fired.witness() {
        let call = match pointer {
            Pointer::History { call, .. } => call.as_deref(),
            // The argument row beside a period row is no other call.
            Pointer::State { path, .. } if path.leaf() == "argument" => continue,
            Pointer::State { key, path } => {
                let rows = record.state().and_then(|state: &Value| state.get(key.as_str()));
                rows.zip(path.row()).and_then(|(rows, row)| rows.get(row)).and_then(named_call)
            }
        };
        match call {
            Some(call) => {
                calls.insert(call);
            }
            None => unnamed += 1,
        }
    }
    calls.len() + unnamed
}

/// The standing as a fact: null where it cannot be told.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Fact"))]
struct FactWire<'w> {
    value: Option<Standing>,
    status: FactStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<Missing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pointer: Option<&'w Pointer<'w>>,
}

/// A line on a reason or a check.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "HowSureLine"))]
struct LineWire<'w> {
    text: &'w str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<Reason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<Check>,
    status: FactStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    pointer: Option<&'w Pointer<'w>>,
}

impl Serialize for Fact<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let missing = match self {
            Self::NotRecorded(missing) => Some(*missing),
            _ => None,
        };
        let pointer = match self {
            Self::Recorded { pointer, .. } => pointer.as_ref(),
            _ => None,
        };
        FactWire { value: self.standing(), status: self.status(), missing, pointer }.serialize(serializer)
    }
}

impl Serialize for HowSureLine<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (reason, check) = match self.item {
            Item::Reason(reason) => (Some(reason), None),
            Item::Check(check) => (None, Some(check)),
        };
        let pointer = self.pointer.as_ref();
        let status = if pointer.is_some() { FactStatus::Recorded } else { FactStatus::NotRecorded };
        LineWire { text: &self.text, reason, check, status, pointer }.serialize(serializer)
    }
}

#[cfg(feature = "schema")]
macro_rules! schema_of_wire {
    ($name:ident as $wire:ident) => {
        impl schemars::JsonSchema for $name<'_> {
            fn schema_name() -> alloc::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $wire::json_schema(generator)
            }
        }
    };
}

#[cfg(feature = "schema")]
schema_of_wire!(Fact as FactWire);
#[cfg(feature = "schema")]
schema_of_wire!(HowSureLine as LineWire);
