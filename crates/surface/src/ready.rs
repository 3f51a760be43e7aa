//! A set of positions from which the first is taken, over and over.

use alloc::vec;
use alloc::vec::Vec;

const BITS: usize = u64::BITS as usize;

/// Positions below a fixed number, as bits; above them, level by level, a bit for each word that has any.
///
/// Putting one in and taking the first out touch a word of each level: three for a hundred thousand positions.
pub(crate) struct Ready {
    levels: Vec<Vec<u64>>,
}

impl Ready {
    /// The empty set of positions below `end`.
    pub(crate) fn new(end: usize) -> Self {
        let mut levels = Vec::new();
        let mut words = end;
        while levels.is_empty() || words > 1 {
            words = words.div_ceil(BITS).max(1);
            levels.push(vec![0; words]);
        }
        Self { levels }
    }

    pub(crate) fn insert(&mut self, position: usize) {
        let mut at = position;
        for level in &mut self.levels {
            let word = &mut level[at / BITS];
            let is_known_above = *word != 0;
            *word |= 1 << (at % BITS);
            if is_known_above {
                break;
            }
            at /= BITS;
        }
    }

    pub(crate) fn take_first(&mut self) -> Option<usize> {
        let mut first = 0;
        for level in self.levels.iter().rev() {
            let word = level[first];
            if word == 0 {
                return None;
            }
            first = first * BITS + word.trailing_zeros() as usize;
        }
        let mut at = first;
        for level in &mut self.levels {
            let word = &mut level[at / BITS];
            *word &= !(1 << (at % BITS));
            if *word != 0 {
                break;
            }
            at /= BITS;
        }
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use super::Ready;

    proptest! {
        #[test]
        fn it_gives_what_a_sorted_set_gives(end in 1..10_000usize, steps in prop::collection::vec(any::<Option<usize>>(), 0..200)) {
            let (mut ready, mut set) = (Ready::new(end), BTreeSet::new());
            for step in steps {
                match step {
                    Some(position) => {
                        ready.insert(position % end);
                        set.insert(position % end);
                    }
                    None => prop_assert_eq!(ready.take_first(), set.pop_first()),
                }
            }
            let rest: Vec<usize> = core::iter::from_fn(|| ready.take_first()).collect();
            prop_assert_eq!(rest, Vec::from_iter(set));
        }
    }

    #[test]
    fn a_set_of_nothing_is_empty() {
        assert_eq!(Ready::new(0).take_first(), None);
    }
}
