//! The committed state of a run, as its keys are written.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::field::Field;
use super::{
    CallId, CoverageRow, LedgerRow, Message, MiddlewareDecision, StoppedEarly, UnsupportedValues,
    ValidationReport,
};
use crate::state::StateKey;

/// The keys, in the order they are written. Every one may be absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RunState", default))]
#[serde(rename_all = "camelCase")]
pub(crate) struct StateWire {
    #[serde(skip_serializing_if = "Field::is_absent")]
    pub(super) turn_number: Field<u64>,
    #[serde(skip_serializing_if = "Field::is_absent")]
    pub(super) history: Field<Vec<Message>>,
    #[serde(skip_serializing_if = "Field::is_absent")]
    // Written by others, an empty id says that there is no pause.
    #[cfg_attr(feature = "schema", schemars(with = "Field<String>"))]
    pub(super) paused_tool_call_id: Field<CallId>,
    #[serde(skip_serializing_if = "Field::is_absent")]
    pub(super) argument_ask: Field<ArgumentAsk>,
    #[serde(skip_serializing_if = "Field::is_absent")]
    pub(super) coverage_declared: Field<Vec<CoverageRow>>,
    #[serde(skip_serializing_if = "Field::is_absent")]
    pub(super) findings_ledger: Field<Vec<LedgerRow>>,
    #[serde(skip_serializing_if = "Field::is_absent")]
    pub(super) middleware_decisions: Field<Vec<MiddlewareDecision>>,
    #[serde(skip_serializing_if = "Field::is_absent")]
    pub(super) unsupported_values: Field<UnsupportedValues>,
    #[serde(skip_serializing_if = "Field::is_absent")]
    pub(super) stopped_early: Field<StoppedEarly>,
    #[serde(skip_serializing_if = "Field::is_absent")]
    pub(super) answer_validation: Field<ValidationReport>,
}

impl StateWire {
    /// From now on, this key is kept out.
    pub(super) fn keep_out(&mut self, key: StateKey) {
        match key {
            StateKey::AnswerValidation => self.answer_validation = Field::KeptOut,
            StateKey::ArgumentAsk => self.argument_ask = Field::KeptOut,
            StateKey::CoverageDeclared => self.coverage_declared = Field::KeptOut,
            StateKey::FindingsLedger => self.findings_ledger = Field::KeptOut,
            StateKey::History => self.history = Field::KeptOut,
            StateKey::MiddlewareDecisions => self.middleware_decisions = Field::KeptOut,
            StateKey::PausedToolCallId => self.paused_tool_call_id = Field::KeptOut,
            StateKey::StoppedEarly => self.stopped_early = Field::KeptOut,
            StateKey::TurnNumber => self.turn_number = Field::KeptOut,
            StateKey::UnsupportedValues => self.unsupported_values = Field::KeptOut,
        }
    }
}

/// The run's own question for arguments, while it is out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct ArgumentAsk {
    pub(super) waiting: Waiting,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct Waiting {
    pub(super) request_id: String,
}
