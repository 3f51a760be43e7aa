//! What an Ask service answers: one record on each line.

use alloc::string::String;

use answerplane_normalize::truncate_utf16;

use crate::ask::AskDiagnostic;
use crate::ask::reader::MAX_LINE_BYTES;
use crate::json_text::read_text;
use crate::scalar::{BoundedText, DiagnosticCode};
use crate::wire::{Limits, Wire, foreign_json, wire_constant, wire_record, wire_union};

/// How long the pieces of a long text are, in UTF-16 code units.
const PIECE_UNITS: usize = 16_384;

/// A record whose line would be longer than any that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the line of the record has more than 1048576 bytes")]
pub struct LineTooLong;

impl LineTooLong {
    /// A stable code. It does not travel.
    pub const CODE: &'static str = "ASK_LINE_TOO_LONG";
}

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

    /// A long text as records whose lines everybody reads: each of at most 16,384 UTF-16 code units, cut between
    /// characters. An empty text is no record.
    ///
    /// ```
    /// use answerplane_protocol::ask::AskRecord;
    ///
    /// let long = "one word ".repeat(10_000);
    /// assert_eq!(AskRecord::texts(&long).count(), 6);
    /// assert!(AskRecord::texts(&long).all(|record| record.to_line().is_ok()));
    /// ```
    pub fn texts(mut text: &str) -> impl Iterator<Item = Self> {
        core::iter::from_fn(move || {
            let piece = truncate_utf16(text, PIECE_UNITS);
            text = &text[piece.len()..];
            (!piece.is_empty()).then(|| Self::text(BoundedText::proven(piece)))
        })
    }

    /// The line of the record, its line feed included.
    ///
    /// # Errors
    ///
    /// [`LineTooLong`] where it would have more than
    /// [`AskBuffer::MAX_LINE_BYTES`](crate::ask::AskBuffer::MAX_LINE_BYTES) before its line feed: every reader passes
    /// over such a line. Send a long text as several [`texts`](Self::texts).
    pub fn to_line(&self) -> Result<String, LineTooLong> {
        // A record has text keys and finite numbers only, so writing it cannot fail.
        let mut line = serde_json::to_string(self).unwrap_or_default();
        if line.len() > MAX_LINE_BYTES {
            return Err(LineTooLong);
        }
        line.push('\n');
        Ok(line)
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
