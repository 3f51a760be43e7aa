//! Which part of the history is this turn, and which results are in it.

use alloc::vec::Vec;

use serde_json::Value;

use crate::declarations::Declarations;
use crate::json::Content;
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
    pub(crate) content: Content<'a>,
}

impl<'a> ToolResult<'a> {
    fn of(index: usize, message: &'a Value) -> Self {
        Self {
            index,
            call: named_call(message),
            tool: message.get("toolName").and_then(Value::as_str),
            content: Content::of(message.get("content").unwrap_or(&Value::Null), message.get("toolChars")),
        }
    }

    pub(crate) fn pointer(&self) -> Pointer<'a> {
        Pointer::History { index: self.index, call: self.call.map(Into::into) }
    }
}

impl<'a> Turn<'a> {
    pub(crate) fn of(history: &'a [Value], declarations: &Declarations) -> Self {
        // From the end, so that each message is looked at once.
        let mut results = Vec::new();
        let mut first = history.len();
        let mut from = TurnFrom::WholeHistory;
        for (index, message) in history.iter().enumerate().rev() {
            first = index;
            match message.get("role").and_then(Value::as_str) {
                Some("tool") => results.push(ToolResult::of(index, message)),
                Some("user") if is_said(message, declarations) => {
                    from = TurnFrom::Person;
                    break;
                }
                _ => {}
            }
        }
        results.reverse();
        Self { from, earlier: history.get(..first).unwrap_or_default(), results }
    }
}

/// Whether a person wrote a user's message: in text, delivered by nobody, and no frame.
fn is_said(message: &Value, declarations: &Declarations) -> bool {
    message.get("injectedBy").is_none()
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
