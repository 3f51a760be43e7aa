//! Which entries stand in which shard.
//!
//! Entries that share a key stay together. A shard takes the groups whose hash is below a threshold, which is halved
//! until they fit; the others go on to the next shard, which has a hash of its own. So an added page changes its own
//! shard alone, unless that overflows: then half of its groups move on. Nothing depends on the order of the sources.

use sha2::{Digest, Sha256};

use crate::plan::PlannedEntry;

/// What a shard may hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    pub(super) bytes: usize,
    pub(super) entries: usize,
}

/// Entries that stay together, by their numbers in the plan, in order.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) entries: Vec<usize>,
    bytes: usize,
    identity: u64,
}

impl Group {
    /// The bytes of its entries with what separates them.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    fn fits(&self, room: Room) -> bool {
        self.bytes <= room.bytes && self.entries.len() <= room.entries
    }
}

/// The groups of a plan: entries that share a key, directly or through others, and their continuations.
pub(super) fn groups(entries: &[PlannedEntry], bytes: &[usize]) -> Vec<Group> {
    let mut parents: Vec<usize> = (0..entries.len()).collect();
    let most = entries.iter().flat_map(|entry| &entry.aliases).map(|alias| alias.key as usize + 1).max();
    let mut first_with: Vec<Option<usize>> = vec![None; most.unwrap_or(0)];
    for (at, entry) in entries.iter().enumerate() {
        if let Some(continued) = entry.continues {
            join(&mut parents, continued, at);
        }
        for alias in &entry.aliases {
            match first_with[alias.key as usize] {
                Some(first) => join(&mut parents, first, at),
                None => first_with[alias.key as usize] = Some(at),
            }
        }
    }
    let mut numbers: Vec<Option<usize>> = vec![None; entries.len()];
    let mut groups: Vec<Group> = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        let number = *numbers[root(&mut parents, at)].get_or_insert(groups.len());
        if number == groups.len() {
            groups.push(Group { entries: Vec::new(), bytes: 0, identity: u64::MAX });
        }
        let group = &mut groups[number];
        group.entries.push(at);
        group.bytes += bytes[at];
        // The least hash of its ids: a further entry seldom changes it.
        group.identity = group.identity.min(hash(&entry.id));
    }
    groups
}

/// A hash that is the same everywhere and always.
fn hash(id: &str) -> u64 {
    Sha256::digest(id.as_bytes())[..8].iter().fold(0, |hash, byte| hash << 8 | u64::from(*byte))
}

fn root(parents: &mut [usize], mut at: usize) -> usize {
    while parents[at] != at {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    at
}

fn join(parents: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(parents, a), root(parents, b));
    let (first, second) = if a < b { (a, b) } else { (b, a) };
    parents[second] = first;
}

/// Divides groups, of which each fits into a shard, among shards; each has its entries in order.
pub(super) fn divide(groups: Vec<Group>, room: Room) -> Vec<Vec<usize>> {
    let mut left = groups;
    let mut shards = Vec::new();
    while !left.is_empty() {
        let ranked: Vec<(u64, Group)> =
            left.into_iter().map(|group| (rank(group.identity, shards.len()), group)).collect();
        let mut threshold = u64::MAX;
        while threshold > 0 && !fit_below(&ranked, threshold, room) {
            threshold /= 2;
        }
        // Hashes that are all large would leave a shard empty: then it takes the least.
        let least = ranked.iter().map(|(rank, _)| *rank).min().unwrap_or(0);
        threshold = threshold.max(least);
        let mut taken = Vec::new();
        left = Vec::new();
        for (rank, group) in ranked {
            if rank <= threshold { taken.extend(group.entries) } else { left.push(group) }
        }
        taken.sort_unstable();
        shards.push(taken);
    }
    shards
}

fn fit_below(ranked: &[(u64, Group)], threshold: u64, room: Room) -> bool {
    let (mut bytes, mut entries) = (0, 0);
    for (_, group) in ranked.iter().filter(|(rank, _)| *rank <= threshold) {
        bytes += group.bytes;
        entries += group.entries.len();
    }
    bytes <= room.bytes && entries <= room.entries
}

/// The hash of a group for a shard: that of the group, mixed by the finalizer of SplitMix64.
fn rank(identity: u64, shard: usize) -> u64 {
    let mut mixed = identity.wrapping_add((shard as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// The groups that fit into no shard.
pub(super) fn too_large(groups: &[Group], room: Room) -> Vec<&Group> {
    groups.iter().filter(|group| !group.fits(room)).collect()
}
