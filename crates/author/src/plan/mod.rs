//! Drafts become entries: ids, shared aliases, an alias of its own for each entry, labels, typing variants, slots.
//!
//! A plan depends on the drafts and the policy alone. Contract: `docs/authoring.md`.

mod aliases;
mod conflicts;
pub mod ids;
mod keys;
mod labels;
mod slots;
mod texts;
pub mod variants;

use std::sync::Arc;

use crate::config::Policy;
use crate::diagnostic::{Diagnostic, has_errors};
use crate::draft::{Draft, Drafts};
use crate::plan::keys::Keys;
use crate::plan::texts::{AliasText, DraftTexts, FileTexts, Texts, VariantText};
use crate::plan::variants::VariantRule;

/// The greatest number of aliases of an entry.
pub const SLOTS: usize = 16;
/// The greatest number of entries that one key ever offers.
pub const MAX_CHOICES: usize = 8;

/// What will be published, before it is divided into shards.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The entries in the order of their sources; continuation entries stand after the one that they continue.
    pub entries: Vec<PlannedEntry>,
    /// Everything that was found or done. With an error among it there are no entries.
    pub diagnostics: Vec<Diagnostic>,
}

/// One entry of a plan.
#[derive(Clone, Debug)]
pub struct PlannedEntry {
    file: Arc<FileTexts>,
    at: usize,
    /// Its identifier.
    pub id: Arc<str>,
    /// What a person sees in a list of choices.
    pub label: Arc<str>,
    /// Its aliases, at most 16.
    pub aliases: Vec<PlannedAlias>,
    /// The number of the continued entry among those of the plan, if it is a continuation.
    pub continues: Option<usize>,
    /// What its citations are called that have no identifier: the entry's, or that of the continued one.
    pub source_id: Arc<str>,
}

impl PlannedEntry {
    /// What its source says.
    #[must_use]
    pub fn draft(&self) -> &Draft {
        // It is made for a draft that is there.
        &self.file.drafts[self.at]
    }

    /// What is typed of one of its aliases.
    #[must_use]
    pub fn text<'e>(&'e self, alias: &'e PlannedAlias) -> &'e str {
        alias.words.of(&self.file.texts[self.at])
    }

    /// Whether another entry is published with the same text.
    pub(crate) fn is_published_like(&self, other: &Self) -> bool {
        let is_same = |a: &Arc<str>, b: &Arc<str>| Arc::ptr_eq(a, b) || a == b;
        Arc::ptr_eq(&self.file, &other.file)
            && self.at == other.at
            && is_same(&self.id, &other.id)
            && is_same(&self.label, &other.label)
            && is_same(&self.source_id, &other.source_id)
            && self.aliases.len() == other.aliases.len()
            && self.aliases.iter().zip(&other.aliases).all(|(a, b)| a.words == b.words)
    }
}

/// One alias of a planned entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedAlias {
    words: Words,
    /// Its key, by a number that equal keys of a plan share.
    pub key: u32,
    /// How it came about.
    pub made: Made,
}

/// Where the text of an alias is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Words {
    /// This one of the declared aliases.
    Declared(u32),
    /// This variant of this one of the declared aliases.
    Variant(u32, u32),
    /// Here.
    Made(Arc<str>),
}

impl Words {
    fn of<'t>(&'t self, draft: &'t DraftTexts) -> &'t str {
        match self {
            Self::Declared(alias) => &draft.aliases[*alias as usize].text,
            Self::Variant(alias, variant) => &draft.aliases[*alias as usize].variants[*variant as usize].text,
            Self::Made(text) => text,
        }
    }
}

/// How an alias came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Made {
    /// It stands in the source.
    Declared,
    /// It stands in the source and was made distinct.
    Qualified,
    /// It was added, so that the entry can be asked for alone.
    Invented,
    /// It is the label of the entry, which was made distinct from another.
    Label,
    /// It is a typing variant of another.
    Variant(VariantRule),
}

/// Makes plans; keeps what it knows of the texts, so that planning again costs less.
#[derive(Clone, Debug, Default)]
pub struct Planner {
    texts: Texts,
}

impl Planner {
    /// A planner that knows nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The plan of some drafts.
    #[must_use]
    pub fn plan(&mut self, files: &[Drafts], policy: &Policy) -> Plan {
        let found = self.texts.of(files, policy.variants.then_some(&policy.boilerplate));
        let texts: Vec<&DraftTexts> = found.iter().flat_map(|file| &file.texts).collect();
        let drafts: Vec<&Draft> = files.iter().flat_map(|of_file| of_file.iter()).collect();
        let mut diagnostics = Vec::new();
        let ids = ids::assign(&drafts, &texts, &mut diagnostics);
        conflicts::tell(&drafts, &texts, &mut diagnostics);
        let mut keys = Keys::of(&texts, &mut self.texts.interner);
        aliases::share(&drafts, &ids, &mut keys, &mut diagnostics);
        aliases::give_own(&drafts, &ids, &mut keys, &mut diagnostics);
        let continued = continued(files);
        let labels = labels::assign(&drafts, &texts, &ids, &continued, &keys, &mut diagnostics);
        aliases::add_labels(&drafts, &labels, &mut keys);
        if policy.variants {
            let made = made_aliases(&keys);
            let made: Vec<(u32, AliasText)> = made
                .into_iter()
                .map(|(entry, text)| {
                    (entry, keys.alias_text(&text, drafts[entry as usize].kind, &policy.boilerplate))
                })
                .collect();
            add_variants(&texts, &made, &mut keys);
        }
        let entries = slots::fill(&found, ids, labels, &continued, keys, policy.overflow, &mut diagnostics);
        diagnostics.sort_by(|a, b| a.place.cmp(&b.place).then(a.rule.cmp(&b.rule)));
        let entries = if has_errors(&diagnostics) { Vec::new() } else { entries };
        Plan { entries, diagnostics }
    }
}

/// Of each draft the number of the one that it continues.
fn continued(files: &[Drafts]) -> Vec<Option<usize>> {
    let mut continued = Vec::new();
    for drafts in files {
        let first = continued.len();
        continued.extend(drafts.iter().map(|draft| Some(first + draft.continues?)));
    }
    continued
}

/// The aliases that were made for entries, each with its entry.
fn made_aliases(keys: &Keys<'_>) -> Vec<(u32, Arc<str>)> {
    let of = |entry: u32| {
        keys.aliases(entry).iter().filter_map(move |alias| match &alias.words {
            Words::Made(text) => Some((entry, Arc::clone(text))),
            _ => None,
        })
    };
    (0..keys.entries()).flat_map(of).collect()
}

/// Declares the variants of every alias for exactly the entries that have it, unless the variant is declared already
/// or is one of an alias of other entries too.
fn add_variants(texts: &[&DraftTexts], made: &[(u32, AliasText)], keys: &mut Keys<'_>) {
    /// Who wants a key: the first alias that does, by its number among those found, or several that cannot agree.
    #[derive(Clone, Copy, PartialEq)]
    enum Wanted {
        By(u32),
        Disputed,
    }

    /// A variant that is wanted: of which entry's alias, if that is declared, with which key.
    struct Found<'t> {
        entry: u32,
        alias: Option<u32>,
        number: u32,
        variant: &'t VariantText,
        source: u32,
    }

    let declared = texts.iter().zip(0..).flat_map(|(draft, entry)| {
        draft.aliases.iter().zip(0..).map(move |(alias, number)| (entry, Some(number), alias))
    });
    let made = made.iter().map(|(entry, alias)| (*entry, None, alias));
    let mut seen = vec![false; keys.numbers()];
    let mut wanted: Vec<Option<Wanted>> = vec![None; keys.numbers()];
    let mut found: Vec<Found<'_>> = Vec::new();
    for (entry, alias, text) in declared.chain(made) {
        let is_held = keys.owners(text.key).contains(&entry);
        if !is_held || std::mem::replace(&mut seen[text.key as usize], true) {
            continue;
        }
        for (variant, number) in text.variants.iter().zip(0..) {
            if keys.is_known(variant.key) {
                continue;
            }
            let wanted = &mut wanted[variant.key as usize];
            match *wanted {
                None => {
                    *wanted = Some(Wanted::By(found.len() as u32));
                    found.push(Found { entry, alias, number, variant, source: text.key });
                }
                Some(Wanted::By(first)) => {
                    if keys.owners(found[first as usize].source) != keys.owners(text.key) {
                        *wanted = Some(Wanted::Disputed);
                    }
                }
                Some(Wanted::Disputed) => {}
            }
        }
    }
    for (found, at) in found.into_iter().zip(0..) {
        let Found { entry, alias, number, variant, source } = found;
        if wanted[variant.key as usize] != Some(Wanted::By(at)) {
            continue;
        }
        let made = Made::Variant(variant.rule);
        if let (Some(alias), 1) = (alias, keys.owners(source).len()) {
            keys.add(entry, Words::Variant(alias, number), variant.key, made);
            continue;
        }
        let owners = keys.owners(source).to_vec();
        for owner in owners {
            keys.add(owner, Words::Made(Arc::clone(&variant.text)), variant.key, made);
        }
    }
}
