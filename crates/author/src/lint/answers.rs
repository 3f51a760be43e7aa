//! The rule about answers: entries that say the same, or nearly so.
//!
//! Texts are compared by the pieces of six characters that they are made of. A sketch of these (MinHash) is cut into
//! bands; only texts with a band in common are compared, each with the first and the last that had the band, so the
//! work grows with the length of the texts and not with their number squared.

use std::collections::{HashMap, HashSet};

use answerplane_normalize::normalize_key;

use crate::characters::quoted;
use crate::diagnostic::{Diagnostic, Place};
use crate::lint::site::LintSite;
use crate::rule::Rule;

/// The share of pieces that near-duplicates have in common.
const NEAR: f64 = 0.8;
/// The length of a piece in characters.
const PIECE: usize = 6;
/// Shorter texts, in characters, are never near-duplicates, and duplicates only with the same links.
const SHORT: usize = 40;
const BANDS: usize = 16;
const ROWS: usize = 4;
/// How many other places a finding names.
const RELATED: usize = 16;

pub(super) fn lint(site: &LintSite<'_>, findings: &mut Vec<Diagnostic>) {
    let mut sets = Sets::new(site.entries.len());
    let mut by_text: HashMap<(&str, Option<&[String]>), usize> = HashMap::new();
    let mut representatives: Vec<usize> = Vec::new();
    for (entry, number) in site.entries.iter().zip(0..) {
        let text = entry.prose.key.as_str();
        if text.is_empty() {
            continue;
        }
        let is_short = text.chars().count() < SHORT;
        let links = is_short.then_some(entry.prose.links.as_slice());
        match by_text.get(&(text, links)) {
            Some(first) => sets.join(*first, number),
            None => {
                by_text.insert((text, links), number);
                if !is_short {
                    representatives.push(number);
                }
            }
        }
    }
    join_near(site, &representatives, &mut sets);

    let mut groups: HashMap<usize, Vec<usize>> = HashMap::new();
    for number in 0..site.entries.len() {
        groups.entry(sets.root(number)).or_default().push(number);
    }
    for group in groups.values_mut() {
        // Entries that continue one stand for it.
        let mut bases: HashSet<&str> = HashSet::new();
        group.retain(|number| bases.insert(site.entries[*number].base));
    }
    for group in groups.into_values().filter(|group| group.len() > 1) {
        let first = site.entry(group[0]);
        let same =
            group.iter().all(|number| site.entries[*number].prose.key == site.entries[group[0]].prose.key);
        let how = if same { "the same" } else { "nearly the same" };
        let rest: Vec<String> =
            group.iter().skip(1).take(3).map(|number| quoted(&site.entry(*number).id)).collect();
        let more = match group.len().saturating_sub(4) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let what = format!("{} answers {how} as {}{more}", quoted(&first.id), rest.join(", "));
        let related: Vec<Place> =
            group.iter().skip(1).take(RELATED).map(|number| site.entry(*number).place.clone()).collect();
        findings.push(Diagnostic::new(Rule::LintNearDuplicate, first.place.clone(), what).with(related));
    }
}

fn join_near(site: &LintSite<'_>, representatives: &[usize], sets: &mut Sets) {
    let pieces: Vec<HashSet<u64>> =
        representatives.iter().map(|number| pieces(&site.entries[*number].prose.key)).collect();
    let mut buckets: HashMap<(usize, u64), (usize, usize)> = HashMap::new();
    for (place, set) in pieces.iter().enumerate() {
        for (band, hash) in bands(set).into_iter().enumerate() {
            let Some((first, last)) = buckets.get_mut(&(band, hash)) else {
                buckets.insert((band, hash), (place, place));
                continue;
            };
            for other in [*first, *last] {
                let (one, two) = (representatives[other], representatives[place]);
                if sets.root(one) != sets.root(two)
                    && are_near(&pieces[other], set)
                    && !say_which(site, one, two)
                {
                    sets.join(one, two);
                }
            }
            *last = place;
        }
    }
}

/// Whether both answers name their own entry and not the other: then they are of one template, and not the same.
fn say_which(site: &LintSite<'_>, one: usize, two: usize) -> bool {
    let says = |answer: usize, entry: usize| {
        let label = normalize_key(&site.entry(entry).label);
        !label.is_empty() && site.entries[answer].prose.key.contains(label.as_str())
    };
    says(one, one) && says(two, two) && !says(one, two) && !says(two, one)
}

fn are_near(one: &HashSet<u64>, two: &HashSet<u64>) -> bool {
    let common = one.intersection(two).count();
    common as f64 >= NEAR * (one.len() + two.len() - common) as f64
}

fn pieces(text: &str) -> HashSet<u64> {
    let characters: Vec<u32> = text.chars().map(u32::from).collect();
    characters.windows(PIECE).map(|piece| piece.iter().fold(0, |hash, c| mix(hash ^ u64::from(*c)))).collect()
}

/// One hash for each band of the sketch of a set.
fn bands(pieces: &HashSet<u64>) -> [u64; BANDS] {
    let mut least = [u64::MAX; BANDS * ROWS];
    for piece in pieces {
        for (row, least) in least.iter_mut().enumerate() {
            *least = (*least).min(mix(piece.wrapping_add((row as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))));
        }
    }
    let mut bands = [0; BANDS];
    for (band, rows) in bands.iter_mut().zip(least.chunks(ROWS)) {
        *band = rows.iter().fold(0, |hash, row| mix(hash ^ row));
    }
    bands
}

/// The finalizer of SplitMix64.
fn mix(value: u64) -> u64 {
    let value =
        (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// Disjoint sets of numbers.
struct Sets(Vec<usize>);

impl Sets {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn root(&mut self, mut number: usize) -> usize {
        while self.0[number] != number {
            self.0[number] = self.0[self.0[number]];
            number = self.0[number];
        }
        number
    }

    fn join(&mut self, one: usize, two: usize) {
        let (one, two) = (self.root(one), self.root(two));
        // The smaller number stays the root, so that the order of entries is kept.
        self.0[one.max(two)] = one.min(two);
    }
}

#[cfg(test)]
mod tests {
    use super::{are_near, bands, pieces};

    #[test]
    fn texts_are_near_when_little_differs() {
        let text =
            "the garden is open every day from 7:00 until sunset, and the last person out closes the gate";
        let near = text.replace("7:00", "8:00");
        let far = text.replace("garden", "tool shed").replace("every day", "on wednesday");
        let set = pieces(text);
        assert!(are_near(&set, &set));
        assert!(are_near(&set, &pieces(&near)));
        assert!(!are_near(&set, &pieces(&far)));
        assert_eq!(bands(&set), bands(&pieces(text)));
    }
}
