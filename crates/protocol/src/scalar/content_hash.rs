//! Content hashes.

use core::fmt;
use core::str::FromStr;

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use crate::scalar::InvalidScalar;
use crate::wire::word;

const PREFIX: &str = "sha256:";

/// A SHA-256 content hash, on the wire `^sha256:[a-f0-9]{64}$`.
///
/// The rule is in `docs/protocol/scalars.md`.
///
/// ```
/// use answerplane_protocol::ContentHash;
///
/// let hash = ContentHash::from_bytes([0xab; 32]);
/// assert_eq!(hash.to_string().parse(), Ok(hash));
/// assert!("sha256:AB".parse::<ContentHash>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// The hash with these 32 bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes of the hash.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    fn from_text(text: &str) -> Option<Self> {
        let digits = text.strip_prefix(PREFIX)?.as_bytes();
        if digits.len() != 64 {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = hex(pair[0])? << 4 | hex(pair[1])?;
        }
        Some(Self(bytes))
    }
}

fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

impl FromStr for ContentHash {
    type Err = InvalidScalar;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::from_text(text).ok_or(InvalidScalar::ContentHash)
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PREFIX)?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl<'de> Deserialize<'de> for ContentHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        word(deserializer, Self::from_text)
    }
}

impl Serialize for ContentHash {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for ContentHash {
    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "ContentHash".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^sha256:[a-f0-9]{64}$(?!\\n)" })
    }
}
