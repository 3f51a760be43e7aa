//! When a site was made and when it stops answering.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;

use answerplane_author::config::Config;
use answerplane_author::emit::{Expiry, Made};
use answerplane_protocol::{DateTime, Timestamp};

use crate::commands::build::Sources;
use crate::problem::{Cause, Problem};

/// When a site was made, as somebody says it.
#[derive(Clone, Debug)]
pub(crate) enum GeneratedAt {
    /// At the time of the build.
    Now,
    /// At this moment.
    At(DateTime),
}

impl FromStr for GeneratedAt {
    type Err = answerplane_protocol::InvalidScalar;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "now" { Ok(Self::Now) } else { text.parse().map(Self::At) }
    }
}

/// When a site stops answering.
pub(crate) fn expiry(sources: &Sources, config: &Config) -> Expiry {
    match &sources.expires_at {
        Some(moment) => Expiry::At(moment.clone()),
        None => Expiry::After(config.policy.expires_in),
    }
}

/// When a site of these files is made, at the instant `now`.
pub(crate) fn made(sources: &Sources, files: &[PathBuf], now: Timestamp) -> Result<Made, Problem> {
    Ok(match &sources.generated_at {
        Some(GeneratedAt::Now) => Made::Said(now),
        Some(GeneratedAt::At(moment)) => Made::Said(moment.timestamp()),
        None => Made::Found(match env::var_os(EPOCH) {
            Some(epoch) => {
                let epoch = epoch.to_str().and_then(seconds);
                epoch.ok_or_else(|| Problem::new(EPOCH, Cause::NotSeconds))?
            }
            None => newest_commit(files).unwrap_or(now),
        }),
    })
}

/// The moment that reproducible builds agree on, in seconds.
const EPOCH: &str = "SOURCE_DATE_EPOCH";

fn seconds(text: &str) -> Option<Timestamp> {
    text.parse::<i64>().ok()?.checked_mul(1_000).map(Timestamp::from_millis)
}

/// The date of the newest commit that touched any of the files, where git knows it.
fn newest_commit(files: &[PathBuf]) -> Option<Timestamp> {
    let folder = common_folder(files)?;
    // The common folder stands for its files, of which there may be more than a command line holds.
    let pathspec: &OsStr = if let [file] = files { file.file_name()? } else { OsStr::new(".") };
    let output = Command::new("git")
        .arg("-C")
        .arg(&folder)
        .args(["log", "-1", "--format=%ct", "--"])
        .arg(pathspec)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    seconds(str::from_utf8(&output.stdout).ok()?.trim())
}

fn common_folder(files: &[PathBuf]) -> Option<PathBuf> {
    let mut folder = files.first()?.parent()?.to_owned();
    for file in files {
        while !file.starts_with(&folder) {
            folder = folder.parent()?.to_owned();
        }
    }
    Some(if folder == Path::new("") { PathBuf::from(".") } else { folder })
}
