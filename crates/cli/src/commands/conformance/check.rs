//! `conformance check`: vectors against this implementation or another.

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use answerplane_conformance::{Deliberate, check, op, respond_if_known};
use serde_json::{Value, json};

use crate::arguments::seconds;
use crate::commands::conformance::program::{Line, Program};
use crate::commands::conformance::tally::{Case, Finding, Tally};
use crate::file;
use crate::json;
use crate::member;
use crate::output::{BAD, FAINT, GOOD, Output, STRONG};
use crate::problem::{Cause, Problem};
use crate::status::Status;

/// How many bytes of a file of vectors are read.
const MAX_FILE_BYTES: usize = 256 << 20;
/// How many differences of a file are shown to a person; `--json` has all.
const SHOWN: usize = 3;
/// How much of a value is shown to a person.
const SHOWN_CHARACTERS: usize = 300;
/// How many bytes of a result are looked at for each byte of its vector, and beside that: far more than the same
/// value can take in another spelling.
const RESULT_BYTES: (usize, usize) = (8, 1 << 20);

const EXAMPLES: &str = "\
Examples:
  answerplane conformance check fixtures/conformance/normalize.jsonl
  answerplane conformance check --cmd \"python3 my_implementation.py\" *.jsonl
  answerplane conformance check --deliberate differences.json --json *.jsonl

Exit status: 0 no difference, 1 a result differs or a file ran no case, 2 it could not be done.";

/// Run files of vectors: requests that say what result they expect
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Files with one request a line, each with `expect`
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// Check this program, started once for each FILE, over its standard input and output
    #[arg(long, value_name = "PROGRAM ARGS", value_parser = words)]
    cmd: Option<Words>,

    /// How long the program may take to begin, for each result, and to end
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    deadline: Duration,

    /// Ids of vectors that differ on purpose, with reasons [default: deliberate.json beside each FILE; none with --cmd]
    #[arg(long, value_name = "PATH")]
    deliberate: Option<PathBuf>,

    /// Print the report of each file as one line of JSON
    #[arg(long)]
    json: bool,
}

/// A program and its arguments, at least the program.
#[derive(Clone)]
struct Words(Vec<String>);

fn words(text: &str) -> Result<Words, &'static str> {
    match shell_words::split(text) {
        Ok(words) if words.is_empty() => Err("a program is needed"),
        Ok(words) => Ok(Words(words)),
        Err(_) => Err("a quotation mark is missing"),
    }
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Problem> {
    let mut status = Status::Good;
    for path in &arguments.files {
        match check_file(path, arguments) {
            Ok(tally) => {
                status = status.and(Status::good_if(tally.is_good()));
                if arguments.json {
                    output.json(&tally.report(path));
                } else {
                    show(path, &tally, output);
                }
            }
            // The other files may still say something.
            Err(problem) => {
                status = Status::Undone;
                output.report(&problem);
            }
        }
        output.flush();
    }
    Ok(status)
}

fn check_file(path: &Path, arguments: &Arguments) -> Result<Tally, Problem> {
    let problem = |cause| Problem::new(path.display(), cause);
    let vectors = file::read_within(path, MAX_FILE_BYTES).map_err(problem)?;
    match &arguments.cmd {
        None => Ok(check_ours(&vectors, &deliberate(path, arguments)?)),
        Some(Words(words)) => check_theirs(vectors, words, arguments.deadline).map_err(problem),
    }
}

/// The lines that are not blank, each with its number.
fn lines(vectors: &[u8]) -> impl Iterator<Item = (usize, Range<usize>)> {
    let mut start = 0;
    let places = vectors.split(|byte| *byte == b'\n').map(move |line| {
        let place = start..start + line.len();
        start = place.end + 1;
        place
    });
    (1..).zip(places).filter(|(_, place)| !vectors[place.clone()].iter().all(u8::is_ascii_whitespace))
}

fn check_ours(vectors: &[u8], deliberate: &Deliberate) -> Tally {
    let mut tally = Tally::default();
    for (number, place) in lines(vectors) {
        tally.add(number, check(&vectors[place], deliberate, respond_if_known));
    }
    tally
}

/// Checks the results of another implementation, each when it arrives.
///
/// An op to which it answers nothing but `bad-request` is one that it does not have: such lines are not run.
fn check_theirs(vectors: Vec<u8>, words: &[String], deadline: Duration) -> Result<Tally, Cause> {
    let none = Deliberate::new();
    let bad_request = json!({ "error": "bad-request" });
    let vectors = Arc::new(vectors);
    let mut tally = Tally::default();
    let mut asked = Vec::new();
    for (number, place) in lines(&vectors) {
        // A line that is no vector is not asked for its result.
        let mut asks = false;
        let report = check(&vectors[place.clone()], &none, |_| {
            asks = true;
            None
        });
        if asks {
            asked.push((number, place));
        } else {
            tally.add(number, report);
        }
    }

    let (all, places) =
        (Arc::clone(&vectors), asked.iter().map(|(_, place)| place.clone()).collect::<Vec<_>>());
    let requests = places.into_iter().map(move |place| request(&all[place]));
    let mut program = Program::start(words, deadline, requests)?;
    let mut known = HashSet::new();
    let mut refused = Vec::new();
    for (number, place) in asked {
        let line = &vectors[place.clone()];
        let value = result(&program.next(line.len() * RESULT_BYTES.0 + RESULT_BYTES.1)?);
        match op(line) {
            Some(op) if value == bad_request => refused.push((number, place, op)),
            op => {
                known.extend(op);
                let mut value = Some(value);
                tally.add(number, check(line, &none, |_| value.take()));
            }
        }
    }
    program.finish()?;
    for (number, place, op) in refused {
        let result = known.contains(&op).then(|| bad_request.clone());
        tally.add(number, check(&vectors[place], &none, |_| result.clone()));
    }
    tally.sort();
    Ok(tally)
}

/// A vector as a request: without what it expects, and otherwise byte for byte.
fn request(vector: &[u8]) -> Vec<u8> {
    match std::str::from_utf8(vector) {
        Ok(text) => member::without(text, 0..text.len(), "expect").into_bytes(),
        Err(_) => vector.to_vec(),
    }
}

/// A result; a line that is none, or is longer than any that could be right, differs from every result.
fn result(line: &Line) -> Value {
    if line.is_whole {
        json::value(&line.text).unwrap_or_else(|| json!({ "error": "not-json" }))
    } else {
        json!({ "error": "too-long" })
    }
}

fn deliberate(path: &Path, arguments: &Arguments) -> Result<Deliberate, Problem> {
    let beside;
    let (list, required) = match &arguments.deliberate {
        Some(list) => (list, true),
        None => {
            beside = path.with_file_name("deliberate.json");
            (&beside, false)
        }
    };
    match file::read_within(list, MAX_FILE_BYTES) {
        Err(Cause::Missing) if !required => Ok(Deliberate::new()),
        Err(cause) => Err(Problem::new(list.display(), cause)),
        Ok(bytes) => {
            serde_json::from_slice(&bytes).map_err(|_| Problem::new(list.display(), Cause::NotDeliberate))
        }
    }
}

fn show(path: &Path, tally: &Tally, output: &mut Output) {
    let style = if tally.is_good() { GOOD } else { BAD };
    output.styled(STRONG, &path.display().to_string()).print(": ").styled(style, &tally.counts());
    if tally.run() == 0 {
        output.print(" (no case was run)");
    }
    output.end_line();
    for case in tally.failed().take(SHOWN) {
        show_case(case, output);
    }
    let failed = tally.failed().len();
    if failed > SHOWN {
        let more = format!("  and {} more differ (--json has all)", failed - SHOWN);
        output.styled(FAINT, &more).end_line();
    }
    for case in tally.deliberate() {
        show_case(case, output);
    }
}

fn show_case(case: &Case, output: &mut Output) {
    output.print(&format!("  line {} {}", case.line, case.id));
    match &case.finding {
        Finding::Failed { expected, actual } => {
            output.styled(BAD, " differs").end_line();
            output.line(&format!("    expected {}", shortened(expected.to_string())));
            output.line(&format!("    actual   {}", shortened(actual.to_string())));
        }
        Finding::Deliberate { reason } => {
            output.styled(FAINT, &format!(" differs on purpose: {reason}")).end_line();
        }
        Finding::Broken => {
            output.styled(BAD, " is no vector").end_line();
        }
    }
}

fn shortened(text: String) -> String {
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
