//! From a text to its position in a list, without a hash map that somebody could aim collisions at.

use alloc::string::String;
use alloc::vec::Vec;
use core::hash::Hasher;
use core::ops::Range;

use foldhash::SharedSeed;
use foldhash::fast::FoldHasher;

/// The same at every run: what an index gives does not depend on it.
const SEED: u64 = 0x616e_7377_6572;

/// The greatest number of places that are looked through one by one. Few buckets have more, unless somebody means harm.
const CROWDED: usize = 8;

/// How many texts are looked up side by side.
const BLOCK: usize = 32;

/// The positions of texts, in buckets by hash.
///
/// Making and searching take the same time for every text as long as hashes differ. Where somebody has chosen
/// texts of equal hash, these are sorted among themselves, which costs a logarithm and no more. The texts are copied
/// together, since those of a large input lie far apart.
pub(crate) struct Index {
    shared_seed: SharedSeed,
    texts: String,
    places: Vec<Place>,
    /// For each bucket its first place, and at the end the number of places.
    starts: Vec<usize>,
    shift: u32,
}

#[derive(Clone, Copy)]
struct Place {
    hash: u64,
    /// Where the text begins and ends in `texts`.
    begin: usize,
    end: usize,
    position: usize,
}

impl Index {
    pub(crate) fn new<'t>(all: impl ExactSizeIterator<Item = &'t str>) -> Self {
        let bits = all.len().next_power_of_two().trailing_zeros().max(1);
        Self::with_buckets(bits, all)
    }

    /// An index with 2 to the power of `bits` buckets, at least two.
    fn with_buckets<'t>(bits: u32, all: impl Iterator<Item = &'t str>) -> Self {
        let shared_seed = SharedSeed::from_u64(SEED);
        let shift = u64::BITS - bits;
        let mut texts = String::new();
        let mut places: Vec<Place> = all
            .enumerate()
            .map(|(position, text)| {
                let begin = texts.len();
                texts.push_str(text);
                Place { hash: hash(&shared_seed, text), begin, end: texts.len(), position }
            })
            .collect();

        // Counting how many fall into each bucket says where each bucket begins.
        let bucket = |place: &Place| (place.hash >> shift) as usize;
        let mut starts: Vec<usize> = alloc::vec![0; (1 << bits) + 1];
        for place in &places {
            starts[bucket(place) + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        for place in places.clone() {
            let at = &mut next[bucket(&place)];
            places[*at] = place;
            *at += 1;
        }
        for ends in starts.windows(2).filter(|ends| ends[1] - ends[0] > 1) {
            places[ends[0]..ends[1]].sort_unstable_by(|a, b| {
                let by_text = || a.text(&texts).cmp(b.text(&texts));
                a.hash.cmp(&b.hash).then_with(by_text).then(a.position.cmp(&b.position))
            });
        }
        Self { shared_seed, texts, places, starts, shift }
    }

    /// The first position of `text`.
    pub(crate) fn find(&self, text: &str) -> Option<usize> {
        let hash = hash(&self.shared_seed, text);
        self.find_in(self.bucket(hash), hash, text)
    }

    /// The first position of each of `texts`.
    ///
    /// A block of them is looked up step by step, so that fetching what one of them needs from memory does not wait
    /// for another.
    pub(crate) fn find_all<'t>(&self, texts: impl Iterator<Item = &'t str>) -> Vec<Option<usize>> {
        let mut texts = texts.fuse();
        let mut found = Vec::with_capacity(texts.size_hint().0);
        let mut block: Vec<(u64, &str, Range<usize>)> = Vec::with_capacity(BLOCK);
        loop {
            block.clear();
            block.extend(texts.by_ref().take(BLOCK).map(|text| (hash(&self.shared_seed, text), text, 0..0)));
            if block.is_empty() {
                return found;
            }
            for (hash, _, bucket) in &mut block {
                *bucket = self.bucket(*hash);
            }
            for (hash, _, bucket) in &mut block {
                // The usual bucket has one place, and of another hash than this it is passed over here.
                let is_other = bucket.len() == 1 && self.places[bucket.start].hash != *hash;
                bucket.start += usize::from(is_other);
            }
            found.extend(block.drain(..).map(|(hash, text, bucket)| self.find_in(bucket, hash, text)));
        }
    }

    fn bucket(&self, hash: u64) -> Range<usize> {
        let bucket = (hash >> self.shift) as usize;
        self.starts[bucket]..self.starts[bucket + 1]
    }

    fn find_in(&self, bucket: Range<usize>, hash: u64, text: &str) -> Option<usize> {
        let near = &self.places[bucket];
        let is_it = |place: &&Place| place.hash == hash && place.text(&self.texts) == text;
        let found = if near.len() <= CROWDED {
            near.iter().find(is_it)
        } else {
            let at = near.partition_point(|place| (place.hash, place.text(&self.texts)) < (hash, text));
            near.get(at).filter(is_it)
        };
        found.map(|place| place.position)
    }

    /// The positions, in ascending order for each text, that are one behind the other for the same text.
    fn repetitions(&self) -> impl Iterator<Item = (usize, usize)> {
        let text = |place: &Place| place.text(&self.texts);
        let is_repeated =
            move |pair: &&[Place]| pair[0].hash == pair[1].hash && text(&pair[0]) == text(&pair[1]);
        self.places.windows(2).filter(is_repeated).map(|pair| (pair[0].position, pair[1].position))
    }

    /// The first position whose text stands at an earlier one too.
    pub(crate) fn first_repeated(&self) -> Option<usize> {
        self.repetitions().map(|(_, position)| position).min()
    }

    /// Whether a text stands twice among the positions of `range`.
    pub(crate) fn is_repeated_within(&self, range: Range<usize>) -> bool {
        self.repetitions().any(|(a, b)| range.contains(&a) && range.contains(&b))
    }
}

impl Place {
    fn text<'t>(&self, texts: &'t str) -> &'t str {
        texts.get(self.begin..self.end).unwrap_or_default()
    }
}

fn hash(shared_seed: &SharedSeed, text: &str) -> u64 {
    let mut hasher = FoldHasher::with_seed(SEED, shared_seed);
    hasher.write(text.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use super::Index;

    proptest! {
        #[test]
        fn it_finds_what_a_search_from_the_front_finds(texts in prop::collection::vec("[ab]{0,3}|[a-z]{1,4}", 0..60)) {
            let all = || texts.iter().map(String::as_str);
            // With two buckets most are crowded, as they are where somebody has chosen the texts.
            for index in [Index::new(all()), Index::with_buckets(1, all())] {
                let others = ["", "a", "b", "no such text"];
                let found: Vec<Option<usize>> = all().chain(others).map(|text| index.find(text)).collect();
                prop_assert_eq!(index.find_all(all().chain(others)), found.clone());
                let expected = all().chain(others).map(|text| texts.iter().position(|other| other == text));
                prop_assert_eq!(found, Vec::from_iter(expected));
                let repeated = (0..texts.len()).find(|at| texts[..*at].contains(&texts[*at]));
                prop_assert_eq!(index.first_repeated(), repeated);
                let half = texts.len() / 2;
                for range in [0..half, half..texts.len()] {
                    let within = &texts[range.clone()];
                    let repeats = (0..within.len()).any(|at| within[..at].contains(&within[at]));
                    prop_assert_eq!(index.is_repeated_within(range), repeats);
                }
            }
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
