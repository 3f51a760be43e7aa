//! Changes that middleware made to the arguments of calls.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::CallId;
use crate::word::vocabulary;

vocabulary! {
    /// Where a value that middleware set came from.
    pub enum Origin {
        /// The person gave it.
        Person = "person",
        /// The application gave it.
        App = "app",
        /// A default.
        Default = "default",
    }
}

/// A change that middleware made to a call's arguments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "MiddlewareDecision"))]
#[serde(tag = "at", rename = "tool", rename_all = "camelCase")]
pub struct MiddlewareDecision {
    tool_call_id: CallId,
    changed_keys: Vec<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "schema", schemars(default))]
    from: BTreeMap<String, Origin>,
}

impl MiddlewareDecision {
    /// A decision on a call that has changed nothing yet.
    #[must_use]
    pub fn on(call: CallId) -> Self {
        Self { tool_call_id: call, changed_keys: Vec::new(), from: BTreeMap::new() }
    }

    /// The same, having changed one more argument, with the origin of its value where that is known.
    #[must_use]
    pub fn changing(mut self, argument: impl Into<String>, from: Option<Origin>) -> Self {
        let argument = argument.into();
        if let Some(origin) = from {
            self.from.insert(argument.clone(), origin);
        }
        self.changed_keys.push(argument);
        self
    }
}
