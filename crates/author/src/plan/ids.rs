//! Identifiers from paths, addresses and texts.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

use foldhash::fast::RandomState;
use sha2::{Digest, Sha256};

use crate::diagnostic::{Diagnostic, Place};
use crate::draft::{Draft, DraftId};
use crate::plan::texts::DraftTexts;
use crate::rule::Rule;

/// The greatest length of an identifier.
const MAX_UNITS: usize = 128;

/// An identifier that resembles a text: every run of other characters becomes one `-`, and what cannot begin or end
/// one is left out. Nothing where no letter or digit is left.
///
/// ```
/// use answerplane_author::plan::ids::sanitize;
///
/// assert_eq!(sanitize("guide/Getting started.md").as_deref(), Some("guide-Getting-started.md"));
/// assert_eq!(sanitize("始め方"), None);
/// ```
#[must_use]
pub fn sanitize(text: &str) -> Option<String> {
    let mut id = String::with_capacity(text.len().min(MAX_UNITS));
    for character in text.chars() {
        let is_kept = character.is_ascii_alphanumeric() || matches!(character, '.' | '_' | ':');
        match character {
            _ if is_kept && (!id.is_empty() || character.is_ascii_alphanumeric()) => id.push(character),
            _ if id.is_empty() || id.ends_with('-') => {}
            _ => id.push('-'),
        }
        if id.len() == MAX_UNITS {
            break;
        }
    }
    let end = id.trim_end_matches(['-', '.', ':', '_']).len();
    id.truncate(end);
    (!id.is_empty()).then_some(id)
}

/// The identifier of each draft.
///
/// Those that are declared or come from paths have to differ. Those that come from addresses are made distinct by their
/// title, and by a hash of what the row says where that is not enough, so that they depend on no other row's place.
pub(super) fn assign(
    drafts: &[&Draft],
    texts: &[&DraftTexts],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Arc<str>> {
    let mut ids: Vec<Arc<str>> = texts.iter().map(|draft| Arc::clone(&draft.id)).collect();
    let mut reasons: Vec<Option<usize>> = vec![None; ids.len()];
    for distinct in [with_title, with_hash] {
        for same in holders(&ids).into_iter().filter(|same| same.len() > 1) {
            for at in same.iter().copied().filter(|at| matches!(drafts[*at].id, DraftId::Address(_))) {
                ids[at] = distinct(&ids[at], drafts[at]).into();
                reasons[at] = reasons[at].or(same.iter().copied().find(|other| *other != at));
            }
        }
    }
    for (at, other) in reasons.iter().enumerate().filter_map(|(at, other)| Some((at, (*other)?))) {
        let message = format!("another source has the same address; the id of this one is {}", ids[at]);
        let made = Diagnostic::new(Rule::IdMadeDistinct, drafts[at].place.clone(), message);
        diagnostics.push(made.with([drafts[other].place.clone()]));
    }
    for same in holders(&ids).into_iter().filter(|same| same.len() > 1) {
        let message = format!("{} sources have the id {}", same.len(), ids[same[0]]);
        let mut places = same.iter().map(|at| id_place(drafts[*at]));
        let first = places.next().unwrap_or_default();
        diagnostics.push(Diagnostic::new(Rule::IdCollision, first, message).with(places));
    }
    ids
}

/// Where the author of a draft gives its id, or where the draft stands.
fn id_place(draft: &Draft) -> Place {
    let place = draft.place.clone();
    match draft.id_line {
        Some(line) => Place { line: Some(line), ..place.field("id") },
        None => place,
    }
}

/// For every id, in order of first appearance, where it is.
fn holders(ids: &[Arc<str>]) -> Vec<Vec<usize>> {
    let mut numbers: HashMap<&str, usize, RandomState> =
        HashMap::with_capacity_and_hasher(ids.len(), RandomState::default());
    let mut holders: Vec<Vec<usize>> = Vec::with_capacity(ids.len());
    for (at, id) in ids.iter().enumerate() {
        let number = *numbers.entry(id).or_insert(holders.len());
        if number == holders.len() {
            holders.push(Vec::new());
        }
        holders[number].push(at);
    }
    holders
}

/// What an id is made of before it is compared with others.
pub(super) fn basis(draft: &Draft) -> String {
    match &draft.id {
        DraftId::Declared(id) => id.clone(),
        DraftId::Path(text) | DraftId::Address(text) => {
            sanitize(text).unwrap_or_else(|| with_hash("entry", draft))
        }
    }
}

fn with_title(id: &str, draft: &Draft) -> String {
    match sanitize(&draft.title.to_lowercase()) {
        Some(title) => cut(id, &format!("-{}", &title[..title.len().min(MAX_UNITS / 2)])),
        None => id.to_owned(),
    }
}

fn with_hash(id: &str, draft: &Draft) -> String {
    let href = draft.citations.first().map_or("", |citation| citation.href.as_str());
    let hash = short_hash(&[&draft.title, href, &draft.path, &draft.markdown]);
    cut(id, &format!("-{hash}"))
}

/// Twelve hexadecimal digits that hardly any other texts have.
pub(super) fn short_hash(texts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update(text.as_bytes());
        hash.update([0]);
    }
    let mut digits = String::new();
    for byte in &hash.finalize()[..6] {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// An identifier and its end, which stays whole.
fn cut(id: &str, end: &str) -> String {
    let length = id.len().min(MAX_UNITS - end.len());
    format!("{}{end}", &id[..length])
}
