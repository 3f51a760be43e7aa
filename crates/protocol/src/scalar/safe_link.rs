//! Links that are safe to show as links.

use alloc::boxed::Box;

use answerplane_normalize::utf16_len;
use url::Url;

use crate::scalar::InvalidScalar;
use crate::wire::{TextRule, text_scalar};

/// The greatest length of a link in UTF-16 code units.
const MAX_UNITS: usize = 2_048;

/// A link that leads nowhere unexpected: a path that begins with one `/`, or a URL with scheme `http` or
/// `https` and without credentials; 1 to 2,048 UTF-16 code units, no control character, no backslash.
///
/// Kept as written. The rule is in `docs/protocol/scalars.md`.
///
/// ```
/// use answerplane_protocol::SafeLink;
///
/// assert!("https://docs.example/install#cli".parse::<SafeLink>().is_ok());
/// assert!("/install".parse::<SafeLink>().is_ok());
/// for unsafe_link in ["javascript:alert(1)", "//elsewhere.example", "https://user:word@docs.example"] {
///     assert!(unsafe_link.parse::<SafeLink>().is_err());
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SafeLink<S = Box<str>>(S);

impl TextRule for SafeLink {
    fn accept(text: &str) -> Option<&str> {
        let fits = text.len() <= MAX_UNITS || utf16_len(text) <= MAX_UNITS;
        let clean = !text.bytes().any(|byte| byte <= 0x1f || byte == 0x7f || byte == b'\\');
        if !fits || !clean {
            return None;
        }
        if let Some(path) = text.strip_prefix('/') {
            return (!path.starts_with('/')).then_some(text);
        }
        (is_plain_https(text) || is_web_url(text)).then_some(text)
    }
}

text_scalar!([] SafeLink [] refused as InvalidScalar::SafeLink);

/// A short cut for the links that nearly everybody writes: `https`, a host of plain labels that ends in letters
/// (so it is neither an address nor an encoded name), then nothing or `/`, `?`, `#`.
///
/// Says no to many good links, never yes to a bad one; a test compares it with [`is_web_url`].
fn is_plain_https(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("https://") else {
        return false;
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let plain_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with("xn--")
            && label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    let last = host.rsplit('.').next().unwrap_or_default();
    host.split('.').all(plain_label) && last.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Whether `text` begins with a scheme and parses as a web address without credentials.
fn is_web_url(text: &str) -> bool {
    let Some((scheme, _)) = text.split_once(':') else {
        return false;
    };
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-'));
    is_scheme
        && Url::parse(text).is_ok_and(|url| {
            matches!(url.scheme(), "http" | "https")
                && url.username().is_empty()
                && url.password().is_none_or(str::is_empty)
        })
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for SafeLink {
    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "SafeLink".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "A path that begins with one slash, or an http or https URL without user name and password; at most 2,048 UTF-16 code units.",
            "pattern": "^(?:/(?!/)|[Hh][Tt][Tt][Pp][Ss]?:)[^\\u0000-\\u001F\\u007F\\\\]*$(?!\\n)",
            "maxLength": MAX_UNITS,
        })
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use proptest::prelude::*;

    use super::{is_plain_https, is_web_url};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]

        #[test]
        fn the_short_cut_never_says_yes_alone(host in "([a-zA-Z0-9.:@%_\\[\\]-]|xn--|é|0x7f|\u{3002}){0,12}", tail in "([/?#][ -~é🚀]{0,8})?") {
            let link: String = format!("https://{host}{tail}");
            prop_assert!(!is_plain_https(&link) || is_web_url(&link), "{link}");
        }

        #[test]
        fn the_short_cut_knows_plain_links(host in "[a-wyz][a-z0-9-]{0,8}\\.[a-z]{2,6}", path in "(/[a-z]{0,5}){0,3}") {
            let link = format!("https://{host}{path}");
            prop_assert!(is_plain_https(&link) && is_web_url(&link), "{link}");
        }
    }
}
