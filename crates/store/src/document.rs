//! What a store keeps, and what is written to it.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU64;

/// The version of a document: of what is written to one store, no two writes have the same.
///
/// A version is never used twice for a key, also not after a delete or an expiry. A later write to a key has a greater
/// one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Version(NonZeroU64);

impl Version {
    /// The greatest version: what a database's signed integer holds.
    pub const MAX: u64 = i64::MAX as u64;

    /// The version of this number, from 1 to [`MAX`](Self::MAX).
    #[must_use]
    pub fn new(number: u64) -> Option<Self> {
        NonZeroU64::new(number).filter(|_| number <= Self::MAX).map(Self)
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0.get()
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A document as it stood when it was loaded. The records of its journals are [read](crate::Store::read) apart.
#[derive(Clone, PartialEq, Eq)]
pub struct Document {
    /// The version that was loaded.
    pub version: Version,
    /// The version at which this document was made from nothing. Another birth under the same key is another
    /// document.
    pub birth: Version,
    /// The body.
    pub body: Vec<u8>,
    /// The journals that something was appended to in this life, by name.
    pub journals: BTreeMap<String, Extent>,
}

impl Document {
    /// What there is of a journal; nothing where none has this name.
    #[must_use]
    pub fn extent(&self, journal: &str) -> Extent {
        self.journals.get(journal).copied().unwrap_or_default()
    }
}

/// Only versions and sizes: the body may hold what belongs to a visitor.
impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document")
            .field("version", &self.version)
            .field("birth", &self.birth)
            .field("bytes", &self.body.len())
            .field("journals", &self.journals)
            .finish()
    }
}

/// What there is of a journal. Its records are numbered from 0 by the order in which they were appended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// The number of the first record that is kept; the length where none is.
    pub first: u64,
    /// How many records were ever appended in this life of the document; a cut does not shrink it.
    pub length: u64,
}

/// What a write expects to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// No document, or an expired one.
    Absent,
    /// A document at this version.
    At(Version),
}

/// What one write does to a document, all of it in one atomic step or nothing.
///
/// ```
/// use answerplane_store::Write;
///
/// let write = Write::new("head").append("nodes", ["a message", "its answer"]).cut("nodes", 10);
/// assert_eq!(write.bytes(), 23);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Write {
    /// The new body.
    pub body: Vec<u8>,
    /// Records to be appended, in their order, each with the journal.
    pub append: Vec<(String, Vec<Vec<u8>>)>,
    /// Journals to be cut: of each the number below which no record is kept. It happens after everything is appended; a
    /// number beyond the length cuts everything, one below what is kept nothing.
    pub cut: Vec<(String, u64)>,
    /// When the document expires, in milliseconds since 1970; without, never. What the last write says counts.
    pub expires_at: Option<i64>,
}

impl Write {
    /// A write of a body that does not expire, and nothing to any journal.
    #[must_use]
    pub fn new(body: impl Into<Vec<u8>>) -> Self {
        Self { body: body.into(), append: Vec::new(), cut: Vec::new(), expires_at: None }
    }

    /// Appends records to a journal.
    #[must_use]
    pub fn append<T: Into<Vec<u8>>>(mut self, journal: &str, records: impl IntoIterator<Item = T>) -> Self {
        self.append.push((journal.to_string(), records.into_iter().map(Into::into).collect()));
        self
    }

    /// Keeps no record of a journal below this number.
    #[must_use]
    pub fn cut(mut self, journal: &str, below: u64) -> Self {
        self.cut.push((journal.to_string(), below));
        self
    }

    /// Lets the document expire at this time, in milliseconds since 1970.
    #[must_use]
    pub fn expires_at(mut self, time: i64) -> Self {
        self.expires_at = Some(time);
        self
    }

    /// How many bytes the body and the records are together. At most [`MAX_WRITE_BYTES`](crate::MAX_WRITE_BYTES) are
    /// written.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let records = self.append.iter().flat_map(|(_, records)| records);
        self.body.len() + records.map(Vec::len).sum::<usize>()
    }
}

/// Only sizes: what is written may belong to a visitor.
impl fmt::Debug for Write {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let appended: Vec<_> =
            self.append.iter().map(|(journal, records)| (journal, records.len())).collect();
        f.debug_struct("Write")
            .field("bytes", &self.bytes())
            .field("append", &appended)
            .field("cut", &self.cut)
            .field("expires_at", &self.expires_at)
            .finish()
    }
}
