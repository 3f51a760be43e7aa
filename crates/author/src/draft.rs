//! What a source says of one entry, before anything is decided about it.

use std::sync::Arc;

use answerplane_protocol::EntryKind;

use crate::config::Shared;
use crate::diagnostic::Place;

/// One page, heading, row, package or written entry, as its source has it.
///
/// Its texts are trimmed and within the limits of an artifact; ids and aliases are not compared with any other's.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// Where it stands.
    pub place: Place,
    /// What kind of source it comes from.
    pub origin: Origin,
    /// How it is to be identified.
    pub id: DraftId,
    /// The line where its author gives the id, from 1; nothing where nobody does.
    pub id_line: Option<u32>,
    /// The number, among the drafts of its file, of the entry that it continues with further keys; only an entry of an
    /// artifact does.
    pub continues: Option<usize>,
    /// What it is about.
    pub kind: EntryKind,
    /// The label: what a person sees, 1 to 256 UTF-16 units.
    pub title: String,
    /// All declared aliases, at least one, each 1 to 512 UTF-16 units and no two with the same key. The title comes
    /// first where it is one, which is so everywhere but in an artifact.
    pub aliases: Vec<String>,
    /// What tells it apart from another of the same title, best first: the titles of its section and parents.
    pub qualifiers: Vec<String>,
    /// Its path or slug in words that can be typed, such as `cli install`.
    pub path: String,
    /// The answer in Markdown, 1 to 16,384 UTF-16 units.
    pub markdown: String,
    /// Its sources, at most 8.
    pub citations: Vec<DraftCitation>,
    /// What happens to an alias that it shares.
    pub shared: Shared,
    /// Of two entries the one of lower priority goes first where there is no room.
    pub priority: i64,
}

/// What kind of source a draft comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A page, or what stands for one: a heading, a link, a package. Several may share a title.
    Page,
    /// An entry of an artifact. Several of one artifact may share a label.
    Artifact,
    /// A row: a question and its answer.
    Row,
    /// An entry by hand: a question and its answer.
    Hand,
}

/// How an entry is to be identified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DraftId {
    /// The author says how: an identifier.
    Declared(String),
    /// From the path of a page: sanitized, and no two pages may give the same.
    Path(String),
    /// From the address or text of a row: sanitized, and made distinct where two rows give the same.
    Address(String),
}

/// A source of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftCitation {
    /// An identifier, if the author gave one; otherwise that of the entry.
    pub id: Option<String>,
    /// What a person sees, 1 to 256 UTF-16 units.
    pub title: String,
    /// A safe link.
    pub href: String,
}

/// Drafts of one file, shared between a reader's memory and a plan.
pub type Drafts = Arc<[Draft]>;
