//! All folded labels and aliases in order, with the entries that have them.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use answerplane_artifact::VerifiedArtifact;
use answerplane_normalize::normalize_key;
use answerplane_protocol::Entry;

use crate::complete::fold::push_folded;
use crate::complete::{Completion, Offered};

/// All folded labels and aliases in order, with the entries that have them.
#[derive(Debug)]
pub(super) struct Index {
    /// The folded forms, one after the other.
    folded: String,
    /// Where each folded form is, in their order.
    texts: Vec<Text>,
    /// The entries of each folded form, together.
    items: Vec<Item>,
    /// Where each entry is, in the order of the shards.
    places: Vec<Place>,
}

/// A folded form.
#[derive(Debug)]
pub(super) struct Text {
    folded: Range<usize>,
    items: Range<usize>,
    /// How many characters it has.
    pub(super) characters: usize,
    /// Which letters it has.
    pub(super) letters: u64,
}

/// An entry, and the place of the alias to submit for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Item {
    entry: u32,
    alias: u8,
}

/// Where an entry is.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) shard: usize,
    at: usize,
    /// The entry itself, or that which it continues.
    pub(super) group: u32,
}

/// A label or an alias, before all are in order.
struct Unsorted {
    folded: Range<usize>,
    entry: u32,
    /// Whether another alias than the one that matches is submitted.
    is_substituted: bool,
    alias: u8,
}

/// Which letters a folded form has. Letters may share a bit, so a bit more is a letter more, and not conversely.
pub(super) fn letters(folded: &str) -> u64 {
    folded.chars().fold(0, |letters, character| letters | 1 << (u32::from(character) % u64::BITS))
}

impl Index {
    pub(super) fn of(shards: &[VerifiedArtifact]) -> Self {
        let mut places: Vec<Place> = Vec::new();
        let mut entries: Vec<Entry<'_>> = Vec::new();
        for (shard, artifact) in shards.iter().enumerate() {
            for (at, entry) in artifact.entries().enumerate() {
                places.push(Place { shard, at, group: entries.len() as u32 });
                entries.push(entry);
            }
        }
        for (place, group) in places.iter_mut().zip(groups(&entries)) {
            place.group = group;
        }

        let own = own_aliases(&entries, &places);
        let mut folded = String::new();
        let mut all: Vec<Unsorted> = Vec::new();
        let mut add = |key: &str, entry, is_substituted, alias| {
            let start = folded.len();
            push_folded(key, &mut folded);
            all.push(Unsorted { folded: start..folded.len(), entry, is_substituted, alias });
        };
        for ((entry, own), number) in entries.iter().zip(&own).zip(0..) {
            // Without an alias of its own, which only a shard that repeats keys of another can lack, there is nothing
            // to submit for it.
            let Some(first) = own.iter().position(|is_own| *is_own) else { continue };
            for ((key, is_own), alias) in entry.keys().zip(own).zip(0..) {
                add(key, number, !is_own, if *is_own { alias } else { first as u8 });
            }
            add(normalize_key(entry.label()).as_str(), number, true, first as u8);
        }

        let text = |folded_at: &Range<usize>| folded.get(folded_at.clone()).unwrap_or_default();
        all.sort_unstable_by(|a, b| {
            let order = |item: &Unsorted| (item.entry, item.is_substituted, item.alias);
            text(&a.folded).cmp(text(&b.folded)).then_with(|| order(a).cmp(&order(b)))
        });
        let mut index = Self { folded: String::new(), texts: Vec::new(), items: Vec::new(), places };
        for same in all.chunk_by(|a, b| text(&a.folded) == text(&b.folded)) {
            let (first_item, start) = (index.items.len(), index.folded.len());
            for of_entry in same.chunk_by(|a, b| a.entry == b.entry) {
                index.items.push(Item { entry: of_entry[0].entry, alias: of_entry[0].alias });
            }
            let shared = text(&same[0].folded);
            index.folded.push_str(shared);
            index.texts.push(Text {
                folded: start..index.folded.len(),
                items: first_item..index.items.len(),
                characters: shared.chars().count(),
                letters: letters(shared),
            });
        }
        index
    }

    /// All folded forms.
    pub(super) fn texts(&self) -> &[Text] {
        &self.texts
    }

    /// The folded forms that begin with `start`.
    pub(super) fn beginning_with(&self, start: &str) -> &[Text] {
        let from = self.texts.partition_point(|text| self.text(text) < start);
        let rest = self.texts.get(from..).unwrap_or_default();
        let count = rest.partition_point(|text| self.text(text).starts_with(start));
        rest.get(..count).unwrap_or_default()
    }

    /// A folded form as text.
    pub(super) fn text(&self, text: &Text) -> &str {
        self.folded.get(text.folded.clone()).unwrap_or_default()
    }

    /// The entries that have a folded form, in the order of the shards.
    pub(super) fn items(&self, text: &Text) -> &[Item] {
        self.items.get(text.items.clone()).unwrap_or_default()
    }

    /// Where the entry of an item is.
    pub(super) fn place(&self, item: &Item) -> &Place {
        &self.places[item.entry as usize]
    }

    /// What is offered, as the artifacts have it.
    pub(super) fn completion<'c>(
        &self,
        shards: &'c [VerifiedArtifact],
        offered: &Offered,
    ) -> Option<Completion<'c>> {
        let entry = |place: &Place| shards.get(place.shard)?.entry(place.at);
        let alias = entry(self.place(&offered.item))?.aliases().nth(offered.item.alias.into())?;
        Some(Completion { entry: entry(self.places.get(offered.group as usize)?)?, alias })
    }
}

/// For each entry whether each of its aliases leads to it alone: no other entry of its artifact has the key, and no
/// shard before it, which would decide.
fn own_aliases(entries: &[Entry<'_>], places: &[Place]) -> Vec<Vec<bool>> {
    let mut keys: Vec<(&str, usize, usize)> = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        keys.extend(entry.keys().enumerate().map(|(alias, key)| (key, number, alias)));
    }
    keys.sort_unstable();
    let mut own: Vec<Vec<bool>> =
        entries.iter().map(|entry| alloc::vec![false; entry.keys().len()]).collect();
    for same in keys.chunk_by(|(a, ..), (b, ..)| a == b) {
        let shard = |at: usize| same.get(at).map(|(_, number, _)| places[*number].shard);
        if shard(0) != shard(1) {
            let (_, number, alias) = same[0];
            own[number][alias] = true;
        }
    }
    own
}

/// For each entry itself, or the entry that it continues: one with its label and its answer, whose id is its own
/// without `.2`, `.3`, ….
fn groups(entries: &[Entry<'_>]) -> Vec<u32> {
    let mut ids: Vec<(&str, usize)> =
        entries.iter().enumerate().map(|(number, entry)| (entry.id(), number)).collect();
    ids.sort_unstable();
    let continued = |number: usize| {
        let first = first_id(entries[number].id())?;
        let at = ids.partition_point(|(id, _)| *id < first);
        let (id, candidate) = *ids.get(at)?;
        (id == first && say_the_same(entries[candidate], entries[number])).then_some(candidate)
    };
    (0..entries.len())
        .map(|mut number| {
            // Each step shortens the id.
            while let Some(first) = continued(number) {
                number = first;
            }
            number as u32
        })
        .collect()
}

/// The id that an id continues, where its end is a number from 2 on.
fn first_id(id: &str) -> Option<&str> {
    let (first, number) = id.rsplit_once('.')?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0');
    (is_number && !["", "1"].contains(&number)).then_some(first)
}

fn say_the_same(a: Entry<'_>, b: Entry<'_>) -> bool {
    let mut citations = a.citations().zip(b.citations());
    a.label() == b.label()
        && a.markdown() == b.markdown()
        && a.citations().len() == b.citations().len()
        && citations.all(|(a, b)| (a.id(), a.title(), a.href()) == (b.id(), b.title(), b.href()))
}
