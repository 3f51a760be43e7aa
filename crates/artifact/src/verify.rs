//! From a text to an artifact that can be believed.

use alloc::sync::Arc;
use core::ops::Deref;

use answerplane_protocol::{Artifact, DeterministicDiagnostic, Trust};

use crate::hash::content_hash;

/// An artifact whose content has the hash, and whose site is the site, that somebody trusts.
///
/// Verification is the only way to one, and nothing can change it afterwards. Cloning shares it. In particular neither
/// it nor an [`Artifact`] can be deserialized around the limits of its readers:
///
/// ```compile_fail
/// let artifact: answerplane_protocol::Artifact = serde_json::from_str("{}").unwrap();
/// ```
///
/// ```compile_fail
/// let artifact: answerplane_artifact::VerifiedArtifact = serde_json::from_str("{}").unwrap();
/// ```
#[derive(Clone, Debug)]
pub struct VerifiedArtifact(Arc<Artifact>);

impl VerifiedArtifact {
    /// Reads an artifact and verifies it.
    ///
    /// # Errors
    ///
    /// In this order: everything that [`Artifact::decode`] refuses;
    /// [`UnexpectedHash`](DeterministicDiagnostic::UnexpectedHash) when the artifact declares another hash than
    /// the trusted one; [`ForeignSite`](DeterministicDiagnostic::ForeignSite) when it belongs to another site;
    /// [`HashMismatch`](DeterministicDiagnostic::HashMismatch) when its content does not have the hash.
    pub fn verify(text: impl AsRef<[u8]>, trust: &Trust) -> Result<Self, DeterministicDiagnostic> {
        Self::of(Artifact::decode(text)?, trust)
    }

    /// Verifies an artifact that has been read by any of its readers.
    ///
    /// # Errors
    ///
    /// As [`verify`](Self::verify), without those of reading.
    pub fn of(artifact: Artifact, trust: &Trust) -> Result<Self, DeterministicDiagnostic> {
        if artifact.content_hash() != trust.content_hash {
            return Err(DeterministicDiagnostic::UnexpectedHash);
        }
        if *artifact.site_id() != trust.site_id {
            return Err(DeterministicDiagnostic::ForeignSite);
        }
        if content_hash(&artifact) != artifact.content_hash() {
            return Err(DeterministicDiagnostic::HashMismatch);
        }
        Ok(Self(Arc::new(artifact)))
    }
}

/// Compares an artifact that has been read with what somebody expects of it, as texts, where they expect
/// anything. Nothing is recomputed, so this proves nothing: a malformed expectation simply differs.
///
/// # Errors
///
/// [`UnexpectedHash`](DeterministicDiagnostic::UnexpectedHash), then
/// [`ForeignSite`](DeterministicDiagnostic::ForeignSite).
pub fn check_expected(
    artifact: &Artifact,
    content_hash: Option<&str>,
    site_id: Option<&str>,
) -> Result<(), DeterministicDiagnostic> {
    if content_hash.is_some_and(|expected| expected.parse() != Ok(artifact.content_hash())) {
        return Err(DeterministicDiagnostic::UnexpectedHash);
    }
    if site_id.is_some_and(|expected| expected != artifact.site_id().as_str()) {
        return Err(DeterministicDiagnostic::ForeignSite);
    }
    Ok(())
}

impl Deref for VerifiedArtifact {
    type Target = Artifact;

    fn deref(&self) -> &Artifact {
        &self.0
    }
}
