//! What is wrong or doubtful in an artifact: every rule whose code begins with `LINT_`.
//!
//! Each rule has a page in `docs/lint` and a fixture in `fixtures/lint`.

mod aliases;
mod answers;
mod document;
mod links;
mod site;
mod site_tree;

use std::path::PathBuf;

use answerplane_protocol::{SafeLink, Timestamp};

pub use document::Document;

use crate::diagnostic::{Diagnostic, Level, Place};
use crate::lint::site::LintSite;
use crate::rule::Rule;

/// The greatest length of an alias that people are expected to type, in UTF-16 units.
pub const TYPED_UNITS: usize = 80;

const DAY: i64 = 86_400_000;

/// What a lint looks at beside the artifact.
#[derive(Clone, Debug)]
pub struct LintOptions {
    /// The instant at which expiry is judged.
    pub now: Timestamp,
    /// How many milliseconds an artifact has to answer still [default: 14 days].
    pub min_remaining: i64,
    /// The folder of the site that links lead to; without it links are not followed.
    pub site_tree: Option<PathBuf>,
    /// The address of the folder; without it only links that begin with `/` lead into it.
    pub base_url: Option<SafeLink>,
}

impl Default for LintOptions {
    fn default() -> Self {
        Self { now: Timestamp::from_millis(0), min_remaining: 14 * DAY, site_tree: None, base_url: None }
    }
}

/// Everything that is found in the shards of a site, in the order of their files and lines.
///
/// ```
/// use answerplane_author::lint::{Document, LintOptions, lint};
///
/// let findings = lint(&[Document::read("knowledge.json", b"{")], &LintOptions::default());
/// assert_eq!(findings[0].rule.code(), "LINT_INVALID");
/// assert_eq!(findings[0].place.line, Some(1));
/// ```
#[must_use]
pub fn lint(shards: &[Document], options: &LintOptions) -> Vec<Diagnostic> {
    let mut findings: Vec<Diagnostic> = Vec::new();
    for shard in shards {
        findings.extend(shard.problems.iter().cloned());
        findings.extend(expiry(shard, options));
    }
    let site = LintSite::new(shards);
    aliases::lint(&site, &mut findings);
    answers::lint(&site, &mut findings);
    links::lint(&site, options, &mut findings);
    let shard_of = |place: &Place| shards.iter().position(|shard| shard.file == place.file);
    findings.sort_by_cached_key(|finding| {
        let number = field_number(&finding.place);
        (shard_of(&finding.place), number, finding.place.line, finding.place.field.clone(), finding.rule)
    });
    findings
}

/// The number of the entry that a place lies in; what is not about an entry comes first.
fn field_number(place: &Place) -> Option<usize> {
    let number = place.field.as_deref()?.strip_prefix("entries[")?;
    number.split(']').next()?.parse().ok()
}

fn expiry(shard: &Document, options: &LintOptions) -> Option<Diagnostic> {
    let remaining = shard.expires_at?.as_millis().saturating_sub(options.now.as_millis());
    let place =
        Place { file: shard.file.clone(), line: shard.expires_line, field: Some("expiresAt".to_owned()) };
    let days = |millis: i64| u64::try_from(millis / DAY).unwrap_or(0);
    if remaining <= 0 {
        let mut finding = Diagnostic::new(Rule::LintExpiresSoon, place, "the artifact has expired");
        finding.level = Level::Error;
        return Some(finding);
    }
    (remaining < options.min_remaining).then(|| {
        let (left, wanted) = (days(remaining), days(options.min_remaining));
        let what = format!("the artifact answers for {left} whole days more; {wanted} are wanted");
        Diagnostic::new(Rule::LintExpiresSoon, place, what)
    })
}
