//! The rows of the ledger of findings.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;
use serde_json::{Map, Value};

use super::argument::SetAside;
use super::{ArgumentRow, CallId};
use crate::word::vocabulary;

/// A row of the ledger.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum LedgerRow {
    /// Where an argument's value came from.
    Argument(ArgumentRow),
    /// A value that rests on a result set aside.
    Contingent(ContingentRow),
    /// Which period a result was about.
    Period(PeriodRow),
    /// Results that contradict each other.
    Conflict(ConflictRow),
    /// A clean pass of the gate for names and numbers.
    Grounded(GroundedRow),
    /// Declared steps that were not done.
    StepsUnfinished(StepsUnfinishedRow),
    /// Times of the answer that were derived from a reading.
    TimeDerived(TimeDerivedRow),
}

macro_rules! rows {
    ($($row:ident as $variant:ident,)+) => {
        $(impl From<$row> for LedgerRow {
            fn from(row: $row) -> Self {
                Self::$variant(row)
            }
        })+
    };
}

rows! {
    ArgumentRow as Argument,
    ContingentRow as Contingent,
    PeriodRow as Period,
    ConflictRow as Conflict,
    GroundedRow as Grounded,
    StepsUnfinishedRow as StepsUnfinished,
    TimeDerivedRow as TimeDerived,
}

/// Where a contingent value is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContingentOn {
    /// In the answer.
    Answer,
    /// In a call.
    Call(CallId),
}

impl Serialize for ContingentOn {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Answer => serializer.serialize_str("answer"),
            Self::Call(call) => serializer.collect_map([("toolCallId", call)]),
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for ContingentOn {
    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "ContingentOn".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let call = generator.subschema_for::<CallId>();
        schemars::json_schema!({ "oneOf": [
            { "const": "answer" },
            { "type": "object", "properties": { "toolCallId": call }, "required": ["toolCallId"] }
        ] })
    }
}

/// A result that a contingent value was carried by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct Carrier {
    tool_call_id: CallId,
    standing: SetAside,
}

/// A value that is used and was carried by results that had been set aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ContingentRow {
    declared_on: ContingentOn,
    value: String,
    carriers: Vec<Carrier>,
    iteration: u64,
    turn: u64,
}

impl ContingentRow {
    /// A row on a value and where it is used.
    #[must_use]
    pub fn new(turn: u64, iteration: u64, declared_on: ContingentOn, value: impl Into<String>) -> Self {
        Self { declared_on, value: value.into(), carriers: Vec::new(), iteration, turn }
    }

    /// The same with one more result that carried it.
    #[must_use]
    pub fn carried_by(mut self, call: CallId, standing: SetAside) -> Self {
        self.carriers.push(Carrier { tool_call_id: call, standing });
        self
    }
}

vocabulary! {
    /// Whether a source holds the period that was asked for.
    pub enum PeriodVerdict {
        /// All of it.
        Covered = "covered",
        /// A part of it.
        PartlyHeld = "partly-held",
        /// Nothing of it.
        NotHeld = "not-held",
        /// The source cannot say.
        Unknown = "unknown",
        /// The source did not say.
        Undeclared = "undeclared",
    }
}

/// Which period the result of a call was about.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PeriodRow {
    turn: u64,
    tool_call_id: CallId,
    tool_name: String,
    iteration: u64,
    verdict: PeriodVerdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    argument: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    differs: Option<Map<String, Value>>,
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    #[cfg_attr(feature = "schema", schemars(default))]
    beyond_retention: bool,
}

impl PeriodRow {
    /// A row on a call, with the verdict.
    #[must_use]
    pub fn new(
        turn: u64,
        call: CallId,
        tool: impl Into<String>,
        iteration: u64,
        verdict: PeriodVerdict,
    ) -> Self {
        Self {
            turn,
            tool_call_id: call,
            tool_name: tool.into(),
            iteration,
            verdict,
            argument: None,
            differs: None,
            beyond_retention: false,
        }
    }

    /// The same with the argument that had set the period, which ties the row to that argument's row.
    #[must_use]
    pub fn set_by(mut self, argument: impl Into<String>) -> Self {
        self.argument = Some(argument.into());
        self
    }

    /// The same where the result is about another period than the one asked for; how, in the tool's own shape.
    #[must_use]
    pub fn differing(mut self, how: Map<String, Value>) -> Self {
        self.differs = Some(how);
        self
    }

    /// The same where the period is older than what the source keeps.
    #[must_use]
    pub fn beyond_retention(mut self) -> Self {
        self.beyond_retention = true;
        self
    }
}

/// A result that takes part in a conflict.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Witness {
    tool_call_id: CallId,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    predicate: Option<String>,
}

impl Witness {
    /// The result of a call.
    #[must_use]
    pub fn new(call: CallId) -> Self {
        Self { tool_call_id: call, subject: None, predicate: None }
    }

    /// The same with what it says something about. Never the value itself.
    #[must_use]
    pub fn about(mut self, subject: Value, predicate: impl Into<String>) -> Self {
        self.subject = Some(subject);
        self.predicate = Some(predicate.into());
        self
    }
}

/// Results that say different things about the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConflictRow {
    key: String,
    witnesses: Vec<Witness>,
    iteration: u64,
    turn: u64,
}

impl ConflictRow {
    /// A conflict over what `key` names, between these results.
    #[must_use]
    pub fn new(
        turn: u64,
        iteration: u64,
        key: impl Into<String>,
        witnesses: impl IntoIterator<Item = Witness>,
    ) -> Self {
        Self { key: key.into(), witnesses: witnesses.into_iter().collect(), iteration, turn }
    }
}

/// A pass of the gate for names and numbers that left nothing unfound.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GroundedRow {
    turn: u64,
    iteration: u64,
    candidates: u64,
    looked_up: u64,
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    #[cfg_attr(feature = "schema", schemars(default))]
    after_revision: bool,
}

impl GroundedRow {
    /// A pass over so many names and numbers, so many of which were looked up in results. One that looked
    /// nothing up is no check.
    #[must_use]
    pub fn new(turn: u64, iteration: u64, candidates: u64, looked_up: u64) -> Self {
        Self { turn, iteration, candidates, looked_up, after_revision: false }
    }

    /// The same after the answer had been revised.
    #[must_use]
    pub fn after_revision(mut self) -> Self {
        self.after_revision = true;
        self
    }
}

/// A declared step that was not done: its position and its tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CalledStep {
    index: u64,
    tool: String,
}

impl CalledStep {
    /// The step at `index`, which calls `tool`.
    #[must_use]
    pub fn new(index: u64, tool: impl Into<String>) -> Self {
        Self { index, tool: tool.into() }
    }
}

/// Declared steps that were not done when the answer came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StepsUnfinishedRow {
    turn: u64,
    iteration: u64,
    skill_id: String,
    remaining: Vec<CalledStep>,
    total: u64,
}

impl StepsUnfinishedRow {
    /// What remains of a skill's `total` steps.
    #[must_use]
    pub fn new(
        turn: u64,
        iteration: u64,
        skill: impl Into<String>,
        remaining: impl IntoIterator<Item = CalledStep>,
        total: u64,
    ) -> Self {
        let remaining = remaining.into_iter().collect();
        Self { turn, iteration, skill_id: skill.into(), remaining, total }
    }
}

/// Times in the answer that were derived from a reading of the person's words.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimeDerivedRow {
    turn: u64,
    values: Vec<Value>,
}

impl TimeDerivedRow {
    /// These times, in the producer's own shape.
    #[must_use]
    pub fn new(turn: u64, values: impl IntoIterator<Item = Value>) -> Self {
        Self { turn, values: values.into_iter().collect() }
    }
}
