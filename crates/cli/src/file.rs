//! Files: read within a bound, written whole or not at all.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use crate::problem::Cause;

/// Reads a file up to `limit` bytes and one more, which shows that there are too many.
///
/// A file that is longer is never read to its end, and a folder is not read at all.
pub(crate) fn read_up_to(path: &Path, limit: usize) -> Result<Vec<u8>, Cause> {
    let cause = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Cause::Missing,
        io::ErrorKind::IsADirectory => Cause::NotAFile,
        _ => Cause::Unreadable(error),
    };
    if fs::metadata(path).map_err(cause)?.is_dir() {
        return Err(Cause::NotAFile);
    }
    let mut bytes = Vec::new();
    let mut bounded = File::open(path).map_err(cause)?.take(limit as u64 + 1);
    bounded.read_to_end(&mut bytes).map_err(cause)?;
    Ok(bytes)
}

/// Reads a file of at most `limit` bytes.
pub(crate) fn read_within(path: &Path, limit: usize) -> Result<Vec<u8>, Cause> {
    let bytes = read_up_to(path, limit)?;
    if bytes.len() > limit { Err(Cause::TooLarge(limit)) } else { Ok(bytes) }
}

/// Replaces the content of a file that exists, keeping its permissions and owner.
///
/// The new content is written beside it and then takes its place in one step: whatever happens meanwhile, the file
/// holds all of the old content or all of the new.
pub(crate) fn replace(path: &Path, content: &[u8]) -> Result<(), Cause> {
    // Of a link it is the file behind it that is replaced.
    let path = fs::canonicalize(path).map_err(Cause::Unwritable)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let present = fs::metadata(&path).map_err(Cause::Unwritable)?;
    if present.permissions().readonly() {
        return Err(Cause::Unwritable(io::ErrorKind::PermissionDenied.into()));
    }
    let written = (|| {
        let mut beside = tempfile::Builder::new().prefix(".answerplane-").tempfile_in(folder)?;
        beside.write_all(content)?;
        keep_owner(beside.as_file(), &present);
        beside.as_file().set_permissions(present.permissions())?;
        beside.as_file().sync_all()?;
        beside.persist(&path)?;
        sync_folder(folder);
        Ok(())
    })();
    written.map_err(Cause::Unwritable)
}

/// Only a privileged user can give a file away; for others it stays theirs.
#[cfg(unix)]
fn keep_owner(file: &File, present: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};

    let same = file.metadata().is_ok_and(|new| new.uid() == present.uid() && new.gid() == present.gid());
    if !same {
        let _ = fchown(file, Some(present.uid()), Some(present.gid()));
    }
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &fs::Metadata) {}

/// Makes the new name last through a loss of power, where a folder can be opened for that; it is in place anyhow.
fn sync_folder(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}
