//! Messages of the history.

use alloc::string::String;

use answerplane_normalize::utf16_len;
use serde::Serialize;
use serde_json::Value;

use super::CallId;

/// A message of the history.
///
/// A person's message opens a turn, unless it happens to begin like a frame
/// ([`FRAME_OPENINGS`](crate::FRAME_OPENINGS)): then the turn is read from an earlier one on, and says more.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "role", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum Message {
    /// In the person's role.
    User {
        /// What it says.
        content: String,
        /// Who put it there, when that was no person: then it opens no turn.
        #[serde(skip_serializing_if = "Option::is_none")]
        injected_by: Option<Value>,
    },
    /// The model's.
    Assistant {
        /// What it says.
        content: String,
    },
    /// An instruction.
    System {
        /// What it says.
        content: String,
    },
    /// A tool's result.
    Tool(ToolMessage),
}

impl Message {
    /// What a person wrote.
    #[must_use]
    pub fn person(content: impl Into<String>) -> Self {
        Self::User { content: content.into(), injected_by: None }
    }

    /// What the run delivered in the person's role, and by what.
    #[must_use]
    pub fn delivered(content: impl Into<String>, by: Value) -> Self {
        Self::User { content: content.into(), injected_by: Some(by) }
    }

    /// What the model wrote.
    #[must_use]
    pub fn assistant(content: impl Into<String>) -> Self {
        Self::Assistant { content: content.into() }
    }
}

/// A tool's result, as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToolMessage {
    content: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<CallId>,
    tool_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_chars: Option<usize>,
}

impl ToolMessage {
    /// What `tool` gave back. A text that is a JSON object or list is read as that.
    #[must_use]
    pub fn new(tool: impl Into<String>, text: impl Into<String>) -> Self {
        Self { content: text.into(), tool_call_id: None, tool_name: tool.into(), tool_chars: None }
    }

    /// The same as the result of this call.
    #[must_use]
    pub fn of_call(mut self, call: CallId) -> Self {
        self.tool_call_id = Some(call);
        self
    }

    /// The same with a note of the run behind the tool's own text. What is read as the result stays the
    /// tool's own; further notes go behind the first.
    #[must_use]
    pub fn with_note(mut self, note: &str) -> Self {
        self.tool_chars.get_or_insert_with(|| utf16_len(&self.content));
        self.content.push_str(note);
        self
    }
}

impl From<ToolMessage> for Message {
    fn from(message: ToolMessage) -> Self {
        Self::Tool(message)
    }
}
