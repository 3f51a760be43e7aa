//! SITE: a folder, a configuration file, or an address.

mod folder;
mod web;

use std::ffi::OsStr;
use std::time::Duration;

use answerplane_protocol::{Artifact, DeterministicDiagnostic, SafeLink, SiteConfig};
use answerplane_resolver::VerifiedArtifact;

use crate::problem::{Cause, Document, Problem};
use crate::site::folder::Folder;
use crate::site::web::Web;

/// A site that has been read: its configuration, and its artifact or what is wrong with it.
pub(crate) struct Site {
    /// The configuration.
    pub(crate) config: SiteConfig,
    /// Where the configuration stands.
    pub(crate) config_at: Origin,
    /// Where the artifact stands, if one was found.
    pub(crate) artifact_at: Option<Origin>,
    /// The artifact, if it can be believed.
    pub(crate) artifact: Result<VerifiedArtifact, Problem>,
}

/// Where something was read.
pub(crate) struct Origin {
    /// The file or address.
    pub(crate) place: String,
    /// How many bytes it has; a greatest number of bytes and one more where it has too many.
    pub(crate) bytes: usize,
}

/// A text that was read, and where.
struct Found {
    place: String,
    bytes: Vec<u8>,
}

/// Where the documents of a site come from.
trait Source {
    /// The configuration.
    fn config(&self) -> Result<Found, Problem>;

    /// The artifact at the link that the configuration holds.
    fn artifact(&self, link: &SafeLink) -> Result<Found, Problem>;
}

impl Site {
    /// Reads a site. What is wrong with its artifact is part of the site; only without a configuration is there none.
    pub(crate) fn load(site: &OsStr, timeout: Duration) -> Result<Self, Problem> {
        match web::address(site) {
            Some(address) => Self::read(&Web::new(address?, timeout)?),
            None => Self::read(&Folder::new(site.as_ref())?),
        }
    }

    fn read(source: &dyn Source) -> Result<Self, Problem> {
        let found = source.config()?;
        let config = SiteConfig::decode(&found.bytes)
            .map_err(|diagnostic| refused(&found.place, diagnostic, Document::Site))?;
        let (artifact_at, artifact) = match source.artifact(config.artifact().href()) {
            Err(problem) => (None, Err(problem)),
            Ok(found) => {
                let verified = VerifiedArtifact::verify(&found.bytes, &config.trust());
                let artifact =
                    verified.map_err(|diagnostic| refused(&found.place, diagnostic, Document::Artifact));
                (Some(found.into()), artifact)
            }
        };
        Ok(Self { config, config_at: found.into(), artifact_at, artifact })
    }
}

impl From<Found> for Origin {
    fn from(Found { place, bytes }: Found) -> Self {
        Self { place, bytes: bytes.len() }
    }
}

fn refused(place: &str, diagnostic: DeterministicDiagnostic, document: Document) -> Problem {
    Problem::new(place, Cause::Refused { diagnostic, document })
}

/// The greatest number of bytes that are read of a document. One more is read, which its decoder refuses.
const fn limit(document: Document) -> usize {
    match document {
        Document::Site => SiteConfig::MAX_TEXT_BYTES,
        Document::Artifact => Artifact::MAX_TEXT_BYTES,
    }
}
