//! What people type instead of what was declared, over real sites; and how soon completion offers an entry.
//!
//! The figures stand in `docs/reach.md`; with `ANSWERPLANE_WRITE=1` the tests write them there.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use answerplane_artifact::VerifiedArtifact;
use answerplane_author::config::{Format, Overflow, SourceConfig};
use answerplane_normalize::normalize_key;
use answerplane_protocol::{Artifact, SiteConfig, Timestamp};
use answerplane_resolver::complete::Completer;
use answerplane_resolver::{Resolution, Resolver};

use crate::built::{build, config_of, shared};
use crate::page::compare;

const SITES: [&str; 3] = ["docs-2026-07-13", "playbook-2026-07-14", "playbook-2026-07-20"];

/// The texts that a slip makes of an alias.
type Mutate = fn(&str) -> Vec<String>;

/// The single slips, by name.
const MUTATIONS: &[(&str, Mutate)] = &[
    ("final `?`", |alias| vec![ended(alias, "?")]),
    ("final `.`", |alias| vec![ended(alias, ".")]),
    ("final `!`", |alias| vec![ended(alias, "!")]),
    ("curly quotes", |alias| swapped(alias, &[("\"", "“"), ("\"", "”")])),
    ("curly apostrophe", |alias| swapped(alias, &[("'", "’")])),
    ("en dash", |alias| swapped(alias, &[("-", "–")])),
    ("hyphen → space", |alias| swapped(alias, &[("-", " ")])),
    ("space → hyphen", |alias| swapped(alias, &[(" ", "-")])),
    ("capitals", |alias| vec![alias.to_uppercase()]),
    ("padding", |alias| vec![format!("  {alias}\t")]),
    ("full width", |alias| vec![alias.chars().map(wide).collect()]),
];

fn ended(alias: &str, end: &str) -> String {
    format!("{}{end}", alias.trim_end_matches(['?', '.', '!']))
}

fn swapped(alias: &str, pairs: &[(&str, &str)]) -> Vec<String> {
    pairs.iter().filter(|(from, _)| alias.contains(from)).map(|(from, to)| alias.replace(from, to)).collect()
}

fn wide(character: char) -> char {
    match character {
        '!'..='~' => char::from_u32(u32::from(character) + 0xfee0).unwrap(),
        _ => character,
    }
}

/// The number of a continuation is no part of what an entry is.
fn base(id: &str, known: &BTreeSet<String>) -> String {
    match id.rsplit_once('.') {
        Some((base, number)) if number.parse::<u32>().is_ok() && known.contains(base) => base.into(),
        _ => id.into(),
    }
}

#[derive(Default)]
struct Tally {
    asked: usize,
    reached: usize,
    missed: usize,
    meant: usize,
    another: usize,
}

impl Tally {
    fn share(&self) -> f64 {
        100.0 * self.reached as f64 / self.asked.max(1) as f64
    }
}

struct Reach {
    by_mutation: BTreeMap<usize, Tally>,
    all: Tally,
    bytes: usize,
    entries: usize,
    shards: usize,
}

fn reach(original: &Artifact, file: &Path, variants: bool) -> Reach {
    let mut config =
        config_of(SourceConfig { format: Some(Format::Artifact), ..SourceConfig::of_path(file) });
    config.policy.variants = variants;
    config.policy.overflow = Overflow::Continue;
    let built = build(&config);
    let shards: Vec<VerifiedArtifact> = built.verified();
    let now = Timestamp::from_millis(built.now);
    let known: BTreeSet<String> = original.entries().map(|entry| entry.id().to_owned()).collect();
    let resolver = Resolver::over_shards(shards.iter().cloned().map(Ok::<_, ()>));
    let completer = Completer::new(shards.iter().cloned());
    let mut reach = Reach {
        by_mutation: BTreeMap::new(),
        all: Tally::default(),
        bytes: built.emission.shards.iter().map(|shard| shard.artifact.len()).sum(),
        entries: shards.iter().map(|shard| shard.entries().len()).sum(),
        shards: shards.len(),
    };
    for entry in original.entries() {
        for alias in entry.aliases() {
            for ((_, mutate), number) in MUTATIONS.iter().zip(0..) {
                for text in mutate(alias) {
                    let mut tally = Tally { asked: 1, ..Tally::default() };
                    let found: Vec<String> = match resolver.resolve(&text, now) {
                        Resolution::Answer(answer) => vec![base(answer.entry().id(), &known)],
                        Resolution::Choices(offer) => {
                            offer.entries().map(|entry| base(entry.id(), &known)).collect()
                        }
                        Resolution::Escalation(_) => Vec::new(),
                    };
                    let is_declared = original.matching(&normalize_key(&text)).len() > 0;
                    if found.iter().any(|id| id == entry.id()) {
                        tally.reached = 1;
                    } else if found.is_empty() {
                        tally.missed = 1;
                        let meant = completer.did_you_mean(&text, now);
                        let is_meant = meant.iter().any(|meant| base(meant.entry_id(), &known) == entry.id());
                        tally.meant = usize::from(is_meant);
                    } else if is_declared {
                        // Somebody declared just this text for another entry.
                        continue;
                    } else {
                        tally.another = 1;
                    }
                    for sum in [&mut reach.all, reach.by_mutation.entry(number).or_default()] {
                        sum.asked += tally.asked;
                        sum.reached += tally.reached;
                        sum.missed += tally.missed;
                        sum.meant += tally.meant;
                        sum.another += tally.another;
                    }
                }
            }
        }
    }
    reach
}

#[test]
fn slips_reach_what_was_meant() {
    let Some(sites) = shared("real/sites") else { return };
    let mut page = String::from(
        "| site | aliases as published | with variants | bytes | entries | shards |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    let mut rows = String::new();
    let mut misses = String::new();
    for site in SITES {
        let folder = sites.join(site);
        let config = SiteConfig::decode(std::fs::read(folder.join("site-config.json")).unwrap()).unwrap();
        let file = folder.join("knowledge.json");
        let original = VerifiedArtifact::verify(std::fs::read(&file).unwrap(), &config.trust()).unwrap();
        let without = reach(&original, &file, false);
        let with = reach(&original, &file, true);
        assert_eq!((without.all.another, with.all.another), (0, 0), "{site}: nothing leads astray");
        assert!(with.all.share() >= 95.0, "{site}: {:.1} %", with.all.share());
        assert!(
            with.all.meant * 100 >= with.all.missed * 95,
            "{site}: {} of {}",
            with.all.meant,
            with.all.missed
        );
        writeln!(
            page,
            "| `{site}` | {:.1} % | {:.1} % | {} → {} | {} → {} | {} → {} |",
            without.all.share(),
            with.all.share(),
            without.bytes,
            with.bytes,
            without.entries,
            with.entries,
            without.shards,
            with.shards,
        )
        .unwrap();
        writeln!(
            misses,
            "| `{site}` | {} of {} | {} of {} |",
            without.all.meant, without.all.missed, with.all.meant, with.all.missed
        )
        .unwrap();
        for ((name, _), number) in MUTATIONS.iter().zip(0..) {
            let share = |reach: &Reach| {
                reach.by_mutation.get(&number).map_or("—".into(), |tally| format!("{:.1} %", tally.share()))
            };
            writeln!(rows, "| `{site}` | {name} | {} | {} |", share(&without), share(&with)).unwrap();
        }
    }
    page += "\nOf the slips that miss, so many show their entry among the three of \"did you mean\":\n\n";
    page += "| site | as published | with variants |\n| --- | --- | --- |\n";
    page += &misses;
    page += "\nBy slip:\n\n| site | slip | as published | with variants |\n| --- | --- | --- | --- |\n";
    page += &rows;
    compare("slips", &page);
}

#[test]
fn completion_offers_a_title_early() {
    let Some(trees) = shared("real/inputs/markdown") else { return };
    let mut page =
        String::from("| tree | titles | median | p90 | never |\n| --- | --- | --- | --- | --- |\n");
    for tree in ["ripgrep", "rust-book"] {
        let config = config_of(SourceConfig { headings: true, ..SourceConfig::of_path(trees.join(tree)) });
        let built = build(&config);
        let now = Timestamp::from_millis(built.now);
        let completer = Completer::new(built.verified());
        let titles: Vec<(&str, &str)> =
            built.drafts().map(|(id, draft)| (id, draft.title.as_str())).collect();
        let mut typed: Vec<usize> = titles
            .iter()
            .map(|(id, title)| {
                let characters: Vec<char> = title.chars().collect();
                (1..=characters.len())
                    .find(|count| {
                        let start: String = characters[..*count].iter().collect();
                        completer.complete(&start, now).iter().any(|offered| offered.entry_id() == *id)
                    })
                    .unwrap_or(usize::MAX)
            })
            .collect();
        typed.sort_unstable();
        let (median, p90) = (typed[typed.len() / 2], typed[typed.len() * 9 / 10]);
        assert!(median <= 3 && p90 <= 12, "{tree}: {median}, {p90}");
        let never = typed.iter().filter(|count| **count == usize::MAX).count();
        writeln!(page, "| {tree} | {} | {median} | {p90} | {never} |", typed.len()).unwrap();
    }
    compare("completion", &page);
}
