//! What the fast path has to know of a character, read from a compact two-level table.
//!
//! The table is generated (`cargo xtask tables`) from the two sources of truth, the crate
//! `unicode-normalization` and the standard library, and a test compares it with them on every code point.

use crate::tables::{BLOCKS, CLASSES, INDEX};

/// The properties that a whole class of characters shares.
pub(crate) struct Class {
    /// The distance to the lower case character.
    pub(crate) to_lower: i32,
    /// The canonical combining class.
    pub(crate) combining: u8,
    /// A set of the constants below.
    pub(crate) flags: u8,
}

/// NFKC leaves the character alone wherever combining classes are in order, and its lower case is one
/// character that does not depend on its neighbours.
pub(crate) const SIMPLE: u8 = 1;
/// Cased, in the sense of the final sigma rule.
pub(crate) const CASED: u8 = 2;
/// Case-ignorable, in the sense of the final sigma rule.
pub(crate) const CASE_IGNORABLE: u8 = 4;

impl Class {
    #[inline]
    pub(crate) fn of(character: char) -> &'static Self {
        let code_point = character as usize;
        let block = INDEX.get(code_point >> 7).copied().unwrap_or(0);
        let class = BLOCKS.get(usize::from(block)).map_or(0, |block| block[code_point & 127]);
        &CLASSES[usize::from(class)]
    }

    #[inline]
    pub(crate) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}
