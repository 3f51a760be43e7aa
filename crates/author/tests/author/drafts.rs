//! Drafts as a source would give them.

use std::sync::Arc;

use answerplane_author::config::{Config, Policy, Shared};
use answerplane_author::draft::{Draft, DraftCitation, DraftId, Drafts, Origin};
use answerplane_author::plan::{Made, Plan, Planner};
use answerplane_author::{Place, Rule};
use answerplane_protocol::EntryKind;

/// A page of this path and title, with these further aliases.
pub(crate) fn page(path: &str, title: &str, aliases: &[&str]) -> Draft {
    Draft {
        place: Place::file(format!("{path}.md")).line(1),
        origin: Origin::Page,
        id: DraftId::Path(path.into()),
        id_line: None,
        continues: None,
        kind: EntryKind::Document,
        title: title.into(),
        aliases: std::iter::once(title).chain(aliases.iter().copied()).map(String::from).collect(),
        qualifiers: path.rsplit('/').skip(1).map(String::from).collect(),
        path: path.replace(['/', '-'], " "),
        markdown: format!("What {path} says."),
        citations: vec![DraftCitation { id: None, title: title.into(), href: format!("/{path}") }],
        shared: Shared::Auto,
        priority: 0,
    }
}

/// Without variants, unless a test is about them.
pub(crate) fn plain() -> Policy {
    Policy { variants: false, ..Policy::default() }
}

/// The drafts of one file.
pub(crate) fn of_file(drafts: Vec<Draft>) -> Vec<Drafts> {
    vec![Arc::from(drafts)]
}

/// The drafts with another policy for what they share.
pub(crate) fn sharing(drafts: &[Drafts], shared: Shared) -> Vec<Drafts> {
    let changed = |draft: &Draft| Draft { shared, ..draft.clone() };
    of_file(drafts.iter().flat_map(|of_file| of_file.iter()).map(changed).collect())
}

/// The plan of these drafts.
pub(crate) fn plan(drafts: &[Drafts], policy: &Policy) -> Plan {
    Planner::new().plan(drafts, policy)
}

/// The aliases of an entry, and how they came about.
pub(crate) fn aliases<'p>(plan: &'p Plan, id: &str) -> Vec<(&'p str, Made)> {
    let entry = plan.entries.iter().find(|entry| &*entry.id == id).unwrap();
    entry.aliases.iter().map(|alias| (entry.text(alias), alias.made)).collect()
}

/// The texts of the aliases of an entry.
pub(crate) fn texts<'p>(plan: &'p Plan, id: &str) -> Vec<&'p str> {
    aliases(plan, id).into_iter().map(|(text, _)| text).collect()
}

/// What was found by a rule.
pub(crate) fn found(plan: &Plan, rule: Rule) -> Vec<&str> {
    plan.diagnostics.iter().filter(|found| found.rule == rule).map(|found| found.message.as_str()).collect()
}

/// A site without policies of its own.
pub(crate) fn config() -> Config {
    Config::parse("site.id = \"handbook\"\n[[source]]\npath = \".\"", "answerplane.toml".as_ref()).unwrap()
}
