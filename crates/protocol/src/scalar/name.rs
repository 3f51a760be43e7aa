//! Names that programs give to kinds of things: components, their events, diagnostics.

use alloc::boxed::Box;

use crate::scalar::InvalidScalar;
use crate::wire::{TextRule, text_scalar};

/// The key of a component: `^[a-z][a-z0-9-]{0,63}$`.
///
/// The rule is in `docs/protocol/scalars.md`.
///
/// ```
/// use answerplane_protocol::ComponentKey;
///
/// assert!("plot-card".parse::<ComponentKey>().is_ok());
/// assert!("PlotCard".parse::<ComponentKey>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComponentKey<S = Box<str>>(S);

impl TextRule for ComponentKey {
    fn accept(text: &str) -> Option<&str> {
        is_key(text).then_some(text)
    }
}

text_scalar!([] ComponentKey [] refused as InvalidScalar::ComponentKey);

/// The name of a component's event, by the same rule as a [`ComponentKey`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventName<S = Box<str>>(S);

impl TextRule for EventName {
    fn accept(text: &str) -> Option<&str> {
        is_key(text).then_some(text)
    }
}

text_scalar!([] EventName [] refused as InvalidScalar::EventName);

fn is_key(text: &str) -> bool {
    let goes_on = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-';
    let bytes = text.as_bytes();
    bytes.len() <= 64 && bytes.first().is_some_and(u8::is_ascii_lowercase) && bytes.iter().all(goes_on)
}

/// The code of a diagnostic: `^[A-Z][A-Z0-9_]*$`, at most `MAX` long.
///
/// ```
/// use answerplane_protocol::DiagnosticCode;
///
/// assert!("GARDEN_CLOSED".parse::<DiagnosticCode<128>>().is_ok());
/// assert!("_CLOSED".parse::<DiagnosticCode<128>>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DiagnosticCode<const MAX: usize, S = Box<str>>(S);

impl<const MAX: usize> TextRule for DiagnosticCode<MAX> {
    fn accept(text: &str) -> Option<&str> {
        let goes_on = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
        let bytes = text.as_bytes();
        let begins = bytes.first().is_some_and(u8::is_ascii_uppercase);
        (begins && bytes.iter().all(goes_on) && bytes.len() <= MAX).then_some(text)
    }
}

text_scalar!([const MAX: usize] DiagnosticCode [MAX,] refused as InvalidScalar::DiagnosticCode);

#[cfg(feature = "schema")]
const KEY_PATTERN: &str = "^[a-z][a-z0-9-]{0,63}$(?!\\n)";

#[cfg(feature = "schema")]
impl schemars::JsonSchema for ComponentKey {
    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "ComponentKey".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": KEY_PATTERN })
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for EventName {
    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "EventName".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": KEY_PATTERN })
    }
}

#[cfg(feature = "schema")]
impl<const MAX: usize> schemars::JsonSchema for DiagnosticCode<MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        alloc::format!("DiagnosticCode{MAX}").into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut schema = schemars::json_schema!({ "type": "string", "pattern": "^[A-Z][A-Z0-9_]*$(?!\\n)" });
        if MAX != usize::MAX {
            schema.insert("maxLength".into(), MAX.into());
        }
        schema
    }
}
