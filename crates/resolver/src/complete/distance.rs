//! The edit distance, as far as it matters.

use alloc::vec::Vec;
use core::mem::swap;

/// Computes bounded edit distances from one text, given as its characters, to many.
///
/// The distance is the optimal string alignment: the least number of characters put in, left out, replaced, or
/// exchanged with the next, where no part is changed twice.
pub(super) struct Distance<'t> {
    from: &'t [char],
    /// Three rows of the table: the one before the last, the last, and the present one.
    rows: [Vec<usize>; 3],
}

impl<'t> Distance<'t> {
    pub(super) fn new(from: &'t [char]) -> Self {
        Self { from, rows: [(); 3].map(|()| alloc::vec![0; from.len() + 1]) }
    }

    /// The distance to `to`, unless it is more than `bound`.
    ///
    /// Only the cells of the table that lie within `bound` of its diagonal are computed.
    pub(super) fn within(&mut self, to: impl Iterator<Item = char>, bound: usize) -> Option<usize> {
        let from = self.from;
        let [before, last, present] = &mut self.rows;
        let far = bound + 1;
        for (at, cell) in last.iter_mut().enumerate().take(far + 1) {
            *cell = at;
        }
        let mut previous = None;
        let mut row = 0_usize;
        for character in to {
            row += 1;
            let first = row.saturating_sub(bound).max(1);
            let end = from.len().min(row + bound);
            if first > end + 1 {
                return None;
            }
            present[first - 1] = if first == 1 { row.min(far) } else { far };
            let mut least = present[first - 1];
            for at in first..=end {
                let replaced = last[at - 1] + usize::from(from[at - 1] != character);
                let mut cell = replaced.min(last[at] + 1).min(present[at - 1] + 1);
                if at > 1 && previous == Some(from[at - 1]) && from[at - 2] == character {
                    cell = cell.min(before[at - 2] + 1);
                }
                present[at] = cell.min(far);
                least = least.min(cell);
            }
            if least > bound {
                return None;
            }
            if let Some(beyond) = present.get_mut(end + 1) {
                *beyond = far;
            }
            previous = Some(character);
            swap(before, last);
            swap(last, present);
        }
        // The last cell was computed only when the lengths differ by no more than the bound.
        let is_near = row.abs_diff(from.len()) <= bound;
        is_near.then(|| last[from.len()]).filter(|distance| *distance <= bound)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use super::Distance;

    fn within(from: &str, to: &str, bound: usize) -> Option<usize> {
        Distance::new(&from.chars().collect::<Vec<_>>()).within(to.chars(), bound)
    }

    #[test]
    fn an_exchange_is_one_edit() {
        assert_eq!(within("install", "isntall", 3), Some(1));
        assert_eq!(within("install", "isntall", 0), None);
        assert_eq!(within("ca", "abc", 3), Some(3));
        assert_eq!((within("", "", 0), within("", "ab", 2), within("ab", "", 1)), (Some(0), Some(2), None));
    }

    proptest! {
        #[test]
        fn it_is_the_distance_of_strsim(from in "[abcä]{0,12}", tos in prop::collection::vec("[abcä]{0,12}", 1..6)) {
            let characters: Vec<char> = from.chars().collect();
            // What is left in the rows by one comparison does not reach the next.
            let mut distance = Distance::new(&characters);
            for to in &tos {
                let expected = strsim::osa_distance(&from, to);
                for bound in [13, 0, 1, 2, 3, 5, 8] {
                    prop_assert_eq!(
                        distance.within(to.chars(), bound),
                        Some(expected).filter(|expected| *expected <= bound),
                        "{} {} {}", from, to, bound
                    );
                }
            }
        }
    }
}
