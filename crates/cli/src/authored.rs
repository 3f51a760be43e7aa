//! What authors look at: an artifact by itself, or a site with every shard.

use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

use answerplane_author::lint::Document;
use answerplane_protocol::Artifact;
use answerplane_resolver::VerifiedArtifact;
use serde::Deserialize;

use crate::file;
use crate::output::Output;
use crate::problem::{Cause, Document as Kind, Problem};
use crate::site::Site;

/// How many bytes are read of an artifact that may be too large, so that it can be told how large it is.
const MAX_BYTES: usize = 64 << 20;

/// The artifacts of a site, one for each shard; nothing after everything that is wrong with it has been said.
pub(crate) fn artifacts(
    place: &OsStr,
    timeout: Duration,
    output: &mut Output,
) -> Result<Option<Vec<VerifiedArtifact>>, Problem> {
    let site = Site::load(place, timeout)?;
    site.problems().for_each(|problem| output.report(problem));
    Ok(site.is_verified().then(|| site.artifacts().filter_map(|artifact| artifact.ok().cloned()).collect()))
}

/// The shards as libraries take them.
pub(crate) fn shards(artifacts: &[VerifiedArtifact]) -> Vec<&Artifact> {
    artifacts.iter().map(|artifact| -> &Artifact { artifact }).collect()
}

/// The artifacts of a site as [`artifacts`] gives them, or the one of an artifact file, which nobody vouches for.
pub(crate) fn read(
    place: &OsStr,
    timeout: Duration,
    output: &mut Output,
) -> Result<Option<Vec<Artifact>>, Problem> {
    let Some(bytes) = artifact_file(place)? else {
        let artifacts = artifacts(place, timeout, output)?;
        return Ok(artifacts.map(|all| all.iter().map(|artifact| Artifact::clone(artifact)).collect()));
    };
    let artifact = Artifact::decode(&bytes).map_err(|diagnostic| {
        Problem::new(Path::new(place).display(), Cause::Refused { diagnostic, document: Kind::Artifact })
    })?;
    Ok(Some(vec![artifact]))
}

/// The artifacts of a site as they stand in their files, believable or not; of an address those that are.
pub(crate) fn documents(site: &Site) -> Vec<Document> {
    let shards = site.shards().filter_map(Result::ok);
    let documents = shards.filter_map(|shard| {
        let place = &shard.artifact_at.as_ref()?.place;
        // The file is read again, since a refused artifact is worth looking at too.
        match file::read_within(Path::new(place), MAX_BYTES) {
            Ok(text) => Some(Document::read(place, &text)),
            Err(_) => shard.artifact.as_ref().ok().map(|artifact| Document::of(place, artifact)),
        }
    });
    documents.collect()
}

/// The text of a file that is no site configuration; nothing of a folder or an address.
pub(crate) fn artifact_file(place: &OsStr) -> Result<Option<Vec<u8>>, Problem> {
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
    let probe = serde_json::from_slice::<Probe>(&bytes);
    let is_site = probe.is_ok_and(|probe| probe.protocol == "agentskit.chat.site");
    Ok((!is_site).then_some(bytes))
}
