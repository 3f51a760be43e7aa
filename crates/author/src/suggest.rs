//! What people asked in vain, as proposals: aliases of entries that are there, and stubs of entries that are not.
//!
//! Every proposal is for a person to review. It is made from words and pieces of words that queries and declared
//! aliases have in common, rare ones counting more; no model takes part. An alias is proposed only where one entry is
//! clearly nearer than every other: a wrong alias costs a reader a wrong answer, a missing one a missed one.

mod similar;
mod source;

use std::collections::{HashMap, HashSet};

use answerplane_normalize::{normalize_key, utf16_len};
use answerplane_protocol::{Artifact, Entry, Timestamp};
use serde::Serialize;

use crate::characters::unseen;
use crate::lint::TYPED_UNITS;
use crate::outcome::{Outcome, base_id};
use crate::plan::ids::sanitize;
use crate::queries::Query;
use crate::suggest::similar::Similar;

/// How like its aliases a query has to be to be proposed for an entry; 1 is the same words.
const LIKE: f64 = 0.3;
/// How much nearer than every other entry it has to be.
const MARGIN: f64 = 0.22;
/// Queries that are this like an entry are not proposed as new ones.
const UNLIKE: f64 = 0.25;
/// How like queries have to be to go into one stub.
const TOGETHER: f64 = 0.6;
/// How often the queries of a stub have to be asked.
const ASKED: usize = 2;

/// Proposals for a person to review.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Suggestions {
    /// How many queries were missed.
    pub missed: usize,
    /// Aliases of entries that are there, by entry in the order of the site.
    pub proposals: Vec<Proposal>,
    /// Entries that are not there, the most asked first.
    pub stubs: Vec<Stub>,
    /// How many missed queries no proposal covers.
    pub left: usize,
}

/// An alias of an entry that is there.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Proposal {
    /// The id of the entry.
    pub entry: String,
    /// What was asked.
    pub alias: String,
    /// How often.
    pub queries: usize,
    /// How like it is to aliases of the entry, from 0 to 1.
    pub like: f64,
    /// How much more like than to those of the next entry.
    pub margin: f64,
    /// The alias it is most like.
    pub declared: String,
}

/// An entry that is not there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Stub {
    /// An id that no entry has.
    pub id: String,
    /// The query that was asked most.
    pub label: String,
    /// What was asked, the most frequent first; at most 16.
    pub aliases: Vec<String>,
    /// How often, together.
    pub queries: usize,
}

/// A missed query, and how often it was asked.
struct Miss<'q> {
    text: &'q str,
    queries: usize,
}

/// Proposals from the queries that nobody declared at the instant `at`.
#[must_use]
pub fn suggest(shards: &[&Artifact], queries: &[Query], at: Timestamp) -> Suggestions {
    let misses = misses(shards, queries, at);
    let missed = misses.iter().map(|miss| miss.queries).sum();
    let bases = bases(shards);
    let mut similar = Similar::new();
    for (entry, base) in &bases.entries {
        for (alias, key) in entry.aliases().zip(entry.keys()) {
            similar.declare(*base, alias, key);
        }
    }
    similar.weigh();

    let mut proposals: Vec<(usize, Proposal)> = Vec::new();
    let mut unknown: Vec<&Miss<'_>> = Vec::new();
    for miss in &misses {
        let key = normalize_key(miss.text);
        let Some(best) = similar.best(key.as_str()) else {
            unknown.push(miss);
            continue;
        };
        if best.like >= LIKE && best.margin >= MARGIN {
            let proposal = Proposal {
                entry: bases.ids[best.group].to_owned(),
                alias: miss.text.to_owned(),
                queries: miss.queries,
                like: best.like,
                margin: best.margin,
                declared: best.alias.to_owned(),
            };
            proposals.push((best.group, proposal));
        } else if best.like < UNLIKE {
            unknown.push(miss);
        }
    }
    proposals.sort_by_key(|(group, proposal)| (*group, std::cmp::Reverse(proposal.queries)));
    let proposals: Vec<Proposal> = proposals.into_iter().map(|(_, proposal)| proposal).collect();
    let stubs = stubs(&similar, &unknown, &bases.ids);
    let covered: usize = proposals.iter().map(|proposal| proposal.queries).sum::<usize>()
        + stubs.iter().map(|stub| stub.queries).sum::<usize>();
    Suggestions { missed, proposals, stubs, left: missed - covered }
}

/// The missed queries that can be declared as they are, once for each key, the most frequent first.
fn misses<'q>(shards: &[&Artifact], queries: &'q [Query], at: Timestamp) -> Vec<Miss<'q>> {
    let mut misses: Vec<Miss<'q>> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for query in queries {
        let text = answerplane_normalize::trim(&query.text);
        let can_be_declared = !text.is_empty() && utf16_len(text) <= TYPED_UNITS && unseen(text).is_empty();
        if !can_be_declared || !matches!(Outcome::of(shards, text, at), Outcome::Miss) {
            continue;
        }
        let place = *places.entry(normalize_key(text).into_cow().into_owned()).or_insert(misses.len());
        match misses.get_mut(place) {
            Some(miss) => miss.queries += 1,
            None => misses.push(Miss { text, queries: 1 }),
        }
    }
    misses.sort_by_key(|miss| std::cmp::Reverse(miss.queries));
    misses
}

/// The entries of a site, those that continue one under its number.
struct Bases<'a> {
    entries: Vec<(Entry<'a>, usize)>,
    ids: Vec<&'a str>,
}

fn bases<'a>(shards: &[&'a Artifact]) -> Bases<'a> {
    let all: Vec<Entry<'a>> = shards.iter().flat_map(|shard| shard.entries()).collect();
    let by_id: HashMap<&str, Entry<'a>> = all.iter().map(|entry| (entry.id(), *entry)).collect();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut ids: Vec<&'a str> = Vec::new();
    let entries = all.iter().map(|entry| {
        let is_same = |base: &str| {
            by_id
                .get(base)
                .is_some_and(|base| base.label() == entry.label() && base.markdown() == entry.markdown())
        };
        let id = base_id(entry.id(), is_same);
        let number = *numbers.entry(id).or_insert_with(|| {
            ids.push(id);
            ids.len() - 1
        });
        (*entry, number)
    });
    Bases { entries: entries.collect(), ids }
}

/// Queries that are like no entry, put together with those that they are like.
fn stubs(similar: &Similar<'_>, unknown: &[&Miss<'_>], ids: &[&str]) -> Vec<Stub> {
    let keys: Vec<String> =
        unknown.iter().map(|miss| normalize_key(miss.text).into_cow().into_owned()).collect();
    let mut taken: HashSet<String> = ids.iter().map(|id| (*id).to_owned()).collect();
    let mut stubs: Vec<Stub> = Vec::new();
    for group in similar.together(&keys, TOGETHER) {
        let queries = group.iter().map(|number| unknown[*number].queries).sum();
        if queries < ASKED {
            continue;
        }
        let label = unknown[group[0]].text;
        let wanted = sanitize(&label.to_lowercase()).unwrap_or_else(|| "entry".to_owned());
        let mut id = wanted.clone();
        let mut number = 2;
        while !taken.insert(id.clone()) {
            id = format!("{}-{number}", answerplane_normalize::truncate_utf16(&wanted, 120));
            number += 1;
        }
        let aliases = group.iter().take(16).map(|number| unknown[*number].text.to_owned()).collect();
        stubs.push(Stub { id, label: label.to_owned(), aliases, queries });
    }
    stubs.sort_by_key(|stub| std::cmp::Reverse(stub.queries));
    stubs
}
