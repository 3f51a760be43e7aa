//! Labels that tell entries apart.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use answerplane_normalize::{normalize_key, utf16_len};

use crate::diagnostic::Diagnostic;
use crate::draft::{Draft, Origin};
use crate::plan::Made;
use crate::plan::aliases::distinct_forms;
use crate::plan::keys::Keys;
use crate::plan::texts::DraftTexts;
use crate::rule::Rule;

/// The greatest length of a label in UTF-16 units.
const MAX_UNITS: usize = 256;

/// The label of each draft: its title, unless another entry has the same that is not of the same artifact. Then it says what tells them apart, so that
/// nobody has to choose between two equal labels. What continues an entry has the label of that one.
pub(super) fn assign(
    drafts: &[&Draft],
    texts: &[&DraftTexts],
    ids: &[Arc<str>],
    continued: &[Option<usize>],
    keys: &Keys<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Arc<str>> {
    let mut entries = vec![0_u32; keys.numbers()];
    let first = |entry: &usize| continued[*entry].is_none();
    for entry in (0..drafts.len()).filter(first) {
        entries[texts[entry].title_key as usize] += 1;
    }
    // What an artifact was published with, it may go on being published with.
    let mut artifacts: HashMap<(u32, &str), u32> = HashMap::new();
    let artifact = |entry: usize| (texts[entry].title_key, drafts[entry].place.file.as_str());
    for entry in (0..drafts.len()).filter(first).filter(|entry| drafts[*entry].origin == Origin::Artifact) {
        *artifacts.entry(artifact(entry)).or_default() += 1;
    }
    let is_repeated = |entry: &usize| {
        let all = entries[texts[*entry].title_key as usize];
        all > 1 && artifacts.get(&artifact(*entry)) != Some(&all)
    };
    let repeated: Vec<usize> = (0..drafts.len()).filter(first).filter(is_repeated).collect();
    let mut labels: Vec<Arc<str>> = texts.iter().map(|text| Arc::clone(&text.title)).collect();
    if repeated.is_empty() {
        return labels;
    }
    let mut taken: HashSet<String> = drafts.iter().map(|draft| key(&draft.title)).collect();
    for entry in repeated {
        let draft = drafts[entry];
        let is_distinct = |label: &String| utf16_len(label) <= MAX_UNITS && taken.insert(key(label));
        let Some(label) = forms(draft, &ids[entry], keys, entry).into_iter().find(is_distinct) else {
            continue;
        };
        let message = format!("the label \"{}\" became \"{label}\"", draft.title);
        diagnostics.push(Diagnostic::new(Rule::LabelQualified, draft.place.clone(), message));
        labels[entry] = label.into();
    }
    for (entry, base) in continued.iter().enumerate().filter_map(|(entry, base)| Some((entry, (*base)?))) {
        labels[entry] = Arc::clone(&labels[base]);
    }
    labels
}

fn key(text: &str) -> String {
    normalize_key(text).as_str().to_owned()
}

/// What an entry may be called instead: an alias that was made for it says best what it is.
fn forms(draft: &Draft, id: &str, keys: &Keys<'_>, entry: usize) -> Vec<String> {
    let made = keys.aliases(entry as u32).iter().filter(|alias| alias.made != Made::Declared);
    let titled = made
        .map(|alias| keys.text(entry as u32, alias).to_owned())
        .filter(|text| text.starts_with(&draft.title));
    titled.chain(distinct_forms(draft, id, &draft.title)).collect()
}
