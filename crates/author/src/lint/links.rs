//! The rules about links: whether they are safe, and whether they lead anywhere.

use answerplane_protocol::SafeLink;
use url::Url;

use crate::characters::quoted;
use crate::diagnostic::{Diagnostic, Level, Place};
use crate::lint::LintOptions;
use crate::lint::site::LintSite;
use crate::lint::site_tree::{Found, SiteTree};
use crate::rule::Rule;

pub(super) fn lint(site: &LintSite<'_>, options: &LintOptions, findings: &mut Vec<Diagnostic>) {
    let mut tree = options.site_tree.as_ref().and_then(|folder| {
        let tree = SiteTree::open(folder, options.base_url.as_ref());
        if tree.is_none() {
            let place = Place::file(folder.display().to_string());
            findings.push(Diagnostic::new(
                Rule::Unreadable,
                place,
                "the site tree is no folder that can be read",
            ));
        }
        tree
    });
    for entry in &site.entries {
        let place = entry.entry.markdown_place();
        for link in &entry.prose.links {
            findings.extend(unsafe_link(link, &place));
        }
        let Some(tree) = &mut tree else { continue };
        let cited = entry.entry.citations.iter().map(|citation| (&citation.href, &citation.place));
        for (link, place) in cited.chain(entry.prose.links.iter().map(|link| (link, &place))) {
            let found = dead_link(link, place, tree);
            // Many links may lead to what cannot be read.
            findings
                .extend(found.filter(|found| found.rule != Rule::Unreadable || !findings.contains(found)));
        }
    }
}

/// A link of an answer that is shown as text only. One that would do harm if a renderer let it is an error.
fn unsafe_link(link: &str, place: &Place) -> Option<Diagnostic> {
    if link.parse::<SafeLink>().is_ok() {
        return None;
    }
    let is_harmless = match Url::parse(link) {
        Ok(url) => matches!(url.scheme(), "mailto" | "tel"),
        Err(_) => !link.starts_with("//") && !link.contains('\\') && !link.chars().any(char::is_control),
    };
    let what = format!("{} is no safe link, so it is shown as text", quoted(link));
    let mut finding = Diagnostic::new(Rule::LintUnsafeLink, place.clone(), what);
    if is_harmless {
        finding.level = Level::Warning;
    }
    Some(finding)
}

fn dead_link(link: &str, place: &Place, tree: &mut SiteTree) -> Option<Diagnostic> {
    let (rule, what) = match tree.look_up(link) {
        Found::Elsewhere | Found::There => return None,
        Found::NoPage => (Rule::LintDeadLink, format!("{} leads to no page of the site tree", quoted(link))),
        Found::NoAnchor(anchor) => (
            Rule::LintMissingAnchor,
            format!("the page of {} has no anchor {}", quoted(link), quoted(&anchor)),
        ),
        Found::Unreadable(path) => {
            let place = Place::file(path.display().to_string());
            return Some(Diagnostic::new(Rule::Unreadable, place, "links lead here, and it cannot be read"));
        }
    };
    Some(Diagnostic::new(rule, place.clone(), what))
}
