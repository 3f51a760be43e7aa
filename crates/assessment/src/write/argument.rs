//! Argument rows: where the values came from that a call ran with.

use alloc::string::String;

use serde::Serialize;
use serde_json::Value;

use super::CallId;
use crate::word::vocabulary;

vocabulary! {
    /// What a tool's rule does about an argument that nobody gave.
    pub enum Rule {
        /// It asks for it.
        Ask = "ask",
        /// It assumes a value.
        Assume = "assume",
    }
}

vocabulary! {
    /// Why an argument was asked for.
    pub enum AskedBecause {
        /// Nobody had given it.
        Missing = "missing",
        /// Its source could not be verified.
        Unverified = "unverified",
        /// What had been answered was not a value for it.
        InvalidAnswer = "invalid-answer",
    }
}

vocabulary! {
    /// Which source a call claimed for a value.
    pub enum ClaimedSource {
        /// The person's words.
        User = "user",
        /// A result.
        Result = "result",
        /// An earlier turn.
        Turn = "turn",
        /// The application.
        App = "app",
        /// None: the value is an assumption.
        Assumed = "assumed",
        /// None was claimed.
        None = "none",
    }
}

vocabulary! {
    /// Why a claimed source did not hold.
    pub enum ClaimFailure {
        /// The quoted words are not there.
        QuoteNotFound = "quote-not-found",
        /// The message had been composed by the run.
        ComposedMessage = "composed-message",
        /// There is no such result.
        UnknownResult = "unknown-result",
        /// The result was put elsewhere.
        PlacedResult = "placed-result",
        /// The value is not in the result.
        NotInResult = "not-in-result",
        /// There is no earlier turn.
        NoEarlierTurn = "no-earlier-turn",
        /// The value is in no earlier turn.
        NotInEarlierTurns = "not-in-earlier-turns",
        /// Only the model had said it.
        OnlyInModelAnswer = "only-in-model-answer",
        /// The application's text does not have it.
        NotInAppText = "not-in-app-text",
        /// It could not be checked: the one failure that is no verdict.
        Uncheckable = "uncheckable",
    }
}

vocabulary! {
    /// The standing of a result that a value was taken from, where that was not a fact.
    pub enum SetAside {
        /// Still open.
        Open = "open",
        /// Noise.
        Noise = "noise",
        /// Ruled out.
        RuledOut = "ruled-out",
    }
}

/// A claimed source, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Claim {
    claimed: ClaimedSource,
    #[serde(skip_serializing_if = "Option::is_none")]
    quote: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<ClaimFailure>,
}

impl Claim {
    /// A claim that held.
    #[must_use]
    pub fn held(claimed: ClaimedSource) -> Self {
        Self { claimed, quote: None, failed: None }
    }

    /// A claim that did not.
    #[must_use]
    pub fn failed(claimed: ClaimedSource, failure: ClaimFailure) -> Self {
        Self { claimed, quote: None, failed: Some(failure) }
    }

    /// The same with the words that were quoted for it.
    #[must_use]
    pub fn quoting(mut self, quote: impl Into<String>) -> Self {
        self.quote = Some(quote.into());
        self
    }
}

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "source", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum Source {
    /// The person said it; by a reading when the value is not in the words themselves.
    Said {
        /// Whether it was read into the words.
        #[serde(skip_serializing_if = "core::ops::Not::not")]
        #[cfg_attr(feature = "schema", schemars(default))]
        reading: bool,
    },
    /// The person answered the run's question.
    Answered,
    /// It is in a result.
    Result {
        /// The result's call.
        result: CallId,
        /// That result's standing, where it was not a fact.
        #[serde(skip_serializing_if = "Option::is_none")]
        set_aside: Option<SetAside>,
    },
    /// The application gave it.
    App,
    /// A rule's default.
    Default,
    /// The model chose it.
    Model,
}

/// What has become of an argument: it was asked for, or it has a value from somewhere.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ArgumentState {
    /// It was asked for, and the call has not run.
    Asked {
        /// Why.
        asked: AskedBecause,
    },
    /// The call ran with a value.
    Given {
        /// Where the value came from.
        #[serde(flatten)]
        source: Source,
        /// The value.
        value: Value,
    },
}

/// One argument of one call. A later row on the same argument replaces an earlier one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ArgumentRow {
    turn: u64,
    tool_call_id: CallId,
    tool_name: String,
    iteration: u64,
    argument: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<Rule>,
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    #[cfg_attr(feature = "schema", schemars(default))]
    period: bool,
    #[serde(flatten)]
    state: ArgumentState,
    #[serde(flatten)]
    claim: Option<Claim>,
}

impl ArgumentRow {
    /// A row on an argument of a call, in a turn from 1 and an iteration from 1.
    #[must_use]
    pub fn new(
        turn: u64,
        call: CallId,
        tool: impl Into<String>,
        iteration: u64,
        argument: impl Into<String>,
        state: ArgumentState,
    ) -> Self {
        Self {
            turn,
            tool_call_id: call,
            tool_name: tool.into(),
            iteration,
            argument: argument.into(),
            rule: None,
            period: false,
            state,
            claim: None,
        }
    }

    /// The same under a tool's rule.
    #[must_use]
    pub fn under(mut self, rule: Rule) -> Self {
        self.rule = Some(rule);
        self
    }

    /// The same for an argument that sets the period a result is about.
    #[must_use]
    pub fn of_period(mut self) -> Self {
        self.period = true;
        self
    }

    /// The same with the source that the call claimed for the value.
    #[must_use]
    pub fn claiming(mut self, claim: Claim) -> Self {
        self.claim = Some(claim);
        self
    }
}
