//! Keys: tuples of texts, never joined.

use std::fmt;

/// The greatest number of parts of a key.
pub const MAX_KEY_PARTS: usize = 8;

/// The greatest length of a key as [bytes](Key::to_bytes).
pub const MAX_KEY_BYTES: usize = 1_024;

/// What a part ends with. Inside a part a byte 0 is written as 1 1 and a byte 1 as 1 2.
const END: u8 = 0;
const ESCAPE: u8 = 1;

/// The key of a document: a tuple of one to eight texts, of at most 1,024 [bytes](Self::to_bytes) together.
///
/// The parts may hold any characters, none at all too; two keys are equal when all their parts are. Keys are in the
/// order of their first parts, then of their second, and so on; texts are in the order of their UTF-8 bytes.
/// Contract: `docs/storage.md`.
///
/// ```
/// use answerplane_store::Key;
///
/// let key = Key::new(["session", "docs", "visitor-17"])?;
/// assert_eq!(Key::from_bytes(&key.to_bytes())?, key);
/// assert_ne!(key, Key::new(["session", "docs/visitor-17"])?);
/// # Ok::<(), answerplane_store::InvalidKey>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(Vec<String>);

/// What keys begin with: none to eight whole parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct KeyPrefix(Vec<String>);

/// No key: no part, more than eight, more than 1,024 bytes, or bytes that were not made from a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a key of 1 to 8 parts and at most 1024 bytes")]
pub struct InvalidKey;

impl InvalidKey {
    /// A stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        "STORE_INVALID_KEY"
    }
}

impl Key {
    /// A key of these parts.
    ///
    /// # Errors
    /// [`InvalidKey`] where there is no part, more than [`MAX_KEY_PARTS`], or more than [`MAX_KEY_BYTES`].
    pub fn new<T: Into<String>>(parts: impl IntoIterator<Item = T>) -> Result<Self, InvalidKey> {
        let parts = bounded(parts)?;
        if parts.is_empty() { Err(InvalidKey) } else { Ok(Self(parts)) }
    }

    /// The parts.
    #[must_use]
    pub fn parts(&self) -> &[String] {
        &self.0
    }

    /// Whether the key begins with these parts.
    #[must_use]
    pub fn starts_with(&self, prefix: &KeyPrefix) -> bool {
        self.0.starts_with(&prefix.0)
    }

    /// The key as bytes, for a database that has no tuples. Bytes of two keys are in the order of the keys, and
    /// begin with the [bytes of a prefix](KeyPrefix::to_bytes) exactly when the key begins with it.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        encode(&self.0)
    }

    /// The key that these bytes were made from.
    ///
    /// # Errors
    /// [`InvalidKey`] where they were made from none.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, InvalidKey> {
        let mut parts = Vec::new();
        let mut part = Vec::new();
        let mut rest = bytes.iter().copied();
        while let Some(byte) = rest.next() {
            match byte {
                END => parts.push(String::from_utf8(std::mem::take(&mut part)).map_err(|_| InvalidKey)?),
                ESCAPE => match rest.next() {
                    Some(escaped @ 1..=2) => part.push(escaped - 1),
                    _ => return Err(InvalidKey),
                },
                _ => part.push(byte),
            }
        }
        if part.is_empty() { Self::new(parts) } else { Err(InvalidKey) }
    }
}

impl KeyPrefix {
    /// A prefix of these parts. Without any, every key begins with it.
    ///
    /// # Errors
    /// [`InvalidKey`] where no key can begin so: too many parts, or too many bytes.
    pub fn new<T: Into<String>>(parts: impl IntoIterator<Item = T>) -> Result<Self, InvalidKey> {
        bounded(parts).map(Self)
    }

    /// The parts.
    #[must_use]
    pub fn parts(&self) -> &[String] {
        &self.0
    }

    /// What the [bytes](Key::to_bytes) of every key with this prefix begin with, and of no other.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        encode(&self.0)
    }
}

/// Only how many parts there are: a key may hold what belongs to a visitor.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({} parts)", self.0.len())
    }
}

fn bounded<T: Into<String>>(parts: impl IntoIterator<Item = T>) -> Result<Vec<String>, InvalidKey> {
    let parts: Vec<String> = parts.into_iter().take(MAX_KEY_PARTS + 1).map(Into::into).collect();
    let fits = parts.len() <= MAX_KEY_PARTS && encode(&parts).len() <= MAX_KEY_BYTES;
    if fits { Ok(parts) } else { Err(InvalidKey) }
}

fn encode(parts: &[String]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in parts {
        for byte in part.bytes() {
            match byte {
                END | ESCAPE => bytes.extend([ESCAPE, byte + 1]),
                _ => bytes.push(byte),
            }
        }
        bytes.push(END);
    }
    bytes
}
