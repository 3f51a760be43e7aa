//! What changes for a reader between two builds of a site.

mod lines;
mod markdown;

use std::collections::HashMap;

use answerplane_artifact::canonical_json;
use answerplane_protocol::{Artifact, Entry, Timestamp};
use serde::Serialize;

pub use lines::{Line, changed_lines};

use crate::outcome::{Outcome, OutcomeName, is_same_entry, same_citations};

/// What changes for a reader, and what else does.
///
/// There are no consequences if and only if every key of both sites comes to the same in both at the instant.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Diff {
    /// What it comes to.
    pub verdict: Verdict,
    /// What changes for a reader, the worst first.
    pub consequences: Vec<Consequence>,
    /// The old site in numbers.
    pub old: Side,
    /// The new site in numbers.
    pub new: Side,
}

/// What a diff comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Both are byte for byte the same.
    Identical,
    /// Only `generatedAt`, and perhaps `expiresAt`, changed: a no-op.
    OnlyTimes,
    /// Something changed that no reader sees, such as the order or the spelling of aliases.
    Unseen,
    /// Readers see a difference.
    Changed,
}

/// What becomes of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// Something was said; now the site has expired.
    Expired,
    /// There was an answer; now it is a miss.
    Lost,
    /// There were choices; now it is a miss.
    Withdrawn,
    /// There was an answer; now it is one of several choices.
    NowAmbiguous,
    /// Another entry answers.
    Moved,
    /// The same entry answers with another text.
    AnswerChanged,
    /// The same entry answers with the same text and other sources.
    CitationsChanged,
    /// Other entries are offered, or others first, or under other labels or aliases.
    ChoicesChanged,
    /// There were choices; now there is an answer.
    NowUnambiguous,
    /// It was a miss; now there are choices.
    Offered,
    /// It was a miss; now there is an answer.
    Answered,
    /// The site had expired; now it says something.
    Revived,
}

impl Change {
    /// Every change, the worst first.
    pub const ALL: &'static [Self] = &[
        Self::Expired,
        Self::Lost,
        Self::Withdrawn,
        Self::NowAmbiguous,
        Self::Moved,
        Self::AnswerChanged,
        Self::CitationsChanged,
        Self::ChoicesChanged,
        Self::NowUnambiguous,
        Self::Offered,
        Self::Answered,
        Self::Revived,
    ];

    /// What it is called for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Expired => "No longer answered: expired",
            Self::Lost => "No longer answered",
            Self::Withdrawn => "No longer offered",
            Self::NowAmbiguous => "Now ambiguous",
            Self::Moved => "Answered by another entry",
            Self::AnswerChanged => "Answer changed",
            Self::CitationsChanged => "Sources changed",
            Self::ChoicesChanged => "Choices changed",
            Self::NowUnambiguous => "No longer ambiguous",
            Self::Offered => "Newly offered",
            Self::Answered => "Newly answered",
            Self::Revived => "Answered again: no longer expired",
        }
    }

    fn between(old: &Outcome<'_>, new: &Outcome<'_>) -> Self {
        use OutcomeName as O;
        match (old, new) {
            (Outcome::Answer(old), Outcome::Answer(new)) if !is_same_entry(*old, *new) => Self::Moved,
            (Outcome::Answer(old), Outcome::Answer(new)) if old.markdown() != new.markdown() => {
                Self::AnswerChanged
            }
            _ => match (old.name(), new.name()) {
                (O::Answer, O::Answer) => Self::CitationsChanged,
                (O::Choices, O::Choices) => Self::ChoicesChanged,
                (_, O::Stale) => Self::Expired,
                (O::Stale, _) => Self::Revived,
                (O::Answer, O::Choices) => Self::NowAmbiguous,
                (O::Choices, O::Answer) => Self::NowUnambiguous,
                (O::Choices, O::Miss) => Self::Withdrawn,
                (O::Miss, O::Choices) => Self::Offered,
                (O::Miss, _) => Self::Answered,
                (_, O::Miss) => Self::Lost,
            },
        }
    }
}

/// Keys to which the same happens.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Consequence {
    /// What becomes of them.
    pub change: Change,
    /// One alias for each key, as it is written in the new site if it is there, otherwise as in the old.
    pub aliases: Vec<String>,
    /// What they came to.
    pub before: View,
    /// What they come to.
    pub after: View,
}

/// An outcome as its reader sees it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct View {
    /// Which it is.
    pub outcome: OutcomeName,
    /// The entry that answers, or those that are offered.
    pub entries: Vec<EntryView>,
    /// The answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub markdown: Option<String>,
    /// Its sources.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub citations: Vec<SourceView>,
}

/// An entry as its reader sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EntryView {
    /// Its id.
    pub id: String,
    /// Its label.
    pub label: String,
    /// What to ask to get just this entry.
    pub own_alias: String,
}

/// A source of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceView {
    /// What a reader sees.
    pub title: String,
    /// Where it is.
    pub href: String,
}

/// A site in numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Side {
    /// How many shards it has.
    pub shards: usize,
    /// How many entries.
    pub entries: usize,
    /// How many aliases.
    pub aliases: usize,
    /// How many different keys.
    pub keys: usize,
    /// How many bytes in canonical form.
    pub bytes: usize,
    /// When its newest shard was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generated_at: Option<String>,
    /// When the first of its shards expires.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
    /// Whether a shard has expired at the instant.
    pub expired: bool,
}

/// What changes for a reader at the instant `at`.
#[must_use]
pub fn diff(old: &[&Artifact], new: &[&Artifact], at: Timestamp) -> Diff {
    let mut consequences: Vec<Consequence> = Vec::new();
    let mut places: HashMap<(Change, Identity<'_>, Identity<'_>), usize> = HashMap::new();
    for alias in aliases(old, new) {
        let (before, after) = (Outcome::of(old, alias, at), Outcome::of(new, alias, at));
        if before.is_alike(&after) {
            continue;
        }
        let change = Change::between(&before, &after);
        let place =
            *places.entry((change, identity(&before), identity(&after))).or_insert(consequences.len());
        match consequences.get_mut(place) {
            Some(consequence) => consequence.aliases.push(alias.to_owned()),
            None => consequences.push(Consequence {
                change,
                aliases: vec![alias.to_owned()],
                before: View::of(&before),
                after: View::of(&after),
            }),
        }
    }
    consequences.sort_by_key(|consequence| consequence.change);
    Diff {
        verdict: verdict(old, new, consequences.is_empty()),
        consequences,
        old: Side::of(old, at),
        new: Side::of(new, at),
    }
}

/// One alias for each key of both sites, in the order of the new one and then of the old one.
fn aliases<'a>(old: &[&'a Artifact], new: &[&'a Artifact]) -> Vec<&'a str> {
    let mut known: std::collections::HashSet<&str> = std::collections::HashSet::new();
    let mut aliases = Vec::new();
    for entry in new.iter().chain(old).flat_map(|shard| shard.entries()) {
        for (alias, key) in entry.aliases().zip(entry.keys()) {
            if known.insert(key) {
                aliases.push(alias);
            }
        }
    }
    aliases
}

/// What tells one outcome from another: the entries, by id and answer.
type Identity<'a> = Vec<(&'a str, &'a str)>;

fn identity<'a>(outcome: &Outcome<'a>) -> Identity<'a> {
    outcome.entries().iter().map(|entry| (entry.id(), entry.markdown())).collect()
}

fn verdict(old: &[&Artifact], new: &[&Artifact], is_quiet: bool) -> Verdict {
    let pairs = || old.iter().zip(new);
    let same_shards = old.len() == new.len();
    if same_shards && pairs().all(|(old, new)| canonical_json(old) == canonical_json(new)) {
        Verdict::Identical
    } else if !is_quiet {
        Verdict::Changed
    } else if same_shards && pairs().all(|(old, new)| same_but_for_times(old, new)) {
        Verdict::OnlyTimes
    } else {
        Verdict::Unseen
    }
}

fn same_but_for_times(old: &Artifact, new: &Artifact) -> bool {
    old.artifact_id() == new.artifact_id()
        && old.site_id() == new.site_id()
        && old.entries().len() == new.entries().len()
        && old.entries().zip(new.entries()).all(|(old, new)| same_entry(old, new))
}

fn same_entry(old: Entry<'_>, new: Entry<'_>) -> bool {
    (old.id(), old.kind(), old.label(), old.markdown()) == (new.id(), new.kind(), new.label(), new.markdown())
        && old.aliases().eq(new.aliases())
        && same_citations(old, new)
}

impl View {
    fn of(outcome: &Outcome<'_>) -> Self {
        let entries = outcome.entries().iter().map(|entry| EntryView {
            id: entry.id().to_owned(),
            label: entry.label().to_owned(),
            own_alias: entry.own_alias().to_owned(),
        });
        let answer = match outcome {
            Outcome::Answer(entry) => Some(*entry),
            _ => None,
        };
        let citations = answer.into_iter().flat_map(Entry::citations);
        Self {
            outcome: outcome.name(),
            entries: entries.collect(),
            markdown: answer.map(|entry| entry.markdown().to_owned()),
            citations: citations
                .map(|source| SourceView { title: source.title().to_owned(), href: source.href().to_owned() })
                .collect(),
        }
    }
}

impl Side {
    fn of(shards: &[&Artifact], at: Timestamp) -> Self {
        let entries = || shards.iter().flat_map(|shard| shard.entries());
        let keys: std::collections::HashSet<&str> = entries().flat_map(Entry::keys).collect();
        let newest = shards.iter().map(|shard| shard.generated_at()).max_by_key(|time| time.timestamp());
        let first = shards.iter().filter_map(|shard| shard.expires_at()).min_by_key(|time| time.timestamp());
        Self {
            shards: shards.len(),
            entries: entries().count(),
            aliases: entries().map(|entry| entry.aliases().len()).sum(),
            keys: keys.len(),
            bytes: shards.iter().map(|shard| canonical_json(shard).len()).sum(),
            generated_at: newest.map(ToString::to_string),
            expires_at: first.map(ToString::to_string),
            expired: shards.iter().any(|shard| shard.is_expired(at)),
        }
    }
}
