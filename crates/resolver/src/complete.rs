//! What to show a person who types: completions while they do, and "did you mean" after a miss.
//!
//! Both offer entries, each with an alias to submit as a query of its own. Neither is ever an answer: resolving does
//! not know this module, and nothing here changes an outcome or an envelope.
//!
//! ```
//! # use answerplane_resolver::{Resolution, Resolver, SiteConfig, Timestamp, VerifiedArtifact};
//! use answerplane_resolver::complete::Completer;
//!
//! # let site = SiteConfig::decode(include_str!("../../../fixtures/sites/garden/site-config.json"))?;
//! # let json = include_str!("../../../fixtures/sites/garden/knowledge.json");
//! # let resolver = Resolver::new(VerifiedArtifact::verify(json, &site.trust()));
//! # let now = Timestamp::from_millis(1_800_000_000_000);
//! let completer = Completer::new(resolver.shards().flatten().cloned());
//!
//! let offered = completer.complete("when is the t", now);
//! assert_eq!(offered[0].label(), "Tool shed opening hours");
//! assert_eq!(offered[0].alias(), "When is the tool shed open?");
//!
//! let query = "When is the tool-shed opne";
//! assert!(matches!(resolver.resolve(query, now), Resolution::Escalation(_)));
//! let meant = completer.did_you_mean(query, now);
//! assert_eq!(meant[0].alias(), "When is the tool shed open?");
//! # Ok::<(), answerplane_resolver::DeterministicDiagnostic>(())
//! ```

mod distance;
mod fold;
mod index;

use alloc::string::String;
use alloc::vec::Vec;

use answerplane_artifact::VerifiedArtifact;
use answerplane_normalize::normalize_key;
use answerplane_protocol::{Entry, Timestamp};

use crate::complete::distance::Distance;
use crate::complete::fold::push_folded;
use crate::complete::index::{Index, Item, letters};

/// Finds entries by the beginning of their labels and aliases, or by what is nearly one of them.
///
/// Texts are compared in a folded form: that of the normalized key without quotes, diacritics and punctuation at its
/// end, and with dashes as spaces. It shares the artifacts of its shards; a new artifact is a new completer.
#[derive(Debug)]
pub struct Completer {
    shards: Vec<VerifiedArtifact>,
    index: Index,
}

/// An entry that a person may mean, and what to submit for it.
#[derive(Clone, Copy, Debug)]
pub struct Completion<'c> {
    entry: Entry<'c>,
    alias: &'c str,
}

impl<'c> Completion<'c> {
    /// The id of the entry, an identifier. Of an entry that is continued (`x.2`, `x.3`) it is that of the first.
    #[must_use]
    pub fn entry_id(self) -> &'c str {
        self.entry.id()
    }

    /// What to show, 1 to 256 UTF-16 code units.
    #[must_use]
    pub fn label(self) -> &'c str {
        self.entry.label()
    }

    /// What to submit as a query, 1 to 512 UTF-16 code units: the alias that matched where no other entry has its
    /// key, otherwise the first such alias of the entry. It leads to the entry, unless the artifact expires before.
    #[must_use]
    pub fn alias(self) -> &'c str {
        self.alias
    }
}

impl Completer {
    /// The greatest number of entries that [`complete`](Self::complete) gives.
    pub const MAX_COMPLETIONS: usize = 8;
    /// The greatest number of entries that [`did_you_mean`](Self::did_you_mean) gives.
    pub const MAX_MEANT: usize = 3;

    /// A completer over the shards of a site, in the order in which a resolver asks them.
    #[must_use]
    pub fn new(shards: impl IntoIterator<Item = VerifiedArtifact>) -> Self {
        let shards: Vec<VerifiedArtifact> = shards.into_iter().collect();
        let index = Index::of(&shards);
        Self { shards, index }
    }

    /// The entries of which a label or an alias begins with what is `typed`, at most eight: those of which the
    /// shortest text begins with it first, and those of one length in the order of the artifacts.
    ///
    /// Nothing is offered for a blank text, and nothing of an artifact that has expired at the instant `now`.
    #[must_use]
    pub fn complete(&self, typed: &str, now: Timestamp) -> Vec<Completion<'_>> {
        let typed = folded(typed);
        let mut best = Best::new(Self::MAX_COMPLETIONS);
        if !typed.is_empty() {
            let live = self.live(now);
            for text in self.index.beginning_with(&typed) {
                self.offer(text.characters, self.index.items(text), &live, &mut best);
            }
        }
        self.completions(&best)
    }

    /// The entries of which a label or an alias is nearly the `query`, at most three, the nearest first and those of
    /// one distance in the order of the artifacts.
    ///
    /// The distance counts characters of the folded form that are put in, left out, replaced, or exchanged with the
    /// next. It may be a quarter of the characters of the query, at least 1 from three characters on and at most 8;
    /// of one and two characters, only what is the same in its folded form is offered. Nothing is offered of an
    /// artifact that has expired at the instant `now`.
    #[must_use]
    pub fn did_you_mean(&self, query: &str, now: Timestamp) -> Vec<Completion<'_>> {
        let query = folded(query);
        let characters: Vec<char> = query.chars().collect();
        let (length, used) = (characters.len(), letters(&query));
        let mut best = Best::new(Self::MAX_MEANT);
        if length > 0 {
            let live = self.live(now);
            let mut bound = greatest_distance(length);
            let mut distance = Distance::new(&characters);
            for text in self.index.texts() {
                let more = (text.letters & !used).count_ones().max((used & !text.letters).count_ones());
                if text.characters.abs_diff(length) > bound || more as usize > bound {
                    continue;
                }
                if let Some(distance) = distance.within(self.index.text(text).chars(), bound) {
                    self.offer(distance, self.index.items(text), &live, &mut best);
                    bound = best.worst().map_or(bound, |worst| bound.min(worst));
                }
            }
        }
        self.completions(&best)
    }

    /// Which shards have not expired.
    fn live(&self, now: Timestamp) -> Vec<bool> {
        self.shards.iter().map(|shard| !shard.is_expired(now)).collect()
    }

    fn offer(&self, rank: usize, items: &[Item], live: &[bool], best: &mut Best) {
        for item in items {
            let place = self.index.place(item);
            if live[place.shard] {
                best.offer(Offered { rank, item: *item, group: place.group });
            }
        }
    }

    fn completions(&self, best: &Best) -> Vec<Completion<'_>> {
        best.offered.iter().filter_map(|offered| self.index.completion(&self.shards, offered)).collect()
    }
}

fn folded(text: &str) -> String {
    let mut folded = String::new();
    push_folded(normalize_key(text).as_str(), &mut folded);
    folded
}

/// How far from a query of so many characters something may be that is offered for it.
const fn greatest_distance(characters: usize) -> usize {
    match characters {
        0..=2 => 0,
        3..=7 => 1,
        8..=31 => characters / 4,
        _ => 8,
    }
}

/// Something that is offered, and how well it stands.
#[derive(Clone, Copy)]
struct Offered {
    rank: usize,
    item: Item,
    group: u32,
}

impl Offered {
    fn order(&self) -> (usize, Item) {
        (self.rank, self.item)
    }
}

/// The best of what is offered, at most one of each group.
struct Best {
    limit: usize,
    offered: Vec<Offered>,
}

impl Best {
    fn new(limit: usize) -> Self {
        Self { limit, offered: Vec::with_capacity(limit + 1) }
    }

    fn offer(&mut self, new: Offered) {
        let is_full = self.offered.len() == self.limit;
        if is_full && self.offered.last().is_some_and(|last| last.order() <= new.order()) {
            return;
        }
        match self.offered.iter().position(|known| known.group == new.group) {
            Some(at) if self.offered[at].order() <= new.order() => return,
            Some(at) => drop(self.offered.remove(at)),
            None => {}
        }
        let at = self.offered.partition_point(|known| known.order() <= new.order());
        self.offered.insert(at, new);
        self.offered.truncate(self.limit);
    }

    /// The rank of the last, once there is no more room.
    fn worst(&self) -> Option<usize> {
        self.offered.get(self.limit - 1).map(|last| last.rank)
    }
}
