//! Labels that tell entries apart.

use std::collections::{HashMap, HashSet};

use answerplane_normalize::{normalize_key, utf16_len};

use crate::diagnostic::Diagnostic;
use crate::draft::Draft;
use crate::plan::Made;
use crate::plan::aliases::distinct_forms;
use crate::plan::keys::Keys;
use crate::rule::Rule;

/// The greatest length of a label in UTF-16 units.
const MAX_UNITS: usize = 256;

/// The label of each draft: its title, unless another entry has the same. Then it says what tells them apart, so that
/// nobody has to choose between two equal labels.
pub(super) fn assign(
    drafts: &[&Draft],
    ids: &[String],
    keys: &Keys,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<String> {
    let mut entries: HashMap<String, usize> = HashMap::with_capacity(drafts.len());
    for draft in drafts {
        *entries.entry(key(&draft.title)).or_default() += 1;
    }
    let mut taken: HashSet<String> = HashSet::new();
    let mut label = |(entry, draft): (usize, &&Draft)| {
        if entries.get(&key(&draft.title)).is_none_or(|entries| *entries < 2) {
            return draft.title.clone();
        }
        let is_distinct = |label: &String| {
            let key = key(label);
            utf16_len(label) <= MAX_UNITS && !entries.contains_key(&key) && taken.insert(key)
        };
        let Some(label) = forms(draft, &ids[entry], keys, entry).into_iter().find(is_distinct) else {
            return draft.title.clone();
        };
        let message = format!("the label \"{}\" became \"{label}\"", draft.title);
        diagnostics.push(Diagnostic::new(Rule::LabelQualified, draft.place.clone(), message));
        label
    };
    drafts.iter().enumerate().map(&mut label).collect()
}

fn key(text: &str) -> String {
    normalize_key(text).as_str().to_owned()
}

/// What an entry may be called instead: an alias that was made for it says best what it is.
fn forms(draft: &Draft, id: &str, keys: &Keys, entry: usize) -> Vec<String> {
    let made = keys.aliases(entry as u32).iter().filter(|alias| alias.made != Made::Declared);
    let titled = made.map(|alias| alias.text.clone()).filter(|text| text.starts_with(&draft.title));
    titled.chain(distinct_forms(draft, id, &draft.title)).collect()
}
