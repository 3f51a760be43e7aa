//! What share of real queries a site answers, and what would win the others.

use std::collections::HashMap;

use answerplane_normalize::normalize_key;
use answerplane_protocol::{Artifact, Timestamp};
use serde::Serialize;

use crate::explain::Near;
use crate::near::Aliases;
use crate::outcome::{Outcome, base_id};
use crate::plan::variants::VariantRule;
use crate::queries::Query;

/// For how many of the most frequent misses the nearest alias is looked for.
const SEARCHED: usize = 20;

/// What share of queries a site answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Coverage {
    /// How many queries there are.
    pub queries: usize,
    /// How many different keys they have.
    pub keys: usize,
    /// How many queries are answered.
    pub answers: usize,
    /// How many become choices.
    pub choices: usize,
    /// How many nobody declared.
    pub misses: usize,
    /// How many only an expired shard could know.
    pub stale: usize,
    /// How the answers and choices compare with the intents, where the queries name any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intents: Option<Intents>,
    /// Which misses each variant rule would win, the most first.
    pub variants: Vec<VariantShare>,
    /// The misses by key, the most frequent first.
    pub top_misses: Vec<MissGroup>,
}

/// How outcomes compare with the entries that were meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Intents {
    /// How many queries name the entry that is meant.
    pub named: usize,
    /// How many of them get just this entry, or choices with it.
    pub right: usize,
    /// How many of them get another entry, or choices without it.
    pub wrong: usize,
}

/// What a variant rule would win.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct VariantShare {
    /// The rule.
    pub rule: VariantRule,
    /// How many missed queries it would have declared.
    pub queries: usize,
    /// One of them.
    pub example: String,
}

/// Missed queries of one key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MissGroup {
    /// The key.
    pub key: String,
    /// The first of the queries.
    pub example: String,
    /// How many there are.
    pub queries: usize,
    /// The nearest declared alias, where the group is frequent enough to look for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest: Option<Near>,
}

/// What share of `queries` is answered at the instant `at`, and what would win the others.
#[must_use]
pub fn coverage(shards: &[&Artifact], queries: &[Query], at: Timestamp) -> Coverage {
    let mut coverage = Coverage { queries: queries.len(), ..Coverage::default() };
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut groups: Vec<MissGroup> = Vec::new();
    let mut keys: std::collections::HashSet<String> = std::collections::HashSet::new();
    for query in queries {
        let outcome = Outcome::of(shards, &query.text, at);
        let key = normalize_key(&query.text).into_cow().into_owned();
        match &outcome {
            Outcome::Answer(_) => coverage.answers += 1,
            Outcome::Choices(_) => coverage.choices += 1,
            Outcome::Stale => coverage.stale += 1,
            Outcome::Miss => {
                coverage.misses += 1;
                let place = *known.entry(key.clone()).or_insert(groups.len());
                match groups.get_mut(place) {
                    Some(group) => group.queries += 1,
                    None => groups.push(MissGroup {
                        key: key.clone(),
                        example: query.text.clone(),
                        queries: 1,
                        nearest: None,
                    }),
                }
            }
        }
        if let Some(intent) = &query.intent {
            let intents = coverage.intents.get_or_insert_default();
            intents.named += 1;
            let is_it = |id: &str| id == intent || base_id(id, |base| base == intent) == intent;
            match outcome.entries() {
                [] => {}
                entries if entries.iter().any(|entry| is_it(entry.id())) => intents.right += 1,
                _ => intents.wrong += 1,
            }
        }
        keys.insert(key);
    }
    coverage.keys = keys.len();
    groups.sort_by_key(|group| std::cmp::Reverse(group.queries));
    let aliases = Aliases::new(shards);
    coverage.variants = variants(&aliases, &groups);
    for group in groups.iter_mut().take(SEARCHED) {
        let nearest = aliases.nearest(&group.key, 1).into_iter().next();
        group.nearest =
            nearest.map(|(edits, declared)| Near::new(&group.example, &group.key, edits, &declared));
    }
    coverage.top_misses = groups;
    coverage
}

fn variants(aliases: &Aliases<'_>, groups: &[MissGroup]) -> Vec<VariantShare> {
    let mut shares: Vec<VariantShare> = Vec::new();
    for group in groups {
        let Some((rule, _)) = aliases.variant_of(&group.key) else { continue };
        match shares.iter_mut().find(|share| share.rule == rule) {
            Some(share) => share.queries += group.queries,
            None => {
                shares.push(VariantShare { rule, queries: group.queries, example: group.example.clone() })
            }
        }
    }
    shares.sort_by_key(|share| (std::cmp::Reverse(share.queries), share.rule));
    shares
}
