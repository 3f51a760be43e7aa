//! Why nobody declared a query.

use std::fmt;

use answerplane_normalize::{normalize_key, utf16_len};
use answerplane_protocol::{Artifact, Timestamp};
use serde::Serialize;

use crate::characters::{CodePoint, is_unseen, quoted, unseen};
use crate::near::{Aliases, Declared};
use crate::outcome::Outcome;
use crate::plan::variants::VariantRule;
use crate::prose;

/// A declared key near a query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Near {
    /// The alias as it was declared.
    pub alias: String,
    /// The id of its entry.
    pub entry: String,
    /// How many insertions, removals, replacements and swaps of characters the keys are apart.
    pub edits: usize,
    /// Where the keys first differ.
    pub difference: Difference,
}

/// Where two keys first differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// The place in both keys, in UTF-16 units.
    pub position: usize,
    /// What was asked; `None` at the end of the key.
    pub asked: Option<CodePoint>,
    /// What was declared; `None` at the end of the key.
    pub declared: Option<CodePoint>,
    /// The sign of the query that became what was asked, where it is another, such as `…`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<CodePoint>,
}

/// Why nobody declared a query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "reason", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Reason {
    /// A shard has expired, and no other declares the key.
    Expired,
    /// There is nothing but white space.
    Empty,
    /// The query or its key is longer than 512 UTF-16 units.
    TooLong {
        /// How long it is.
        units: usize,
    },
    /// It holds a character that nobody sees.
    Unseen {
        /// Where the first stands, in UTF-16 units.
        position: usize,
        /// Which it is.
        #[serde(flatten)]
        character: CodePoint,
        /// What would make the query a declared one.
        would_match: Option<WouldMatch>,
    },
    /// A variant rule would have declared it.
    Variant {
        /// Which rule.
        rule: VariantRule,
        /// The alias it is a variant of.
        alias: String,
        /// The entry of the alias.
        entry: String,
    },
    /// It is a text of an answer; only questions are matched.
    AnswerText {
        /// The entry of the answer.
        entry: String,
    },
    /// A declared key is near, and not the same.
    Near {
        /// The alias as it was declared.
        alias: String,
        /// Its entry.
        entry: String,
        /// Where the keys first differ.
        difference: Difference,
    },
    /// No declared key is near.
    NothingNear,
}

/// What would make a query with unseen characters a declared one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum WouldMatch {
    /// Leaving them out.
    LeftOut,
    /// Writing a space for each.
    AsSpace,
}

impl Near {
    pub(crate) fn new(query: &str, key: &str, edits: usize, declared: &Declared<'_>) -> Self {
        Self {
            alias: declared.alias.to_owned(),
            entry: declared.entry.id().to_owned(),
            edits,
            difference: Difference::between(key, declared.key).with_written(query),
        }
    }
}

impl Difference {
    fn between(asked: &str, declared: &str) -> Self {
        let mut position = 0;
        let (mut one, mut two) = (asked.chars(), declared.chars());
        loop {
            match (one.next(), two.next()) {
                (Some(asked), Some(declared)) if asked == declared => position += asked.len_utf16(),
                (asked, declared) => {
                    let [asked, declared] = [asked, declared].map(|character| character.map(CodePoint));
                    return Self { position, asked, declared, written: None };
                }
            }
        }
    }

    /// The difference with the sign of the query that it comes from.
    fn with_written(self, query: &str) -> Self {
        let Some(CodePoint(asked)) = self.asked else { return self };
        let reaches = |end: usize| normalize_key(&query[..end]).utf16_len() > self.position;
        let mut characters =
            query.char_indices().map(|(at, character)| (at + character.len_utf8(), character));
        let written = characters.find(|(end, _)| reaches(*end)).map(|(_, character)| character);
        // Capitals are written for what they become.
        let written = written.filter(|written| *written != asked && !written.is_alphanumeric());
        Self { written: written.map(CodePoint), ..self }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position;
        let told = match (self.asked, self.declared) {
            (Some(asked), Some(declared)) => {
                write!(f, "at position {position} {asked} was asked and {declared} was declared")
            }
            (None, Some(declared)) => {
                write!(f, "the query ends at position {position}, where {declared} was declared")
            }
            (Some(asked), None) => {
                write!(f, "the alias ends at position {position}, where {asked} was asked")
            }
            (None, None) => f.write_str("the keys are the same"),
        };
        match self.written {
            Some(written) => told.and_then(|()| write!(f, ", written as {written}")),
            None => told,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expired => f.write_str("the site has expired"),
            Self::Empty => f.write_str("there is nothing but white space"),
            Self::TooLong { units } => {
                write!(f, "it has {units} UTF-16 units, and at most 512 are ever declared")
            }
            Self::Unseen { position, character, would_match } => {
                write!(f, "it holds {character} at position {position}, which nobody sees")?;
                match would_match {
                    Some(WouldMatch::LeftOut) => f.write_str("; without it the query is declared"),
                    Some(WouldMatch::AsSpace) => {
                        f.write_str("; with a space in its place the query is declared")
                    }
                    None => Ok(()),
                }
            }
            Self::Variant { rule, alias, entry } => write!(
                f,
                "it is a variant of {} of {entry}, which the rule {rule} declares when the site is built with variants",
                quoted(alias)
            ),
            Self::AnswerText { entry } => {
                write!(f, "it is a text of the answer of {entry}; only declared questions are matched")
            }
            Self::Near { alias, entry, difference } => {
                write!(f, "{} of {entry} is near, but {difference}", quoted(alias))
            }
            Self::NothingNear => f.write_str("no declared question is near"),
        }
    }
}

/// Why a query is a miss, the most telling reason first.
pub(super) fn of_miss(
    shards: &[&Artifact],
    aliases: &Aliases<'_>,
    query: &str,
    nearest: &[Near],
    at: Timestamp,
) -> Vec<Reason> {
    let key = normalize_key(query);
    if key.is_empty() {
        return vec![Reason::Empty];
    }
    let units = utf16_len(query).max(key.utf16_len());
    if units > 512 {
        return vec![Reason::TooLong { units }];
    }
    let mut reasons = Vec::new();
    if let Some((position, character)) = unseen(query).first() {
        let is_declared = |text: &str| !Outcome::of(shards, text, at).entries().is_empty();
        let left_out: String = query.chars().filter(|character| !is_unseen(*character)).collect();
        let spaced: String = query.chars().map(|c| if is_unseen(c) { ' ' } else { c }).collect();
        let would_match = if is_declared(&left_out) {
            Some(WouldMatch::LeftOut)
        } else {
            is_declared(&spaced).then_some(WouldMatch::AsSpace)
        };
        reasons.push(Reason::Unseen { position: *position, character: CodePoint(*character), would_match });
    }
    if let Some((rule, declared)) = aliases.variant_of(key.as_str()) {
        let (alias, entry) = (declared.alias.to_owned(), declared.entry.id().to_owned());
        reasons.push(Reason::Variant { rule, alias, entry });
    }
    let entries = shards.iter().flat_map(|shard| shard.entries());
    if let Some(entry) = entries.into_iter().find(|entry| prose::says(entry.markdown(), key.as_str())) {
        reasons.push(Reason::AnswerText { entry: entry.id().to_owned() });
    }
    if reasons.is_empty() {
        reasons.push(match nearest.first() {
            Some(near) => Reason::Near {
                alias: near.alias.clone(),
                entry: near.entry.clone(),
                difference: near.difference,
            },
            None => Reason::NothingNear,
        });
    }
    reasons
}
