//! The one entry for everything beyond cargo. `cargo xtask help` lists the commands.

#![allow(clippy::print_stdout, clippy::print_stderr)] // a program for people at a terminal

mod tables;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["tables"] => generated(&[("crates/normalize/src/tables.rs", tables::generate())], false),
        ["tables", "--check"] => generated(&[("crates/normalize/src/tables.rs", tables::generate())], true),
        _ => Err("usage: cargo xtask tables [--check]".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Writes generated files, or says which of them are stale.
fn generated(files: &[(&str, Result<String, String>)], check: bool) -> Result<(), String> {
    for (path, content) in files {
        let content = content.as_ref().map_err(Clone::clone)?;
        let target = root().join(path);
        if std::fs::read_to_string(&target).is_ok_and(|present| present == *content) {
            continue;
        }
        if check {
            return Err(format!("{path} is stale: run the same command without --check"));
        }
        std::fs::write(&target, content).map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(())
}
