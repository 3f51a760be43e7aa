//! Entries and citations as seen in an artifact.

use core::fmt;

use crate::answer::{AnswerBody, Suggestion};
use crate::artifact::declaration::{Citation, EntryKind};
use crate::artifact::entries::{CitationRecord, Entries, EntryRecord, ValueRecord};
use crate::scalar::{BoundedText, Identifier, SafeLink, TrimmedText};
use crate::wire::List;

/// An entry of an artifact.
#[derive(Clone, Copy)]
pub struct Entry<'a> {
    entries: &'a Entries,
    record: &'a EntryRecord,
}

impl<'a> Entry<'a> {
    pub(crate) fn all(entries: &'a Entries) -> impl ExactSizeIterator<Item = Self> {
        entries.records.iter().map(move |record| Self { entries, record })
    }

    pub(crate) fn at(entries: &'a Entries, at: usize) -> Option<Self> {
        entries.records.get(at).map(|record| Self { entries, record })
    }

    /// The entry, an identifier that is unique in its artifact.
    #[must_use]
    pub fn id(self) -> &'a str {
        self.entries.text(self.record.id)
    }

    /// What the entry is about.
    #[must_use]
    pub fn kind(self) -> EntryKind {
        self.record.kind
    }

    /// What a person sees in a list of choices, 1 to 256 UTF-16 code units.
    #[must_use]
    pub fn label(self) -> &'a str {
        self.entries.text(self.record.label)
    }

    /// The questions that the entry answers, 1 to 16.
    pub fn aliases(self) -> impl ExactSizeIterator<Item = &'a str> {
        self.values().iter().map(move |value| self.entries.text(value.text))
    }

    /// The normalized keys of the aliases, in the same order.
    pub fn keys(self) -> impl ExactSizeIterator<Item = &'a str> {
        self.values().iter().map(move |value| self.entries.text(value.key))
    }

    /// The first alias whose key no other entry has: what to type to get just this entry.
    #[must_use]
    pub fn own_alias(self) -> &'a str {
        self.entries
            .values
            .get(self.record.own_value as usize)
            .map_or("", |value| self.entries.text(value.text))
    }

    /// The answer in Markdown, 1 to 16,384 UTF-16 code units.
    #[must_use]
    pub fn markdown(self) -> &'a str {
        self.entries.text(self.record.markdown)
    }

    /// Where the answer comes from, at most 8 sources.
    pub fn citations(self) -> impl ExactSizeIterator<Item = CitationView<'a>> {
        let range = self.record.citations.start as usize..self.record.citations.end as usize;
        let records = self.entries.citations.get(range).unwrap_or_default();
        records.iter().map(move |record| CitationView { entries: self.entries, record })
    }

    /// The entry's identifier as a value of its own.
    #[must_use]
    pub fn identifier(self) -> Identifier {
        Identifier::proven(self.id())
    }

    /// The answer as an envelope carries it.
    #[must_use]
    pub fn answer_body(self) -> AnswerBody {
        let citations = self.citations().map(CitationView::to_citation).collect();
        AnswerBody::new(BoundedText::proven(self.markdown()), List::proven(citations))
    }

    /// The entry as something to choose.
    #[must_use]
    pub fn suggestion(self) -> Suggestion {
        let (label, value) = (TrimmedText::proven(self.label()), TrimmedText::proven(self.own_alias()));
        Suggestion::new(self.identifier(), label, value)
    }

    fn values(self) -> &'a [ValueRecord] {
        let range = self.record.values.start as usize..self.record.values.end as usize;
        self.entries.values.get(range).unwrap_or_default()
    }
}

impl fmt::Debug for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("id", &self.id()).finish_non_exhaustive()
    }
}

/// A source of an answer in an artifact.
#[derive(Clone, Copy)]
pub struct CitationView<'a> {
    entries: &'a Entries,
    record: &'a CitationRecord,
}

impl<'a> CitationView<'a> {
    /// The source, an identifier; ids may repeat.
    #[must_use]
    pub fn id(self) -> &'a str {
        self.entries.text(self.record.id)
    }

    /// What a person sees, 1 to 256 UTF-16 code units.
    #[must_use]
    pub fn title(self) -> &'a str {
        self.entries.text(self.record.title)
    }

    /// Where the source is, a safe link.
    #[must_use]
    pub fn href(self) -> &'a str {
        self.entries.text(self.record.href)
    }

    fn to_citation(self) -> Citation {
        Citation::new(
            Identifier::proven(self.id()),
            TrimmedText::proven(self.title()),
            SafeLink::proven(self.href()),
        )
    }
}

impl fmt::Debug for CitationView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CitationView").field("id", &self.id()).finish_non_exhaustive()
    }
}

/// The entries that declare one key, in artifact order.
#[derive(Clone, Debug)]
pub struct Matches<'a> {
    entries: &'a Entries,
    values: core::slice::Iter<'a, u32>,
}

impl<'a> Matches<'a> {
    pub(crate) fn new(entries: &'a Entries, values: &'a [u32]) -> Self {
        Self { entries, values: values.iter() }
    }
}

impl<'a> Iterator for Matches<'a> {
    type Item = Entry<'a>;

    fn next(&mut self) -> Option<Entry<'a>> {
        let value = self.values.next()?;
        let entries = self.entries;
        let record = &entries.records[entries.values[*value as usize].entry as usize];
        Some(Entry { entries, record })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.values.size_hint()
    }
}

impl ExactSizeIterator for Matches<'_> {}
