//! The names of what is kept in Redis.
//!
//! | key | what it is |
//! | --- | --- |
//! | `prefix:s` | how it is all kept: the number of the schema |
//! | `prefix:v` | the last version that was given out |
//! | `prefix:k` | a sorted set with the bytes of every key, all at score 0, so in their order |
//! | `prefix:e` | a sorted set with when each document that does expires, and its key |
//! | `prefix:d:KEY` | a hash with a document: `v` its version, `b` its birth, `e` when it expires, `d` its body, `n` how many journals there are, and for each of them `jNAME`: its place, the first record that is kept, and its length |
//! | `prefix:r:BIRTH:PLACE` | a list with the records that are kept of a journal |

/// The names under one prefix.
#[derive(Debug)]
pub(crate) struct Names {
    pub(crate) schema: String,
    pub(crate) counter: String,
    pub(crate) keys: String,
    pub(crate) expiries: String,
    pub(crate) documents: String,
    pub(crate) records: String,
}

impl Names {
    /// Nothing where this is no prefix. Names of two prefixes are never the same, since none holds a colon.
    pub(crate) fn new(prefix: &str) -> Option<Self> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let is_prefix = (1..=64).contains(&prefix.len()) && prefix.bytes().all(is_plain);
        is_prefix.then(|| Self {
            schema: format!("{prefix}:s"),
            counter: format!("{prefix}:v"),
            keys: format!("{prefix}:k"),
            expiries: format!("{prefix}:e"),
            documents: format!("{prefix}:d:"),
            records: format!("{prefix}:r:"),
        })
    }

    pub(crate) fn document(&self, key: &[u8]) -> Vec<u8> {
        [self.documents.as_bytes(), key].concat()
    }
}

/// A time as a text whose order is that of the times. Scripts compare it as text, since their numbers are not exact.
pub(crate) fn moment(time: i64) -> String {
    format!("{:020}", i128::from(time) - i128::from(i64::MIN))
}
