//! Files that are made by a command and committed.

use std::path::PathBuf;

use crate::root;

/// A file and what it has to hold; its place is below the folder of the workspace.
pub(crate) struct File {
    pub(crate) path: PathBuf,
    pub(crate) content: Vec<u8>,
}

/// Writes what differs.
pub(crate) fn write(files: &[File]) -> Result<(), String> {
    for file in stale(files) {
        let target = root().join(&file.path);
        let folder = target.parent().map_or(Ok(()), std::fs::create_dir_all);
        folder
            .and_then(|()| std::fs::write(&target, &file.content))
            .map_err(|error| format!("{}: {error}", file.path.display()))?;
        println!("wrote {}", file.path.display());
    }
    Ok(())
}

/// Says which files are stale.
pub(crate) fn check(files: &[File]) -> Result<(), String> {
    let names: Vec<String> = stale(files).map(|file| file.path.display().to_string()).collect();
    if names.is_empty() {
        return Ok(());
    }
    Err(format!("stale, run the command without --check: {}", names.join(", ")))
}

fn stale(files: &[File]) -> impl Iterator<Item = &File> {
    files.iter().filter(|file| std::fs::read(root().join(&file.path)).ok().as_ref() != Some(&file.content))
}
