//! Definitions from files, so that a conversation needs no program of its own.

mod advice;
mod assemble;
mod decode;
mod fault;
mod json;
mod taken;
mod template;
mod toml;
mod tree;
mod yaml;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::conversation::file::fault::Findings;
use crate::snapshot_session::Definition;

pub use fault::{FileFault, FileProblem, InvalidFile};

/// What a file of a definition is written in. All three hold the same fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// TOML.
    Toml,
    /// JSON.
    Json,
    /// YAML 1.2, without aliases, tags and further documents.
    Yaml,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 3] = [Self::Toml, Self::Json, Self::Yaml];

    /// The format that a file has by its name: `.toml`, `.json`, `.yaml` or `.yml`.
    ///
    /// ```
    /// use answerplane_session::Format;
    ///
    /// assert_eq!(Format::of_path("conversations/support.yml"), Some(Format::Yaml));
    /// assert_eq!(Format::of_path("support"), None);
    /// ```
    #[must_use]
    pub fn of_path(path: impl AsRef<Path>) -> Option<Self> {
        let extension = path.as_ref().extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "toml" => Some(Self::Toml),
            "json" => Some(Self::Json),
            "yaml" | "yml" => Some(Self::Yaml),
            _ => None,
        }
    }
}

/// From files.
impl Definition {
    /// The greatest size of a file, in bytes.
    pub const MAX_FILE_BYTES: usize = 1_048_576;

    /// Reads a definition with its conversation from a file whose name says its [`Format`]. What stands in it is described in
    /// `docs/conversation.md`.
    ///
    /// ```
    /// use answerplane_session::Definition;
    ///
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/conversations");
    /// let support = Definition::load(format!("{folder}/support.toml"))?;
    /// assert_eq!(support.id.as_str(), "support");
    /// # Ok::<(), answerplane_session::InvalidFile>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidFile`] with everything that is wrong, and where.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, InvalidFile> {
        let path = path.as_ref();
        let only = |fault, detail: Option<String>| InvalidFile::only(fault, detail).in_file(path);
        let format = Format::of_path(path).ok_or_else(|| only(FileFault::UnknownFormat, None))?;
        let mut bytes = Vec::new();
        // One byte more than is allowed shows that there are too many.
        let limit = Self::MAX_FILE_BYTES as u64 + 1;
        File::open(path)
            .and_then(|file| file.take(limit).read_to_end(&mut bytes))
            .map_err(|error| only(FileFault::Unreadable, Some(error.kind().to_string())))?;
        if bytes.len() > Self::MAX_FILE_BYTES {
            return Err(InvalidFile::too_large(None).in_file(path));
        }
        let text = std::str::from_utf8(&bytes)
            .map_err(|error| InvalidFile::not_utf8(&bytes, error.valid_up_to()).in_file(path))?;
        Self::parse(text, format).map_err(|invalid| invalid.in_file(path))
    }

    /// Reads a definition with its conversation from a text.
    ///
    /// ```
    /// use answerplane_session::{Definition, Format, Message, Replay, Turned};
    ///
    /// let text = r#"
    /// id = "support"
    /// initial = "idle"
    ///
    /// [states.idle]
    /// on = { reserve = "choosing" }
    ///
    /// [states.choosing]
    /// on = { cancel = "idle" }
    ///
    /// [[routes]]
    /// id = "start"
    /// event = "reserve"
    /// command = "/reserve"
    /// response = "Which plot?"
    /// "#;
    /// let support = Definition::parse(text, Format::Toml)?;
    /// let mut replay = Replay::new(support.conversation.expect("a file always has one"));
    /// let turned = replay.turn("visitor-17", &[Message::of_user("m1", "/reserve")]);
    /// assert!(matches!(turned, Turned::Answered { content, .. } if content == "Which plot?"));
    /// assert_eq!(replay.view().state, "choosing");
    ///
    /// let invalid = Definition::parse(&text.replace("\"choosing\" }", "\"chosing\" }"), Format::Toml).unwrap_err();
    /// assert_eq!(invalid.problems()[0].line, Some(6));
    /// assert_eq!(invalid.problems()[0].nearest.as_deref(), Some("choosing"));
    /// # Ok::<(), answerplane_session::InvalidFile>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidFile`] with everything that is wrong, and where.
    pub fn parse(text: &str, format: Format) -> Result<Self, InvalidFile> {
        if text.len() > Self::MAX_FILE_BYTES {
            return Err(InvalidFile::too_large(Some(text.len())));
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let root = match format {
            Format::Toml => toml::read(text),
            Format::Json => json::read(text),
            Format::Yaml => yaml::read(text),
        };
        let mut findings = Findings::default();
        let definition = match root {
            Ok(root) => decode::decode(&root, text, format, &mut findings)
                .and_then(|draft| assemble::assemble(draft, &mut findings)),
            Err(found) => {
                findings.push(*found);
                None
            }
        };
        match definition {
            Some(definition) if findings.is_empty() => Ok(definition),
            _ => Err(findings.into_invalid(text)),
        }
    }
}
