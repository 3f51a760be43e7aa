//! From a normalized key to the entries that declare it.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::hash::Hasher;

use foldhash::SharedSeed;
use foldhash::fast::FoldHasher;

use crate::artifact::entries::Entries;

/// Every key of every entry, sorted by hash, then key, then entry.
///
/// The sorted order serves everything at once: values with one key stand side by side in artifact order,
/// which finds repeated and shared keys, and a table over the leading bits of the hash leads a query to the
/// right place. Whoever writes an artifact cannot slow this down: keys of equal hash are ordered among
/// themselves, so making and searching stay logarithmic, and the seed is the content hash, so that in a
/// verified artifact nobody could have chosen keys for it.
#[derive(Clone, Debug)]
pub(crate) struct KeyIndex {
    seed: u64,
    shared_seed: Box<SharedSeed>,
    slots: Box<[Slot]>,
    /// For each leading part of a hash the first slot that is not below it.
    starts: Box<[u32]>,
    shift: u32,
}

/// One key of one entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    hash: u64,
    pub(crate) value: u32,
}

impl KeyIndex {
    pub(crate) fn new(entries: &Entries, seed: &[u8; 32]) -> Self {
        let word = |at: usize| seed[at..at + 8].iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
        let shared_seed = Box::new(SharedSeed::from_u64(word(8)));
        let seed = word(0);
        let key = |slot: &Slot| entries.text(entries.values[slot.value as usize].key);
        let mut slots: Vec<Slot> = entries
            .values
            .iter()
            .zip(0..)
            .map(|(value, at)| Slot { hash: hash(seed, &shared_seed, entries.text(value.key)), value: at })
            .collect();
        slots.sort_unstable_by(|a, b| {
            a.hash.cmp(&b.hash).then_with(|| key(a).cmp(key(b))).then_with(|| a.value.cmp(&b.value))
        });

        let bits = slots.len().next_power_of_two().trailing_zeros().max(1);
        let shift = u64::BITS - bits;
        let mut starts = Vec::with_capacity((1 << bits) + 1);
        let mut at = 0;
        for part in 0..1u64 << bits {
            while slots.get(at).is_some_and(|slot| slot.hash >> shift < part) {
                at += 1;
            }
            starts.push(at as u32);
        }
        starts.push(slots.len() as u32);
        Self { seed, shared_seed, slots: slots.into(), starts: starts.into(), shift }
    }

    /// The slots of `key`, in artifact order.
    pub(crate) fn find(&self, entries: &Entries, key: &str) -> &[Slot] {
        let hash = hash(self.seed, &self.shared_seed, key);
        let part = (hash >> self.shift) as usize;
        let (start, end) = (self.starts[part] as usize, self.starts[part + 1] as usize);
        let near = &self.slots[start..end];
        let order = |slot: &Slot| {
            slot.hash.cmp(&hash).then_with(|| entries.text(entries.values[slot.value as usize].key).cmp(key))
        };
        let from = near.partition_point(|slot| order(slot).is_lt());
        let found = near[from..].partition_point(|slot| order(slot).is_eq());
        &near[from..from + found]
    }

    /// The slots in groups of one key.
    pub(crate) fn groups<'i>(&'i self, entries: &'i Entries) -> impl Iterator<Item = &'i [Slot]> {
        let key = |slot: &Slot| entries.text(entries.values[slot.value as usize].key);
        self.slots.chunk_by(move |a, b| a.hash == b.hash && key(a) == key(b))
    }
}

fn hash(seed: u64, shared_seed: &SharedSeed, key: &str) -> u64 {
    let mut hasher = FoldHasher::with_seed(seed, shared_seed);
    hasher.write(key.as_bytes());
    hasher.finish()
}
