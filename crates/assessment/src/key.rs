//! Keys of the fold's maps: ids of calls, alone or with an argument.

/// A text of the record, ordered by its last bytes first.
///
/// The order means nothing. It lets a search in a large map stay within the map's own memory, and look at the
/// record's texts only where two of them end alike; ids that count up also lie side by side. Texts chosen to
/// end alike cost a comparison more, and no search ever takes more than its logarithm of steps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key<'a> {
    end: u64,
    text: &'a str,
}

impl<'a> From<&'a str> for Key<'a> {
    fn from(text: &'a str) -> Self {
        let end = text.bytes().rev().take(8).enumerate();
        let end = end.fold(0, |end, (at, byte)| end | u64::from(byte) << (8 * at));
        Self { end, text }
    }
}
