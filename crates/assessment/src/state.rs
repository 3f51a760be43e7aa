//! Reading the keys of a committed state, and remembering which of them are kept out.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::{Map, Value};

use crate::record::Served;
use crate::word::vocabulary;

/// What stands for the whole value of a key that a redaction policy keeps out.
pub const PLACEHOLDERS: [&str; 2] = ["REDACTED", "[REDACTED]"];

vocabulary! {
    /// A key of the committed state that the fold reads, in ascending order.
    pub enum StateKey {
        /// The validation report on the answer.
        AnswerValidation = "answerValidation",
        /// The question for arguments that is out.
        ArgumentAsk = "argumentAsk",
        /// What tools declared about their coverage.
        CoverageDeclared = "coverageDeclared",
        /// The ledger of findings.
        FindingsLedger = "findingsLedger",
        /// The messages.
        History = "history",
        /// What middleware changed. Read only where the ledger holds current argument rows.
        MiddlewareDecisions = "middlewareDecisions",
        /// The call that the run is paused on.
        PausedToolCallId = "pausedToolCallId",
        /// Why the run stopped before its end.
        StoppedEarly = "stoppedEarly",
        /// The number of the turn, from 1.
        TurnNumber = "turnNumber",
        /// Names and numbers of the answer that were found in no result.
        UnsupportedValues = "unsupportedValues",
    }
}

/// A state, read key by key.
pub(crate) struct State<'a> {
    members: Option<&'a Map<String, Value>>,
    served: Served,
    kept_out: Vec<StateKey>,
}

impl<'a> State<'a> {
    pub(crate) fn new(state: Option<&'a Value>, served: Served) -> Self {
        Self { members: state.and_then(Value::as_object), served, kept_out: Vec::new() }
    }

    /// The value of a key; absent where it is kept out, which is remembered.
    pub(crate) fn get(&mut self, key: StateKey) -> Option<&'a Value> {
        let value = self.members?.get(key.as_str())?;
        if self.served == Served::UnderPolicy && is_placeholder(value) {
            self.kept_out.push(key);
            return None;
        }
        Some(value)
    }

    /// The rows under a key, with none for anything but a list.
    pub(crate) fn rows(&mut self, key: StateKey) -> &'a [Value] {
        self.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// The object under a key.
    pub(crate) fn object(&mut self, key: StateKey) -> Option<&'a Map<String, Value>> {
        self.get(key).and_then(Value::as_object)
    }

    /// The keys that were asked for and are kept out, in ascending order.
    pub(crate) fn into_kept_out(mut self) -> Vec<StateKey> {
        self.kept_out.sort_unstable();
        self.kept_out
    }
}

pub(crate) fn is_placeholder(value: &Value) -> bool {
    value.as_str().is_some_and(|text| PLACEHOLDERS.contains(&text))
}
