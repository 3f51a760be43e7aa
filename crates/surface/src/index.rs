//! From a text to its position in a list, without a hash map that somebody could aim collisions at.

use alloc::vec::Vec;
use core::hash::Hasher;

use foldhash::SharedSeed;
use foldhash::fast::FoldHasher;

/// The same at every run: what an index gives does not depend on it.
const SEED: u64 = 0x616e_7377_6572;

/// The positions of texts, in buckets by hash.
///
/// Making and searching take the same time for every text as long as hashes differ. Where somebody has chosen
/// texts of equal hash, these are sorted among themselves, which costs a logarithm and no more.
pub(crate) struct Index<'t> {
    shared_seed: SharedSeed,
    places: Vec<Place<'t>>,
    /// For each bucket its first place, and at the end the number of places.
    starts: Vec<usize>,
    shift: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place<'t> {
    hash: u64,
    text: &'t str,
    position: usize,
}

impl<'t> Index<'t> {
    pub(crate) fn new(texts: impl ExactSizeIterator<Item = &'t str>) -> Self {
        let shared_seed = SharedSeed::from_u64(SEED);
        let bits = texts.len().next_power_of_two().trailing_zeros().max(1);
        let shift = u64::BITS - bits;
        let unsorted: Vec<Place<'t>> = texts
            .enumerate()
            .map(|(position, text)| Place { hash: hash(&shared_seed, text), text, position })
            .collect();

        // Counting how many fall into each bucket says where each bucket begins.
        let bucket = |place: &Place<'t>| (place.hash >> shift) as usize;
        let mut starts: Vec<usize> = alloc::vec![0; (1 << bits) + 1];
        for place in &unsorted {
            starts[bucket(place) + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut places = unsorted.clone();
        for place in unsorted {
            let at = &mut next[bucket(&place)];
            places[*at] = place;
            *at += 1;
        }
        for ends in starts.windows(2) {
            if ends[1] - ends[0] > 1 {
                places[ends[0]..ends[1]].sort_unstable();
            }
        }
        Self { shared_seed, places, starts, shift }
    }

    /// The first position of `text`.
    pub(crate) fn find(&self, text: &str) -> Option<usize> {
        let hash = hash(&self.shared_seed, text);
        let bucket = (hash >> self.shift) as usize;
        let near = &self.places[self.starts[bucket]..self.starts[bucket + 1]];
        let at = near.partition_point(|place| (place.hash, place.text) < (hash, text));
        near.get(at).filter(|place| place.hash == hash && place.text == text).map(|place| place.position)
    }

    /// The first position whose text stands at an earlier one too.
    pub(crate) fn first_repeated(&self) -> Option<usize> {
        let pairs = self.places.windows(2).filter(|pair| pair[0].text == pair[1].text);
        pairs.map(|pair| pair[1].position).min()
    }
}

fn hash(shared_seed: &SharedSeed, text: &str) -> u64 {
    let mut hasher = FoldHasher::with_seed(SEED, shared_seed);
    hasher.write(text.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use super::Index;

    proptest! {
        #[test]
        fn it_finds_what_a_search_from_the_front_finds(texts in prop::collection::vec("[ab]{0,3}|[a-z]{1,4}", 0..60)) {
            let index = Index::new(texts.iter().map(String::as_str));
            let others = ["", "a", "b", "no such text"].map(str::to_string);
            for text in texts.iter().chain(&others) {
                prop_assert_eq!(index.find(text), texts.iter().position(|other| other == text));
            }
            let repeated = (0..texts.len()).find(|at| texts[..*at].contains(&texts[*at]));
            prop_assert_eq!(index.first_repeated(), repeated);
        }
    }

    #[test]
    fn many_texts_have_each_its_position() {
        let texts: Vec<String> = (0..20_000).map(|at| alloc::format!("claim-{at}")).collect();
        let index = Index::new(texts.iter().map(String::as_str));
        assert!((0..texts.len()).all(|at| index.find(&texts[at]) == Some(at)));
        assert_eq!(index.first_repeated(), None);
    }
}
