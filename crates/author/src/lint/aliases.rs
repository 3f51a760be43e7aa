//! The rules about aliases: who shares them, and whether anybody can type them.

use std::collections::HashMap;

use answerplane_normalize::{normalize_key, utf16_len};

use crate::characters::{CodePoint, mixed_scripts, quoted, unseen};
use crate::diagnostic::{Diagnostic, Place};
use crate::lint::TYPED_UNITS;
use crate::lint::site::{LintSite, Owner};
use crate::outcome::MAX_OFFERED;
use crate::rule::Rule;

/// How many other places a finding names.
const RELATED: usize = 16;

pub(super) fn lint(site: &LintSite<'_>, findings: &mut Vec<Diagnostic>) {
    collisions(site, findings);
    unreachable(site, findings);
    characters(site, findings);
    long(site, findings);
    answers(site, findings);
}

fn place(site: &LintSite<'_>, owner: &Owner<'_>) -> Place {
    site.entry(owner.entry).place_of(owner.alias)
}

/// The other owners' places.
fn others(site: &LintSite<'_>, owners: &[Owner<'_>]) -> Vec<Place> {
    owners.iter().skip(1).take(RELATED).map(|owner| place(site, owner)).collect()
}

/// Keys of several entries. Entries that share several keys have one finding.
fn collisions(site: &LintSite<'_>, findings: &mut Vec<Diagnostic>) {
    let mut groups: Vec<(Vec<usize>, Vec<Owner<'_>>, usize)> = Vec::new();
    let mut known: HashMap<Vec<usize>, usize> = HashMap::new();
    for (key, owners) in site.keys.iter().filter(|(_, owners)| owners.len() > 1) {
        let first = owners[0];
        if owners.iter().any(|owner| owner.shard != first.shard) {
            let what = format!("{} stands in several shards; the first that has it answers", quoted(key));
            let elsewhere: Vec<Owner<'_>> = std::iter::once(first)
                .chain(owners.iter().filter(|owner| owner.shard != first.shard).copied())
                .collect();
            let finding = Diagnostic::new(Rule::LintSplitKey, place(site, &first), what);
            findings.push(finding.with(others(site, &elsewhere)));
        }
        for shared in owners.chunk_by(|one, two| one.shard == two.shard).filter(|shared| shared.len() > 1) {
            let entries: Vec<usize> = shared.iter().map(|owner| owner.entry).collect();
            let place = *known.entry(entries.clone()).or_insert(groups.len());
            match groups.get_mut(place) {
                Some((_, _, count)) => *count += 1,
                None => groups.push((entries, shared.to_vec(), 1)),
            }
        }
    }
    for (entries, owners, count) in &groups {
        let alias = quoted(&owners[0].alias.text);
        let more = match count {
            1 => String::new(),
            2 => ", and one more alias".to_owned(),
            count => format!(", and {} more aliases", count - 1),
        };
        let conflicts = conflicting(site, entries);
        if let Some((label, same)) = conflicts.first() {
            let what = format!(
                "{alias} is asked of {} entries with the label {} and different answers: {}{more}",
                same.len(),
                quoted(label),
                ids(site, same)
            );
            let related: Vec<Place> =
                owners.iter().filter(|o| same.contains(&o.entry)).skip(1).map(|o| place(site, o)).collect();
            let at = owners.iter().find(|owner| owner.entry == same[0]).unwrap_or(&owners[0]);
            let finding = Diagnostic::new(Rule::LintConflictingAnswers, place(site, at), what);
            findings.push(finding.with(related.into_iter().take(RELATED)));
        }
        if owners.len() > MAX_OFFERED {
            let what = format!("{alias} is an alias of more entries than are ever offered{more}");
            let finding = Diagnostic::new(Rule::LintFanOut, place(site, &owners[0]), what);
            findings.push(finding.beyond(MAX_OFFERED, owners.len()).with(others(site, owners)));
        } else if conflicts.is_empty() {
            let what = format!(
                "{alias} is an alias of {} entries, so asking it gives choices: {}{more}",
                owners.len(),
                ids(site, entries)
            );
            let finding = Diagnostic::new(Rule::LintSharedAlias, place(site, &owners[0]), what);
            findings.push(finding.with(others(site, owners)));
        }
    }
}

/// Those of some entries that have one label and not one answer, by label.
fn conflicting<'d>(site: &LintSite<'d>, entries: &[usize]) -> Vec<(&'d str, Vec<usize>)> {
    let mut labels: Vec<(String, &'d str, Vec<usize>)> = Vec::new();
    for number in entries {
        let label = &site.entry(*number).label;
        let key = normalize_key(label);
        match labels.iter_mut().find(|(known, ..)| *known == key.as_str()) {
            Some((.., same)) => same.push(*number),
            None => labels.push((key.as_str().to_owned(), label, vec![*number])),
        }
    }
    let differ = |same: &[usize]| {
        same.iter().any(|number| {
            let (one, first) = (&site.entries[*number], &site.entries[same[0]]);
            one.prose.key != first.prose.key || one.prose.links != first.prose.links
        })
    };
    labels.into_iter().filter(|(.., same)| differ(same)).map(|(_, label, same)| (label, same)).collect()
}

fn ids(site: &LintSite<'_>, entries: &[usize]) -> String {
    let mut ids: Vec<&str> =
        entries.iter().take(MAX_OFFERED).map(|number| site.entry(*number).id.as_str()).collect();
    if entries.len() > MAX_OFFERED {
        ids.push("…");
    }
    ids.join(", ")
}

/// Entries that no alias reaches alone.
fn unreachable(site: &LintSite<'_>, findings: &mut Vec<Diagnostic>) {
    let mut is_reached = vec![false; site.entries.len()];
    for (_, owners) in &site.keys {
        // The first shard that has the key decides.
        match owners.as_slice() {
            [owner] => is_reached[owner.entry] = true,
            [owner, next, ..] if owner.shard != next.shard => is_reached[owner.entry] = true,
            _ => {}
        }
    }
    for (entry, _) in site.entries.iter().zip(is_reached).filter(|(_, is_reached)| !is_reached) {
        if !entry.entry.aliases.is_empty() {
            let what = format!("no alias gives {} alone", quoted(&entry.entry.id));
            findings.push(Diagnostic::new(Rule::LintUnreachable, entry.entry.place.clone(), what));
        }
    }
}

fn characters(site: &LintSite<'_>, findings: &mut Vec<Diagnostic>) {
    for entry in site.entries.iter().map(|entry| entry.entry) {
        for alias in &entry.aliases {
            let hidden = unseen(&alias.text);
            if let Some((at, character)) = hidden.first() {
                let more =
                    if hidden.len() > 1 { format!(" and {} more", hidden.len() - 1) } else { String::new() };
                let what = format!("it holds {} at position {at}{more}", CodePoint(*character));
                findings.push(Diagnostic::new(Rule::LintInvisibleCharacter, entry.place_of(alias), what));
            }
            if let Some((word, scripts)) = mixed_scripts(&alias.text) {
                let odd = word.chars().find(|character| !character.is_ascii()).map(CodePoint);
                let odd = odd.map_or_else(String::new, |odd| format!(", such as {odd}"));
                let what = format!("{} mixes {}{odd}", quoted(word), scripts.join(" and "));
                findings.push(Diagnostic::new(Rule::LintMixedScript, entry.place_of(alias), what));
            }
        }
    }
}

/// Entries whose every alias, with those of the entries that continue them, is longer than people type.
fn long(site: &LintSite<'_>, findings: &mut Vec<Diagnostic>) {
    let mut shortest: HashMap<&str, (usize, Place)> = HashMap::new();
    let mut order: Vec<&str> = Vec::new();
    for entry in &site.entries {
        for alias in &entry.entry.aliases {
            let units = utf16_len(&alias.text);
            let known = shortest.entry(entry.base).or_insert_with(|| {
                order.push(entry.base);
                (usize::MAX, Place::default())
            });
            if units < known.0 {
                *known = (units, entry.entry.place_of(alias));
            }
        }
    }
    for (units, place) in order.iter().filter_map(|base| shortest.get(base)) {
        if *units > TYPED_UNITS {
            let what = "the shortest alias of the entry has more UTF-16 units than people type";
            findings
                .push(Diagnostic::new(Rule::LintLongAlias, place.clone(), what).beyond(TYPED_UNITS, *units));
        }
    }
}

/// Aliases that are what another entry answers.
fn answers(site: &LintSite<'_>, findings: &mut Vec<Diagnostic>) {
    let mut texts: HashMap<&str, usize> = HashMap::new();
    for (entry, number) in site.entries.iter().zip(0..) {
        for text in std::iter::once(&entry.prose.key).chain(&entry.prose.paragraphs) {
            if !text.is_empty() && !entry.goes_by(text) {
                texts.entry(text).or_insert(number);
            }
        }
    }
    for (key, owners) in &site.keys {
        let Some(answer) = texts.get(key).map(|number| &site.entries[*number]) else { continue };
        for owner in owners.iter().filter(|owner| site.entries[owner.entry].base != answer.base) {
            let what = format!("{} is a text of the answer of {}", quoted(key), quoted(&answer.entry.id));
            let finding = Diagnostic::new(Rule::LintAliasIsAnswer, place(site, owner), what);
            findings.push(finding.with([answer.entry.markdown_place()]));
        }
    }
}
