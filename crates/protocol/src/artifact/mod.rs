//! The knowledge artifact, `agentskit.chat.knowledge` v1.
//!
//! All texts of an artifact lie in one buffer, and the keys found while its rules are checked are the index
//! that answers queries: nothing is looked at twice.

mod content;
mod declaration;
mod entries;
mod entry;
mod keys;
mod writer;

pub use content::{Artifact, ArtifactContent};
pub use declaration::{Citation, EntryKind};
pub use entry::{CitationView, Entry, Matches};

#[cfg(feature = "schema")]
pub(crate) use declaration::KnowledgeArtifact;
