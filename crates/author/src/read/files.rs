//! Which files a source has, and their bytes.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use globset::{GlobBuilder, GlobMatcher};
use walkdir::WalkDir;

use crate::config::{CONFIG_FILE, Format, SourceConfig};
use crate::diagnostic::{Diagnostic, Place};
use crate::rule::Rule;

/// The largest file that is read.
pub(super) const MAX_BYTES: u64 = 16 << 20;

/// A file of a source.
#[derive(Debug)]
pub(super) struct Found {
    /// Where it is.
    pub(super) path: PathBuf,
    /// What it holds.
    pub(super) format: Format,
    /// What tells whether it has changed.
    pub(super) stamp: Stamp,
}

impl Found {
    /// Looks again when the file has changed; false where it cannot be looked at.
    pub(super) fn look_again(&mut self) -> bool {
        let metadata = fs::metadata(&self.path);
        metadata.is_ok_and(|metadata| {
            self.stamp = Stamp::of(&metadata);
            true
        })
    }
}

/// The folder or file that a source names.
#[derive(Debug)]
pub(super) struct Root {
    /// Where it is.
    path: PathBuf,
    /// Its name for people: with `/`, as seen from the working directory.
    name: String,
}

impl Root {
    pub(super) fn new(folder: &Path, source: &SourceConfig) -> Self {
        let path = folder.join(&source.path);
        Self { name: slashed(&path), path }
    }

    /// Its name for people.
    pub(super) fn own_name(&self) -> &str {
        &self.name
    }

    /// Where it is as the system names it, if it is there.
    pub(super) fn real(&self) -> Option<PathBuf> {
        fs::canonicalize(&self.path).ok()
    }

    /// The path of what lies there below the folder.
    pub(super) fn at(&self, below: &Path) -> PathBuf {
        if below.as_os_str().is_empty() { self.path.clone() } else { self.path.join(below) }
    }

    /// The path of a file below the folder, with `/`; of a source that is a file, its name.
    pub(super) fn below(&self, file: &Path) -> String {
        match file.strip_prefix(&self.path) {
            Ok(below) if !below.as_os_str().is_empty() => slashed(below),
            _ => file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        }
    }

    /// The name of a file for people.
    pub(super) fn name(&self, file: &Path) -> String {
        match file.strip_prefix(&self.path) {
            Ok(below) if !below.as_os_str().is_empty() => joined(&self.name, &slashed(below)),
            _ => self.name.clone(),
        }
    }
}

/// What tells whether a file has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    len: u64,
    modified: Option<SystemTime>,
    /// When anything about the file changed, and which one it is; where the system says so.
    inode: (i64, i64, u64),
}

/// A change so soon after another need not show in the times of a file.
const TICK: Duration = Duration::from_millis(50);

impl Stamp {
    fn of(metadata: &fs::Metadata) -> Self {
        #[cfg(unix)]
        let inode = {
            use std::os::unix::fs::MetadataExt;
            (metadata.ctime(), metadata.ctime_nsec(), metadata.ino())
        };
        #[cfg(not(unix))]
        let inode = (0, 0, 0);
        Self { len: metadata.len(), modified: metadata.modified().ok(), inode }
    }

    /// Whether a later change of the file would change the stamp, if it was taken at `now`.
    pub(super) fn is_settled(&self, now: SystemTime) -> bool {
        let age = self.modified.and_then(|modified| now.duration_since(modified).ok());
        #[cfg(unix)]
        let age = {
            let (seconds, nanos, _) = self.inode;
            let changed = Duration::new(seconds.try_into().unwrap_or(0), nanos.try_into().unwrap_or(0));
            let changed = now.duration_since(SystemTime::UNIX_EPOCH + changed).ok();
            age.min(changed)
        };
        age.is_some_and(|age| age > TICK)
    }
}

/// The files of a source in the order of their paths. What cannot be looked at is noted.
pub(super) fn find(root: &Root, source: &SourceConfig, diagnostics: &mut Vec<Diagnostic>) -> Vec<Found> {
    let mut unreadable = |path: &Path, error: &io::Error| {
        diagnostics.push(Diagnostic::new(Rule::Unreadable, Place::file(root.name(path)), reason(error)));
    };
    let metadata = match fs::metadata(&root.path) {
        Ok(metadata) => metadata,
        Err(error) => {
            unreadable(&root.path, &error);
            return Vec::new();
        }
    };
    if !metadata.is_dir() {
        let format = source.format.or_else(|| format_of_file(&root.below(&root.path)));
        let Some(format) = format.filter(|_| metadata.is_file()) else {
            let message = "no format is known by this name; name one with `format`";
            diagnostics.push(Diagnostic::new(Rule::NothingFound, Place::file(&root.name), message));
            return Vec::new();
        };
        if root.path.file_name().is_some_and(|name| name.to_str().is_none()) {
            diagnostics.push(name_not_utf8(root, &root.path));
            return Vec::new();
        }
        return vec![Found { path: root.path.clone(), format, stamp: Stamp::of(&metadata) }];
    }
    let wanted = Wanted::new(source);
    let excludes =
        |path: &Path| !wanted.exclude.is_empty() && Wanted::has(&wanted.exclude, &root.below(path));
    let mut found = Vec::new();
    let mut odd: Vec<PathBuf> = Vec::new();
    let real = root.real();
    let leads_out = |path: &Path| {
        let target = fs::canonicalize(path);
        target.is_ok_and(|target| real.as_ref().is_some_and(|real| !target.starts_with(real)))
    };
    let mut outside: Vec<PathBuf> = Vec::new();
    let walk = WalkDir::new(&root.path).follow_links(true).sort_by_file_name().into_iter();
    let walk = walk.filter_entry(|entry| {
        let name = entry.file_name().as_encoded_bytes();
        let is_skipped = name.starts_with(b".") || (entry.file_type().is_dir() && name == b"node_modules");
        if entry.depth() == 0 || is_skipped || excludes(entry.path()) {
            return entry.depth() == 0;
        }
        let is_outside = entry.path_is_symlink() && leads_out(entry.path());
        if is_outside {
            outside.push(entry.path().to_owned());
        }
        !is_outside
    });
    for entry in walk {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let path = error.path().unwrap_or(&root.path).to_owned();
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                // A folder that is read already, further up; or a link that leads nowhere and would not be read.
                let is_loop = error.loop_ancestor().is_some();
                let is_dangling =
                    error.io_error().is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
                        && format_in_folder(&name, source.format).is_none();
                if !(is_loop || is_dangling || name.starts_with('.') || excludes(&path)) {
                    let error = error.into_io_error().unwrap_or_else(|| io::ErrorKind::Other.into());
                    unreadable(&path, &error);
                }
                continue;
            }
        };
        if !entry.file_type().is_file() {
            continue;
        }
        let format = format_in_folder(&entry.file_name().to_string_lossy(), source.format);
        let Some(format) = format else { continue };
        if !wanted.include.is_empty() && !Wanted::has(&wanted.include, &root.below(entry.path())) {
            continue;
        }
        if !is_utf8(entry.path().strip_prefix(&root.path).unwrap_or(entry.path())) {
            odd.push(entry.into_path());
            continue;
        }
        // Links are followed, so this is about what they lead to.
        match fs::metadata(entry.path()) {
            Ok(metadata) => {
                found.push(Found { stamp: Stamp::of(&metadata), path: entry.into_path(), format })
            }
            Err(error) => unreadable(entry.path(), &error),
        }
    }
    diagnostics.extend(odd.iter().map(|path| name_not_utf8(root, path)));
    diagnostics.extend(outside.into_iter().map(|path| {
        let message = "the link leads out of the source";
        Diagnostic::new(Rule::LinkedOutside, Place::file(root.name(&path)), message)
    }));
    found
}

fn is_utf8(path: &Path) -> bool {
    path.to_str().is_some()
}

fn name_not_utf8(root: &Root, path: &Path) -> Diagnostic {
    let message = "the name of the file, or of a folder that it is in, is not UTF-8";
    Diagnostic::new(Rule::NameNotUtf8, Place::file(root.name(path)), message)
}

/// What a source wants of a folder.
struct Wanted {
    include: Vec<GlobMatcher>,
    exclude: Vec<GlobMatcher>,
}

impl Wanted {
    fn new(source: &SourceConfig) -> Self {
        let globs = |globs: &[String]| globs.iter().filter_map(|glob| matcher(glob)).collect();
        Self { include: globs(&source.include), exclude: globs(&source.exclude) }
    }

    fn has(globs: &[GlobMatcher], below: &str) -> bool {
        globs.iter().any(|glob| glob.is_match(below))
    }
}

/// A glob in which `*` stays within a folder.
pub(super) fn matcher(glob: &str) -> Option<GlobMatcher> {
    GlobBuilder::new(glob).literal_separator(true).build().ok().map(|glob| glob.compile_matcher())
}

/// What a file holds that a configuration or a person names, by its name.
fn format_of_file(name: &str) -> Option<Format> {
    let (_, end) = name.rsplit_once('.')?;
    let ends = |ends: &[&str]| ends.iter().any(|known| end.eq_ignore_ascii_case(known));
    match name {
        "package.json" | "Cargo.toml" => Some(Format::Packages),
        _ if ends(&["md", "mdx", "markdown"]) => Some(Format::Markdown),
        _ if ends(&["csv"]) => Some(Format::Csv),
        _ if ends(&["yaml", "yml"]) => Some(Format::Yaml),
        _ if ends(&["json"]) => Some(Format::Json),
        _ if ends(&["jsonl", "ndjson"]) => Some(Format::Jsonl),
        _ if ends(&["txt"]) => Some(Format::Llms),
        _ if ends(&["toml"]) => Some(Format::Entries),
        _ => None,
    }
}

/// What a file in a folder holds, if the folder is read for it.
fn format_in_folder(name: &str, format: Option<Format>) -> Option<Format> {
    let by_name = format_of_file(name);
    let fits = match format {
        None => match by_name {
            Some(Format::Llms) => name.ends_with("llms.txt"),
            by_name => matches!(by_name, Some(Format::Markdown | Format::Packages)),
        },
        Some(Format::Entries) => {
            name != CONFIG_FILE && matches!(by_name, Some(Format::Entries | Format::Yaml | Format::Json))
        }
        Some(Format::Artifact) => by_name == Some(Format::Json),
        Some(format) => by_name == Some(format),
    };
    if fits { format.or(by_name) } else { None }
}

/// A path with `/` between its names, and without `.`.
pub(crate) fn slashed(path: &Path) -> String {
    let mut text = String::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::RootDir => text.push('/'),
            part => {
                if !text.is_empty() && !text.ends_with('/') {
                    text.push('/');
                }
                text.push_str(&part.as_os_str().to_string_lossy());
            }
        }
    }
    if text.is_empty() { ".".into() } else { text }
}

fn joined(root: &str, below: &str) -> String {
    match root {
        "." => below.to_owned(),
        root if root.ends_with('/') => format!("{root}{below}"),
        root => format!("{root}/{below}"),
    }
}

/// Why the system refuses, without the path.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "it does not exist".into(),
        io::ErrorKind::PermissionDenied => "permission was denied".into(),
        _ => error.to_string(),
    }
}

/// The text of a file, without a byte order mark; or what is the matter. `name` is its name for people.
pub(super) fn text(file: &Found, name: &str) -> Result<String, Box<Diagnostic>> {
    let place = || Place::file(name);
    let too_large = |actual: u64| {
        let diagnostic = Diagnostic::new(Rule::FileTooLarge, place(), "the file has too many bytes");
        Box::new(diagnostic.beyond(MAX_BYTES as usize, actual as usize))
    };
    if file.stamp.len > MAX_BYTES {
        return Err(too_large(file.stamp.len));
    }
    let mut bytes = Vec::with_capacity(file.stamp.len as usize + 1);
    let read = fs::File::open(&file.path).and_then(|open| open.take(MAX_BYTES + 1).read_to_end(&mut bytes));
    if let Err(error) = read {
        return Err(Box::new(Diagnostic::new(Rule::Unreadable, place(), reason(&error))));
    }
    if bytes.len() as u64 > MAX_BYTES {
        return Err(too_large(bytes.len() as u64));
    }
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..valid].iter().filter(|byte| **byte == b'\n').count();
        Box::new(Diagnostic::new(Rule::NotUtf8, place().line(line), "these bytes are not UTF-8"))
    })?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}
