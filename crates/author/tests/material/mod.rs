//! Public material that lies beside a checkout, in `../shared`, and is not part of the project.
#![allow(dead_code)]

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A place in the shared material, or `None` after the skip has been noted.
pub(crate) fn shared(test: &str, path: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    if path.exists() {
        return Some(path);
    }
    println!("skipped {test}: no shared material");
    if let Some(list) = std::env::var_os("ANSWERPLANE_SKIPS") {
        let mut list = OpenOptions::new().append(true).create(true).open(list).unwrap();
        writeln!(list, "{test}: no ../shared material").unwrap();
    }
    None
}
