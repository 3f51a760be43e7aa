//! Entries, artifacts and site configurations as text.

use answerplane_protocol::{ContentHash, FallbackMode};
use serde::Serialize;

use crate::plan::PlannedEntry;

/// How documents are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Without white space: what is published.
    #[default]
    Compact,
    /// Indented, for review.
    Pretty,
}

#[derive(Serialize)]
struct EntryText<'a> {
    id: &'a str,
    kind: &'a str,
    label: &'a str,
    #[serde(rename = "match")]
    matching: MatchText<'a>,
    answer: AnswerText<'a>,
}

#[derive(Serialize)]
struct MatchText<'a> {
    r#type: &'a str,
    values: Vec<&'a str>,
}

#[derive(Serialize)]
struct AnswerText<'a> {
    markdown: &'a str,
    citations: Vec<CitationText<'a>>,
}

#[derive(Serialize)]
struct CitationText<'a> {
    id: &'a str,
    title: &'a str,
    href: &'a str,
}

/// What stands around the entries of an artifact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Head<'a> {
    pub(super) protocol: &'a str,
    pub(super) version: u8,
    pub(super) artifact_id: &'a str,
    pub(super) site_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) content_hash: Option<String>,
    pub(super) generated_at: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) expires_at: Option<&'a str>,
}

impl Layout {
    /// An entry, without what separates it from others.
    pub(super) fn entry(self, entry: &PlannedEntry) -> String {
        let draft = entry.draft();
        let text = EntryText {
            id: &entry.id,
            kind: draft.kind.as_str(),
            label: &entry.label,
            matching: MatchText {
                r#type: "exact",
                values: entry.aliases.iter().map(|alias| entry.text(alias)).collect(),
            },
            answer: AnswerText {
                markdown: &draft.markdown,
                citations: draft
                    .citations
                    .iter()
                    .map(|citation| CitationText {
                        id: citation.id.as_deref().unwrap_or(&entry.source_id),
                        title: &citation.title,
                        href: &citation.href,
                    })
                    .collect(),
            },
        };
        match self {
            Self::Compact => written(&text),
            Self::Pretty => indented(&text, "    "),
        }
    }

    /// An artifact of entries that were laid out in the same way.
    pub(super) fn artifact<'a>(self, head: &Head<'_>, entries: impl Iterator<Item = &'a str>) -> String {
        let (mut text, separator, end) = match self {
            Self::Compact => (written(head), ",", "]}"),
            Self::Pretty => (indented(head, ""), ",\n    ", "\n  ]\n}\n"),
        };
        text.pop();
        match self {
            Self::Compact => text.push_str(",\"entries\":["),
            Self::Pretty => {
                text.truncate(text.trim_end().len());
                text.push_str(",\n  \"entries\": [\n    ");
            }
        }
        for (entry, number) in entries.zip(0..) {
            if number > 0 {
                text.push_str(separator);
            }
            text.push_str(entry);
        }
        text.push_str(end);
        text
    }

    /// The bytes that an entry takes beside its own.
    pub(super) const fn separator_bytes(self) -> usize {
        match self {
            Self::Compact => 1,
            Self::Pretty => 6,
        }
    }
}

/// The site configuration of a shard.
pub(super) fn site_config(site_id: &str, href: &str, hash: ContentHash, fallback: FallbackMode) -> String {
    #[derive(Serialize)]
    struct Site<'a> {
        protocol: &'a str,
        version: u8,
        #[serde(rename = "siteId")]
        site_id: &'a str,
        artifact: Artifact<'a>,
        fallback: Fallback,
    }

    #[derive(Serialize)]
    struct Artifact<'a> {
        href: &'a str,
        #[serde(rename = "contentHash")]
        content_hash: String,
    }

    #[derive(Serialize)]
    struct Fallback {
        mode: FallbackMode,
    }

    let mut text = indented(
        &Site {
            protocol: "agentskit.chat.site",
            version: 1,
            site_id,
            artifact: Artifact { href, content_hash: hash.to_string() },
            fallback: Fallback { mode: fallback },
        },
        "",
    );
    text.push('\n');
    text
}

fn written(value: &impl Serialize) -> String {
    // Texts and lists of texts always have a JSON text.
    serde_json::to_string(value).unwrap_or_default()
}

fn indented(value: &impl Serialize, margin: &str) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.replace('\n', &format!("\n{margin}"))
}
