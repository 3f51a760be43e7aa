//! A site in a folder.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use answerplane_protocol::SafeLink;
use percent_encoding::percent_decode_str;
use url::Url;

use crate::file;
use crate::problem::{Cause, Document, Problem};
use crate::site::{Found, Source, limit};

/// The name of the configuration in a folder.
const CONFIG: &str = "site-config.json";
/// The name of the first shard's artifact if it lies where its link does not say.
const ARTIFACT: &str = "knowledge.json";

pub(super) struct Folder {
    folder: PathBuf,
    config: PathBuf,
}

impl Folder {
    /// The site of a folder, or of a configuration file and the folder that it lies in.
    pub(super) fn new(site: &Path) -> Result<Self, Problem> {
        if site.is_dir() {
            return Ok(Self { folder: site.into(), config: site.join(CONFIG) });
        }
        let folder = match site.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        Ok(Self { folder: folder.into(), config: site.into() })
    }

    /// The configuration of a further shard, wherever there is a name for it.
    fn further(&self, number: usize) -> Option<PathBuf> {
        Some(self.config.with_file_name(further_name(self.config.file_name()?, number)?))
    }

    /// The file at a path below the folder, or nothing where there is none.
    ///
    /// A link that leads out of the folder is refused, whether it exists there or not.
    fn below(&self, path: &Path) -> Result<Option<PathBuf>, Cause> {
        let candidate = self.folder.join(path);
        let real = match fs::canonicalize(&candidate) {
            Ok(real) => real,
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                return Err(Cause::Unreadable(error));
            }
            Err(_) => return Ok(None),
        };
        let folder = fs::canonicalize(&self.folder).map_err(Cause::Unreadable)?;
        if real.starts_with(folder) { Ok(Some(candidate)) } else { Err(Cause::OutsideFolder) }
    }

    /// The first place of the artifact that is a file; without any, the first at which something else stands.
    fn find(&self, number: usize, link: &SafeLink) -> Result<Option<PathBuf>, Cause> {
        let path = path_of(link.as_str())?;
        let last = path.file_name().map(PathBuf::from);
        // A link without a name leads to the folder itself.
        let path = last.is_some().then_some(path);
        // For another shard this would be the artifact of the first.
        let usual = (number == 1).then(|| ARTIFACT.into());
        let mut other = None;
        for candidate in [path, last, usual].into_iter().flatten() {
            match self.below(&candidate)? {
                Some(found) if is_file(&found)? => return Ok(Some(found)),
                Some(found) => other = other.or(Some(found)),
                None => {}
            }
        }
        Ok(other)
    }
}

fn is_file(path: &Path) -> Result<bool, Cause> {
    fs::metadata(path).map(|metadata| metadata.is_file()).map_err(Cause::Unreadable)
}

impl Source for Folder {
    fn config(&self) -> Result<Found, Problem> {
        read(&self.config, Document::Site)
    }

    fn further_config(&self, number: usize) -> Result<Option<Found>, Problem> {
        // Only beside a name with this end there is a name for the others.
        let Some(config) = self.further(number) else {
            return Ok(None);
        };
        match read(&config, Document::Site) {
            Err(problem) if problem.is_missing() => Ok(None),
            read => read.map(Some),
        }
    }

    fn artifact(&self, number: usize, link: &SafeLink) -> Result<Found, Problem> {
        match (self.find(number, link), self.further(number)) {
            (Ok(Some(path)), _) => read(&path, Document::Artifact),
            (Ok(None), Some(config)) if number > 1 => {
                Err(Problem::new(config.display(), Cause::NoFurtherArtifact))
            }
            (Ok(None), _) => Err(Problem::new(self.folder.display(), Cause::NoArtifact)),
            (Err(cause), _) => Err(Problem::new(self.folder.display(), cause)),
        }
    }
}

/// The name of the configuration of a further shard, beside a first one whose name ends in `.json`.
fn further_name(first: &OsStr, number: usize) -> Option<OsString> {
    let path = Path::new(first);
    if path.extension()? != "json" {
        return None;
    }
    let mut name = path.file_stem()?.to_owned();
    name.push(format!(".{number}.json"));
    Some(name)
}

fn read(path: &Path, document: Document) -> Result<Found, Problem> {
    let place = path.display().to_string();
    match file::read_up_to(path, limit(document)) {
        Ok(bytes) => Ok(Found { place, bytes }),
        Err(cause) => Err(Problem::new(place, cause)),
    }
}

/// The path of a link as one below a folder, or why there is none.
fn path_of(link: &str) -> Result<PathBuf, Cause> {
    let parsed;
    let path = if link.starts_with('/') {
        link.split(['?', '#']).next().unwrap_or_default()
    } else {
        parsed = Url::parse(link).map_err(|_| Cause::NoFileName)?;
        parsed.path()
    };
    let mut relative = PathBuf::new();
    for segment in path.split('/') {
        let name = percent_decode_str(segment).decode_utf8().map_err(|_| Cause::NoFileName)?;
        let mut parts = name.split(['/', '\\']);
        match &*name {
            "" | "." => {}
            _ if parts.any(|part| part == "..") => return Err(Cause::OutsideFolder),
            name if name.contains(['/', '\\', '\0']) || (cfg!(windows) && name.contains(':')) => {
                return Err(Cause::NoFileName);
            }
            name => relative.push(name),
        }
    }
    Ok(relative)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::path_of;
    use crate::problem::Cause;

    #[test]
    fn links_become_paths_below_the_folder() {
        for (link, path) in [
            ("/knowledge.json", "knowledge.json"),
            ("/kb//./atlas.json?v=3#top", "kb/atlas.json"),
            ("https://docs.example/kb/na%C3%AFve%20answers.json?v=3", "kb/naïve answers.json"),
            ("/100%/%zz.json", "100%/%zz.json"),
            ("/", ""),
            ("https://docs.example", ""),
        ] {
            assert_eq!(path_of(link).unwrap(), Path::new(path), "{link}");
        }
    }

    #[test]
    fn links_cannot_leave_the_folder() {
        for link in ["/../k.json", "/a/%2e%2E/k.json", "/..%2fk.json", "/a%2f..%5cb", "/%5c..%5c"] {
            assert!(matches!(path_of(link), Err(Cause::OutsideFolder)), "{link}");
        }
        for link in ["/%2fetc%2fpasswd", "/a%2Fb", "/a%5cb", "/%00", "/a%00.json", "/%ff"] {
            assert!(matches!(path_of(link), Err(Cause::NoFileName)), "{link}");
        }
    }
}
