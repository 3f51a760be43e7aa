//! What a plan needs to know of every text: its key by a number, and its typing variants. It is found once for each
//! file that was read, however often a plan is made.

use std::collections::HashMap;
use std::sync::Arc;

use answerplane_normalize::normalize_key;
use answerplane_protocol::EntryKind;
use foldhash::fast::RandomState;

use crate::draft::{Draft, Drafts};
use crate::plan::ids;
use crate::plan::keys::fits;
use crate::plan::variants::{VariantRule, variants};

/// Keys and their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Interner {
    numbers: HashMap<Box<str>, u32, RandomState>,
}

impl Interner {
    /// How many keys there are; numbers are below.
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The number of a key that is known.
    pub(super) fn find(&self, key: &str) -> Option<u32> {
        self.numbers.get(key).copied()
    }

    /// The number of a key.
    pub(super) fn number(&mut self, key: &str) -> u32 {
        if let Some(number) = self.numbers.get(key) {
            return *number;
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(key.into(), number);
        number
    }
}

/// What is known of the texts of a draft.
#[derive(Clone, Debug)]
pub(super) struct DraftTexts {
    /// What the id is made of.
    pub(super) id: Arc<str>,
    /// The title and its key.
    pub(super) title: Arc<str>,
    pub(super) title_key: u32,
    /// The aliases.
    pub(super) aliases: Box<[AliasText]>,
}

/// An alias, its key and its variants.
#[derive(Clone, Debug)]
pub(super) struct AliasText {
    pub(super) text: Arc<str>,
    pub(super) key: u32,
    pub(super) variants: Box<[VariantText]>,
}

/// A typing variant and its key.
#[derive(Clone, Debug)]
pub(super) struct VariantText {
    pub(super) rule: VariantRule,
    pub(super) text: Arc<str>,
    pub(super) key: u32,
}

/// The texts of every file of the last plan.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    pub(super) interner: Interner,
    /// Which variants are made: none, or those with these words left out.
    boilerplate: Option<Vec<String>>,
    /// By the address of the drafts, which are kept, so that no others come to lie there.
    files: HashMap<usize, Arc<FileTexts>, RandomState>,
}

/// The drafts of a file and their texts.
#[derive(Clone, Debug)]
pub(super) struct FileTexts {
    pub(super) drafts: Drafts,
    pub(super) texts: Box<[DraftTexts]>,
}

/// How many more keys than are in use may be kept.
const MOST_UNUSED: usize = 8;

impl Texts {
    /// The texts of these files; what is no longer among them is forgotten.
    pub(super) fn of(&mut self, files: &[Drafts], boilerplate: Option<&[String]>) -> Vec<Arc<FileTexts>> {
        if self.boilerplate.as_deref() != boilerplate {
            *self = Self { boilerplate: boilerplate.map(<[String]>::to_vec), ..Self::default() };
        }
        let mut before = std::mem::take(&mut self.files);
        let found: Vec<Arc<FileTexts>> = files
            .iter()
            .map(|drafts| {
                let address = Arc::as_ptr(drafts).cast::<()>().addr();
                // Files without drafts may share an address with anything.
                let known = before.remove(&address).filter(|known| Arc::ptr_eq(&known.drafts, drafts));
                let known = known.unwrap_or_else(|| {
                    let texts = drafts.iter().map(|draft| self.draft(draft)).collect();
                    Arc::new(FileTexts { drafts: Arc::clone(drafts), texts })
                });
                self.files.insert(address, Arc::clone(&known));
                known
            })
            .collect();
        let used: usize = found.iter().flat_map(|file| &file.texts).map(DraftTexts::keys).sum();
        if self.interner.len() > 1_000_000 && self.interner.len() / MOST_UNUSED > used {
            let boilerplate = self.boilerplate.take();
            *self = Self::default();
            return self.of(files, boilerplate.as_deref());
        }
        found
    }

    fn draft(&mut self, draft: &Draft) -> DraftTexts {
        let boilerplate = self.boilerplate.as_deref();
        let aliases = draft.aliases.iter();
        let aliases =
            aliases.map(|alias| alias_text(&mut self.interner, alias, draft.kind, boilerplate)).collect();
        DraftTexts {
            id: ids::basis(draft).into(),
            title: draft.title.as_str().into(),
            title_key: self.interner.number(normalize_key(&draft.title).as_str()),
            aliases,
        }
    }
}

/// An alias of an entry of this kind; its variants leave out the words of `boilerplate`, if there are to be any.
pub(super) fn alias_text(
    interner: &mut Interner,
    alias: &str,
    kind: EntryKind,
    boilerplate: Option<&[String]>,
) -> AliasText {
    let key = interner.number(normalize_key(alias).as_str());
    let made = boilerplate.map(|boilerplate| variants(alias, kind, boilerplate)).unwrap_or_default();
    let variants = made.into_iter().filter_map(|(rule, text)| {
        let key = normalize_key(&text);
        let key = fits(&text, key.as_str()).then(|| interner.number(key.as_str()))?;
        Some(VariantText { rule, text: text.into(), key })
    });
    AliasText { text: alias.into(), key, variants: variants.collect() }
}

impl DraftTexts {
    fn keys(&self) -> usize {
        self.aliases.iter().map(|alias| 1 + alias.variants.len()).sum()
    }
}
