//! What happens to shared aliases, and an alias of its own for every entry.

use std::collections::HashMap;
use std::sync::Arc;

use answerplane_normalize::normalize_key;

use crate::config::Shared;
use crate::diagnostic::Diagnostic;
use crate::draft::Draft;
use crate::plan::keys::{Keys, fits};
use crate::plan::{MAX_CHOICES, Made, SLOTS, ids};
use crate::rule::Rule;

/// An alias that an entry has to get another one for.
struct Wish {
    entry: u32,
    /// What is made distinct.
    text: String,
    /// The key that goes, if any does.
    replaced: Option<u32>,
}

/// Decides about every alias that several entries share.
pub(super) fn share(
    drafts: &[&Draft],
    ids: &[Arc<str>],
    keys: &mut Keys<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let policy = |entry: u32| drafts[entry as usize].shared;
    let mut wishes = Vec::new();
    for key in keys.shared() {
        let owners = keys.owners(key).to_vec();
        let with = |policies: &[Shared]| -> Vec<u32> {
            owners.iter().copied().filter(|entry| policies.contains(&policy(*entry))).collect()
        };
        let forbidden = with(&[Shared::Error]);
        if !forbidden.is_empty() {
            let message =
                format!("{} entries share the alias \"{}\"", owners.len(), text_of(keys, owners[0], key));
            report(Rule::AliasShared, message, drafts, &owners, diagnostics);
            continue;
        }
        for entry in with(&[Shared::Drop]) {
            let message = format!("the shared alias \"{}\" was left out", text_of(keys, entry, key));
            diagnostics.push(Diagnostic::new(
                Rule::AliasDropped,
                drafts[entry as usize].place.clone(),
                message,
            ));
            keys.remove(entry, key);
        }
        let mut kept = with(&[Shared::Auto, Shared::Keep]);
        let mut qualified = with(&[Shared::Qualify]);
        if kept.len() > MAX_CHOICES {
            qualified.extend(with(&[Shared::Auto]));
            qualified.sort_unstable();
            kept = with(&[Shared::Keep]);
        }
        if kept.len() > MAX_CHOICES {
            let message =
                format!("{} entries share the alias \"{}\"", kept.len(), text_of(keys, kept[0], key));
            let mut found = Diagnostic::new(Rule::FanOut, drafts[kept[0] as usize].place.clone(), message);
            found = found.beyond(MAX_CHOICES, kept.len());
            diagnostics.push(found.with(kept[1..].iter().map(|entry| drafts[*entry as usize].place.clone())));
        }
        for entry in qualified {
            keys.withdraw(key);
            wishes.push(Wish { entry, text: text_of(keys, entry, key), replaced: Some(key) });
        }
    }
    grant(drafts, ids, wishes, Made::Qualified, keys, diagnostics);
}

/// Gives an alias to every entry that cannot be asked for alone.
pub(super) fn give_own(
    drafts: &[&Draft],
    ids: &[Arc<str>],
    keys: &mut Keys<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let without = (0..drafts.len() as u32).filter(|entry| !keys.has_own(*entry));
    let wishes = without
        .map(|entry| Wish { entry, text: drafts[entry as usize].title.clone(), replaced: None })
        .collect();
    grant(drafts, ids, wishes, Made::Invented, keys, diagnostics);
}

/// Lets an entry be asked by a label that was made for it, where it has a slot for that.
pub(super) fn add_labels(drafts: &[&Draft], labels: &[Arc<str>], keys: &mut Keys<'_>) {
    for ((draft, label), entry) in drafts.iter().zip(labels).zip(0..) {
        let is_made = label.strip_prefix(&draft.title).is_some_and(|rest| rest.starts_with(" ("));
        if is_made && keys.aliases(entry).len() < SLOTS && keys.is_free(label, entry) {
            keys.declare(entry, label, Made::Label);
        }
    }
}

/// The ways to make a text of an entry distinct, in the order in which they are tried.
pub(super) fn distinct_forms(draft: &Draft, id: &str, text: &str) -> Vec<String> {
    let mut forms: Vec<String> =
        draft.qualifiers.iter().map(|qualifier| format!("{text} ({qualifier})")).collect();
    if let [nearest, .., outermost] = draft.qualifiers.as_slice() {
        forms.push(format!("{text} ({outermost}, {nearest})"));
    }
    if !draft.path.is_empty() {
        forms.extend((!is_typed_alike(&draft.path, text)).then(|| draft.path.clone()));
        forms.push(format!("{text} ({})", draft.path));
    }
    forms.extend((!is_typed_alike(id, text)).then(|| id.to_owned()));
    forms.push(format!("{text} ({id})"));
    // Ids may be equal but for case; their hashes are not.
    forms.push(format!("{text} ({})", ids::short_hash(&[id])));
    forms
}

/// Whether two texts differ in nothing but what typing variants are for: such a form would tell nobody apart.
fn is_typed_alike(one: &str, two: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    letters(one) == letters(two)
}

/// Grants each wish the first form that is free and that no other wish would take at the same time.
fn grant(
    drafts: &[&Draft],
    ids: &[Arc<str>],
    wishes: Vec<Wish>,
    made: Made,
    keys: &mut Keys<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let forms = |wish: &Wish| {
        let mut forms = distinct_forms(drafts[wish.entry as usize], &ids[wish.entry as usize], &wish.text);
        match wish.replaced {
            None => forms.insert(0, wish.text.clone()),
            // What replaces a text says it too.
            Some(_) => forms.retain(|form| form.starts_with(&wish.text)),
        }
        forms
    };
    let mut open: Vec<(Wish, Vec<String>)> = wishes
        .into_iter()
        .map(|wish| {
            let f = forms(&wish);
            (wish, f)
        })
        .collect();
    let levels = open.iter().map(|(_, forms)| forms.len()).max().unwrap_or(0);
    for level in 0..levels {
        let candidate = |forms: &[String]| {
            // The last forms are the same for all: whoever has fewer qualifiers waits for them.
            let text = forms.get(level)?.clone();
            let key = normalize_key(&text).as_str().to_owned();
            fits(&text, &key).then_some((text, key))
        };
        let candidates: Vec<Option<(String, String)>> =
            open.iter().map(|(_, forms)| candidate(forms)).collect();
        let mut takers: HashMap<&str, Vec<u32>> = HashMap::new();
        for ((wish, _), candidate) in open.iter().zip(&candidates) {
            if let Some((_, key)) = candidate {
                takers.entry(key).or_default().push(wish.entry);
            }
        }
        let granted: Vec<Option<String>> = open
            .iter()
            .zip(&candidates)
            .map(|((wish, _), candidate)| {
                let (text, key) = candidate.as_ref()?;
                let alone = takers.get(key.as_str())?.iter().all(|entry| *entry == wish.entry);
                (alone && keys.is_free(text, wish.entry)).then(|| text.clone())
            })
            .collect();
        let mut left = Vec::new();
        for ((wish, forms), text) in open.into_iter().zip(granted) {
            let Some(text) = text else {
                left.push((wish, forms));
                continue;
            };
            let place = drafts[wish.entry as usize].place.clone();
            diagnostics.push(match wish.replaced {
                Some(key) => {
                    keys.replace(wish.entry, key, &text, made);
                    let message = format!("the shared alias \"{}\" became \"{text}\"", wish.text);
                    Diagnostic::new(Rule::AliasQualified, place, message)
                }
                None => {
                    keys.declare(wish.entry, &text, made);
                    let message = format!("no alias was its own: \"{text}\" was added");
                    Diagnostic::new(Rule::AliasInvented, place, message)
                }
            });
        }
        open = left;
    }
    for (wish, _) in open {
        let place = drafts[wish.entry as usize].place.clone();
        let message = format!("no alias can be made of \"{}\" that no other entry has", wish.text);
        diagnostics.push(Diagnostic::new(Rule::AliasShared, place, message));
    }
}

fn text_of(keys: &Keys<'_>, entry: u32, key: u32) -> String {
    let alias = keys.aliases(entry).iter().find(|alias| alias.key == key);
    alias.map(|alias| keys.text(entry, alias).to_owned()).unwrap_or_default()
}

fn report(rule: Rule, message: String, drafts: &[&Draft], owners: &[u32], diagnostics: &mut Vec<Diagnostic>) {
    let mut places = owners.iter().map(|entry| drafts[*entry as usize].place.clone());
    let first = places.next().unwrap_or_default();
    diagnostics.push(Diagnostic::new(rule, first, message).with(places));
}
