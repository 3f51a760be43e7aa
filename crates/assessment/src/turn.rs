//! Which part of the history is this turn, and which results are in it.

use alloc::vec::Vec;

use serde_json::Value;

use crate::declarations::Declarations;
use crate::json::Json;
use crate::pointer::Pointer;
use crate::standing::TurnFrom;

/// The turn that is assessed.
pub(crate) struct Turn<'a> {
    pub(crate) from: TurnFrom,
    /// The messages before it.
    pub(crate) earlier: &'a [Value],
    pub(crate) results: Vec<ToolResult<'a>>,
}

/// A tool's message of this turn.
pub(crate) struct ToolResult<'a> {
    index: usize,
    pub(crate) call: Option<&'a str>,
    pub(crate) tool: Option<&'a str>,
    pub(crate) value: Json<'a>,
}

impl<'a> ToolResult<'a> {
    pub(crate) fn pointer(&self) -> Pointer<'a> {
        Pointer::History { index: self.index, call: self.call.map(Into::into) }
    }
}

impl<'a> Turn<'a> {
    pub(crate) fn of(history: &'a [Value], declarations: &Declarations) -> Self {
        let start = history.iter().rposition(|message| is_said(message, declarations));
        let (from, first) = match start {
            Some(at) => (TurnFrom::Person, at),
            None => (TurnFrom::WholeHistory, 0),
        };
        let (earlier, these) = history.split_at(first);
        let results = these.iter().enumerate().filter(|(_, message)| is_result(message));
        let results = results.map(|(at, message)| ToolResult {
            index: first + at,
            call: named_call(message),
            tool: message.get("toolName").and_then(Value::as_str),
            value: Json::of_content(message.get("content").unwrap_or(&Value::Null), message.get("toolChars")),
        });
        Self { from, earlier, results: results.collect() }
    }
}

/// Whether a person wrote a message: in the role of the user, in text, delivered by nobody, and no frame.
fn is_said(message: &Value, declarations: &Declarations) -> bool {
    message.get("role").and_then(Value::as_str) == Some("user")
        && message.get("injectedBy").is_none()
        && message
            .get("content")
            .and_then(Value::as_str)
            .is_some_and(|content| !declarations.is_frame(content))
}

/// Whether a message is a tool's result.
pub(crate) fn is_result(message: &Value) -> bool {
    message.get("role").and_then(Value::as_str) == Some("tool")
}

/// The call that a message or a row names. An empty id names none.
pub(crate) fn named_call(value: &Value) -> Option<&str> {
    value.get("toolCallId").and_then(Value::as_str).filter(|id| !id.is_empty())
}

/// The calls named by the entries of one of a row's lists.
pub(crate) fn named_calls<'a>(row: &'a Value, list: &str) -> impl Iterator<Item = &'a str> {
    row.get(list).and_then(Value::as_array).into_iter().flatten().filter_map(named_call)
}
