//! What a query comes to over the shards of a site, as its reader sees it.

use answerplane_normalize::{normalize_key, utf16_len};
use answerplane_protocol::{Artifact, Entry, Timestamp};
use serde::Serialize;

/// The greatest length of a query and of its key in UTF-16 code units.
const MAX_QUERY_UNITS: usize = 512;
/// The greatest number of entries that one query offers.
pub(crate) const MAX_OFFERED: usize = 8;

/// What a query comes to.
#[derive(Clone, Debug)]
pub enum Outcome<'a> {
    /// One entry declares it.
    Answer(Entry<'a>),
    /// Several entries declare it; these are offered.
    Choices(Vec<Entry<'a>>),
    /// Nobody declared it.
    Miss,
    /// Nobody that still answers declared it, and a shard has expired.
    Stale,
}

/// The name of an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OutcomeName {
    /// An answer.
    Answer,
    /// Choices.
    Choices,
    /// A miss.
    Miss,
    /// Stale.
    Stale,
}

impl OutcomeName {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Choices => "choices",
            Self::Miss => "miss",
            Self::Stale => "stale",
        }
    }
}

impl<'a> Outcome<'a> {
    /// What `query` comes to at the instant `at`: the first shard that has not expired and knows the key decides.
    #[must_use]
    pub fn of(shards: &[&'a Artifact], query: &str, at: Timestamp) -> Self {
        let fits = |text: &str| text.len() <= MAX_QUERY_UNITS || utf16_len(text) <= MAX_QUERY_UNITS;
        let key = fits(query).then(|| normalize_key(query)).filter(|key| fits(key.as_str()));
        let mut is_stale = false;
        for shard in shards {
            if shard.is_expired(at) {
                is_stale = true;
                continue;
            }
            let Some(key) = &key else { continue };
            let mut matches = shard.matching(key);
            match matches.len() {
                0 => {}
                1 => return matches.next().map_or(Self::Miss, Self::Answer),
                _ => return Self::Choices(matches.take(MAX_OFFERED).collect()),
            }
        }
        if is_stale { Self::Stale } else { Self::Miss }
    }

    /// Its name.
    #[must_use]
    pub const fn name(&self) -> OutcomeName {
        match self {
            Self::Answer(_) => OutcomeName::Answer,
            Self::Choices(_) => OutcomeName::Choices,
            Self::Miss => OutcomeName::Miss,
            Self::Stale => OutcomeName::Stale,
        }
    }

    /// The entries that answer or are offered.
    #[must_use]
    pub fn entries(&self) -> &[Entry<'a>] {
        match self {
            Self::Answer(entry) => std::slice::from_ref(entry),
            Self::Choices(entries) => entries,
            Self::Miss | Self::Stale => &[],
        }
    }

    /// Whether a reader gets the same from both: the same entry with the same answer and citations, the same entries
    /// to choose from under the same labels and aliases, or the same reason.
    #[must_use]
    pub fn is_alike(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Answer(one), Self::Answer(two)) => {
                is_same_entry(*one, *two) && one.markdown() == two.markdown() && same_citations(*one, *two)
            }
            (Self::Choices(one), Self::Choices(two)) => {
                one.len() == two.len()
                    && one.iter().zip(two).all(|(one, two)| {
                        let seen = |entry: &Entry<'a>| (entry.id(), entry.label(), entry.own_alias());
                        seen(one) == seen(two)
                    })
            }
            (one, two) => one.name() == two.name(),
        }
    }
}

/// Whether a reader takes two entries for the same: by their id, or as continuations (`x`, `x.2`, `x.3`) of one entry
/// under one label.
pub(crate) fn is_same_entry(one: Entry<'_>, two: Entry<'_>) -> bool {
    one.id() == two.id()
        || (one.label() == two.label() && base_id(one.id(), |_| true) == base_id(two.id(), |_| true))
}

pub(crate) fn same_citations(one: Entry<'_>, two: Entry<'_>) -> bool {
    one.citations().len() == two.citations().len()
        && one
            .citations()
            .zip(two.citations())
            .all(|(one, two)| (one.id(), one.title(), one.href()) == (two.id(), two.title(), two.href()))
}

/// The id of the entry that an entry continues, or its own: `x` for `x.2` where `x` is there with the same label and
/// answer.
pub(crate) fn base_id<'a>(id: &'a str, is_same: impl FnOnce(&'a str) -> bool) -> &'a str {
    match id.rsplit_once('.') {
        Some((base, number))
            if !base.is_empty()
                && number.parse::<u32>().is_ok_and(|number| number >= 2)
                && !number.starts_with('0')
                && is_same(base) =>
        {
            base
        }
        _ => id,
    }
}

#[cfg(test)]
mod tests {
    use super::base_id;

    #[test]
    fn continuation_entries_have_a_number_from_two() {
        for (id, base) in
            [("x.2", "x"), ("a.b.17", "a.b"), ("x.1", "x.1"), ("x.02", "x.02"), ("x", "x"), (".2", ".2")]
        {
            assert_eq!(base_id(id, |_| true), base);
        }
        assert_eq!(base_id("x.2", |_| false), "x.2");
    }
}
