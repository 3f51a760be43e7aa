//! Which entries have which keys.

use std::collections::{HashMap, HashSet};

use answerplane_normalize::{normalize_key, utf16_len};

use crate::draft::Draft;
use crate::plan::{Made, PlannedAlias, Variant};

/// The greatest length of an alias and of its key in UTF-16 units.
const MAX_UNITS: usize = 512;

/// Every key, the entries that have it, and the aliases of every entry.
pub(super) struct Keys {
    numbers: HashMap<String, u32>,
    /// Of each key, the entries that have it, in order.
    owners: Vec<Vec<u32>>,
    /// Of each entry, its aliases in order, each with another key.
    aliases: Vec<Vec<PlannedAlias>>,
    /// Keys that entries had to give away: no other entry takes them for its own.
    withdrawn: HashSet<u32>,
}

/// Whether an alias and its key are within their limits.
pub(super) fn fits(text: &str, key: &str) -> bool {
    let is_short = |text: &str| text.len() <= MAX_UNITS || utf16_len(text) <= MAX_UNITS;
    !key.is_empty() && is_short(text) && is_short(key)
}

impl Keys {
    /// The keys of what is declared. Of two aliases of an entry with one key the first stays.
    pub(super) fn of(drafts: &[&Draft]) -> Self {
        let mut keys = Self {
            numbers: HashMap::new(),
            owners: Vec::new(),
            aliases: vec![Vec::new(); drafts.len()],
            withdrawn: HashSet::new(),
        };
        for (draft, entry) in drafts.iter().zip(0..) {
            for text in &draft.aliases {
                keys.declare(entry, text, Made::Declared);
            }
        }
        keys
    }

    /// The number of a key that some entry has or had.
    pub(super) fn find(&self, key: &str) -> Option<u32> {
        self.numbers.get(key).copied()
    }

    /// Whether no entry but `entry` has the key of a text, and none had to give it away.
    pub(super) fn is_free(&self, text: &str, entry: u32) -> bool {
        let number = self.find(normalize_key(text).as_str());
        number.is_none_or(|number| {
            !self.withdrawn.contains(&number) && self.owners(number).iter().all(|owner| *owner == entry)
        })
    }

    /// The entries that have a key, in order.
    pub(super) fn owners(&self, key: u32) -> &[u32] {
        self.owners.get(key as usize).map_or(&[], Vec::as_slice)
    }

    /// Every key that several entries have, in the order in which they were first declared.
    pub(super) fn shared(&self) -> Vec<u32> {
        (0..self.owners.len() as u32).filter(|key| self.owners(*key).len() > 1).collect()
    }

    /// The aliases of an entry.
    pub(super) fn aliases(&self, entry: u32) -> &[PlannedAlias] {
        self.aliases.get(entry as usize).map_or(&[], Vec::as_slice)
    }

    /// Whether some key is the entry's alone.
    pub(super) fn has_own(&self, entry: u32) -> bool {
        self.aliases(entry).iter().any(|alias| self.owners(alias.key).len() == 1)
    }

    /// Adds an alias to an entry, unless it has its key already.
    pub(super) fn declare(&mut self, entry: u32, text: &str, made: Made) {
        let key = self.number(normalize_key(text).as_str());
        self.add(entry, text, key, made);
    }

    /// Adds a variant to the entries that have the key `source`.
    pub(super) fn declare_variant(&mut self, variant: &Variant, source: u32) {
        let key = self.number(&variant.key);
        for entry in self.owners(source).to_vec() {
            self.add(entry, &variant.text, key, Made::Variant(variant.rule));
        }
    }

    fn number(&mut self, key: &str) -> u32 {
        match self.numbers.get(key) {
            Some(number) => *number,
            None => {
                let number = self.owners.len() as u32;
                self.numbers.insert(key.to_owned(), number);
                self.owners.push(Vec::new());
                number
            }
        }
    }

    fn add(&mut self, entry: u32, text: &str, key: u32, made: Made) {
        let owners = &mut self.owners[key as usize];
        if let Err(at) = owners.binary_search(&entry) {
            owners.insert(at, entry);
            self.aliases[entry as usize].push(PlannedAlias { text: text.to_owned(), key, made });
        }
    }

    /// Takes an alias from an entry; nobody else gets it.
    pub(super) fn remove(&mut self, entry: u32, key: u32) {
        self.withdrawn.insert(key);
        self.owners[key as usize].retain(|owner| *owner != entry);
        self.aliases[entry as usize].retain(|alias| alias.key != key);
    }

    /// Says that nobody gets a key that does not have it already.
    pub(super) fn withdraw(&mut self, key: u32) {
        self.withdrawn.insert(key);
    }

    /// Puts an alias in the place of another.
    pub(super) fn replace(&mut self, entry: u32, key: u32, text: &str, made: Made) {
        let position = |aliases: &[PlannedAlias], key| aliases.iter().position(|alias| alias.key == key);
        self.owners[key as usize].retain(|owner| *owner != entry);
        let before = self.aliases(entry).len();
        self.declare(entry, text, made);
        let aliases = &mut self.aliases[entry as usize];
        let Some(at) = position(aliases, key) else { return };
        if aliases.len() > before {
            aliases.swap_remove(at);
        } else {
            aliases.remove(at);
        }
    }

    /// Of every key that entries have, once: its text and entry where it was first declared, and the key.
    pub(super) fn sources(&self) -> Vec<(String, u32, u32)> {
        let mut seen = vec![false; self.owners.len()];
        let mut sources = Vec::new();
        for (aliases, entry) in self.aliases.iter().zip(0..) {
            for alias in aliases {
                if !std::mem::replace(&mut seen[alias.key as usize], true) {
                    sources.push((alias.text.clone(), entry, alias.key));
                }
            }
        }
        sources
    }

    /// The aliases of every entry.
    pub(super) fn into_aliases(self) -> Vec<Vec<PlannedAlias>> {
        self.aliases
    }
}
