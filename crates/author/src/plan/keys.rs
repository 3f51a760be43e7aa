//! Which entries have which keys.

use std::collections::HashSet;
use std::slice;

use answerplane_normalize::{normalize_key, utf16_len};
use answerplane_protocol::EntryKind;

use crate::plan::texts::{AliasText, DraftTexts, Interner, alias_text};
use crate::plan::{Made, PlannedAlias, Words};

/// The greatest length of an alias and of its key in UTF-16 units.
const MAX_UNITS: usize = 512;

/// Every key, the entries that have it, and the aliases of every entry.
pub(super) struct Keys<'i> {
    interner: &'i mut Interner,
    drafts: &'i [&'i DraftTexts],
    /// Of each key, the entries that have it, in order.
    owners: Vec<Owners>,
    /// Of each entry, its aliases in order, each with another key.
    aliases: Vec<Vec<PlannedAlias>>,
    /// Keys that entries had to give away: no other entry takes them for its own.
    withdrawn: HashSet<u32>,
}

/// The entries that have a key: mostly one.
#[derive(Clone, Debug, Default)]
enum Owners {
    #[default]
    Nobody,
    One(u32),
    Several(Vec<u32>),
}

impl Owners {
    fn as_slice(&self) -> &[u32] {
        match self {
            Self::Nobody => &[],
            Self::One(owner) => slice::from_ref(owner),
            Self::Several(owners) => owners,
        }
    }

    /// False where it is one already.
    fn add(&mut self, entry: u32) -> bool {
        match self {
            Self::Nobody => *self = Self::One(entry),
            Self::One(owner) if *owner == entry => return false,
            Self::One(owner) => *self = Self::Several(vec![entry.min(*owner), entry.max(*owner)]),
            Self::Several(owners) => match owners.binary_search(&entry) {
                Ok(_) => return false,
                Err(at) => owners.insert(at, entry),
            },
        }
        true
    }

    fn remove(&mut self, entry: u32) {
        match self {
            Self::One(owner) if *owner == entry => *self = Self::Nobody,
            Self::Several(owners) => owners.retain(|owner| *owner != entry),
            _ => {}
        }
    }
}

/// Whether an alias and its key are within their limits.
pub(super) fn fits(text: &str, key: &str) -> bool {
    let is_short = |text: &str| text.len() <= MAX_UNITS || utf16_len(text) <= MAX_UNITS;
    !key.is_empty() && is_short(text) && is_short(key)
}

impl<'i> Keys<'i> {
    /// The keys of what is declared. Of two aliases of an entry with one key the first stays.
    pub(super) fn of(drafts: &'i [&'i DraftTexts], interner: &'i mut Interner) -> Self {
        let mut keys = Self {
            owners: vec![Owners::Nobody; interner.len()],
            interner,
            drafts,
            aliases: Vec::with_capacity(drafts.len()),
            withdrawn: HashSet::new(),
        };
        for (draft, entry) in drafts.iter().zip(0..) {
            let variants: usize = draft.aliases.iter().map(|alias| alias.variants.len()).sum();
            keys.aliases.push(Vec::with_capacity(draft.aliases.len() + variants));
            for (alias, number) in draft.aliases.iter().zip(0..) {
                keys.add(entry, Words::Declared(number), alias.key, Made::Declared);
            }
        }
        keys
    }

    /// Whether some entry has a key, or had to give it away.
    pub(super) fn is_known(&self, key: u32) -> bool {
        !self.owners(key).is_empty() || self.withdrawn.contains(&key)
    }

    /// Whether no entry but `entry` has the key of a text, and none had to give it away.
    pub(super) fn is_free(&self, text: &str, entry: u32) -> bool {
        let number = self.interner.find(normalize_key(text).as_str());
        number.is_none_or(|number| {
            !self.withdrawn.contains(&number) && self.owners(number).iter().all(|owner| *owner == entry)
        })
    }

    /// The entries that have a key, in order.
    pub(super) fn owners(&self, key: u32) -> &[u32] {
        self.owners.get(key as usize).map_or(&[], Owners::as_slice)
    }

    /// Whether several entries have a key.
    pub(super) fn is_shared(&self, key: u32) -> bool {
        self.owners(key).len() > 1
    }

    /// Every key that several entries have, in the order in which they are first declared.
    pub(super) fn shared(&self) -> Vec<u32> {
        let mut seen = HashSet::new();
        let keys = self.aliases.iter().flatten().map(|alias| alias.key);
        keys.filter(|key| self.is_shared(*key) && seen.insert(*key)).collect()
    }

    /// The number of entries.
    pub(super) fn entries(&self) -> u32 {
        self.aliases.len() as u32
    }

    /// The aliases of an entry.
    pub(super) fn aliases(&self, entry: u32) -> &[PlannedAlias] {
        self.aliases.get(entry as usize).map_or(&[], Vec::as_slice)
    }

    /// What is typed of an alias of an entry.
    pub(super) fn text<'k>(&'k self, entry: u32, alias: &'k PlannedAlias) -> &'k str {
        self.drafts.get(entry as usize).map_or("", |draft| alias.words.of(draft))
    }

    /// Whether some key is the entry's alone.
    pub(super) fn has_own(&self, entry: u32) -> bool {
        self.aliases(entry).iter().any(|alias| self.owners(alias.key).len() == 1)
    }

    /// Adds an alias to an entry, unless it has its key already.
    pub(super) fn declare(&mut self, entry: u32, text: &str, made: Made) {
        let key = self.interner.number(normalize_key(text).as_str());
        self.add(entry, Words::Made(text.into()), key, made);
    }

    /// Adds an alias with this key to an entry, unless it has the key already.
    pub(super) fn add(&mut self, entry: u32, words: Words, key: u32, made: Made) {
        if self.owners.len() <= key as usize {
            self.owners.resize(self.interner.len().max(key as usize + 1), Owners::Nobody);
        }
        if self.owners[key as usize].add(entry) {
            self.aliases[entry as usize].push(PlannedAlias { words, key, made });
        }
    }

    /// Takes an alias from an entry; nobody else gets it.
    pub(super) fn remove(&mut self, entry: u32, key: u32) {
        self.withdrawn.insert(key);
        self.owners[key as usize].remove(entry);
        self.aliases[entry as usize].retain(|alias| alias.key != key);
    }

    /// Says that nobody gets a key that does not have it already.
    pub(super) fn withdraw(&mut self, key: u32) {
        self.withdrawn.insert(key);
    }

    /// Puts an alias in the place of another.
    pub(super) fn replace(&mut self, entry: u32, key: u32, text: &str, made: Made) {
        self.owners[key as usize].remove(entry);
        let before = self.aliases(entry).len();
        self.declare(entry, text, made);
        let aliases = &mut self.aliases[entry as usize];
        let Some(at) = aliases.iter().position(|alias| alias.key == key) else { return };
        if aliases.len() > before {
            aliases.swap_remove(at);
        } else {
            aliases.remove(at);
        }
    }

    /// How many keys have a number.
    pub(super) fn numbers(&self) -> usize {
        self.interner.len()
    }

    /// What is known of a text that was made for an entry of this kind.
    pub(super) fn alias_text(&mut self, text: &str, kind: EntryKind, boilerplate: &[String]) -> AliasText {
        alias_text(self.interner, text, kind, Some(boilerplate))
    }

    /// The aliases of every entry.
    pub(super) fn into_aliases(self) -> Vec<Vec<PlannedAlias>> {
        self.aliases
    }
}
