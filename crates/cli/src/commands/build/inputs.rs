//! CONFIG or DIR…: what is built.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use answerplane_author::Diagnostic;
use answerplane_author::config::{CONFIG_FILE, Config};
use answerplane_protocol::Identifier;

use crate::file;
use crate::problem::{Cause, Problem};

/// The greatest number of bytes of a configuration.
const MAX_BYTES: usize = 1_048_576;

/// The configuration that the inputs name, or that of a build without one.
///
/// The id is that of a site without a configuration, if somebody gives one.
pub(super) fn config(
    inputs: &[PathBuf],
    id: Option<&Identifier>,
) -> Result<Result<Config, Vec<Diagnostic>>, Problem> {
    if let Some(path) = config_file(inputs) {
        let problem = |cause| Problem::new(path.display(), cause);
        let bytes = file::read_within(&path, MAX_BYTES).map_err(problem)?;
        let text = String::from_utf8(bytes).map_err(|_| problem(Cause::NotText))?;
        if path.file_name() == Some(OsStr::new(CONFIG_FILE)) || !holds_entries(&text) {
            return Ok(Config::parse(&text, &path));
        }
    }
    // Where there are others, what is wrong with them is told too, when they are read.
    if let [input] = inputs {
        fs::metadata(input).map_err(|error| Problem::new(input.display(), file::cause(error)))?;
    }
    Ok(match id {
        Some(id) => Ok(Config::of_site(id.clone(), inputs)),
        None => Config::of_paths(inputs),
    })
}

/// Whether a TOML text is a source, with entries written by hand, and no configuration.
fn holds_entries(text: &str) -> bool {
    let begins = |table: &str| text.lines().any(|line| line.trim_start().starts_with(table));
    begins("[[entry]]") && !begins("[site]") && !begins("[[source]]")
}

/// The file of the configuration that the inputs name, if they name one.
pub(super) fn config_file(inputs: &[PathBuf]) -> Option<PathBuf> {
    let [input] = inputs else { return None };
    let is_toml = input.extension() == Some(OsStr::new("toml"));
    if is_toml && input.file_name() != Some(OsStr::new("Cargo.toml")) {
        return Some(input.clone());
    }
    let within = input.join(CONFIG_FILE);
    Path::is_file(&within).then_some(within)
}
