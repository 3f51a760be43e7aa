//! Which aliases of an entry find one of its 16 slots, and where the others go.

use std::collections::HashSet;

use crate::config::Overflow;
use crate::diagnostic::Diagnostic;
use crate::draft::Draft;
use crate::plan::keys::Keys;
use crate::plan::{Made, PlannedAlias, PlannedEntry, SLOTS};
use crate::rule::Rule;

/// The entries with their aliases in slots.
///
/// Shared keys stay together in the first entry, so that a choice never offers two continuations of one answer; at
/// least one slot is left for a key of its own. Continuation entries hold further keys of its own.
pub(super) fn fill<'d>(
    drafts: &[&'d Draft],
    ids: Vec<String>,
    labels: Vec<String>,
    keys: Keys,
    overflow: Overflow,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<PlannedEntry<'d>> {
    let dropped = dropped_variants(drafts.len(), &keys);
    let is_shared = shared_keys(&keys);
    let mut used: HashSet<String> = ids.iter().cloned().collect();
    let mut entries = Vec::with_capacity(drafts.len());
    for (((draft, id), label), mut aliases) in drafts.iter().zip(ids).zip(labels).zip(keys.into_aliases()) {
        let found = aliases.len();
        aliases.retain(|alias| !dropped.contains(&alias.key));
        let mut trimmed = found - aliases.len();
        let (first, rest) = first_slots(draft, aliases, &is_shared, overflow, diagnostics);
        let at = entries.len();
        let source_id = id.clone();
        let entry = |id, aliases, continues| PlannedEntry {
            draft,
            id,
            label: label.clone(),
            aliases,
            continues,
            source_id: source_id.clone(),
        };
        entries.push(entry(id.clone(), first, None));
        if overflow == Overflow::Continue {
            if !rest.is_empty() {
                let message = format!("{} keys of {id} stand in continuation entries", rest.len());
                diagnostics.push(Diagnostic::new(Rule::Continued, draft.place.clone(), message));
            }
            let mut number = 2;
            for aliases in rest.chunks(SLOTS) {
                let mut next = continuation_id(&id, number);
                while !used.insert(next.clone()) {
                    number += 1;
                    next = continuation_id(&id, number);
                }
                number += 1;
                entries.push(entry(next, aliases.to_vec(), Some(at)));
            }
        } else {
            for alias in rest {
                if matches!(alias.made, Made::Variant(_)) {
                    trimmed += 1;
                    continue;
                }
                diagnostics.push(left_out(draft, &alias));
            }
        }
        if trimmed > 0 {
            let message = format!("{trimmed} typing variants of {id} found no slot");
            diagnostics.push(Diagnostic::new(Rule::VariantsTrimmed, draft.place.clone(), message));
        }
    }
    entries
}

fn shared_keys(keys: &Keys) -> HashSet<u32> {
    keys.shared().into_iter().collect()
}

/// The variants of shared aliases for which one of the entries has no room: nobody gets them, since a variant
/// belongs to exactly the entries that share the alias.
fn dropped_variants(entries: usize, keys: &Keys) -> HashSet<u32> {
    let shared = shared_keys(keys);
    let mut room: Vec<usize> = (0..entries as u32)
        .map(|entry| {
            let declared = keys.aliases(entry).iter().filter(|alias| !matches!(alias.made, Made::Variant(_)));
            (SLOTS - 1).saturating_sub(declared.filter(|alias| shared.contains(&alias.key)).count())
        })
        .collect();
    let mut decided = HashSet::new();
    let mut dropped = HashSet::new();
    for entry in 0..entries as u32 {
        for alias in keys.aliases(entry) {
            let is_variant = matches!(alias.made, Made::Variant(_));
            if !is_variant || !shared.contains(&alias.key) || !decided.insert(alias.key) {
                continue;
            }
            let owners = keys.owners(alias.key);
            if owners.iter().all(|owner| room[*owner as usize] > 0) {
                owners.iter().for_each(|owner| room[*owner as usize] -= 1);
            } else {
                dropped.insert(alias.key);
            }
        }
    }
    dropped
}

/// The aliases of the first entry, and those for which it has no slot, each in their order.
fn first_slots(
    draft: &Draft,
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
        let found = Diagnostic::new(Rule::TooManyAliases, draft.place.clone(), message);
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
            diagnostics.push(left_out(draft, &alias));
        } else {
            rest.push(alias);
        }
    }
    (first, rest)
}

fn left_out(draft: &Draft, alias: &PlannedAlias) -> Diagnostic {
    let message = format!("the alias \"{}\" found no slot", alias.text);
    Diagnostic::new(Rule::AliasDropped, draft.place.clone(), message)
}

/// The id of a continuation, within 128 units.
fn continuation_id(id: &str, number: usize) -> String {
    let end = format!(".{number}");
    let length = id.len().min(128 - end.len());
    format!("{}{end}", &id[..length])
}
