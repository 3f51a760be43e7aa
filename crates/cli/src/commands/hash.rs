//! `hash`: the content hash of an artifact, computed and written.

use std::io;
use std::path::{Path, PathBuf};

use answerplane_artifact::content_hash;
use answerplane_protocol::{Artifact, ArtifactContent, ContentHash, DeterministicDiagnostic, SiteConfig};
use serde_json::{Value, json};

use crate::file::{self, Replacement};
use crate::member::{self, Unset};
use crate::output::{CAUTION, GOOD, Output};
use crate::problem::{Cause, Document, Problem};
use crate::status::Status;

const EXAMPLES: &str = "\
Examples:
  answerplane hash knowledge.json
  answerplane hash knowledge.json --write
  answerplane hash knowledge.json --write --site-config site-config.json

Exit status: 0 computed or written, 1 the file declares another hash, 2 it could not be done.
Only the value of contentHash is replaced, every other byte stays; a file holds all of the old or all of the new.";

/// Compute the content hash of an artifact, and write it where it belongs
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The artifact; the contentHash in it may be right, wrong or absent
    file: PathBuf,

    /// Write the hash into FILE
    #[arg(long)]
    write: bool,

    /// Write the hash into this site configuration too
    #[arg(long, value_name = "FILE", requires = "write")]
    site_config: Option<PathBuf>,

    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,
}

/// What a document says about the hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Declared {
    Nothing,
    TheSame,
    Another,
    NoHash,
    Several,
}

impl Declared {
    fn of(text: &str, hash: ContentHash) -> Self {
        match member::named(text, 0..text.len(), "contentHash").as_slice() {
            [] => Self::Nothing,
            [declared] => match serde_json::from_str::<ContentHash>(&text[declared.value.clone()]) {
                Ok(declared) if declared == hash => Self::TheSame,
                Ok(_) => Self::Another,
                Err(_) => Self::NoHash,
            },
            _ => Self::Several,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Nothing => "absent",
            Self::TheSame => "same",
            Self::Another => "different",
            Self::NoHash => "malformed",
            Self::Several => "repeated",
        }
    }

    fn sentence(self) -> &'static str {
        match self {
            Self::Nothing => "the file declares no hash; --write adds it",
            Self::TheSame => "the file declares this hash",
            Self::Another => "the file declares another hash; --write replaces it",
            Self::NoHash => "what the file declares is no hash; --write replaces it",
            Self::Several => "the file declares a hash more than once; keep one",
        }
    }
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Problem> {
    let path = &arguments.file;
    let text = read(path, Artifact::MAX_TEXT_BYTES, Document::Artifact)?;
    let content =
        ArtifactContent::decode(&text).map_err(|diagnostic| refused(path, diagnostic, Document::Artifact))?;
    let hash = content_hash(&content);
    let declared = Declared::of(&text, hash);
    let written = if arguments.write { write(arguments, &text, &content, hash)? } else { Written::default() };

    if arguments.json {
        let mut result = json!({
            "file": path.to_string_lossy(),
            "contentHash": hash,
            "declared": declared.word(),
            "written": written.artifact,
        });
        if let (Some(config), Value::Object(result)) = (&arguments.site_config, &mut result) {
            let config = json!({ "file": config.to_string_lossy(), "written": written.config });
            result.insert("siteConfig".into(), config);
        }
        output.json(&result);
    } else {
        output.line(&hash.to_string());
        if arguments.write {
            show_written(path, written.artifact, output);
            if let Some(config) = &arguments.site_config {
                show_written(config, written.config, output);
            }
        } else {
            let style = if declared == Declared::TheSame { GOOD } else { CAUTION };
            output.styled(style, declared.sentence()).end_line();
        }
    }
    Ok(Status::good_if(arguments.write || matches!(declared, Declared::TheSame | Declared::Nothing)))
}

fn show_written(path: &Path, written: bool, output: &mut Output) {
    let word = if written { "written to" } else { "already in" };
    output.styled(GOOD, word).line(&format!(" {}", path.display()));
}

/// Which files did not hold the hash before.
#[derive(Default)]
struct Written {
    artifact: bool,
    config: bool,
}

/// Writes the hash; no file is touched before all that is to be written is known to be good and lies beside them.
fn write(
    arguments: &Arguments,
    text: &str,
    content: &ArtifactContent,
    hash: ContentHash,
) -> Result<Written, Problem> {
    let artifact = with_hash(&arguments.file, text, hash)?;
    let config = match &arguments.site_config {
        Some(path) => {
            let old = read(path, SiteConfig::MAX_TEXT_BYTES, Document::Site)?;
            let new = config_with_hash(path, &old, content, hash)?;
            Some((path, old, new))
        }
        None => None,
    };
    let mut written = Written::default();
    let mut replacements = Vec::new();
    let mut paths: Vec<&Path> = Vec::new();
    if artifact != text {
        replacements.push(prepare(&arguments.file, &artifact)?);
        paths.push(&arguments.file);
        written.artifact = true;
    }
    if let Some((path, old, new)) = &config
        && new != old
    {
        replacements.push(prepare(path, new)?);
        paths.push(path);
        written.config = true;
    }
    file::put_in_place(replacements).map_err(|(done, error)| not_in_place(&paths, done, error))?;
    Ok(written)
}

fn prepare(path: &Path, text: &str) -> Result<Replacement, Problem> {
    Replacement::prepare(path, text.as_bytes()).map_err(|cause| Problem::new(path.display(), cause))
}

/// Of these files so many were written before the next could not be.
fn not_in_place(paths: &[&Path], done: usize, error: io::Error) -> Problem {
    let place = paths.get(done).map(|path| path.display().to_string()).unwrap_or_default();
    match paths[..done.min(paths.len())].last() {
        None => Problem::new(place, Cause::Unreplaced(error)),
        Some(written) => {
            Problem::new(place, Cause::HalfWritten { written: written.display().to_string(), error })
        }
    }
}

fn with_hash(path: &Path, text: &str, hash: ContentHash) -> Result<String, Problem> {
    let new = member::set(text, 0..text.len(), "contentHash", &hash.to_string(), "siteId")
        .map_err(|unset| not_set(path, unset, Document::Artifact))?;
    // The hash may have made the text too long.
    Artifact::decode(&new).map_err(|diagnostic| refused(path, diagnostic, Document::Artifact))?;
    Ok(new)
}

fn config_with_hash(
    path: &Path,
    text: &str,
    content: &ArtifactContent,
    hash: ContentHash,
) -> Result<String, Problem> {
    let artifact = match member::named(text, 0..text.len(), "artifact").as_slice() {
        [artifact] => artifact.value.clone(),
        // There is no artifact to set it in; reading says what is wrong with the text.
        _ => 0..0,
    };
    let new = match member::set(text, artifact, "contentHash", &hash.to_string(), "href") {
        Err(Unset::NoPlace) => text.to_owned(),
        set => set.map_err(|unset| not_set(path, unset, Document::Site))?,
    };
    let config = SiteConfig::decode(&new).map_err(|diagnostic| refused(path, diagnostic, Document::Site))?;
    if config.site_id() == content.site_id() {
        Ok(new)
    } else {
        Err(refused(path, DeterministicDiagnostic::ForeignSite, Document::Site))
    }
}

fn read(path: &Path, limit: usize, document: Document) -> Result<String, Problem> {
    let bytes = file::read_up_to(path, limit).map_err(|cause| Problem::new(path.display(), cause))?;
    if bytes.len() > limit {
        return Err(refused(path, DeterministicDiagnostic::LimitExceeded, document));
    }
    String::from_utf8(bytes).map_err(|_| refused(path, DeterministicDiagnostic::NotJson, document))
}

fn refused(path: &Path, diagnostic: DeterministicDiagnostic, document: Document) -> Problem {
    Problem::new(path.display(), Cause::Refused { diagnostic, document })
}

fn not_set(path: &Path, unset: Unset, document: Document) -> Problem {
    match unset {
        Unset::Repeated => Problem::new(path.display(), Cause::RepeatedHash),
        Unset::NoPlace => refused(path, DeterministicDiagnostic::Invalid, document),
    }
}
