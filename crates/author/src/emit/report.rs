//! What a build came to.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::diagnostic::{Diagnostic, Level};
use crate::emit::Shard;
use crate::emit::shards::Room;
use crate::plan::variants::VariantRule;
use crate::plan::{Made, PlannedEntry};

/// How many of the largest entries are named.
const LARGEST: usize = 5;

/// What a build came to.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Entries, continuation entries included.
    pub entries: usize,
    /// Entries that continue another.
    pub continuations: usize,
    /// The bytes of the continuation entries.
    pub continuation_bytes: usize,
    /// Aliases.
    pub aliases: usize,
    /// Aliases that are typing variants, by rule.
    pub variants: BTreeMap<&'static str, usize>,
    /// Aliases that were added, so that an entry can be asked for alone: as many as are told of entries that are
    /// published.
    pub invented: usize,
    /// Labels that were made distinct, and are aliases too.
    pub labels: usize,
    /// Shared aliases that were made distinct.
    pub qualified: usize,
    /// Keys.
    pub keys: usize,
    /// Keys that several entries have.
    pub ambiguous_keys: usize,
    /// Entries and bytes by kind, most bytes first.
    pub kinds: Vec<KindReport>,
    /// The largest entries, largest first.
    pub largest: Vec<LargestEntry>,
    /// The shards.
    pub shards: Vec<ShardReport>,
    /// The greatest number of bytes of entries in a shard.
    pub room_bytes: usize,
    /// How many further entries of average size the last shard has room for.
    pub room_entries: usize,
    /// How much was found: errors, warnings, notes.
    pub found: BTreeMap<&'static str, usize>,
}

/// Entries of a kind.
#[derive(Clone, Debug, Serialize)]
pub struct KindReport {
    /// The kind.
    pub kind: &'static str,
    /// How many.
    pub entries: usize,
    /// Their bytes.
    pub bytes: usize,
}

/// A large entry.
#[derive(Clone, Debug, Serialize)]
pub struct LargestEntry {
    /// Its id.
    pub id: String,
    /// Its source.
    pub file: String,
    /// Its bytes.
    pub bytes: usize,
}

/// A shard.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShardReport {
    /// The identifier of its site.
    pub site_id: String,
    /// The hash of its artifact.
    pub content_hash: String,
    /// How many entries.
    pub entries: usize,
    /// The bytes of its artifact.
    pub bytes: usize,
}

impl Report {
    pub(super) fn of(
        entries: &[PlannedEntry],
        bytes: &[usize],
        divided: &[Vec<usize>],
        shards: &[Shard],
        room: Room,
        diagnostics: &[Diagnostic],
    ) -> Self {
        let mut report = Self { room_bytes: room.bytes, ..Self::default() };
        let mut kinds: BTreeMap<&'static str, (usize, usize)> = BTreeMap::new();
        let most = entries.iter().flat_map(|entry| &entry.aliases).map(|alias| alias.key as usize + 1).max();
        let mut keys: Vec<u32> = vec![0; most.unwrap_or(0)];
        let mut variants = [0_usize; VariantRule::ALL.len()];
        let mut sizes: Vec<(usize, usize)> = Vec::new();
        for at in divided.iter().flatten().copied() {
            let entry = &entries[at];
            report.entries += 1;
            report.aliases += entry.aliases.len();
            if entry.continues.is_some() {
                report.continuations += 1;
                report.continuation_bytes += bytes[at];
            }
            let kind = kinds.entry(entry.draft().kind.as_str()).or_default();
            *kind = (kind.0 + 1, kind.1 + bytes[at]);
            for alias in &entry.aliases {
                keys[alias.key as usize] += 1;
                match alias.made {
                    Made::Declared => {}
                    Made::Qualified => report.qualified += 1,
                    Made::Invented => report.invented += 1,
                    Made::Label => report.labels += 1,
                    Made::Variant(rule) => variants[rule as usize] += 1,
                }
            }
            sizes.push((bytes[at], at));
        }
        report.keys = keys.iter().filter(|entries| **entries > 0).count();
        report.ambiguous_keys = keys.iter().filter(|entries| **entries > 1).count();
        let made = VariantRule::ALL.iter().zip(variants).filter(|(_, made)| *made > 0);
        report.variants = made.map(|(rule, made)| (rule.as_str(), made)).collect();
        report.kinds =
            kinds.into_iter().map(|(kind, (entries, bytes))| KindReport { kind, entries, bytes }).collect();
        report.kinds.sort_by_key(|kind| std::cmp::Reverse(kind.bytes));
        sizes.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let largest = sizes.iter().take(LARGEST).map(|(bytes, at)| LargestEntry {
            id: entries[*at].id.to_string(),
            file: entries[*at].draft().place.file.clone(),
            bytes: *bytes,
        });
        report.largest = largest.collect();
        report.shards = shards
            .iter()
            .map(|shard| ShardReport {
                site_id: shard.site_id.clone(),
                content_hash: shard.content_hash.to_string(),
                entries: shard.entries,
                bytes: shard.artifact.len(),
            })
            .collect();
        let total: usize = sizes.iter().map(|(bytes, _)| bytes).sum();
        let average = total.checked_div(report.entries).unwrap_or(0).max(1);
        if let Some(last) = divided.last() {
            let used: usize = last.iter().map(|at| bytes[*at]).sum();
            let by_bytes = room.bytes.saturating_sub(used) / average;
            report.room_entries = by_bytes.min(room.entries.saturating_sub(last.len()));
        }
        for level in [Level::Error, Level::Warning, Level::Note] {
            let found = diagnostics.iter().filter(|found| found.level == level).count();
            report.found.insert(level.as_str(), found);
        }
        report
    }
}
