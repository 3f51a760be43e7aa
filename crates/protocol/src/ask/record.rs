//! What an Ask service answers: one record on each line.

use crate::ask::AskDiagnostic;
use crate::json_text::read_text;
use crate::scalar::{BoundedText, DiagnosticCode};
use crate::wire::{Limits, Wire, foreign_json, wire_constant, wire_record, wire_union};

wire_constant! {
    TextWord = "text";
    ToolWord = "tool";
    DoneWord = "done";
    ErrorWord = "error";
}

wire_union! {
    /// One record of an answer. Contract: `docs/protocol/ask.md`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum AskRecord by "type" document {
        /// More text.
        "text" => Text(AskText),
        /// The use of a tool.
        "tool" => Tool(AskTool),
        /// The end of the answer.
        "done" => Done(AskDone),
        /// What went wrong.
        "error" => Error(AskError),
    }
}

wire_record! {
    /// More text.
    pub struct AskText strict {
        /// What the record is.
        fixed word: TextWord = "type",
        /// The text.
        required delta: BoundedText<0, 1_048_576> = "delta",
    }
}

wire_record! {
    /// The use of a tool.
    pub struct AskTool strict {
        /// What the record is.
        fixed word: ToolWord = "type",
        /// The use of the tool.
        required id: BoundedText<0, 256> = "id",
        /// The tool.
        required name: BoundedText<0, 128> = "name",
        /// What the tool is given.
        required args: AskArguments = "args",
    }
}

foreign_json! {
    /// What a tool is given: a JSON object with keys of at most 128 UTF-16 code units. Beyond this schema: with the
    /// record around it, fewer than 128 nested levels.
    pub struct AskArguments: Limits { levels: Limits::NONE.levels - 1, outer_key: 128, object: true, ..Limits::NONE }
}

wire_record! {
    /// The end of an answer.
    pub struct AskDone strict {
        /// What the record is.
        fixed word: DoneWord = "type",
        /// The model that answered.
        optional model: BoundedText<0, 256> = "model",
    }
}

wire_record! {
    /// What went wrong.
    pub struct AskError strict {
        /// What the record is.
        fixed word: ErrorWord = "type",
        /// What a person is told.
        required message: BoundedText<1, 4_096> = "message",
        /// The code.
        optional code: DiagnosticCode<128> = "code",
        /// Whether another try may succeed.
        optional retryable: bool = "retryable",
    }
}

impl AskRecord {
    /// Reads one record, which is a line without the white space around it; `None` where it is no record.
    #[must_use]
    pub fn decode(record: &str) -> Option<Self> {
        read_text::<Wire<Self>>(record).map(|record| record.0).ok()
    }

    /// More text.
    #[must_use]
    pub fn text(delta: BoundedText<0, 1_048_576>) -> Self {
        Self::Text(AskText { word: TextWord, delta })
    }

    /// The use of a tool.
    #[must_use]
    pub fn tool(id: BoundedText<0, 256>, name: BoundedText<0, 128>, args: AskArguments) -> Self {
        Self::Tool(AskTool { word: ToolWord, id, name, args })
    }

    /// The end of an answer.
    #[must_use]
    pub fn done(model: Option<BoundedText<0, 256>>) -> Self {
        Self::Done(AskDone { word: DoneWord, model })
    }

    /// What went wrong.
    #[must_use]
    pub fn error(
        message: BoundedText<1, 4_096>,
        code: Option<DiagnosticCode<128>>,
        retryable: Option<bool>,
    ) -> Self {
        Self::Error(AskError { word: ErrorWord, message, code, retryable })
    }

    /// The line of the record, its line feed included.
    #[must_use]
    pub fn to_line(&self) -> alloc::string::String {
        // A record has text keys and finite numbers only, so writing it cannot fail.
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }
}

impl From<AskDiagnostic> for AskRecord {
    fn from(diagnostic: AskDiagnostic) -> Self {
        Self::error(
            BoundedText::proven(&alloc::format!("{diagnostic}")),
            Some(DiagnosticCode::proven(diagnostic.code())),
            Some(diagnostic.is_retryable()),
        )
    }
}
