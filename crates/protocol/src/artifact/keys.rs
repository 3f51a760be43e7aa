//! From a normalized key to the entries that declare it.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::hash::Hasher;

use foldhash::SharedSeed;
use foldhash::fast::FoldHasher;

use crate::artifact::entries::{Entries, Span};

/// Every key, sorted by its hash, with the values that have it.
///
/// Whoever writes an artifact cannot slow this down: keys of equal hash are ordered among themselves, so making
/// and searching stay logarithmic, and the seed is the content hash, so that in a verified artifact nobody could
/// have chosen keys for it.
#[derive(Clone, Debug)]
pub(crate) struct KeyIndex {
    seed: u64,
    shared_seed: Box<SharedSeed>,
    keys: Vec<Key>,
    /// The values of all keys, each key's together and in artifact order.
    values: Vec<u32>,
    /// For each leading part of a hash the first key that is not below it.
    starts: Vec<u32>,
    shift: u32,
}

#[derive(Clone, Copy, Debug)]
struct Key {
    hash: u64,
    text: Span,
    first_value: u32,
    values: u32,
}

impl KeyIndex {
    pub(crate) fn new(entries: &Entries, seed: &[u8; 32]) -> Self {
        let word = |at: usize| seed[at..at + 8].iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
        let shared_seed = Box::new(SharedSeed::from_u64(word(8)));
        let seed = word(0);

        let text = |at: u32| entries.text(entries.values[at as usize].key);
        let mut order: Vec<(u64, u32)> =
            (0..entries.values.len() as u32).map(|at| (hash(seed, &shared_seed, text(at)), at)).collect();
        order.sort_unstable_by(|(a_hash, a), (b_hash, b)| {
            a_hash.cmp(b_hash).then_with(|| text(*a).cmp(text(*b))).then_with(|| a.cmp(b))
        });
        let values = order.iter().map(|(_, at)| *at).collect();
        let mut keys = Vec::with_capacity(order.len());
        for same in order.chunk_by(|(a_hash, a), (b_hash, b)| a_hash == b_hash && text(*a) == text(*b)) {
            let (hash, first) = same[0];
            let first_value = keys.last().map_or(0, |key: &Key| key.first_value + key.values);
            let text = entries.values[first as usize].key;
            keys.push(Key { hash, text, first_value, values: same.len() as u32 });
        }

        let bits = keys.len().next_power_of_two().trailing_zeros().max(1);
        let shift = u64::BITS - bits;
        let mut starts = Vec::with_capacity((1 << bits) + 1);
        let mut at = 0;
        for part in 0..1u64 << bits {
            while keys.get(at).is_some_and(|key: &Key| key.hash >> shift < part) {
                at += 1;
            }
            starts.push(at as u32);
        }
        starts.push(keys.len() as u32);
        Self { seed, shared_seed, keys, values, starts, shift }
    }

    /// The values whose key is `key`, in artifact order.
    pub(crate) fn find(&self, entries: &Entries, key: &str) -> &[u32] {
        let hash = hash(self.seed, &self.shared_seed, key);
        let part = (hash >> self.shift) as usize;
        let near = &self.keys[self.starts[part] as usize..self.starts[part + 1] as usize];
        let same_hash = &near[near.partition_point(|near| near.hash < hash)..];
        let is_it = |near: &Key| near.hash == hash && entries.text(near.text) == key;
        match same_hash {
            [first, ..] if is_it(first) => self.values_of(first),
            // More than one key of a hash is rare, unless somebody means harm.
            [_, second, ..] if second.hash == hash => {
                let at = same_hash.partition_point(|near| near.hash == hash && entries.text(near.text) < key);
                same_hash.get(at).filter(|near| is_it(near)).map_or(&[], |near| self.values_of(near))
            }
            _ => &[],
        }
    }

    /// The values of each key.
    pub(crate) fn groups(&self) -> impl Iterator<Item = &[u32]> {
        self.keys.iter().map(|key| self.values_of(key))
    }

    fn values_of(&self, key: &Key) -> &[u32] {
        let first = key.first_value as usize;
        self.values.get(first..first + key.values as usize).unwrap_or_default()
    }
}

fn hash(seed: u64, shared_seed: &SharedSeed, key: &str) -> u64 {
    let mut hasher = FoldHasher::with_seed(seed, shared_seed);
    hasher.write(key.as_bytes());
    hasher.finish()
}
