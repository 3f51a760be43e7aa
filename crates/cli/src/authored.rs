//! What authors look at: an artifact by itself, or a site with every shard.

use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

use answerplane_author::lint::Document;
use answerplane_protocol::Artifact;
use answerplane_resolver::VerifiedArtifact;
use serde::Deserialize;

use crate::file;
use crate::problem::{Cause, Document as Kind, Problem};
use crate::site::Site;

/// How many bytes are read of an artifact that may be too large, so that it can be told how large it is.
const MAX_BYTES: usize = 64 << 20;

/// The artifacts of a site, one for each shard.
pub(crate) fn artifacts(site: Site) -> Result<Vec<VerifiedArtifact>, Problem> {
    site.artifact.map(|artifact| vec![artifact])
}

/// The shards as libraries take them.
pub(crate) fn shards(artifacts: &[VerifiedArtifact]) -> Vec<&Artifact> {
    artifacts.iter().map(|artifact| -> &Artifact { artifact }).collect()
}

/// The artifacts of a site, or the one of an artifact file, which nobody vouches for.
pub(crate) fn read(place: &OsStr, timeout: Duration) -> Result<Vec<Artifact>, Problem> {
    match artifact_file(place)? {
        Some(bytes) => {
            let refused = |diagnostic| {
                let cause = Cause::Refused { diagnostic, document: Kind::Artifact };
                Problem::new(Path::new(place).display(), cause)
            };
            Ok(vec![Artifact::decode(&bytes).map_err(refused)?])
        }
        None => {
            let artifacts = artifacts(Site::load(place, timeout)?)?;
            Ok(artifacts.iter().map(|artifact| Artifact::clone(artifact)).collect())
        }
    }
}

/// Artifacts as they stand in their files, and why one of them cannot be believed.
pub(crate) fn documents(
    place: &OsStr,
    timeout: Duration,
) -> Result<(Vec<Document>, Option<Problem>), Problem> {
    if let Some(bytes) = artifact_file(place)? {
        return Ok((vec![Document::read(Path::new(place).display().to_string(), &bytes)], None));
    }
    let site = Site::load(place, timeout)?;
    let file = site.artifact_at.as_ref().map(|origin| origin.place.clone()).unwrap_or_default();
    // Of a folder the file is read again, since a refused artifact is worth looking at too.
    let text = file::read_within(Path::new(&file), MAX_BYTES).ok();
    match (text, site.artifact) {
        (Some(text), artifact) => Ok((vec![Document::read(file, &text)], artifact.err())),
        (None, Ok(artifact)) => Ok((vec![Document::of(file, &artifact)], None)),
        (None, Err(problem)) => Err(problem),
    }
}

/// The text of a file that is no site configuration; nothing of a folder or an address.
fn artifact_file(place: &OsStr) -> Result<Option<Vec<u8>>, Problem> {
    #[derive(Deserialize)]
    struct Probe {
        protocol: String,
    }

    let path = Path::new(place);
    let is_address = place.to_str().is_some_and(|text| text.contains("://"));
    if is_address || path.is_dir() {
        return Ok(None);
    }
    let bytes = file::read_within(path, MAX_BYTES).map_err(|cause| Problem::new(path.display(), cause))?;
    let is_site =
        serde_json::from_slice::<Probe>(&bytes).is_ok_and(|probe| probe.protocol == "agentskit.chat.site");
    Ok((!is_site).then_some(bytes))
}
