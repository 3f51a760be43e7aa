//! An artifact in numbers.

use std::collections::HashMap;

use answerplane_artifact::canonical_json;
use answerplane_protocol::{ArtifactContent, Entry, EntryKind};
use answerplane_resolver::Offer;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

/// An artifact in numbers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Summary<'a> {
    pub(super) entries: usize,
    pub(super) canonical_bytes: usize,
    /// The kinds that there are, in the order of the protocol.
    pub(super) kinds: Vec<Kind>,
    pub(super) aliases: usize,
    /// How many different keys the aliases have.
    pub(super) keys: usize,
    /// Keys of several entries, those of most entries first.
    pub(super) ambiguous: Vec<AmbiguousKey<'a>>,
    /// All entries by the size of their canonical form, the largest first.
    pub(super) largest: Vec<Size<'a>>,
}

/// How many entries are of a kind.
#[derive(Debug, Serialize)]
pub(super) struct Kind {
    pub(super) kind: EntryKind,
    pub(super) entries: usize,
}

/// A key that several entries have.
#[derive(Debug)]
pub(super) struct AmbiguousKey<'a> {
    pub(super) key: &'a str,
    /// The entries in the order of the artifact.
    pub(super) entries: Vec<&'a str>,
}

/// The size of an entry.
#[derive(Debug, Serialize)]
pub(super) struct Size<'a> {
    pub(super) id: &'a str,
    pub(super) bytes: usize,
}

impl<'a> Summary<'a> {
    pub(super) fn of(artifact: &'a ArtifactContent) -> Self {
        let entries: Vec<Entry<'a>> = artifact.entries().collect();
        let canonical = canonical_json(artifact);
        let kinds = EntryKind::ALL.iter().map(|kind| Kind {
            kind: *kind,
            entries: entries.iter().filter(|entry| entry.kind() == *kind).count(),
        });
        let keys = by_key(&entries);
        Self {
            entries: entries.len(),
            canonical_bytes: canonical.len(),
            kinds: kinds.filter(|kind| kind.entries > 0).collect(),
            aliases: entries.iter().map(|entry| entry.aliases().len()).sum(),
            keys: keys.len(),
            ambiguous: ambiguous(keys),
            largest: largest(&entries, &canonical),
        }
    }
}

impl<'a> AmbiguousKey<'a> {
    /// The entries that the key does not offer, because eight others stand before them.
    pub(super) fn never_offered(&self) -> &[&'a str] {
        self.entries.get(Offer::MAX_ENTRIES..).unwrap_or_default()
    }
}

impl Serialize for AmbiguousKey<'_> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        use serde::ser::SerializeStruct;

        let mut key = serializer.serialize_struct("AmbiguousKey", 3)?;
        key.serialize_field("key", self.key)?;
        key.serialize_field("entries", &self.entries)?;
        key.serialize_field("neverOffered", self.never_offered())?;
        key.end()
    }
}

/// The keys in the order of the artifact, each with its entries.
fn by_key<'a>(entries: &[Entry<'a>]) -> Vec<AmbiguousKey<'a>> {
    let mut places = HashMap::new();
    let mut keys: Vec<AmbiguousKey<'a>> = Vec::new();
    for entry in entries {
        for key in entry.keys() {
            let place = *places.entry(key).or_insert(keys.len());
            match keys.get_mut(place) {
                Some(known) => known.entries.push(entry.id()),
                None => keys.push(AmbiguousKey { key, entries: vec![entry.id()] }),
            }
        }
    }
    keys
}

fn ambiguous(mut keys: Vec<AmbiguousKey<'_>>) -> Vec<AmbiguousKey<'_>> {
    keys.retain(|key| key.entries.len() > 1);
    keys.sort_by_key(|key| std::cmp::Reverse(key.entries.len()));
    keys
}

fn largest<'a>(entries: &[Entry<'a>], canonical: &str) -> Vec<Size<'a>> {
    #[derive(Deserialize)]
    struct Texts<'t> {
        #[serde(borrow)]
        entries: Vec<&'t RawValue>,
    }

    let texts = serde_json::from_str::<Texts<'_>>(canonical).map(|texts| texts.entries).unwrap_or_default();
    let size = |(entry, text): (&Entry<'a>, &RawValue)| Size { id: entry.id(), bytes: text.get().len() };
    let mut sizes: Vec<Size<'a>> = entries.iter().zip(texts).map(size).collect();
    sizes.sort_by_key(|size| std::cmp::Reverse(size.bytes));
    sizes
}
