//! Artifacts: what their hash covers, and the hash.

use core::fmt;
use core::ops::Deref;

use answerplane_normalize::NormalizedKey;

use crate::artifact::declaration::{KnowledgeArtifact, UnhashedArtifact};
use crate::artifact::entries::{Entries, MAX_ENTRIES};
use crate::artifact::entry::{Entry, Matches};
use crate::artifact::keys::KeyIndex;
use crate::artifact::writer::{ByteCounter, write_artifact};
use crate::document::document;
use crate::scalar::{ContentHash, DateTime, Identifier, Timestamp};

/// Everything of an artifact that its content hash covers.
///
/// A producer reads this, computes the hash, and has an artifact; `answerplane-artifact` computes.
/// Contract: `docs/protocol/artifact.md`.
#[derive(Clone, Debug)]
pub struct ArtifactContent {
    artifact_id: Identifier,
    site_id: Identifier,
    generated_at: DateTime,
    expires_at: Option<DateTime>,
    entries: Entries,
    index: KeyIndex,
}

document!(ArtifactContent read as UnhashedArtifact: "agentskit.chat.knowledge", at most 524_288 bytes,
    fn from_wire(wire: UnhashedArtifact) -> Option<Self> {
        Self::new(wire, &[0; 32])
    }

    fn is_within_value_limit(&self) -> bool {
        // The hash that is still to come counts.
        fits(self, Some(ContentHash::from_bytes([0; 32])))
    }
);

impl ArtifactContent {
    /// Checks the rules across fields; `None` where one is broken.
    fn new(artifact: UnhashedArtifact, seed: &[u8; 32]) -> Option<Self> {
        let UnhashedArtifact { artifact_id, site_id, generated_at, expires_at, mut entries, .. } = artifact;
        let lives = expires_at.as_ref().is_none_or(|end| end.timestamp() > generated_at.timestamp());
        let index = entries.index(seed)?;
        lives.then_some(Self { artifact_id, site_id, generated_at, expires_at, entries, index })
    }

    /// The artifact.
    #[must_use]
    pub fn artifact_id(&self) -> &Identifier {
        &self.artifact_id
    }

    /// The site that the artifact belongs to.
    #[must_use]
    pub fn site_id(&self) -> &Identifier {
        &self.site_id
    }

    /// When the artifact was made.
    #[must_use]
    pub fn generated_at(&self) -> &DateTime {
        &self.generated_at
    }

    /// When the artifact stops answering.
    #[must_use]
    pub fn expires_at(&self) -> Option<&DateTime> {
        self.expires_at.as_ref()
    }

    /// Whether the artifact has stopped answering at `now`: it does so from `expiresAt` on.
    #[must_use]
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.as_ref().is_some_and(|expires_at| expires_at.timestamp() <= now)
    }

    /// The questions and answers, at most 1,024, in the order of the artifact.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = Entry<'_>> {
        Entry::all(&self.entries)
    }

    /// The entry at a place in that order, counted from 0.
    #[must_use]
    pub fn entry(&self, at: usize) -> Option<Entry<'_>> {
        Entry::at(&self.entries, at)
    }

    /// The entries that declare `key`, in the order of the artifact.
    #[must_use]
    pub fn matching(&self, key: &NormalizedKey<'_>) -> Matches<'_> {
        Matches::new(&self.entries, self.index.find(&self.entries, key.as_str()))
    }

    /// Writes the canonical bytes: what the content hash is computed over.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write_canonical(&self, out: &mut impl fmt::Write) -> fmt::Result {
        write_artifact(self, None, out)
    }

    pub(crate) fn stored_entries(&self) -> &Entries {
        &self.entries
    }
}

/// An artifact that keeps every rule of its schema. Whether its content has the hash that it declares is not
/// known: that is what a `VerifiedArtifact` of `answerplane-artifact` proves.
#[derive(Clone, Debug)]
pub struct Artifact {
    content: ArtifactContent,
    content_hash: ContentHash,
}

document!(Artifact read as KnowledgeArtifact: "agentskit.chat.knowledge", at most 524_288 bytes,
    fn from_wire(wire: KnowledgeArtifact) -> Option<Self> {
        let content_hash = wire.content_hash;
        let content = ArtifactContent::new(wire.into(), content_hash.as_bytes())?;
        Some(Self { content, content_hash })
    }

    fn is_within_value_limit(&self) -> bool {
        fits(&self.content, Some(self.content_hash))
    }
);

fn fits(content: &ArtifactContent, content_hash: Option<ContentHash>) -> bool {
    let mut size = ByteCounter::default();
    write_artifact(content, content_hash, &mut size).is_ok() && size.bytes() <= Artifact::MAX_TEXT_BYTES
}

impl Artifact {
    /// The greatest number of entries.
    pub const MAX_ENTRIES: usize = MAX_ENTRIES;

    /// The hash that the artifact declares.
    #[must_use]
    pub fn content_hash(&self) -> ContentHash {
        self.content_hash
    }

    /// Writes the artifact as compact JSON.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write(&self, out: &mut impl fmt::Write) -> fmt::Result {
        write_artifact(&self.content, Some(self.content_hash), out)
    }
}

impl Deref for Artifact {
    type Target = ArtifactContent;

    fn deref(&self) -> &ArtifactContent {
        &self.content
    }
}
