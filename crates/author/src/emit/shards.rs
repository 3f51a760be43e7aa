//! Which entries stand in which shard.
//!
//! Entries that share a key stay together. A shard takes the groups whose hash is below a threshold, which is halved
//! until they fit; the others go on to the next shard, which has a hash of its own. So an added page changes its own
//! shard alone, unless that overflows: then half of its groups move on. Nothing depends on the order of the sources.

use std::collections::HashMap;

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
    identity: [u8; 32],
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
pub(super) fn groups(entries: &[PlannedEntry<'_>], bytes: &[usize]) -> Vec<Group> {
    let mut parents: Vec<usize> = (0..entries.len()).collect();
    let mut first_with: HashMap<u32, usize> = HashMap::new();
    for (at, entry) in entries.iter().enumerate() {
        if let Some(continued) = entry.continues {
            join(&mut parents, continued, at);
        }
        for alias in &entry.aliases {
            let first = *first_with.entry(alias.key).or_insert(at);
            join(&mut parents, first, at);
        }
    }
    let mut numbers: HashMap<usize, usize> = HashMap::new();
    let mut groups: Vec<Group> = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        let root = root(&mut parents, at);
        let number = *numbers.entry(root).or_insert(groups.len());
        if number == groups.len() {
            groups.push(Group { entries: Vec::new(), bytes: 0, identity: [u8::MAX; 32] });
        }
        let group = &mut groups[number];
        group.entries.push(at);
        group.bytes += bytes[at];
        // The least hash of its ids: a further entry seldom changes it.
        let hash: [u8; 32] = Sha256::digest(entry.id.as_bytes()).into();
        group.identity = group.identity.min(hash);
    }
    groups
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

/// Divides groups, of which each fits into a shard, among as few shards as that takes; each has its entries in order.
pub(super) fn divide(groups: Vec<Group>, room: Room) -> Vec<Vec<usize>> {
    let mut left = groups;
    let mut shards = Vec::new();
    while !left.is_empty() {
        let mut ranked: Vec<(u64, Group)> =
            left.into_iter().map(|group| (rank(&group, shards.len()), group)).collect();
        let mut threshold = u64::MAX;
        while !fit_below(&ranked, threshold, room) {
            threshold /= 2;
        }
        // Hashes that are all large leave a shard empty: the threshold then stays where the least one fits.
        let least = ranked.iter().map(|(rank, _)| *rank).min().unwrap_or(0);
        threshold = threshold.max(least);
        ranked.sort_by_key(|(rank, group)| (*rank, group.identity));
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

/// The hash of a group for a shard.
fn rank(group: &Group, shard: usize) -> u64 {
    let mut hash = Sha256::new();
    hash.update((shard as u64).to_be_bytes());
    hash.update(group.identity);
    let hash = hash.finalize();
    hash[..8].iter().fold(0, |rank, byte| rank << 8 | u64::from(*byte))
}

/// The groups that fit into no shard.
pub(super) fn too_large(groups: &[Group], room: Room) -> Vec<&Group> {
    groups.iter().filter(|group| !group.fits(room)).collect()
}
