//! Why a query comes to what it does: the steps of normalization, the outcome, and on a miss what was near.
//!
//! For authors only. Nothing of this exists where queries are answered.

mod reasons;
mod steps;

use answerplane_normalize::{normalize_key, utf16_len};
use answerplane_protocol::{Artifact, Timestamp};
use serde::Serialize;

pub use reasons::{Difference, Near, Reason, WouldMatch};
pub use steps::{Fate, Special, Step, steps};

use crate::near::Aliases;
use crate::outcome::{Outcome, OutcomeName};

/// Why a query comes to what it does.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// What was asked.
    pub query: String,
    /// The steps from the query to its key, in order.
    pub steps: Vec<Step>,
    /// The characters of the query that are not plain letters, digits, signs and spaces of ASCII; the first 64.
    pub special: Vec<Special>,
    /// The key: what is compared.
    pub key: String,
    /// What it comes to.
    pub outcome: OutcomeName,
    /// The entries that answer or are offered.
    pub entries: Vec<Found>,
    /// On a miss why, the most telling first.
    pub reasons: Vec<Reason>,
    /// On a miss the nearest declared keys, at most three and of different entries, the nearest first.
    pub nearest: Vec<Near>,
}

/// An entry that answers or is offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// Its id.
    pub id: String,
    /// Its label.
    pub label: String,
    /// The alias with the key of the query, as it was declared.
    pub alias: String,
}

/// Why `query` comes to what it does at the instant `at`.
#[must_use]
pub fn explain(shards: &[&Artifact], query: &str, at: Timestamp) -> Explanation {
    let key = normalize_key(query);
    let outcome = Outcome::of(shards, query, at);
    let entries = outcome.entries().iter().map(|entry| {
        let alias = entry.aliases().zip(entry.keys()).find(|(_, declared)| *declared == key.as_str());
        Found {
            id: entry.id().to_owned(),
            label: entry.label().to_owned(),
            alias: alias.map_or_else(String::new, |(alias, _)| alias.to_owned()),
        }
    });
    let is_miss = matches!(outcome, Outcome::Miss);
    let aliases = if is_miss { Aliases::new(shards) } else { Aliases::new(&[]) };
    let nearest: Vec<Near> = if utf16_len(key.as_str()) > 512 {
        Vec::new()
    } else {
        let nearest = aliases.nearest(key.as_str(), 3).into_iter();
        nearest.map(|(edits, declared)| Near::new(query, key.as_str(), edits, &declared)).collect()
    };
    let reasons = match &outcome {
        Outcome::Miss => reasons::of_miss(shards, &aliases, query, &nearest, at),
        Outcome::Stale => vec![Reason::Expired],
        _ => Vec::new(),
    };
    Explanation {
        query: query.to_owned(),
        steps: steps(query),
        special: steps::special(query),
        entries: entries.collect(),
        outcome: outcome.name(),
        key: key.into_cow().into_owned(),
        reasons,
        nearest,
    }
}
