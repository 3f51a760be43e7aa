//! Which declared keys are near a text: by what differs, and by the variant rule that would have made them the same.
//!
//! For authors only. Nothing of this exists where queries are answered.

use std::collections::HashMap;

use answerplane_normalize::normalize_key;
use answerplane_protocol::{Artifact, Entry};

use crate::plan::variants::{VariantRule, variants};

/// An alias and its entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Declared<'a> {
    pub(crate) alias: &'a str,
    pub(crate) key: &'a str,
    pub(crate) entry: Entry<'a>,
}

/// Every alias of a site, to be searched by what is near.
pub(crate) struct Aliases<'a> {
    pub(crate) all: Vec<Declared<'a>>,
    by_skeleton: HashMap<String, Vec<usize>>,
}

impl<'a> Aliases<'a> {
    pub(crate) fn new(shards: &[&'a Artifact]) -> Self {
        let mut all = Vec::new();
        let mut by_skeleton: HashMap<String, Vec<usize>> = HashMap::new();
        for entry in shards.iter().flat_map(|shard| shard.entries()) {
            for (alias, key) in entry.aliases().zip(entry.keys()) {
                by_skeleton.entry(skeleton(key)).or_default().push(all.len());
                all.push(Declared { alias, key, entry });
            }
        }
        Self { all, by_skeleton }
    }

    /// The first variant rule that makes a declared alias into this key, and the alias.
    pub(crate) fn variant_of(&self, key: &str) -> Option<(VariantRule, Declared<'a>)> {
        let candidates = self.by_skeleton.get(&skeleton(key))?;
        let rule = |number: &usize| {
            let declared = self.all[*number];
            let rules = variants(declared.alias, declared.entry.kind(), &[]);
            let (rule, _) = rules.into_iter().find(|(_, text)| normalize_key(text).as_str() == key)?;
            Some((rule, declared))
        };
        candidates.iter().filter_map(rule).min_by_key(|(rule, _)| *rule)
    }

    /// The aliases of the keys with the fewest edits from this one, at most `count` and of different entries; an edit
    /// inserts, removes, replaces or swaps characters. Those that share less than half with it are left out, unless they
    /// have the same letters and digits.
    pub(crate) fn nearest(&self, key: &str, count: usize) -> Vec<(usize, Declared<'a>)> {
        let asked = Spelled::of(key);
        let letters = skeleton(key);
        let same_letters = self.by_skeleton.get(&letters).filter(|_| !letters.is_empty());
        let is_same = |number: usize| same_letters.is_some_and(|same| same.binary_search(&number).is_ok());
        let mut order: Vec<(usize, usize)> = self
            .all
            .iter()
            .enumerate()
            .filter_map(|(number, declared)| {
                let least = asked.least_edits(declared.key);
                let most = asked.characters.len().max(declared.key.chars().count()) / 2;
                (least <= most || is_same(number)).then_some((least, number))
            })
            .collect();
        order.sort_unstable();
        let mut nearest: Vec<(usize, Declared<'a>)> = Vec::new();
        let mut compared = 0;
        for (least, number) in order {
            let worst = nearest.last().map_or(usize::MAX, |(edits, _)| *edits);
            compared += asked.characters.len().max(1);
            // Long texts are compared with fewer others, so that the time stays bounded.
            if (nearest.len() == count && least >= worst) || compared > MAX_COMPARED {
                break;
            }
            let declared = self.all[number];
            let characters: Vec<char> = declared.key.chars().collect();
            let edits = edits(&asked.characters, &characters);
            if edits > asked.characters.len().max(characters.len()) / 2 && !is_same(number) {
                continue;
            }
            match nearest.iter().position(|(_, other)| other.entry.id() == declared.entry.id()) {
                Some(place) if nearest[place].0 <= edits => continue,
                Some(place) => drop(nearest.remove(place)),
                None => {}
            }
            let place = nearest.partition_point(|(other, _)| *other <= edits);
            nearest.insert(place, (edits, declared));
            nearest.truncate(count);
        }
        nearest
    }
}

/// How many characters of queries are compared with others in one search.
const MAX_COMPARED: usize = 400_000;

/// The letters and digits of a key, which no variant rule changes but for what stands before commands.
fn skeleton(key: &str) -> String {
    let bare = key.trim_start_matches(['$', ' ', '`']);
    let bare = bare.strip_prefix("npx ").unwrap_or(bare);
    bare.chars().filter(|character| character.is_alphanumeric()).collect()
}

/// A text as its characters and how often each group of them occurs.
struct Spelled {
    characters: Vec<char>,
    counts: [i32; GROUPS],
}

const GROUPS: usize = 64;

impl Spelled {
    fn of(text: &str) -> Self {
        Self { characters: text.chars().collect(), counts: counts(text) }
    }

    /// No fewer edits than these turn one text into the other: each edit changes two counts at most by one.
    fn least_edits(&self, other: &str) -> usize {
        let (mut more, mut fewer) = (0, 0);
        for (one, two) in self.counts.iter().zip(counts(other)) {
            match one - two {
                difference @ 1.. => more += difference,
                difference => fewer -= difference,
            }
        }
        usize::try_from(more.max(fewer)).unwrap_or(0)
    }
}

fn counts(text: &str) -> [i32; GROUPS] {
    let mut counts = [0; GROUPS];
    for character in text.chars() {
        counts[u32::from(character) as usize % GROUPS] += 1;
    }
    counts
}

/// The fewest insertions, removals, replacements and swaps of neighbours that turn one text into the other.
fn edits(one: &[char], two: &[char]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=two.len()).collect();
    for (row, character) in one.iter().enumerate() {
        let mut next = Vec::with_capacity(last.len());
        next.push(row + 1);
        for (column, other) in two.iter().enumerate() {
            let replaced = last[column] + usize::from(character != other);
            let mut least = replaced.min(last[column + 1] + 1).min(next[column] + 1);
            if row > 0 && column > 0 && *character == two[column - 1] && one[row - 1] == *other {
                least = least.min(before_last[column - 1] + 1);
            }
            next.push(least);
        }
        before_last = std::mem::replace(&mut last, next);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{Spelled, edits};

    fn distance(one: &str, two: &str) -> usize {
        let spelled = |text: &str| text.chars().collect::<Vec<char>>();
        let edits = edits(&spelled(one), &spelled(two));
        assert!(Spelled::of(one).least_edits(two) <= edits, "{one} {two}");
        edits
    }

    #[test]
    fn edits_are_counted() {
        for (one, two, edits) in [
            ("", "", 0),
            ("", "abc", 3),
            ("kitten", "sitting", 3),
            ("instal", "install", 1),
            ("teh", "the", 1),
            ("kayıt nasıl", "kayit nasil", 2),
            ("a", "b", 1),
        ] {
            assert_eq!((distance(one, two), distance(two, one)), (edits, edits), "{one} {two}");
        }
    }
}
