//! `conformance check`: vectors against this implementation or another.

use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::time::Duration;

use answerplane_conformance::{Case, Deliberate, Report, Verdict, check, op, respond_if_known};
use serde_json::{Value, json};

use crate::arguments::seconds;
use crate::commands::conformance::program::Program;
use crate::file;
use crate::output::{BAD, FAINT, GOOD, Output, STRONG};
use crate::problem::{Cause, Problem};
use crate::status::Status;

/// How many bytes of a file of vectors are read.
const MAX_FILE_BYTES: usize = 256 << 20;
/// How many differences of a file are shown to a person; `--json` has all.
const SHOWN: usize = 3;
/// How much of a value is shown to a person.
const SHOWN_CHARACTERS: usize = 300;

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
            Ok(report) => {
                status = status.and(Status::good_if(report.is_good()));
                if arguments.json {
                    output.json(&in_json(path, &report));
                } else {
                    show(path, &report, output);
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

fn check_file(path: &Path, arguments: &Arguments) -> Result<Report, Problem> {
    let problem = |cause| Problem::new(path.display(), cause);
    let vectors = file::read_within(path, MAX_FILE_BYTES).map_err(problem)?;
    match &arguments.cmd {
        None => Ok(check(&vectors, &deliberate(path, arguments)?, respond_if_known)),
        Some(Words(words)) => {
            let requests: Vec<&[u8]> = requests(&vectors).collect();
            let results =
                Program::start(words, arguments.deadline).and_then(|program| program.answer(&requests));
            Ok(check_results(&vectors, &requests, results.map_err(problem)?))
        }
    }
}

/// The lines that `check` asks for a result of.
fn requests(vectors: &[u8]) -> impl Iterator<Item = &[u8]> {
    vectors.split(|byte| *byte == b'\n').filter(|line| !line.iter().all(u8::is_ascii_whitespace))
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

/// The report on results that another implementation gave in order.
///
/// An op to which it answers nothing but `bad-request` is one that it does not have: such lines are not run.
fn check_results(vectors: &[u8], requests: &[&[u8]], results: Vec<Value>) -> Report {
    let bad_request = json!({ "error": "bad-request" });
    let knows = |(line, result): (&&[u8], &Value)| op(line).filter(|_| *result != bad_request);
    let known: HashSet<String> = requests.iter().zip(&results).filter_map(knows).collect();
    let mut results = VecDeque::from(results);
    check(vectors, &Deliberate::new(), |line| {
        let result = results.pop_front()?;
        let has_op = op(line).is_none_or(|op| known.contains(&op));
        (has_op || result != bad_request).then_some(result)
    })
}

fn in_json(path: &Path, report: &Report) -> Value {
    json!({
        "file": path.to_string_lossy(),
        "passed": report.passed,
        "failed": report.failed,
        "deliberate": report.deliberate,
        "notRun": report.not_run,
    })
}

fn show(path: &Path, report: &Report, output: &mut Output) {
    let style = if report.is_good() { GOOD } else { BAD };
    output.styled(STRONG, &path.display().to_string()).print(": ").styled(style, &counts(report));
    if report.passed + report.failed.len() + report.deliberate.len() == 0 {
        output.print(" (no case was run)");
    }
    output.end_line();
    for case in report.failed.iter().take(SHOWN) {
        show_case(case, output);
    }
    if report.failed.len() > SHOWN {
        let more = format!("  and {} more differ (--json has all)", report.failed.len() - SHOWN);
        output.styled(FAINT, &more).end_line();
    }
    for case in &report.deliberate {
        show_case(case, output);
    }
}

fn counts(report: &Report) -> String {
    let Report { passed, not_run, failed, deliberate } = report;
    format!("{passed} passed, {} failed, {} deliberate, {not_run} not run", failed.len(), deliberate.len())
}

fn show_case(case: &Case, output: &mut Output) {
    output.print(&format!("  line {} {}", case.line, case.id));
    match &case.verdict {
        Verdict::Failed { expected, actual } => {
            output.styled(BAD, " differs").end_line();
            output.line(&format!("    expected {}", shortened(expected)));
            output.line(&format!("    actual   {}", shortened(actual)));
        }
        Verdict::Deliberate { reason } => {
            output.styled(FAINT, &format!(" differs on purpose: {reason}")).end_line()
        }
        Verdict::Passed | Verdict::NotRun => output.end_line(),
    }
}

fn shortened(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
