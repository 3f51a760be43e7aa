//! Canonical bytes and their hash.

use alloc::string::String;
use core::fmt;

use answerplane_protocol::{ArtifactContent, ContentHash};
use sha2::{Digest, Sha256};

/// The canonical form: the compact JSON text that the content hash covers, without the hash.
///
/// ```
/// use answerplane_protocol::ArtifactContent;
///
/// let content = ArtifactContent::decode(
///     r#"{ "entries": [], "protocol": "agentskit.chat.knowledge", "version": 1.0, "more": 0,
///          "artifactId": "a", "siteId": "s", "generatedAt": "2026-03-01T09:00Z" }"#,
/// )?;
/// assert_eq!(
///     answerplane_artifact::canonical_json(&content),
///     r#"{"protocol":"agentskit.chat.knowledge","version":1,"artifactId":"a","siteId":"s","generatedAt":"2026-03-01T09:00Z","entries":[]}"#,
/// );
/// # Ok::<(), answerplane_protocol::DeterministicDiagnostic>(())
/// ```
#[must_use]
pub fn canonical_json(content: &ArtifactContent) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = content.write_canonical(&mut text);
    text
}

/// The SHA-256 of the canonical form, computed without building it.
#[must_use]
pub fn content_hash(content: &ArtifactContent) -> ContentHash {
    let mut hasher = Hasher(Sha256::new());
    // Nor can writing to a hasher.
    let _ = content.write_canonical(&mut hasher);
    ContentHash::from_bytes(hasher.0.finalize().into())
}

struct Hasher(Sha256);

impl fmt::Write for Hasher {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}
