//! Identifiers.

use alloc::boxed::Box;

use crate::scalar::InvalidScalar;
use crate::wire::{TextRule, text_scalar};

/// An identifier: `^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$`.
///
/// The rule is in `docs/protocol/scalars.md`.
///
/// ```
/// use answerplane_protocol::Identifier;
///
/// let id: Identifier = "doc:install".parse()?;
/// assert_eq!(id.as_str(), "doc:install");
/// assert!("no spaces".parse::<Identifier>().is_err());
/// # Ok::<(), answerplane_protocol::InvalidScalar>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identifier<S = Box<str>>(S);

impl TextRule for Identifier {
    fn accept(text: &str) -> Option<&str> {
        let bytes = text.as_bytes();
        let begins = bytes.first().is_some_and(u8::is_ascii_alphanumeric);
        let goes_on = bytes
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b':' | b'-'));
        (begins && goes_on && bytes.len() <= 128).then_some(text)
    }
}

text_scalar!([] Identifier [] refused as InvalidScalar::Identifier);

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Identifier {
    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "Identifier".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$(?!\\n)" })
    }
}
