//! Why an answer ended.

/// Why an answer ended, in the words of the chat-completions API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finish {
    /// The model had said everything.
    Stop,
    /// So many tokens were allowed and no more.
    Length,
    /// The provider's filter ended it.
    ContentFilter,
    /// The model wants a tool to be called.
    ToolCalls,
    /// For a reason that is not known here.
    Other,
}

impl Finish {
    /// The reason that a server names. Servers have words of their own for an answer that is whole.
    pub(crate) fn of(word: &str) -> Self {
        match word {
            "stop" | "eos" | "eos_token" | "end_turn" | "stop_sequence" => Self::Stop,
            "length" | "max_tokens" | "model_length" => Self::Length,
            "content_filter" => Self::ContentFilter,
            "tool_calls" | "function_call" => Self::ToolCalls,
            _ => Self::Other,
        }
    }

    /// How the metadata of the end names it.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Length => "length",
            Self::ContentFilter => "content_filter",
            Self::ToolCalls => "tool_calls",
            Self::Other => "other",
        }
    }

    /// What a person is told of an answer that is not whole.
    pub(crate) const fn told(self) -> Option<&'static str> {
        match self {
            Self::Stop => None,
            Self::Length => Some("The answer was cut off at its greatest length."),
            Self::ContentFilter => Some("The answer was stopped by a content filter."),
            Self::ToolCalls => Some("The model asked for a tool, and has none here."),
            Self::Other => Some("The answer may not be whole."),
        }
    }
}
