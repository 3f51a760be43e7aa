//! `surface`: a grounded reasoning result as a public answer, or why there is none.

use std::path::{Path, PathBuf};

use answerplane_surface::{Abstention, NavResult, Navigated, Surface, navigate, validate_text};
use clap::Subcommand;
use serde::de::IgnoredAny;

use crate::file;
use crate::json;
use crate::output::{BAD, CAUTION, FAINT, GOOD, Output};
use crate::problem::{Cause, Problem};
use crate::status::Status;

/// How many bytes of a file are read.
const MAX_BYTES: usize = 64 << 20;

const EXAMPLES: &str = "\
Examples:
  answerplane surface build result.json
  answerplane surface build result.json --json | answerplane surface validate -

Exit status: 0 an answer, or a valid surface; 1 an abstention, or an invalid one; 2 the file is unreadable or refused.";

/// Project a grounded reasoning result to a public answer, or check such a projection
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Commands,
}

#[derive(Subcommand)]
enum Commands {
    /// Build the surface of a reasoning result, where decision, reasoning and envelope agree
    Build(File),
    /// Check that a value is a surface
    Validate(File),
}

#[derive(clap::Args)]
struct File {
    /// A JSON file, or - for standard input
    file: PathBuf,

    /// Print the surface, the abstention or the verdict as one line of JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Problem> {
    match &arguments.command {
        Commands::Build(file) => build(file, output),
        Commands::Validate(file) => check(file, output),
    }
}

fn build(file: &File, output: &mut Output) -> Result<Status, Problem> {
    let bytes = read(&file.file)?;
    let nav = NavResult::decode(&bytes)
        .map_err(|error| Problem::new(place(&file.file, &bytes), Cause::NotReasoning(error)))?;
    match navigate(&nav) {
        Navigated::Answered(surface) => {
            if file.json {
                output.json(&surface);
            } else {
                show(&surface, output);
            }
            Ok(Status::Good)
        }
        Navigated::Abstained { label } => {
            let error = match &label {
                Abstention::Integrity(error) => {
                    Some(serde_json::json!({ "code": error.code(), "message": error.to_string() }))
                }
                _ => None,
            };
            if file.json {
                output.json(&serde_json::json!({ "abstained": label.to_string(), "error": error }));
            } else {
                output.styled(CAUTION, &label.to_string()).end_line();
                if let Abstention::Integrity(error) = label {
                    output.line(&format!("check {}, {}: {error}", error.check(), error.code()));
                }
            }
            Ok(Status::Wrong)
        }
    }
}

fn show(surface: &Surface, output: &mut Output) {
    if let Some(disclosure) = surface.disclosure() {
        output.styled(CAUTION, disclosure).end_line();
        output.end_line();
    }
    output.lines(surface.text());
    output.end_line();
    output.styled(FAINT, &format!("{} · {}", surface.status(), surface.inference_form())).end_line();
    for citation in surface.citations() {
        let outdated = if citation.outdated() { ", outdated" } else { "" };
        let line = format!(
            "{} ({}{outdated}) for {}",
            citation.address(),
            citation.status(),
            citation.claim_ids().join(", ")
        );
        output.line(&line);
    }
}

fn check(file: &File, output: &mut Output) -> Result<Status, Problem> {
    let bytes = read(&file.file)?;
    let text = str::from_utf8(&bytes).ok().filter(|_| json::value(&bytes).is_some());
    let text = text.ok_or_else(|| Problem::new(place(&file.file, &bytes), Cause::NotJson))?;
    let verdict = validate_text(text);
    match (&verdict, file.json) {
        (Ok(()), true) => output.json(&serde_json::json!({ "valid": true })),
        (Ok(()), false) => output.styled(GOOD, "valid").end_line(),
        (Err(error), true) => {
            output.json(&serde_json::json!({ "valid": false, "error": { "code": error.code(), "message": error.to_string() } }));
        }
        (Err(error), false) => output.styled(BAD, "invalid").line(&format!("  {}: {error}", error.code())),
    }
    Ok(Status::good_if(verdict.is_ok()))
}

fn read(path: &Path) -> Result<Vec<u8>, Problem> {
    file::read_input_within(path, MAX_BYTES).map_err(|cause| Problem::new(path.display(), cause))
}

/// A file, with the line and the character where reading a reasoning result stops in it. What the reader says of the
/// place may repeat what stands there, so no more is told.
fn place(path: &Path, bytes: &[u8]) -> String {
    let stopped = match str::from_utf8(bytes) {
        Err(error) => {
            let before = &bytes[..error.valid_up_to()];
            let lines = before.iter().filter(|byte| **byte == b'\n').count();
            let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
            Some((lines + 1, line.len() + 1))
        }
        Ok(text) => {
            let stopped = serde_json::from_str::<IgnoredAny>(text).err();
            let stopped = stopped.or_else(|| serde_json::from_str::<NavResult>(text).err());
            stopped.filter(|at| at.line() > 0).map(|at| (at.line(), at.column()))
        }
    };
    let Some((line, column)) = stopped else { return path.display().to_string() };
    let text = bytes.split(|byte| *byte == b'\n').nth(line - 1).unwrap_or_default();
    let before = String::from_utf8_lossy(&text[..text.len().min(column.saturating_sub(1))]);
    format!("{}:{line}:{}", path.display(), before.chars().count() + 1)
}
