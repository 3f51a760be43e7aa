//! What is recorded about the answer itself.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use crate::word::vocabulary;

/// Names and numbers of the answer that were looked for and found in no result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnsupportedValues {
    values: Vec<UnsupportedValue>,
    candidates: u64,
    revised: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct UnsupportedValue {
    value: String,
    shape: String,
}

impl UnsupportedValues {
    /// How many values at most are written down.
    pub const MAX_VALUES: usize = 12;

    /// What is left of so many candidates; `revised` once the answer has been revised for it.
    #[must_use]
    pub fn new(candidates: u64, revised: bool) -> Self {
        Self { values: Vec::new(), candidates, revised }
    }

    /// The same with a value that was not found, and what it looks like (`number`, say). Only the first
    /// [`UnsupportedValues::MAX_VALUES`] are kept.
    #[must_use]
    pub fn with(mut self, value: impl Into<String>, shape: impl Into<String>) -> Self {
        if self.values.len() < Self::MAX_VALUES {
            self.values.push(UnsupportedValue { value: value.into(), shape: shape.into() });
        }
        self
    }
}

vocabulary! {
    /// Which limit stopped a run.
    pub enum StopReason {
        /// The number of iterations.
        MaxIterations = "max-iterations",
        /// The cost.
        CostBudget = "cost-budget",
    }
}

/// A stop at a limit, before the model was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StoppedEarly {
    reason: StopReason,
    iteration: u64,
    pending_tool_calls: u64,
    answer_was_empty: bool,
}

impl StoppedEarly {
    /// A stop in an iteration from 1, with so many calls that did not run any more.
    #[must_use]
    pub fn new(reason: StopReason, iteration: u64, pending_tool_calls: u64, answer_was_empty: bool) -> Self {
        Self { reason, iteration, pending_tool_calls, answer_was_empty }
    }
}

vocabulary! {
    /// What a validator does with an answer that did not pass.
    pub enum CheckMode {
        /// It is withheld. Only this mode can make an answer known.
        Enforce = "enforce",
        /// It is delivered all the same.
        Observe = "observe",
    }
}

vocabulary! {
    /// What the application's checks came to.
    pub enum CheckStatus {
        /// Every check that applied passed.
        Passed = "passed",
        /// A check failed.
        Failed = "failed",
        /// Something kept them from a verdict.
        Unverified = "unverified",
    }
}

/// The report of the application's checks on an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ValidationReport {
    validator_id: String,
    validator_version: String,
    mode: CheckMode,
    status: CheckStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    candidate_digest: Option<String>,
}

impl ValidationReport {
    /// A report of a validator, in a version of it.
    #[must_use]
    pub fn new(
        validator: impl Into<String>,
        version: impl Into<String>,
        mode: CheckMode,
        status: CheckStatus,
    ) -> Self {
        let (validator_id, validator_version) = (validator.into(), version.into());
        Self { validator_id, validator_version, mode, status, candidate_digest: None }
    }

    /// The same, naming the bytes that were judged: a digest such as `sha256:…` over the canonical form of what is
    /// delivered. An empty one names nothing.
    #[must_use]
    pub fn on(mut self, digest: impl Into<String>) -> Self {
        self.candidate_digest = Some(digest.into()).filter(|digest| !digest.is_empty());
        self
    }
}
