//! Addresses: the canonical tokens of source nodes.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

/// The greatest number of characters of a scheme.
const MAX_SCHEME: usize = 32;

/// The canonical token of a source node: `<scheme>:<path>[#<fragment>]`.
///
/// The scheme is `[a-z][a-z0-9-]{0,31}`; the path is segments of `[A-Za-z0-9._~-]+` joined by `/`; the fragment is
/// one such segment. One node has one token: nothing is trimmed, decoded or folded, so what parses is what
/// [`to_token`](Self::to_token) prints.
///
/// ```
/// use answerplane_surface::Address;
///
/// let address: Address = "kb:guides/install#linux".parse()?;
/// assert_eq!((address.scheme(), address.path(), address.fragment()), ("kb", "guides/install", Some("linux")));
/// assert_eq!(address.to_token(), "kb:guides/install#linux");
/// for other in ["KB:a", "kb:/a", "kb:a/", "kb:a#", "kb:a b", " kb:a"] {
///     assert!(other.parse::<Address>().is_err());
/// }
/// # Ok::<(), answerplane_surface::InvalidAddress>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(Box<str>);

/// A text is not an [`Address`]. It holds none of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("not an address: a scheme, a colon, path segments joined by /, and perhaps # and a fragment")]
pub struct InvalidAddress;

impl InvalidAddress {
    /// The stable code of the reason.
    #[must_use]
    pub const fn code(self) -> &'static str {
        "SURFACE_ADDRESS"
    }
}

impl Address {
    /// The address whose token is `text`.
    ///
    /// # Errors
    ///
    /// When `text` is not exactly a token.
    pub fn parse(text: &str) -> Result<Self, InvalidAddress> {
        let (scheme, rest) = text.split_once(':').ok_or(InvalidAddress)?;
        let (path, fragment) = match rest.split_once('#') {
            Some((path, fragment)) => (path, Some(fragment)),
            None => (rest, None),
        };
        let good = is_scheme(scheme) && path.split('/').all(is_segment) && fragment.is_none_or(is_segment);
        if good { Ok(Self(text.into())) } else { Err(InvalidAddress) }
    }

    /// The token.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The token as a text of its own.
    #[must_use]
    pub fn to_token(&self) -> String {
        self.as_str().to_owned()
    }

    /// What kind of source it is.
    #[must_use]
    pub fn scheme(&self) -> &str {
        self.parts().0
    }

    /// Where in the source it is, its segments joined by `/`.
    #[must_use]
    pub fn path(&self) -> &str {
        let rest = self.parts().1;
        rest.split_once('#').map_or(rest, |(path, _)| path)
    }

    /// The place within what the path names.
    #[must_use]
    pub fn fragment(&self) -> Option<&str> {
        self.parts().1.split_once('#').map(|(_, fragment)| fragment)
    }

    fn parts(&self) -> (&str, &str) {
        self.0.split_once(':').unwrap_or_default()
    }
}

fn is_scheme(text: &str) -> bool {
    text.len() <= MAX_SCHEME
        && text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

fn is_segment(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'~' | b'-');
    !text.is_empty() && text.bytes().all(is_plain)
}

impl FromStr for Address {
    type Err = InvalidAddress;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Address {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AddressVisitor;

        impl Visitor<'_> for AddressVisitor {
            type Value = Address;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an address")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Address, E> {
                Address::parse(text).map_err(E::custom)
            }
        }

        deserializer.deserialize_str(AddressVisitor)
    }
}

impl Serialize for Address {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Address {
    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "Address".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "The canonical token of a source node.",
            "pattern": "^[a-z][a-z0-9-]{0,31}:[A-Za-z0-9._~-]+(?:/[A-Za-z0-9._~-]+)*(?:#[A-Za-z0-9._~-]+)?$(?!\\n)",
        })
    }
}
