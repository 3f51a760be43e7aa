//! What a caller can do wrong. A record itself is never wrong: what it does not say reads as absent.

use alloc::string::String;

/// A call that was refused before anything was folded.
///
/// No text of the record is in it. A tool is named, because it is the caller's own declaration.
///
/// ```
/// use answerplane_assessment::{CallerError, Record};
/// use serde_json::json;
///
/// assert_eq!(Record::new(&json!("run")).unwrap_err(), CallerError::RecordNotObject);
/// assert_eq!(CallerError::RecordNotObject.code(), "ASSESSMENT_RECORD_NOT_OBJECT");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CallerError {
    /// A text that should be a record or declarations is no JSON. Remedy: check it with any JSON tool.
    #[error("assess: the text is not JSON")]
    NotJson,
    /// The record is no JSON object. Remedy: hand over one of the three carriers.
    #[error(
        "assess: the record must be an object: a saved recording, {{ snapshot }} with a sharedState, or \
         {{ checkpoint }} with a sharedState"
    )]
    RecordNotObject,
    /// The declarations are given and are no JSON object. Remedy: leave them out, or give an object.
    #[error("assess: declarations must be an object")]
    DeclarationsNotObject,
    /// `tools` is given and is no JSON object. Remedy: key it by tool name.
    #[error("assess: declarations.tools must be an object keyed by tool name")]
    ToolsNotObject,
    /// A tool's entry is no JSON object. Remedy: `{ "rowsAt": "…" }`, or an empty object.
    #[error("assess: declarations.tools[{tool:?}] must be an object")]
    ToolNotObject {
        /// The tool's name, at most 64 characters of it.
        tool: String,
    },
    /// `rowsAt` is given and is no text, or empty. Remedy: name the key that holds the rows.
    #[error("assess: declarations.tools[{tool:?}].rowsAt must be a non-empty key")]
    RowsAtNotKey {
        /// The tool's name, at most 64 characters of it.
        tool: String,
    },
    /// `rowsAt` is a path. Remedy: only a top-level key can be named; give the tool's result one.
    #[error("assess: declarations.tools[{tool:?}].rowsAt must be a top-level key, without \"/\" and \".\"")]
    RowsAtNotTopLevel {
        /// The tool's name, at most 64 characters of it.
        tool: String,
    },
}

impl CallerError {
    /// The stable code of this error.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotJson => "ASSESSMENT_NOT_JSON",
            Self::RecordNotObject => "ASSESSMENT_RECORD_NOT_OBJECT",
            Self::DeclarationsNotObject => "ASSESSMENT_DECLARATIONS_NOT_OBJECT",
            Self::ToolsNotObject => "ASSESSMENT_TOOLS_NOT_OBJECT",
            Self::ToolNotObject { .. } => "ASSESSMENT_TOOL_NOT_OBJECT",
            Self::RowsAtNotKey { .. } => "ASSESSMENT_ROWS_AT_NOT_KEY",
            Self::RowsAtNotTopLevel { .. } => "ASSESSMENT_ROWS_AT_NOT_TOP_LEVEL",
        }
    }
}
