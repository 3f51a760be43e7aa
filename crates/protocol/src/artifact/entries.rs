//! The entries of an artifact, kept compactly.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use answerplane_normalize::{push_normalized_key, utf16_len};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};

use crate::artifact::declaration::{EntryKind, KnowledgeEntry};
use crate::artifact::keys::KeyIndex;

/// The greatest number of entries.
pub(crate) const MAX_ENTRIES: usize = 1_024;
/// The greatest length of a normalized key in UTF-16 code units.
const MAX_KEY_UNITS: usize = 512;

/// The texts and records of all entries.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entries {
    text: String,
    pub(crate) records: Vec<EntryRecord>,
    pub(crate) values: Vec<ValueRecord>,
    pub(crate) citations: Vec<CitationRecord>,
}

/// A part of the text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct EntryRecord {
    pub(crate) id: Span,
    pub(crate) kind: EntryKind,
    pub(crate) label: Span,
    pub(crate) markdown: Span,
    pub(crate) values: Range<u32>,
    pub(crate) citations: Range<u32>,
    /// The first value whose key no other entry has.
    pub(crate) own_value: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct ValueRecord {
    pub(crate) entry: u32,
    pub(crate) text: Span,
    pub(crate) key: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct CitationRecord {
    pub(crate) id: Span,
    pub(crate) title: Span,
    pub(crate) href: Span,
}

impl Entries {
    /// The text of a part.
    pub(crate) fn text(&self, span: Span) -> &str {
        // Spans are made by `keep` alone, so they always lie in the text.
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    fn keep(&mut self, text: &str) -> Span {
        let start = self.text.len() as u32;
        self.text.push_str(text);
        Span { start, end: self.text.len() as u32 }
    }

    /// The key of a value, sharing the value's own text where that is its key.
    fn keep_key(&mut self, value: &str, kept: Span) -> Option<Span> {
        let start = self.text.len();
        push_normalized_key(value, &mut self.text);
        let key = &self.text[start..];
        if key.len() > MAX_KEY_UNITS && utf16_len(key) > MAX_KEY_UNITS {
            return None;
        }
        if key == value {
            self.text.truncate(start);
            return Some(kept);
        }
        Some(Span { start: start as u32, end: self.text.len() as u32 })
    }

    fn push(&mut self, entry: &KnowledgeEntry<Cow<'_, str>>) -> Option<()> {
        let first_value = self.values.len() as u32;
        let first_citation = self.citations.len() as u32;
        let id = self.keep(entry.id.as_str());
        let label = self.keep(entry.label.as_str());
        let markdown = self.keep(entry.answer.markdown.as_str());
        for value in entry.matching.values.iter() {
            let text = self.keep(value.as_str());
            let key = self.keep_key(value.as_str(), text)?;
            self.values.push(ValueRecord { entry: self.records.len() as u32, text, key });
        }
        for citation in entry.answer.citations.iter() {
            let id = self.keep(citation.id.as_str());
            let title = self.keep(citation.title.as_str());
            let href = self.keep(citation.href.as_str());
            self.citations.push(CitationRecord { id, title, href });
        }
        self.records.push(EntryRecord {
            id,
            kind: entry.kind,
            label,
            markdown,
            values: first_value..self.values.len() as u32,
            citations: first_citation..self.citations.len() as u32,
            own_value: 0,
        });
        Some(())
    }

    /// Checks the rules across entries and gives the index that came of it, or `None` where one is broken: ids
    /// are unique, the keys of an entry are distinct, every entry has a key of its own.
    pub(crate) fn index(&mut self, seed: &[u8; 32]) -> Option<KeyIndex> {
        let mut ids: Vec<&str> = self.records.iter().map(|record| self.text(record.id)).collect();
        ids.sort_unstable();
        if ids.windows(2).any(|pair| pair[0] == pair[1]) {
            return None;
        }
        let index = KeyIndex::new(self, seed);
        let mut own_values: Vec<Option<u32>> = alloc::vec![None; self.records.len()];
        let entry_of = |value: u32| self.values[value as usize].entry;
        for same_key in index.groups() {
            if same_key.windows(2).any(|pair| entry_of(pair[0]) == entry_of(pair[1])) {
                return None;
            }
            if let [only] = *same_key {
                let own = &mut own_values[entry_of(only) as usize];
                *own = Some(own.map_or(only, |first| first.min(only)));
            }
        }
        for (record, own_value) in self.records.iter_mut().zip(own_values) {
            record.own_value = own_value?;
        }
        Some(index)
    }
}

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntriesVisitor;

        impl<'de> Visitor<'de> for EntriesVisitor {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of entries")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Entries, A::Error> {
                let mut entries = Entries::default();
                while let Some(entry) = seq.next_element::<KnowledgeEntry<Cow<'de, str>>>()? {
                    if entries.records.len() == MAX_ENTRIES {
                        return Err(A::Error::custom("too many entries"));
                    }
                    entries.push(&entry).ok_or_else(|| A::Error::custom("a key is too long"))?;
                }
                Ok(entries)
            }
        }

        deserializer.deserialize_seq(EntriesVisitor)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Entries {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Entries".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "array",
            "items": generator.subschema_for::<KnowledgeEntry>(),
            "maxItems": MAX_ENTRIES,
        })
    }
}
