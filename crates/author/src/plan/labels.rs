//! Labels that tell the entries of a choice apart.

use std::collections::HashMap;

use answerplane_normalize::{normalize_key, utf16_len};

use crate::diagnostic::Diagnostic;
use crate::draft::Draft;
use crate::plan::Made;
use crate::plan::aliases::distinct_forms;
use crate::plan::keys::Keys;
use crate::rule::Rule;

/// The greatest length of a label in UTF-16 units.
const MAX_UNITS: usize = 256;

/// The label of each draft: its title, unless entries that share an alias have the same.
pub(super) fn assign(
    drafts: &[&Draft],
    ids: &[String],
    keys: &Keys,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<String> {
    let mut labels: Vec<String> = drafts.iter().map(|draft| draft.title.clone()).collect();
    for key in keys.shared() {
        let owners = keys.owners(key);
        let mut same: HashMap<String, Vec<usize>> = HashMap::new();
        for entry in owners.iter().map(|entry| *entry as usize) {
            same.entry(normalize_key(&labels[entry]).as_str().to_owned()).or_default().push(entry);
        }
        for entry in owners.iter().map(|entry| *entry as usize) {
            let label_key = normalize_key(&labels[entry]).as_str().to_owned();
            if same.get(&label_key).is_none_or(|same| same.len() < 2) {
                continue;
            }
            let taken: Vec<String> = owners
                .iter()
                .filter(|other| **other as usize != entry)
                .map(|other| normalize_key(&labels[*other as usize]).as_str().to_owned())
                .collect();
            let Some(label) = forms(drafts, ids, keys, entry).into_iter().find(|label| {
                utf16_len(label) <= MAX_UNITS
                    && !taken.iter().any(|taken| taken == normalize_key(label).as_str())
            }) else {
                continue;
            };
            let message = format!("the label \"{}\" became \"{label}\"", labels[entry]);
            diagnostics.push(Diagnostic::new(Rule::LabelQualified, drafts[entry].place.clone(), message));
            labels[entry] = label;
        }
    }
    labels
}

/// What an entry may be called instead: an alias that was made for it says best what it is.
fn forms(drafts: &[&Draft], ids: &[String], keys: &Keys, entry: usize) -> Vec<String> {
    let made = keys.aliases(entry as u32).iter().filter(|alias| alias.made == Made::Invented);
    let titled = made.map(|alias| alias.text.clone()).filter(|text| text.starts_with(&drafts[entry].title));
    titled.chain(distinct_forms(drafts[entry], &ids[entry], &drafts[entry].title)).collect()
}
