//! Drafts become entries: ids, shared aliases, an alias of its own for each entry, labels, typing variants, slots.
//!
//! A plan depends on the drafts and the policy alone. Contract: `docs/authoring.md`.

mod aliases;
pub mod ids;
mod keys;
mod labels;
mod slots;
pub mod variants;

use std::collections::HashMap;

use answerplane_protocol::EntryKind;

use crate::config::Policy;
use crate::diagnostic::{Diagnostic, has_errors};
use crate::draft::{Draft, Drafts};
use crate::plan::keys::Keys;
use crate::plan::variants::{VariantRule, variants};

/// The greatest number of aliases of an entry.
pub const SLOTS: usize = 16;
/// The greatest number of entries that one key ever offers.
pub const MAX_CHOICES: usize = 8;

/// What will be published, before it is divided into shards.
#[derive(Clone, Debug)]
pub struct Plan<'d> {
    /// The entries in the order of their sources; continuation entries stand after the one that they continue.
    pub entries: Vec<PlannedEntry<'d>>,
    /// Everything that was found or done. With an error among it there are no entries.
    pub diagnostics: Vec<Diagnostic>,
}

/// One entry of a plan.
#[derive(Clone, Debug)]
pub struct PlannedEntry<'d> {
    /// What its source says.
    pub draft: &'d Draft,
    /// Its identifier.
    pub id: String,
    /// What a person sees in a list of choices.
    pub label: String,
    /// Its aliases, at most 16.
    pub aliases: Vec<PlannedAlias>,
    /// The number of the continued entry among those of the plan, if it is a continuation.
    pub continues: Option<usize>,
    /// What its citations are called that have no identifier: the entry's, or that of the continued one.
    pub source_id: String,
}

/// One alias of a planned entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedAlias {
    /// What is typed.
    pub text: String,
    /// Its key, by a number that equal keys of a plan share.
    pub key: u32,
    /// How it came about.
    pub made: Made,
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
    /// It is a typing variant of another.
    Variant(VariantRule),
}

/// Makes plans; keeps the variants of the aliases that it has seen, so that planning again costs less.
#[derive(Clone, Debug, Default)]
pub struct Planner {
    boilerplate: Vec<String>,
    variants: HashMap<(String, EntryKind), Box<[Variant]>>,
}

/// A typing variant and its key.
#[derive(Clone, Debug)]
struct Variant {
    rule: VariantRule,
    text: String,
    key: String,
}

impl Planner {
    /// A planner that has seen nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The plan of some drafts.
    #[must_use]
    pub fn plan<'d>(&mut self, drafts: &'d [Drafts], policy: &Policy) -> Plan<'d> {
        let drafts: Vec<&Draft> = drafts.iter().flat_map(|of_file| of_file.iter()).collect();
        let mut diagnostics = Vec::new();
        let ids = ids::assign(&drafts, &mut diagnostics);
        let mut keys = Keys::of(&drafts);
        aliases::share(&drafts, &ids, &mut keys, &mut diagnostics);
        aliases::give_own(&drafts, &ids, &mut keys, &mut diagnostics);
        let labels = labels::assign(&drafts, &ids, &keys, &mut diagnostics);
        if policy.variants {
            self.forget_unless(&policy.boilerplate);
            self.add_variants(&drafts, &mut keys);
        }
        let entries = slots::fill(&drafts, ids, labels, keys, policy.overflow, &mut diagnostics);
        diagnostics.sort_by(|a, b| a.place.cmp(&b.place).then(a.rule.cmp(&b.rule)));
        let entries = if has_errors(&diagnostics) { Vec::new() } else { entries };
        Plan { entries, diagnostics }
    }

    fn forget_unless(&mut self, boilerplate: &[String]) {
        if self.boilerplate != boilerplate {
            self.boilerplate = boilerplate.to_vec();
            self.variants.clear();
        }
    }

    /// Declares the variants of every alias for exactly the entries that have it, unless the variant is declared
    /// already or is one of an alias of other entries too.
    fn add_variants(&mut self, drafts: &[&Draft], keys: &mut Keys) {
        let mut wanted: HashMap<&str, Option<usize>> = HashMap::new();
        let mut found: Vec<(&Variant, u32)> = Vec::new();
        let sources = keys.sources();
        for (text, entry, _) in &sources {
            let alias = (text.clone(), drafts[*entry as usize].kind);
            if !self.variants.contains_key(&alias) {
                let made = variants(text, alias.1, &self.boilerplate);
                let made = made.into_iter().map(|(rule, text)| {
                    let key = answerplane_normalize::normalize_key(&text).as_str().to_owned();
                    Variant { rule, text, key }
                });
                let made = made.filter(|variant| keys::fits(&variant.text, &variant.key)).collect();
                self.variants.insert(alias, made);
            }
        }
        for (text, entry, source) in &sources {
            let alias = (text.clone(), drafts[*entry as usize].kind);
            for variant in self.variants.get(&alias).into_iter().flatten() {
                if keys.find(&variant.key).is_some() {
                    continue;
                }
                match wanted.get_mut(variant.key.as_str()) {
                    None => {
                        wanted.insert(&variant.key, Some(found.len()));
                        found.push((variant, *source));
                    }
                    Some(first) => {
                        let differs = |at: usize| keys.owners(found[at].1) != keys.owners(*source);
                        if first.is_some_and(differs) {
                            *first = None;
                        }
                    }
                }
            }
        }
        for (at, (variant, source)) in found.iter().enumerate() {
            if wanted.get(variant.key.as_str()) == Some(&Some(at)) {
                keys.declare_variant(variant, *source);
            }
        }
    }
}
