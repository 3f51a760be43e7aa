//! The entries of all shards, and who declares which key.

use std::collections::HashMap;

use answerplane_normalize::normalize_key;

use crate::lint::document::{Document, LintAlias, LintEntry};
use crate::outcome::base_id;
use crate::prose::Prose;

/// The shards of a site as the rules look at them.
pub(super) struct LintSite<'d> {
    pub(super) entries: Vec<SiteEntry<'d>>,
    /// The keys in the order in which they stand, each with everybody who declares it.
    pub(super) keys: Vec<(&'d str, Vec<Owner<'d>>)>,
}

/// An entry of a shard.
pub(super) struct SiteEntry<'d> {
    pub(super) shard: usize,
    pub(super) entry: &'d LintEntry,
    /// The id that it has in common with the entries that continue it.
    pub(super) base: &'d str,
    pub(super) prose: Prose,
}

/// Who declares a key.
#[derive(Clone, Copy)]
pub(super) struct Owner<'d> {
    /// The number of the entry.
    pub(super) entry: usize,
    pub(super) shard: usize,
    pub(super) alias: &'d LintAlias,
}

impl<'d> LintSite<'d> {
    pub(super) fn new(shards: &'d [Document]) -> Self {
        let all = || {
            shards.iter().zip(0..).flat_map(|(shard, number)| shard.entries.iter().map(move |e| (number, e)))
        };
        let mut by_id: HashMap<&str, &LintEntry> = HashMap::new();
        for (_, entry) in all() {
            by_id.entry(&entry.id).or_insert(entry);
        }
        let entries: Vec<SiteEntry<'d>> = all()
            .map(|(shard, entry)| {
                let is_same = |base: &str| {
                    by_id
                        .get(base)
                        .is_some_and(|base| base.label == entry.label && base.markdown == entry.markdown)
                };
                let base = base_id(&entry.id, is_same);
                SiteEntry { shard, entry, base, prose: Prose::read(&entry.markdown) }
            })
            .collect();
        let mut keys: Vec<(&str, Vec<Owner<'d>>)> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (entry, number) in entries.iter().zip(0..) {
            for alias in &entry.entry.aliases {
                let owner = Owner { entry: number, shard: entry.shard, alias };
                let place = *places.entry(&alias.key).or_insert(keys.len());
                match keys.get_mut(place) {
                    Some((_, owners)) => owners.push(owner),
                    None => keys.push((&alias.key, vec![owner])),
                }
            }
        }
        Self { entries, keys }
    }

    pub(super) fn entry(&self, number: usize) -> &'d LintEntry {
        self.entries[number].entry
    }
}

impl SiteEntry<'_> {
    /// Whether a key is that of the label or of an alias.
    pub(super) fn goes_by(&self, key: &str) -> bool {
        self.entry.aliases.iter().any(|alias| alias.key == key)
            || normalize_key(&self.entry.label).as_str() == key
    }
}
