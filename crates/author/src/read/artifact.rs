//! An artifact whose entries are taken over.

use std::collections::HashMap;

use answerplane_protocol::{ArtifactContent, Entry};

use crate::draft::{Draft, DraftCitation, DraftId, Origin};
use crate::invisible;
use crate::outcome::base_id;
use crate::read::sheet::Sheet;
use crate::read::text::{code_point, words};
use crate::rule::Rule;

/// Whether a text without a named format is an artifact.
pub(super) fn is_one(text: &str) -> bool {
    let head = &text.as_bytes()[..text.len().min(4_096)];
    text.trim_start().starts_with('{')
        && head.windows(PROTOCOL.len()).any(|window| window == PROTOCOL.as_bytes())
}

const PROTOCOL: &str = "\"agentskit.chat.knowledge\"";

/// Reads an artifact. Its hash is not looked at: what is built has one of its own.
pub(super) fn read(text: &str, sheet: &mut Sheet<'_>) {
    let content = match ArtifactContent::decode(text) {
        Ok(content) => content,
        Err(error) => return sheet.report(Rule::ArtifactUnreadable, 0, "", error.to_string()),
    };
    let numbers: HashMap<&str, usize> = content.entries().map(|entry| entry.id()).zip(0..).collect();
    let continued = |entry: Entry<'_>| {
        let is_same =
            |other: Entry<'_>| other.label() == entry.label() && other.markdown() == entry.markdown();
        let number = |id: &str| numbers.get(id).copied();
        let base = base_id(entry.id(), |id| {
            number(id).and_then(|number| content.entry(number)).is_some_and(is_same)
        });
        number(base).filter(|_| base != entry.id())
    };
    for (entry, number) in content.entries().zip(0..) {
        let field = format!("entries[{number}]");
        for (alias, number) in entry.aliases().zip(0..) {
            if let Some(character) = invisible::first(alias) {
                let field = format!("{field}.match.values[{number}]");
                let message = format!("the alias holds {}", code_point(character));
                sheet.report(Rule::AliasInvisible, 0, &field, message);
            }
        }
        let citations = entry.citations().map(|citation| DraftCitation {
            id: Some(citation.id().to_owned()),
            title: citation.title().to_owned(),
            href: citation.href().to_owned(),
        });
        sheet.drafts.push(Draft {
            place: sheet.place(0, &field),
            origin: Origin::Artifact,
            id: DraftId::Declared(entry.id().to_owned()),
            id_line: None,
            continues: continued(entry),
            kind: entry.kind(),
            title: entry.label().to_owned(),
            aliases: entry.aliases().map(str::to_owned).collect(),
            qualifiers: Vec::new(),
            path: words(entry.id()),
            markdown: entry.markdown().to_owned(),
            citations: citations.collect(),
            shared: sheet.settings.shared,
            priority: sheet.settings.priority,
        });
    }
}
