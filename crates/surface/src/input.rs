//! Reading the result of an engine.

use serde::de::{Deserialize, IgnoredAny};
use serde_json::Value;

use crate::nav::NavResult;

/// Why a document is not the result of an engine. It holds none of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum InputError {
    /// The text is not JSON, or holds a text that UTF-8 cannot.
    #[error("The reasoning result is not valid JSON.")]
    NotJson,
    /// A field is missing, repeated, of another type, or holds an unknown word or an address that is none.
    #[error("The reasoning result has not the declared shape.")]
    Invalid,
}

impl InputError {
    /// Every reason.
    pub const ALL: &'static [Self] = &[Self::NotJson, Self::Invalid];

    /// The stable code of the reason.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotJson => "SURFACE_INPUT_NOT_JSON",
            Self::Invalid => "SURFACE_INPUT_INVALID",
        }
    }
}

impl NavResult {
    /// Reads a JSON text.
    ///
    /// Unknown fields are skipped, whatever they hold. A declared field that stands twice is refused, and so is
    /// `null` in the place of an absent field. There is no limit of size but the caller's.
    ///
    /// ```
    /// use answerplane_surface::{InputError, NavResult, Verdict};
    ///
    /// let text = r#"{
    ///     "decision": { "verdict": "clarify", "outdated": false, "detail": "two plots", "claim_verdicts": {} },
    ///     "node_verdicts": {},
    ///     "engine": "unknown fields do no harm"
    /// }"#;
    /// assert_eq!(NavResult::decode(text)?.decision.verdict, Verdict::Clarify);
    /// assert_eq!(NavResult::decode("{"), Err(InputError::NotJson));
    /// assert_eq!(NavResult::decode("[]"), Err(InputError::Invalid));
    /// # Ok::<(), InputError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the text is not JSON, or its value not the result of an engine.
    pub fn decode(text: impl AsRef<[u8]>) -> Result<Self, InputError> {
        let text = core::str::from_utf8(text.as_ref()).map_err(|_| InputError::NotJson)?;
        // Names are read as bytes, and there the parser lets control characters pass that JSON does not allow.
        serde_json::from_str::<IgnoredAny>(text).map_err(|_| InputError::NotJson)?;
        serde_json::from_str(text)
            .map_err(|error| if error.is_data() { InputError::Invalid } else { InputError::NotJson })
    }

    /// Reads a JSON value, as [`decode`](Self::decode) does a text. It cannot show that a name was repeated.
    ///
    /// # Errors
    ///
    /// When the value is not the result of an engine.
    pub fn decode_value(value: &Value) -> Result<Self, InputError> {
        Self::deserialize(value).map_err(|_| InputError::Invalid)
    }
}
