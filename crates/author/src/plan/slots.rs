//! Which aliases of an entry find one of its 16 slots, and where the others go.

use std::collections::HashSet;
use std::sync::Arc;

use crate::config::Overflow;
use crate::diagnostic::Diagnostic;
use crate::draft::Draft;
use crate::plan::keys::Keys;
use crate::plan::texts::{DraftTexts, FileTexts};
use crate::plan::{Made, PlannedAlias, PlannedEntry, SLOTS};
use crate::rule::Rule;

/// The entries with their aliases in slots.
///
/// Shared keys stay together in the first entry, so that a choice never offers two continuations of one answer; at
/// least one slot is left for a key of its own. Continuation entries hold further keys of its own.
pub(super) fn fill(
    files: &[Arc<FileTexts>],
    ids: Vec<Arc<str>>,
    labels: Vec<Arc<str>>,
    continued: &[Option<usize>],
    keys: Keys<'_>,
    overflow: Overflow,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<PlannedEntry> {
    let shared: HashSet<u32> = keys.shared().into_iter().collect();
    let dropped = dropped_variants(&keys, &shared);
    let mut ids_in_use: Option<HashSet<Arc<str>>> = None;
    let mut entries = Vec::with_capacity(ids.len());
    // Of each draft so far the number of its first entry.
    let mut firsts: Vec<usize> = Vec::with_capacity(ids.len());
    let places = files.iter().flat_map(|file| (0..file.drafts.len()).map(move |at| (file, at)));
    let described = places.zip(ids.iter().cloned()).zip(labels);
    for ((((file, at), id), label), mut aliases) in described.zip(keys.into_aliases()) {
        let draft = &file.drafts[at];
        let source = (draft, &file.texts[at]);
        let found = aliases.len();
        if !dropped.is_empty() {
            aliases.retain(|alias| !dropped.contains(&alias.key));
        }
        let mut trimmed = found - aliases.len();
        let (first, rest) = first_slots(source, aliases, &shared, overflow, diagnostics);
        let base = entries.len();
        let base_draft = continued[firsts.len()];
        let continues = base_draft.and_then(|draft| firsts.get(draft).copied());
        let base_id = base_draft.map_or(&id, |draft| &ids[draft]);
        firsts.push(base);
        let source_id = Arc::clone(&id);
        let entry = |id, aliases, continues| PlannedEntry {
            file: Arc::clone(file),
            at,
            id,
            label: Arc::clone(&label),
            aliases,
            continues,
            source_id: Arc::clone(&source_id),
        };
        entries.push(entry(Arc::clone(&id), first, continues));
        if overflow == Overflow::Continue {
            if !rest.is_empty() {
                let message = format!("{} keys of {id} stand in continuation entries", rest.len());
                diagnostics.push(Diagnostic::new(Rule::Continued, draft.place.clone(), message));
            }
            let mut number = 2;
            for aliases in rest.chunks(SLOTS) {
                let in_use = ids_in_use.get_or_insert_with(|| ids.iter().cloned().collect());
                let mut next = continuation_id(base_id, number);
                while !in_use.insert(Arc::clone(&next)) {
                    number += 1;
                    next = continuation_id(base_id, number);
                }
                number += 1;
                entries.push(entry(next, aliases.to_vec(), continues.or(Some(base))));
            }
        } else {
            for alias in rest {
                if matches!(alias.made, Made::Variant(_)) {
                    trimmed += 1;
                    continue;
                }
                diagnostics.push(left_out(source, &alias));
            }
        }
        if trimmed > 0 {
            let message = format!("{trimmed} typing variants of {id} found no slot");
            diagnostics.push(Diagnostic::new(Rule::VariantsTrimmed, draft.place.clone(), message));
        }
    }
    entries
}

/// The variants of shared aliases for which one of the entries has no room: nobody gets them, since a variant
/// belongs to exactly the entries that share the alias.
fn dropped_variants(keys: &Keys<'_>, shared: &HashSet<u32>) -> HashSet<u32> {
    let is_variant = |alias: &PlannedAlias| matches!(alias.made, Made::Variant(_));
    let mut dropped = HashSet::new();
    if shared.is_empty() {
        return dropped;
    }
    let mut room: Vec<usize> = (0..keys.entries())
        .map(|entry| {
            let declared = keys.aliases(entry).iter().filter(|alias| !is_variant(alias));
            (SLOTS - 1).saturating_sub(declared.filter(|alias| shared.contains(&alias.key)).count())
        })
        .collect();
    let mut decided = HashSet::new();
    for alias in (0..keys.entries()).flat_map(|entry| keys.aliases(entry)) {
        if !is_variant(alias) || !shared.contains(&alias.key) || !decided.insert(alias.key) {
            continue;
        }
        let owners = keys.owners(alias.key);
        if owners.iter().all(|owner| room[*owner as usize] > 0) {
            owners.iter().for_each(|owner| room[*owner as usize] -= 1);
        } else {
            dropped.insert(alias.key);
        }
    }
    dropped
}

/// The aliases of the first entry, and those for which it has no slot, each in their order.
fn first_slots(
    source: (&Draft, &DraftTexts),
    aliases: Vec<PlannedAlias>,
    shared: &HashSet<u32>,
    overflow: Overflow,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<PlannedAlias>, Vec<PlannedAlias>) {
    let is_variant = |alias: &PlannedAlias| matches!(alias.made, Made::Variant(_));
    let is_shared = |alias: &PlannedAlias| shared.contains(&alias.key);
    let declared = aliases.iter().filter(|alias| !is_variant(alias)).count();
    if declared > SLOTS && overflow == Overflow::Error {
        let message = "the entry has too many aliases";
        let found = Diagnostic::new(Rule::TooManyAliases, source.0.place.clone(), message);
        diagnostics.push(found.beyond(SLOTS, declared));
    }
    if aliases.len() <= SLOTS {
        return (aliases, Vec::new());
    }
    // In this order slots are taken: an alias of its own, shared ones, declared ones, variants.
    let own = aliases.iter().position(|alias| !is_shared(alias));
    let mut rank: Vec<(u8, usize)> = aliases
        .iter()
        .enumerate()
        .map(|(at, alias)| match (is_shared(alias), is_variant(alias)) {
            _ if Some(at) == own => (0, at),
            (true, false) => (1, at),
            (true, true) => (2, at),
            (false, false) => (3, at),
            (false, true) => (4, at),
        })
        .collect();
    rank.sort_unstable();
    let taken: HashSet<usize> = rank.iter().take(SLOTS).map(|(_, at)| *at).collect();
    let mut first = Vec::with_capacity(SLOTS);
    let mut rest = Vec::new();
    for (at, alias) in aliases.into_iter().enumerate() {
        if taken.contains(&at) {
            first.push(alias);
        } else if is_shared(&alias) {
            // It may not stand in a continuation entry.
            diagnostics.push(left_out(source, &alias));
        } else {
            rest.push(alias);
        }
    }
    (first, rest)
}

fn left_out((draft, texts): (&Draft, &DraftTexts), alias: &PlannedAlias) -> Diagnostic {
    let message = format!("the alias \"{}\" found no slot", alias.words.of(texts));
    Diagnostic::new(Rule::AliasDropped, draft.place.clone(), message)
}

/// The id of a continuation, within 128 units.
fn continuation_id(id: &str, number: usize) -> Arc<str> {
    let end = format!(".{number}");
    let length = id.len().min(128 - end.len());
    format!("{}{end}", &id[..length]).into()
}
