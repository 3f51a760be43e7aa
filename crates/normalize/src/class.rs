//! What the fast path has to know of a character, read from a compact two-level table.
//!
//! The table is generated (`cargo xtask tables`) from the two sources of truth, the crate
//! `unicode-normalization` and the standard library, and a test compares it with them on every code point.

use crate::tables::{BLOCKS, CLASSES, INDEX, PLAIN_CLASSES};

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
/// character that, but for the sigma, does not depend on its neighbours.
pub(crate) const SIMPLE: u8 = 1;
/// Cased, in the sense of the final sigma rule.
pub(crate) const CASED: u8 = 2;
/// Case-ignorable, in the sense of the final sigma rule, and no white space.
pub(crate) const CASE_IGNORABLE: u8 = 4;
/// White space.
pub(crate) const SPACE: u8 = 8;

/// The number of a character's class.
#[derive(Clone, Copy)]
pub(crate) struct ClassId(u8);

impl ClassId {
    #[inline]
    pub(crate) fn of(character: char) -> Self {
        let code_point = character as usize;
        let block = INDEX.get(code_point >> 7).copied().unwrap_or(0);
        Self(BLOCKS.get(usize::from(block)).map_or(0, |block| block[code_point & 127]))
    }

    /// Whether characters of this class stay as they are, whatever stands beside them.
    #[inline]
    pub(crate) fn is_plain(self) -> bool {
        self.0 < PLAIN_CLASSES
    }

    #[inline]
    pub(crate) fn class(self) -> &'static Class {
        CLASSES.get(usize::from(self.0)).unwrap_or(&CLASSES[0])
    }
}

impl Class {
    #[inline]
    pub(crate) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    #[inline]
    pub(crate) fn lower(&self, character: char) -> char {
        (character as u32).checked_add_signed(self.to_lower).and_then(char::from_u32).unwrap_or(character)
    }
}
