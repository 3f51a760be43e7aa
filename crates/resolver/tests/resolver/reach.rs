//! How far completion and "did you mean" carry a person on real material, which lies beside a checkout in `../shared`.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use answerplane_resolver::complete::Completer;
use answerplane_resolver::{Resolution, Resolver, SiteConfig, VerifiedArtifact};
use serde_json::Value;

use crate::artifacts::{NOW, labelled, verified};

/// A place in the shared material, or `None` after the skip has been noted.
fn shared(test: &str, path: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    if path.exists() {
        return Some(path);
    }
    println!("skipped {test}: no shared material");
    if let Some(list) = std::env::var_os("ANSWERPLANE_SKIPS") {
        let mut list = OpenOptions::new().append(true).create(true).open(list).unwrap();
        writeln!(list, "{test}: no ../shared material").unwrap();
    }
    None
}

/// The titles of a page, the first its own.
fn titles(page: &str) -> Vec<String> {
    let mut is_code = false;
    let mut titles = Vec::new();
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if let (false, Some((marks, title))) = (is_code, line.split_once(' '))
            && (1..=6).contains(&marks.len())
            && marks.bytes().all(|mark| mark == b'#')
        {
            titles.push(title.trim().trim_end_matches('#').trim().to_owned());
        }
    }
    titles
}

/// The titles of a tree, each with that of its page.
fn tree(folder: &Path) -> Vec<(String, String)> {
    let mut pages: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|page| page.unwrap().path()).collect();
    pages.sort();
    let mut all = Vec::new();
    for page in pages {
        let titles = titles(&std::fs::read_to_string(page).unwrap());
        all.extend(titles.iter().map(|title| (title.clone(), titles[0].clone())));
    }
    all
}

#[test]
fn a_title_is_offered_after_a_few_characters() {
    let test = "a_title_is_offered_after_a_few_characters";
    for name in ["ripgrep", "rust-book"] {
        let Some(folder) = shared(test, &format!("real/inputs/markdown/{name}")) else { return };
        let titles = tree(&folder);
        let mut times: HashMap<&str, usize> = HashMap::new();
        titles.iter().for_each(|(title, _)| *times.entry(title).or_default() += 1);
        // A title that more than eight headings share could never be chosen, so it is qualified by its page.
        let shown = |(title, page): &(String, String)| {
            if times[title.as_str()] > 8 { format!("{title} – {page}") } else { title.clone() }
        };
        let entries: Vec<Value> = titles
            .iter()
            .enumerate()
            .map(|(at, title)| {
                labelled(&format!("h{at}"), &shown(title), &[shown(title), format!("heading {at}")])
            })
            .collect();
        let completer = Completer::new([verified(name, &entries, None)]);
        let mut typed: Vec<usize> = Vec::new();
        for (at, title) in titles.iter().enumerate() {
            let (text, id) = (shown(title), format!("h{at}"));
            let ends = text.char_indices().map(|(start, character)| start + character.len_utf8());
            let is_offered = |end: usize| {
                completer.complete(&text[..end], NOW).iter().any(|completion| completion.entry_id() == id)
            };
            // Never counts as a character more than there are.
            typed.push(1 + ends.clone().position(is_offered).unwrap_or(text.chars().count()));
        }
        typed.sort_unstable();
        let (median, p90) = (typed[typed.len() / 2], typed[typed.len() * 9 / 10]);
        println!(
            "{name}: {} titles, median {median}, p90 {p90}, most {}",
            typed.len(),
            typed[typed.len() - 1]
        );
        assert!(median <= 3 && p90 <= 12, "{name}: median {median}, p90 {p90}");
    }
}

/// What people type in the place of an alias, one change each.
fn mutations(alias: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let last = alias.chars().last();
    texts.extend(
        ['?', '.', '!'].iter().filter(|mark| last != Some(**mark)).map(|mark| format!("{alias}{mark}")),
    );
    texts.extend(alias.strip_suffix(['?', '.', '!']).map(str::to_owned));
    for (from, to) in [('\'', "’"), ('\'', "‘"), ('"', "“"), ('"', "”"), ('-', "–"), ('-', " "), (' ', "-")]
    {
        for (at, _) in alias.match_indices(from) {
            texts.push(format!("{}{to}{}", &alias[..at], &alias[at + from.len_utf8()..]));
        }
    }
    texts.push(format!("“{alias}”"));
    texts
}

#[test]
fn a_typing_variant_shows_its_entry_among_the_three() {
    let test = "a_typing_variant_shows_its_entry_among_the_three";
    let (mut misses, mut shown) = (0, 0);
    for name in ["docs-2026-07-13", "playbook-2026-07-14", "playbook-2026-07-20"] {
        let Some(site) = shared(test, &format!("real/sites/{name}")) else { return };
        let read = |file: &str| std::fs::read_to_string(site.join(file)).unwrap();
        let trust = SiteConfig::decode(read("site-config.json")).unwrap().trust();
        let artifact = VerifiedArtifact::verify(read("knowledge.json"), &trust).unwrap();
        let (resolver, completer) = (Resolver::from(artifact.clone()), Completer::new([artifact.clone()]));
        let (mut misses_here, mut shown_here) = (0, 0);
        for entry in artifact.entries() {
            for text in entry.aliases().flat_map(mutations) {
                if !matches!(resolver.resolve(&text, NOW), Resolution::Escalation(_)) {
                    continue;
                }
                let meant = completer.did_you_mean(&text, NOW);
                misses_here += 1;
                shown_here += usize::from(meant.iter().any(|meant| meant.entry_id() == entry.id()));
            }
        }
        println!("{name}: {shown_here} of {misses_here} misses show their entry");
        assert!(shown_here * 100 >= misses_here * 95, "{name}");
        (misses, shown) = (misses + misses_here, shown + shown_here);
    }
    println!("all: {shown} of {misses}, {:.2} %", shown as f64 * 100.0 / misses as f64);
}
