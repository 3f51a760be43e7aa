//! What an application declares about its tools, beside the record.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use crate::error::CallerError;
use crate::json::Json;

/// How the messages begin that a run puts into the history in a person's name. None of them opens a turn.
pub const FRAME_OPENINGS: [&str; 6] = [
    "[dropped history",
    "[compacted history",
    "[schema check",
    "[evidence check",
    "[budget exhausted",
    "[steps unrun",
];

/// What an application declares: where its tools' object results keep their rows.
///
/// ```
/// use answerplane_assessment::{CallerError, Declarations};
///
/// let read = Declarations::decode(r#"{ "tools": { "list_volumes": { "rowsAt": "volumes" } } }"#)?;
/// let built = Declarations::default().with_rows_at("list_volumes", "volumes")?;
/// assert_eq!(read, built);
/// # Ok::<(), CallerError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declarations {
    rows_at: BTreeMap<String, String>,
    frame_openings: Vec<String>,
}

impl Default for Declarations {
    /// No tool declared, and the frame openings of [`FRAME_OPENINGS`].
    fn default() -> Self {
        Self {
            rows_at: BTreeMap::new(),
            frame_openings: FRAME_OPENINGS.iter().copied().map(str::to_owned).collect(),
        }
    }
}

impl Declarations {
    /// Reads a JSON text, `{ "tools": { "<tool name>": { "rowsAt": "<key>" } } }`; other members are ignored.
    ///
    /// # Errors
    ///
    /// [`CallerError::NotJson`], then the first problem, in the order of the text:
    /// [`CallerError::DeclarationsNotObject`], [`CallerError::ToolsNotObject`], [`CallerError::ToolNotObject`],
    /// [`CallerError::RowsAtNotKey`], [`CallerError::RowsAtNotTopLevel`]. A member that is null is given, and is an
    /// error; of members of one name the last counts.
    pub fn decode(text: impl AsRef<[u8]>) -> Result<Self, CallerError> {
        Self::read(Json::of_text(text.as_ref()).ok_or(CallerError::NotJson)?)
    }

    /// Reads a JSON value, as [`decode`](Self::decode) does a text. Its order is that of the value's own map: by
    /// name, unless `serde_json` is told to preserve order.
    ///
    /// # Errors
    ///
    /// The first problem.
    pub fn decode_value(value: &Value) -> Result<Self, CallerError> {
        Self::read(Json::Built(value))
    }

    fn read(value: Json<'_>) -> Result<Self, CallerError> {
        if !value.is_object() {
            return Err(CallerError::DeclarationsNotObject);
        }
        let mut declarations = Self::default();
        let [Some(tools)] = value.members(["tools"]) else { return Ok(declarations) };
        if !tools.is_object() {
            return Err(CallerError::ToolsNotObject);
        }
        let tools = tools.entries();
        let last: BTreeMap<&str, usize> = tools.iter().map(|(tool, _)| tool.as_ref()).zip(0..).collect();
        for (at, (tool, entry)) in tools.iter().enumerate() {
            if last.get(tool.as_ref()) != Some(&at) {
                continue;
            }
            if !entry.is_object() {
                return Err(CallerError::ToolNotObject { tool: shortened(tool) });
            }
            let [Some(key)] = entry.members(["rowsAt"]) else { continue };
            // What is no text is refused as the empty key is.
            declarations = declarations.with_rows_at(tool, &key.string().unwrap_or_default())?;
        }
        Ok(declarations)
    }

    /// The same with one more tool: `key` is where an object result of `tool` keeps its list of rows.
    ///
    /// # Errors
    ///
    /// [`CallerError::RowsAtNotKey`] for an empty key, [`CallerError::RowsAtNotTopLevel`] for one with `/` or
    /// `.` in it.
    pub fn with_rows_at(mut self, tool: &str, key: &str) -> Result<Self, CallerError> {
        if key.is_empty() {
            return Err(CallerError::RowsAtNotKey { tool: shortened(tool) });
        }
        if key.contains(['/', '.']) {
            return Err(CallerError::RowsAtNotTopLevel { tool: shortened(tool) });
        }
        self.rows_at.insert(tool.to_owned(), key.to_owned());
        Ok(self)
    }

    /// The same with other frame openings in place of [`FRAME_OPENINGS`], for runs that write other frames.
    ///
    /// An opening is compared with the very first characters of a message, exactly. Empty ones are left out.
    ///
    /// ```
    /// use answerplane_assessment::{Declarations, FRAME_OPENINGS};
    ///
    /// let ours = Declarations::default().with_frame_openings(FRAME_OPENINGS.into_iter().chain(["[note]"]));
    /// assert_ne!(ours, Declarations::default());
    /// ```
    #[must_use]
    pub fn with_frame_openings<'o>(mut self, openings: impl IntoIterator<Item = &'o str>) -> Self {
        self.frame_openings =
            openings.into_iter().filter(|opening| !opening.is_empty()).map(str::to_owned).collect();
        self
    }

    pub(crate) fn rows_at(&self, tool: Option<&str>) -> Option<&str> {
        self.rows_at.get(tool?).map(String::as_str)
    }

    pub(crate) fn is_frame(&self, content: &str) -> bool {
        self.frame_openings.iter().any(|opening| content.starts_with(opening.as_str()))
    }
}

fn shortened(tool: &str) -> String {
    tool.chars().take(64).collect()
}
