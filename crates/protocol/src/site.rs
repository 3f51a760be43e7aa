//! The site configuration, `agentskit.chat.site` v1.

use serde::ser::{Serialize, Serializer};

use crate::diagnostic::DeterministicDiagnostic;
use crate::document::document;
use crate::scalar::{ContentHash, Identifier, SafeLink};
use crate::wire::{Version1, wire_constant, wire_enum, wire_object};

wire_constant! {
    SiteProtocol = "agentskit.chat.site";
}

wire_object! {
    /// What a site publishes about its answers: where the artifact is, the hash that makes it trustworthy, and
    /// whether a backend may answer the rest. Contract: `docs/protocol/site.md`. At most 16,384 bytes as text.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) struct SiteDocument {
        /// The name of the protocol.
        required protocol: SiteProtocol = "protocol",
        /// The version of the protocol.
        required version: Version1 = "version",
        /// The identifier of the site that the artifact has to belong to.
        required site_id: Identifier = "siteId",
        /// Where the artifact is and what it has to be.
        required artifact: ArtifactReference = "artifact",
        /// What happens to a question without a declared answer.
        required fallback: Fallback = "fallback",
    }
}

wire_object! {
    /// A link to an artifact and the hash of its content.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ArtifactReference {
        /// Where the artifact is: an address, or a path on the site.
        required href: SafeLink = "href",
        /// The content hash that the artifact has to have.
        required content_hash: ContentHash = "contentHash",
    }
}

wire_object! {
    /// What happens to a question without a declared answer.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) struct Fallback {
        /// Whether a backend may be asked.
        required mode: FallbackMode = "mode",
    }
}

wire_enum! {
    /// Whether a backend may be asked.
    pub enum FallbackMode {
        /// A backend answers what is not declared.
        Backend = "backend",
        /// Nothing but declared answers is given.
        Disabled = "disabled",
    }
}

/// What a site publishes about its answers: where the artifact is, the hash that makes it trustworthy, and whether a
/// backend may answer the rest. Contract: `docs/protocol/site.md`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteConfig(SiteDocument);

document!(SiteConfig read as SiteDocument: "agentskit.chat.site", at most 16_384 bytes,
    fn from_wire(wire: SiteDocument) -> Option<Self> {
        Some(Self(wire))
    }
);

impl SiteConfig {
    /// The site.
    #[must_use]
    pub fn site_id(&self) -> &Identifier {
        &self.0.site_id
    }

    /// Where the artifact is and what it has to be.
    #[must_use]
    pub fn artifact(&self) -> &ArtifactReference {
        &self.0.artifact
    }

    /// Whether a backend may be asked.
    #[must_use]
    pub fn fallback_mode(&self) -> FallbackMode {
        self.0.fallback.mode
    }

    /// What an artifact has to match to be believed.
    #[must_use]
    pub fn trust(&self) -> Trust {
        Trust { content_hash: self.0.artifact.content_hash, site_id: self.0.site_id.clone() }
    }
}

impl Serialize for SiteConfig {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        self.0.serialize(serializer)
    }
}

impl ArtifactReference {
    /// Where the artifact is: an address, or a path on the site.
    #[must_use]
    pub fn href(&self) -> &SafeLink {
        &self.href
    }

    /// The content hash that the artifact has to have.
    #[must_use]
    pub fn content_hash(&self) -> ContentHash {
        self.content_hash
    }
}

/// What an artifact has to match to be believed: a content hash and a site, from a source that is trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trust {
    /// The content hash.
    pub content_hash: ContentHash,
    /// The site.
    pub site_id: Identifier,
}

impl Trust {
    /// The trust that two texts express.
    ///
    /// # Errors
    ///
    /// [`InvalidTrust`](DeterministicDiagnostic::InvalidTrust) when either is malformed.
    pub fn parse(content_hash: &str, site_id: &str) -> Result<Self, DeterministicDiagnostic> {
        match (content_hash.parse(), site_id.parse()) {
            (Ok(content_hash), Ok(site_id)) => Ok(Self { content_hash, site_id }),
            _ => Err(DeterministicDiagnostic::InvalidTrust),
        }
    }
}
