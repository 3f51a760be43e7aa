//! One question with different answers.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::diagnostic::Diagnostic;
use crate::draft::{Draft, Origin};
use crate::plan::texts::DraftTexts;
use crate::rule::Rule;

/// Tells of every question that rows or entries by hand answer differently, unless something says what is different
/// about them. Pages may share a title.
pub(super) fn tell(drafts: &[&Draft], texts: &[&DraftTexts], diagnostics: &mut Vec<Diagnostic>) {
    let mut first: HashMap<u32, usize, RandomState> = HashMap::default();
    let mut groups: Vec<Vec<&Draft>> = Vec::new();
    for (draft, text) in
        drafts.iter().zip(texts).filter(|(draft, _)| matches!(draft.origin, Origin::Row | Origin::Hand))
    {
        let group = *first.entry(text.title_key).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(draft);
    }
    for group in groups {
        let mut conflicts = group.iter().enumerate().filter_map(|(at, other)| {
            let one = group[..at].iter().find(|one| is_conflict(one, other))?;
            Some((*one, other.place.clone()))
        });
        let Some((one, other)) = conflicts.next() else { continue };
        let others = std::iter::once(other).chain(conflicts.map(|(_, other)| other));
        let message = format!("\"{}\" is answered differently elsewhere", one.title);
        diagnostics.push(Diagnostic::new(Rule::ConflictingAnswers, one.place.clone(), message).with(others));
    }
}

/// Whether two drafts of one question answer it differently, and neither a section nor, for rows, an address tells
/// them apart.
fn is_conflict(one: &Draft, two: &Draft) -> bool {
    one.markdown != two.markdown
        && !are_apart(one.qualifiers.first(), two.qualifiers.first())
        && !are_apart(address(one), address(two))
}

fn are_apart<T: PartialEq>(one: Option<T>, two: Option<T>) -> bool {
    matches!((one, two), (Some(one), Some(two)) if one != two)
}

fn address(draft: &Draft) -> Option<&str> {
    let citation = draft.citations.first().filter(|_| draft.origin == Origin::Row)?;
    Some(&citation.href)
}
