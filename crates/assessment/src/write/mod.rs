//! Writing records: the committed state of a run, typed.
//!
//! Every row has its own type, made of parts that cannot contradict each other, and a [`RecordWriter`] puts
//! them into a record. Members come out in a fixed order, so equal records have equal bytes.
//!
//! ```
//! use answerplane_assessment::write::{CallId, CoverageRow, Ground, Message, RecordWriter, ToolMessage};
//! use answerplane_assessment::{Declarations, Reason, Record, assess};
//!
//! let call: CallId = "c1".parse()?;
//! let mut record = RecordWriter::new();
//! record
//!     .turn(1)
//!     .message(Message::person("Are any ports free?"))
//!     .message(ToolMessage::new("list_ports", "[]").of_call(call.clone()))
//!     .coverage(
//!         CoverageRow::ledger(call, "list_ports", 1)
//!             .checked([Ground::new("rack 4")])
//!             .not_checked([Ground::new("rack 5").because("it is being moved")]),
//!     );
//! let record = record.to_value();
//! let assessment = assess(Record::new(&record)?, &Declarations::default());
//! assert_eq!(assessment.reasons()[0].reason(), Reason::CoverageGap);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod argument;
mod coverage;
mod decision;
mod field;
mod ledger;
mod message;
mod state;

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Value;

use crate::record::REDACTION_MARKER;
use crate::state::StateKey;

pub use answer::{CheckMode, CheckStatus, StopReason, StoppedEarly, UnsupportedValues, ValidationReport};
pub use argument::{
    ArgumentRow, ArgumentState, AskedBecause, Claim, ClaimFailure, ClaimedSource, Rule, SetAside, Source,
};
pub use coverage::{CoverageRow, Ground};
pub use decision::{MiddlewareDecision, Origin};
pub use ledger::{
    CalledStep, ConflictRow, ContingentOn, ContingentRow, GroundedRow, LedgerRow, PeriodRow, PeriodVerdict,
    StepsUnfinishedRow, TimeDerivedRow, Witness,
};
pub use message::{Message, ToolMessage};

pub(crate) use state::StateWire;
use state::{ArgumentAsk, Waiting};

/// The id of a call. Never empty: an empty id names no call.
///
/// ```
/// use answerplane_assessment::write::CallId;
///
/// assert_eq!("c1".parse::<CallId>().unwrap().as_str(), "c1");
/// assert!("".parse::<CallId>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CallId(#[cfg_attr(feature = "schema", schemars(length(min = 1)))] String);

/// An empty text where a call's id was expected. Remedy: leave the id out where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the id of a call must not be empty")]
pub struct EmptyCallId;

impl EmptyCallId {
    /// The stable code of this error.
    #[must_use]
    pub const fn code(self) -> &'static str {
        "ASSESSMENT_EMPTY_CALL_ID"
    }
}

impl CallId {
    /// The id's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for CallId {
    type Err = EmptyCallId;

    /// Fails for the empty text, and for no other.
    fn from_str(text: &str) -> Result<Self, EmptyCallId> {
        if text.is_empty() { Err(EmptyCallId) } else { Ok(Self(text.to_owned())) }
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A record in the making: a saved recording with one snapshot.
///
/// Serialized, it is the record; [`RecordWriter::to_value`] gives it as a value to be assessed. An empty one is a
/// record too, and stands as *not assessed*.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordWriter {
    state: StateWire,
    under_policy: bool,
    ended: bool,
}

impl RecordWriter {
    /// An empty record.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of the conversation's turn, from 1. Rows with another turn's stamp then do not count.
    pub fn turn(&mut self, number: u64) -> &mut Self {
        self.state.turn_number.set(Some(number));
        self
    }

    /// One more message of the history.
    pub fn message(&mut self, message: impl Into<Message>) -> &mut Self {
        self.state.history.push(message.into());
        self
    }

    /// One more coverage row, which a tool declared for a call of this run.
    pub fn coverage(&mut self, row: CoverageRow) -> &mut Self {
        self.state.coverage_declared.push(row);
        self
    }

    /// One more row of the ledger of findings.
    pub fn finding(&mut self, row: impl Into<LedgerRow>) -> &mut Self {
        self.state.findings_ledger.push(row.into());
        self
    }

    /// One more change by middleware.
    pub fn decision(&mut self, decision: MiddlewareDecision) -> &mut Self {
        self.state.middleware_decisions.push(decision);
        self
    }

    /// The run is paused on a call, whatever it waits for. `None` once it has been resumed.
    pub fn paused(&mut self, call: Option<CallId>) -> &mut Self {
        self.state.paused_tool_call_id.set(call);
        self
    }

    /// The run waits for arguments, under this request. `None` once the question is settled.
    pub fn waiting(&mut self, request: Option<&str>) -> &mut Self {
        let ask = |request: &str| ArgumentAsk { waiting: Waiting { request_id: request.to_owned() } };
        self.state.argument_ask.set(request.map(ask));
        self
    }

    /// Names and numbers of the answer that no result has.
    pub fn unsupported(&mut self, values: UnsupportedValues) -> &mut Self {
        self.state.unsupported_values.set(Some(values));
        self
    }

    /// The run stopped at a limit.
    pub fn stopped_early(&mut self, stop: StoppedEarly) -> &mut Self {
        self.state.stopped_early.set(Some(stop));
        self
    }

    /// The report on the answer. Only an enforced one that passed and names the judged bytes supports it.
    pub fn validation(&mut self, report: ValidationReport) -> &mut Self {
        self.state.answer_validation.set(Some(report));
        self
    }

    /// The turn ended with an answer that was shown, which the how-sure row asks for.
    pub fn ended(&mut self) -> &mut Self {
        self.ended = true;
        self
    }

    /// Serves the record under a redaction policy, which keeps out these keys (none is a policy too). What was
    /// written under them is dropped, and so is what is written later.
    pub fn serve_without(&mut self, keys: impl IntoIterator<Item = StateKey>) -> &mut Self {
        self.under_policy = true;
        keys.into_iter().for_each(|key| self.state.keep_out(key));
        self
    }

    /// The record as a value.
    #[must_use]
    pub fn to_value(&self) -> Value {
        // Every key is text and every number finite, which leaves nothing to go wrong.
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl Serialize for RecordWriter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(Some(1 + usize::from(self.ended)))?;
        out.serialize_entry("snapshot", &Snapshot(self))?;
        if self.ended {
            out.serialize_entry("events", &[Event { r#type: "turn_end" }])?;
        }
        out.end()
    }
}

#[derive(Serialize)]
struct Event {
    r#type: &'static str,
}

#[derive(Serialize)]
struct Recorder {
    id: &'static str,
}

struct Snapshot<'w>(&'w RecordWriter);

impl Serialize for Snapshot<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(Some(1 + usize::from(self.0.under_policy)))?;
        out.serialize_entry("sharedState", &self.0.state)?;
        if self.0.under_policy {
            out.serialize_entry("recorders", &[Recorder { id: REDACTION_MARKER }])?;
        }
        out.end()
    }
}
