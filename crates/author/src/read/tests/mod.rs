//! What every format gives, with exact places.

mod formats;
mod hostile;
mod pages;
mod real;
mod trees;

use std::fs;
use std::path::Path;

use crate::config::Config;
use crate::diagnostic::Place;
use crate::draft::Draft;
use crate::read::{Reader, Reading};

/// A folder with these files and a configuration of these sources.
struct Tree {
    folder: tempfile::TempDir,
    config: Config,
}

impl Tree {
    fn new(sources: &str, files: &[(&str, &[u8])]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            write(&folder.path().join(name), bytes);
        }
        let config = config(sources, folder.path());
        Self { folder, config }
    }

    /// What is read, with names as seen from the folder.
    fn read(&self) -> Reading {
        let mut reading = Reader::new().read(&self.config);
        let folder = crate::read::slashed(self.folder.path());
        let shorten = |place: &mut Place| {
            if let Some(name) = place.file.strip_prefix(&folder) {
                place.file = name.trim_start_matches('/').to_owned();
            }
        };
        for found in &mut reading.diagnostics {
            shorten(&mut found.place);
            found.related.iter_mut().for_each(shorten);
        }
        reading
    }
}

fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

fn config(sources: &str, folder: &Path) -> Config {
    let text = format!("[site]\nid = \"test\"\nbase-url = \"https://x.example/docs/\"\n{sources}");
    Config::parse(&text, &folder.join("answerplane.toml")).unwrap()
}

/// Reads one page, with these further settings.
fn page(name: &str, text: &str, settings: &str) -> Reading {
    let sources = format!("[[source]]\npath = \"docs\"\n{settings}");
    Tree::new(&sources, &[(&format!("docs/{name}"), text.as_bytes())]).read()
}

/// Reads one file that is a source.
fn file(name: &str, text: &str, settings: &str) -> Reading {
    let sources = format!("[[source]]\npath = \"{name}\"\n{settings}");
    Tree::new(&sources, &[(name, text.as_bytes())]).read()
}

fn drafts(reading: &Reading) -> Vec<&Draft> {
    reading.drafts.iter().flat_map(|drafts| drafts.iter()).collect()
}

/// The one draft of a reading without diagnostics.
fn only(reading: &Reading) -> &Draft {
    assert_eq!(found(reading), [""; 0]);
    let drafts = drafts(reading);
    assert_eq!(drafts.len(), 1, "{drafts:?}");
    drafts[0]
}

/// The diagnostics without their remedies.
fn found(reading: &Reading) -> Vec<String> {
    let text = |found: &crate::Diagnostic| {
        found.to_string().trim_end_matches(found.remedy()).trim_end_matches(". ").to_owned()
    };
    reading.diagnostics.iter().map(text).collect()
}

fn titles(reading: &Reading) -> Vec<&str> {
    drafts(reading).iter().map(|draft| draft.title.as_str()).collect()
}
