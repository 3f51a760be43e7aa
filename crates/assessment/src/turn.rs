//! Which part of the history is this turn, and which results are in it.

use serde_json::Value;

use crate::declarations::Declarations;
use crate::standing::TurnFrom;

/// The turn that is assessed.
pub(crate) struct Turn<'a> {
    pub(crate) from: TurnFrom,
    /// The messages before it.
    pub(crate) earlier: &'a [Value],
}

impl<'a> Turn<'a> {
    /// The turn, and its results from the last to the first, each with its position in the history.
    ///
    /// From the end, so that each message is looked at once, and a result read while it is at hand.
    pub(crate) fn of(
        history: &'a [Value],
        declarations: &Declarations,
        mut each_result: impl FnMut(usize, &'a Value),
    ) -> Self {
        for (index, message) in history.iter().enumerate().rev() {
            match message.get("role").and_then(Value::as_str) {
                Some("tool") => each_result(index, message),
                Some("user") if is_said(message, declarations) => {
                    let earlier = history.get(..index).unwrap_or_default();
                    return Self { from: TurnFrom::Person, earlier };
                }
                _ => {}
            }
        }
        Self { from: TurnFrom::WholeHistory, earlier: &[] }
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
