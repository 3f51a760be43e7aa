//! Texts with a least and a greatest length in UTF-16 code units.

use alloc::boxed::Box;

use answerplane_normalize::{trim, truncate_utf16, utf16_len};

use crate::scalar::InvalidScalar;
use crate::wire::{TextRule, text_scalar};

/// A text of `MIN` to `MAX` UTF-16 code units, kept as written.
///
/// ```
/// use answerplane_protocol::BoundedText;
///
/// assert!(BoundedText::<1, 4>::parse(" ab ").is_ok());
/// assert!(BoundedText::<1, 4>::parse("🚀🚀🚀").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoundedText<const MIN: usize, const MAX: usize, S = Box<str>>(S);

impl<const MIN: usize, const MAX: usize> TextRule for BoundedText<MIN, MAX> {
    fn accept(text: &str) -> Option<&str> {
        is_within(text, MIN, MAX).then_some(text)
    }
}

text_scalar!(
    [const MIN: usize, const MAX: usize] BoundedText [MIN, MAX,]
    refused as InvalidScalar::Text { min: MIN, max: MAX }
);

impl<const MAX: usize> BoundedText<0, MAX> {
    /// The longest prefix of `text` of at most `MAX` UTF-16 code units that ends on a scalar value.
    #[must_use]
    pub fn cut(text: &str) -> Self {
        Self(truncate_utf16(text, MAX).into())
    }
}

/// A text whose white space at both ends is cut off before its length is looked at: `MIN` to `MAX` UTF-16 code
/// units remain, and they are the value.
///
/// ```
/// use answerplane_protocol::TrimmedText;
///
/// let label: TrimmedText<1, 256> = "\u{a0} Install the CLI \n".parse()?;
/// assert_eq!(label.as_str(), "Install the CLI");
/// assert!(TrimmedText::<1, 256>::parse("\u{3000}").is_err());
/// # Ok::<(), answerplane_protocol::InvalidScalar>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TrimmedText<const MIN: usize, const MAX: usize, S = Box<str>>(S);

impl<const MIN: usize, const MAX: usize> TextRule for TrimmedText<MIN, MAX> {
    fn accept(text: &str) -> Option<&str> {
        let text = trim(text);
        is_within(text, MIN, MAX).then_some(text)
    }
}

text_scalar!(
    [const MIN: usize, const MAX: usize] TrimmedText [MIN, MAX,]
    refused as InvalidScalar::Text { min: MIN, max: MAX }
);

/// Any text, kept as written.
pub type FreeText = BoundedText<0, { usize::MAX }>;

/// A text that is more than white space, kept as written.
///
/// ```
/// use answerplane_protocol::NotBlank;
///
/// assert_eq!(NotBlank::parse(" hello ")?.as_str(), " hello ");
/// assert!(NotBlank::parse(" \u{feff}\n").is_err());
/// # Ok::<(), answerplane_protocol::InvalidScalar>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NotBlank<S = Box<str>>(S);

impl TextRule for NotBlank {
    fn accept(text: &str) -> Option<&str> {
        (!trim(text).is_empty()).then_some(text)
    }
}

text_scalar!([] NotBlank [] refused as InvalidScalar::Blank);

/// A text has at most as many UTF-16 units as bytes and at least a third of them.
#[inline]
fn is_within(text: &str, min: usize, max: usize) -> bool {
    if text.len() <= max && text.len().div_ceil(3) >= min {
        return true;
    }
    (min..=max).contains(&utf16_len(text))
}

#[cfg(feature = "schema")]
impl<const MIN: usize, const MAX: usize> schemars::JsonSchema for BoundedText<MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        alloc::format!("BoundedText{MIN}To{MAX}").into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        if MAX == usize::MAX {
            return schemars::json_schema!({ "type": "string", "minLength": MIN });
        }
        schemars::json_schema!({
            "type": "string",
            "minLength": MIN,
            "maxLength": MAX,
            "description": alloc::format!("{MIN} to {MAX} UTF-16 code units, which may be fewer characters."),
        })
    }
}

/// White space as a character class. It is spelled out, since `\s` is another set in every dialect.
#[cfg(feature = "schema")]
const SPACE: &str =
    "\\u0009-\\u000D\\u0020\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000\\uFEFF";

#[cfg(feature = "schema")]
impl schemars::JsonSchema for NotBlank {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "NotBlank".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": alloc::format!("[^{SPACE}]") })
    }
}

#[cfg(feature = "schema")]
impl<const MIN: usize, const MAX: usize> schemars::JsonSchema for TrimmedText<MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        alloc::format!("TrimmedText{MIN}To{MAX}").into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let space = SPACE;
        let inner = MAX.saturating_sub(2);
        schemars::json_schema!({
            "type": "string",
            "pattern": alloc::format!("^[{space}]*[^{space}](?:[\\s\\S]{{0,{inner}}}[^{space}])?[{space}]*$(?!\\n)"),
            "description": alloc::format!("White space at both ends is cut off; {MIN} to {MAX} UTF-16 code units remain, which may be fewer characters."),
        })
    }
}
