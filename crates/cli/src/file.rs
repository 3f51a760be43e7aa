//! Files: read within a bound, written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::interrupt::{self, Loose};
use crate::problem::Cause;

/// Reads a file up to `limit` bytes and one more, which shows that there are too many.
///
/// A file that is longer is never read to its end. Folders, pipes and devices, which may never end or never begin,
/// are not read at all.
pub(crate) fn read_up_to(path: &Path, limit: usize) -> Result<Vec<u8>, Cause> {
    if !fs::metadata(path).map_err(cause)?.is_file() {
        return Err(Cause::NotAFile);
    }
    let file = open(path).map_err(cause)?;
    // Something else may have taken the place of the file.
    if !file.metadata().map_err(cause)?.is_file() {
        return Err(Cause::NotAFile);
    }
    let mut bytes = Vec::new();
    file.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(cause)?;
    Ok(bytes)
}

/// Why something cannot be read.
pub(crate) fn cause(error: io::Error) -> Cause {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Cause::Missing,
        io::ErrorKind::IsADirectory => Cause::NotAFile,
        _ => Cause::Unreadable(error),
    }
}

/// Opens a file; a pipe that has taken its place does not make anybody wait.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;

        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    options.read(true).open(path)
}

/// Reads a file of at most `limit` bytes.
pub(crate) fn read_within(path: &Path, limit: usize) -> Result<Vec<u8>, Cause> {
    let bytes = read_up_to(path, limit)?;
    if bytes.len() > limit { Err(Cause::TooLarge(limit)) } else { Ok(bytes) }
}

/// Reads at most `limit` bytes of a file, or of standard input where the path is `-`.
pub(crate) fn read_input_within(path: &Path, limit: usize) -> Result<Vec<u8>, Cause> {
    if path != Path::new("-") {
        return read_within(path, limit);
    }
    let mut bytes = Vec::new();
    io::stdin().take(limit as u64 + 1).read_to_end(&mut bytes).map_err(cause)?;
    if bytes.len() > limit { Err(Cause::TooLarge(limit)) } else { Ok(bytes) }
}

/// How the names of files begin that are to take the place of others.
pub(crate) const BESIDE: &str = ".answerplane-";

/// New content for a file, which lies beside it and takes its place in one step.
///
/// Whatever happens meanwhile, the file holds all of the old content or all of the new. What has not taken its place
/// is removed.
pub(crate) struct Replacement {
    /// Where it belongs.
    path: PathBuf,
    /// Where it lies, until it is in its place.
    beside: Option<NamedTempFile>,
}

impl Replacement {
    /// Writes new content for a file that may be written, or for one that does not exist yet. An old file's
    /// permissions and owner are kept.
    pub(crate) fn prepare(path: &Path, content: &[u8]) -> Result<Self, Cause> {
        // Of a link it is the file behind it that is replaced.
        let (path, present) = match fs::canonicalize(path) {
            Ok(path) => {
                let present = writable(&path)?;
                (path, Some(present))
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                (path.to_owned(), None)
            }
            Err(error) => return Err(Cause::Unreplaced(error)),
        };
        if !folder_of(&path).is_dir() {
            return Err(Cause::NoFolder);
        }
        Self::write(path, present.as_ref(), content).map_err(Cause::Unreplaced)
    }

    fn write(path: PathBuf, present: Option<&fs::Metadata>, content: &[u8]) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(BESIDE);
        #[cfg(unix)]
        if present.is_none() {
            use std::os::unix::fs::PermissionsExt;

            // As every new file: what the user's mask leaves of this.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let mut notes = interrupt::notes();
        let beside = builder.tempfile_in(folder_of(&path))?;
        notes.add(Loose::File(beside.path().to_owned()));
        drop(notes);

        let mut replacement = Self { path, beside: Some(beside) };
        if let Some(beside) = &mut replacement.beside {
            beside.write_all(content)?;
            if let Some(present) = present {
                keep_owner(beside.as_file(), present);
                beside.as_file().set_permissions(present.permissions())?;
            }
            beside.as_file().sync_all()?;
        }
        Ok(replacement)
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Some(beside) = self.beside.take() {
            let mut notes = interrupt::notes();
            let loose = Loose::File(beside.path().to_owned());
            drop(beside);
            notes.strike(&loose);
        }
    }
}

/// Lets replacements take their places, in order; a signal ends the program before the first or after the last.
///
/// When one cannot, those after it do not; how many have is said beside the reason.
pub(crate) fn put_in_place(replacements: Vec<Replacement>) -> Result<(), (usize, io::Error)> {
    let mut notes = interrupt::notes();
    let mut done = 0;
    let mut failure = None;
    for mut replacement in replacements {
        let Some(beside) = replacement.beside.take() else { continue };
        let loose = Loose::File(beside.path().to_owned());
        if failure.is_none() {
            match beside.persist(&replacement.path) {
                Ok(_) => {
                    sync_folder(folder_of(&replacement.path));
                    done += 1;
                }
                Err(error) => failure = Some(error.error),
            }
        }
        notes.strike(&loose);
    }
    failure.map_or(Ok(()), |error| Err((done, error)))
}

/// Writes a file whole or not at all.
pub(crate) fn write(path: &Path, content: &[u8]) -> Result<(), Cause> {
    let replacement = Replacement::prepare(path, content)?;
    put_in_place(vec![replacement]).map_err(|(_, error)| Cause::Unreplaced(error))
}

/// What is known of a file that may be written.
fn writable(path: &Path) -> Result<fs::Metadata, Cause> {
    let present = fs::metadata(path).map_err(Cause::Unreplaced)?;
    if !present.is_file() {
        return Err(Cause::NotAFile);
    }
    if present.permissions().readonly() {
        return Err(Cause::Unreplaced(io::ErrorKind::PermissionDenied.into()));
    }
    // Opening is the question; nothing is written.
    OpenOptions::new().write(true).open(path).map_err(Cause::Unreplaced)?;
    Ok(present)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
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
