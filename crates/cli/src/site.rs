//! SITE: a folder, a configuration file, or an address.

mod folder;
pub(crate) mod outage;
mod web;

use std::ffi::OsStr;
use std::iter;
use std::time::Duration;

use answerplane_author::emit::MAX_SHARDS;
use answerplane_protocol::{Artifact, DeterministicDiagnostic, SafeLink, SiteConfig};
use answerplane_resolver::VerifiedArtifact;

use crate::problem::{Cause, Document, Problem};
use crate::site::folder::Folder;
use crate::site::web::Web;

/// After so many configurations in a row that cannot be used, no more are read: a server that answers every address
/// with some JSON has no last one.
const MAX_UNUSABLE: usize = 3;

/// A site that has been read: its shards. Most sites have one.
pub(crate) struct Site {
    /// The shard that names the site and says what becomes of an escalation.
    pub(crate) first: Shard,
    /// The others, or what is wrong with the configuration of one.
    further: Vec<Result<Shard, Problem>>,
}

/// A shard: its configuration, and its artifact or what is wrong with it.
pub(crate) struct Shard {
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

    /// The configuration of a further shard, by its number from 2 on, or nothing where there is none.
    fn further_config(&self, number: usize) -> Result<Option<Found>, Problem>;

    /// The artifact at the link that the configuration of a shard holds, by the number of the shard from 1 on.
    fn artifact(&self, number: usize, link: &SafeLink) -> Result<Found, Problem>;
}

impl Site {
    /// Reads a site. What is wrong with its artifacts and with the configurations of its further shards is part of the
    /// site; only without its first configuration is there none.
    pub(crate) fn load(site: &OsStr, timeout: Duration) -> Result<Self, Problem> {
        match web::address(site) {
            Some(address) => Self::read(&Web::new(address?, timeout)?),
            None => Self::read(&Folder::new(site.as_ref())?),
        }
    }

    fn read(source: &dyn Source) -> Result<Self, Problem> {
        let found = source.config()?;
        let config = decode(&found)?;
        let mut site = Self { first: Shard::read(source, 1, config, found), further: Vec::new() };
        let mut unusable = 0;
        // Without time left nobody knows whether there are more; the shard that took it is a problem already.
        while unusable < MAX_UNUSABLE && !site.problems().any(Problem::is_timeout) {
            let number = site.further.len() + 2;
            let shard = match source.further_config(number) {
                Ok(None) => break,
                Ok(Some(found)) if number > MAX_SHARDS => {
                    return Err(Problem::new(found.place, Cause::TooManyShards(MAX_SHARDS)));
                }
                Ok(Some(found)) => site.further_shard(source, number, found),
                Err(problem) => Err(problem),
            };
            unusable = if shard.is_ok() { 0 } else { unusable + 1 };
            site.further.push(shard);
        }
        Ok(site)
    }

    fn further_shard(&self, source: &dyn Source, number: usize, found: Found) -> Result<Shard, Problem> {
        let config = decode(&found)?;
        let site_id = format!("{}.{number}", self.first.config.site_id());
        if config.site_id().as_str() == site_id {
            Ok(Shard::read(source, number, config, found))
        } else {
            Err(Problem::new(found.place, Cause::ForeignShard))
        }
    }

    /// All shards in their order, or what is wrong with the configuration of one.
    pub(crate) fn shards(&self) -> impl Iterator<Item = Result<&Shard, &Problem>> {
        iter::once(Ok(&self.first)).chain(self.further.iter().map(Result::as_ref))
    }

    /// The artifact of each shard, or why there is none.
    pub(crate) fn artifacts(&self) -> impl Iterator<Item = Result<&VerifiedArtifact, &Problem>> {
        self.shards().map(|shard| shard?.artifact.as_ref())
    }

    /// What is wrong, at most one thing for each shard.
    pub(crate) fn problems(&self) -> impl Iterator<Item = &Problem> {
        self.artifacts().filter_map(Result::err)
    }

    /// Whether there is more than one shard.
    pub(crate) fn is_sharded(&self) -> bool {
        !self.further.is_empty()
    }

    /// Whether the artifacts of all shards can be believed.
    pub(crate) fn is_verified(&self) -> bool {
        self.problems().next().is_none()
    }
}

impl Shard {
    fn read(source: &dyn Source, number: usize, config: SiteConfig, found: Found) -> Self {
        let (artifact_at, artifact) = match source.artifact(number, config.artifact().href()) {
            Err(problem) => (None, Err(problem)),
            Ok(found) => {
                let verified = VerifiedArtifact::verify(&found.bytes, &config.trust());
                let artifact =
                    verified.map_err(|diagnostic| refused(&found.place, diagnostic, Document::Artifact));
                (Some(found.into()), artifact)
            }
        };
        Self { config, config_at: found.into(), artifact_at, artifact }
    }
}

fn decode(found: &Found) -> Result<SiteConfig, Problem> {
    SiteConfig::decode(&found.bytes).map_err(|diagnostic| refused(&found.place, diagnostic, Document::Site))
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
