//! What a tool declares about the ground that a call covered.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::CallId;

/// A piece of ground, in the tool's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ground {
    what: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

impl Ground {
    /// What was or was not looked at.
    #[must_use]
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), why: None }
    }

    /// The same with the reason for it.
    #[must_use]
    pub fn because(mut self, why: impl Into<String>) -> Self {
        self.why = Some(why.into());
        self
    }
}

/// A coverage row: a tool's own word on one of its calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CoverageRow {
    #[serde(flatten)]
    kind: Kind,
    tool_name: String,
    tool_call_id: CallId,
    iteration: u64,
    checked: Vec<Ground>,
    not_checked: Vec<Ground>,
    cannot_cover: Vec<Ground>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase")]
enum Kind {
    Absence { looked_for: String },
    Ledger,
}

impl CoverageRow {
    /// Nothing was found: `looked_for` is not there, on the ground that was checked.
    #[must_use]
    pub fn absence(
        call: CallId,
        tool: impl Into<String>,
        iteration: u64,
        looked_for: impl Into<String>,
    ) -> Self {
        Self::new(Kind::Absence { looked_for: looked_for.into() }, call, tool.into(), iteration)
    }

    /// The ground that the call covered, whatever it found there.
    #[must_use]
    pub fn ledger(call: CallId, tool: impl Into<String>, iteration: u64) -> Self {
        Self::new(Kind::Ledger, call, tool.into(), iteration)
    }

    fn new(kind: Kind, tool_call_id: CallId, tool_name: String, iteration: u64) -> Self {
        let (checked, not_checked, cannot_cover) = (Vec::new(), Vec::new(), Vec::new());
        Self { kind, tool_name, tool_call_id, iteration, checked, not_checked, cannot_cover }
    }

    /// The same with more ground that was checked.
    #[must_use]
    pub fn checked(mut self, ground: impl IntoIterator<Item = Ground>) -> Self {
        self.checked.extend(ground);
        self
    }

    /// The same with more ground that could have been checked and was not: a gap.
    #[must_use]
    pub fn not_checked(mut self, ground: impl IntoIterator<Item = Ground>) -> Self {
        self.not_checked.extend(ground);
        self
    }

    /// The same with more ground that the tool cannot cover: a gap.
    #[must_use]
    pub fn cannot_cover(mut self, ground: impl IntoIterator<Item = Ground>) -> Self {
        self.cannot_cover.extend(ground);
        self
    }
}
