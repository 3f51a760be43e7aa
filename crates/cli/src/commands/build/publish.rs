//! Where a site is written: whole, artifacts before configurations, with earlier builds kept.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use answerplane_author::emit::{Shard, config_name, numbered};
use answerplane_protocol::{Artifact, SiteConfig};
use answerplane_resolver::VerifiedArtifact;
use serde::Serialize;

use crate::file::{self, Replacement};
use crate::problem::{Cause, Problem};

/// How old a file is that lies beside others and is nobody's work any more.
const YOUNG: Duration = Duration::from_secs(60);

/// What was written.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Published {
    /// Names of files that are new or have other content.
    pub(crate) written: Vec<String>,
    /// How many files were already as they should be.
    pub(crate) unchanged: usize,
    /// Names of files of earlier builds that were removed.
    pub(crate) removed: Vec<String>,
}

/// The artifacts that the configurations of a folder name, as far as they can be believed.
pub(crate) fn previous(folder: &Path) -> Vec<VerifiedArtifact> {
    let artifact = |config: SiteConfig| {
        let path = folder.join(name_of(&config));
        let bytes = file::read_within(&path, Artifact::MAX_TEXT_BYTES).ok()?;
        VerifiedArtifact::verify(&bytes, &config.trust()).ok()
    };
    configs(folder).into_iter().flatten().filter_map(artifact).collect()
}

/// The configurations of a folder, until one is absent; those that cannot be read are nothing.
fn configs(folder: &Path) -> Vec<Option<SiteConfig>> {
    let bytes =
        |number| file::read_within(&folder.join(config_name(number)), SiteConfig::MAX_TEXT_BYTES).ok();
    (1..).map_while(bytes).map(|bytes| SiteConfig::decode(&bytes).ok()).collect()
}

/// The name of the file of an artifact, which is the end of its address.
pub(crate) fn name_of(config: &SiteConfig) -> String {
    config.artifact().href().as_str().rsplit('/').next().unwrap_or_default().to_owned()
}

/// Writes shards to a folder. Nothing in it changes before everything lies beside it.
pub(crate) fn publish(folder: &Path, shards: &[Shard], keep: usize) -> Result<Published, Problem> {
    fs::create_dir_all(folder).map_err(|error| {
        let is_file = fs::metadata(folder).is_ok_and(|found| !found.is_dir());
        Problem::new(folder.display(), if is_file { Cause::NotAFolder } else { Cause::Unwritable(error) })
    })?;
    // Of two builds at once the later one waits, and wins whole. Where a folder cannot be locked they are not kept apart.
    let lock = File::open(folder).ok();
    let _locked = lock.as_ref().map(File::lock);
    let replaced = replaced(folder, shards)?;
    remove_left_behind(folder);
    let artifacts = shards.iter().map(|shard| (&shard.artifact_name, &*shard.artifact));
    let mut configs: Vec<(&String, &str)> =
        shards.iter().map(|shard| (&shard.config_name, shard.config.as_str())).collect();
    // Entries move to later shards when a site grows, and back when it shrinks: whoever reads meanwhile finds an
    // entry twice rather than not at all.
    if shards.len() >= replaced {
        configs.reverse();
    }
    let mut published = Published::default();
    let mut replacements = Vec::new();
    let mut paths = Vec::new();
    for (name, text) in artifacts.chain(configs) {
        let path = folder.join(name);
        if fs::read(&path).is_ok_and(|present| present == text.as_bytes()) {
            published.unchanged += 1;
            continue;
        }
        let replacement = Replacement::prepare(&path, text.as_bytes());
        replacements.push(replacement.map_err(|cause| Problem::new(path.display(), cause))?);
        published.written.push(name.clone());
        paths.push(path);
    }
    file::put_in_place(replacements).map_err(|(done, error)| not_in_place(&paths, done, error))?;
    for number in (shards.len() + 1..=replaced).rev() {
        remove(folder, &config_name(number), &mut published)?;
    }
    for name in outdated(folder, shards, keep * shards.len()) {
        remove(folder, &name, &mut published)?;
    }
    Ok(published)
}

/// How many configurations the folder has after this build's or in their place, all of this site.
///
/// Readers take whatever follows the last configuration for one more shard; so that is not passed over either.
fn replaced(folder: &Path, shards: &[Shard]) -> Result<usize, Problem> {
    let first = shards.first().map(|shard| shard.site_id.as_str()).unwrap_or_default();
    let mut number = 0;
    loop {
        number += 1;
        let path = folder.join(config_name(number));
        let is_there = match fs::symlink_metadata(&path) {
            Ok(_) => true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(Problem::new(path.display(), file::cause(error))),
        };
        if !is_there && number > shards.len() {
            return Ok(number - 1);
        }
        let site_id = numbered(first, number);
        if is_there && !is_config_of(&path, &site_id) {
            return Err(Problem::new(path.display(), Cause::AnotherSite(site_id)));
        }
    }
}

/// Whether a file is the configuration of this site, or of this shard.
fn is_config_of(path: &Path, site_id: &str) -> bool {
    let bytes = file::read_within(path, SiteConfig::MAX_TEXT_BYTES).ok();
    let config = bytes.and_then(|bytes| SiteConfig::decode(&bytes).ok());
    config.is_some_and(|config| config.site_id().as_str() == site_id)
}

/// Removes what a build that was killed had laid beside its files; what is young may be somebody's work.
fn remove_left_behind(folder: &Path) {
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_ours = file.file_name().as_encoded_bytes().starts_with(file::BESIDE.as_bytes());
        let age = || file.metadata().ok()?.modified().ok()?.elapsed().ok();
        if is_ours && age().is_some_and(|age| age > YOUNG) {
            let _ = fs::remove_file(file.path());
        }
    }
}

fn not_in_place(paths: &[PathBuf], done: usize, error: io::Error) -> Problem {
    let shown = |at: usize| paths.get(at).map(|path| path.display().to_string()).unwrap_or_default();
    match done.checked_sub(1) {
        None => Problem::new(shown(0), Cause::Unreplaced(error)),
        Some(last) => Problem::new(shown(done), Cause::HalfWritten { written: shown(last), error }),
    }
}

fn remove(folder: &Path, name: &str, published: &mut Published) -> Result<(), Problem> {
    let path = folder.join(name);
    match fs::remove_file(&path) {
        Ok(()) => published.removed.push(name.to_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(Problem::new(path.display(), Cause::Unwritable(error))),
    }
    Ok(())
}

/// Artifacts of earlier builds of these shards beyond the newest `keep`, which no configuration names.
fn outdated(folder: &Path, shards: &[Shard], keep: usize) -> Vec<String> {
    let Ok(files) = fs::read_dir(folder) else { return Vec::new() };
    let names: Vec<String> = files.filter_map(|file| file.ok()?.file_name().into_string().ok()).collect();
    let (artifacts, others): (Vec<String>, Vec<String>) =
        names.into_iter().filter(|name| name.ends_with(".json")).partition(|name| is_artifact(name));
    // Another site may lie in the folder too, with a configuration of another name.
    let config = |name: String| {
        let bytes = file::read_within(&folder.join(name), SiteConfig::MAX_TEXT_BYTES).ok()?;
        SiteConfig::decode(&bytes).ok()
    };
    let named: HashSet<String> =
        others.into_iter().filter_map(config).map(|config| name_of(&config)).collect();
    let mut earlier: Vec<(SystemTime, String)> = artifacts
        .into_iter()
        .filter(|name| !named.contains(name) && is_of_site(&folder.join(name), shards))
        .filter_map(|name| {
            Some((fs::metadata(folder.join(&name)).and_then(|file| file.modified()).ok()?, name))
        })
        .collect();
    earlier.sort_unstable_by(|a, b| b.cmp(a));
    earlier.into_iter().skip(keep).map(|(_, name)| name).collect()
}

/// Whether a file has the name of an artifact.
fn is_artifact(name: &str) -> bool {
    let hex = name.strip_suffix(".json").unwrap_or_default();
    hex.len() == 64 && hex.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// How much of an artifact holds everything that stands before its entries.
const HEAD_BYTES: u64 = 2_048;

/// Whether a file begins as an artifact of one of these shards, or of a further one that there was.
fn is_of_site(path: &Path, shards: &[Shard]) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head));
    head.retain(|byte| !byte.is_ascii_whitespace());
    let head = String::from_utf8_lossy(&head);
    let member = |name: &str| head.split_once(name).and_then(|(_, rest)| rest.split('"').next());
    let site_id = member("\"siteId\":\"");
    let hash = member("\"contentHash\":\"sha256:");
    let is_named_by = |hash: &str| path.file_stem().is_some_and(|stem| stem == hash);
    let is_ours = |site_id: &str| {
        let first = shards.first().map(|shard| shard.site_id.as_str()).unwrap_or_default();
        let number = site_id.strip_prefix(first).and_then(|rest| rest.strip_prefix('.'));
        number.is_some_and(|number| number.parse::<usize>().is_ok())
            || shards.iter().any(|shard| shard.site_id == site_id)
    };
    read.is_ok()
        && head.starts_with(ARTIFACT_BEGINS)
        && site_id.is_some_and(is_ours)
        && hash.is_some_and(is_named_by)
}

/// How an artifact that was built begins.
const ARTIFACT_BEGINS: &str = "{\"protocol\":\"agentskit.chat.knowledge\",";
