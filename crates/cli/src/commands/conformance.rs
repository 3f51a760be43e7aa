//! `conformance`: the contract over a pipe, and files of vectors.

mod check;
mod group;
mod program;
mod tally;

use std::io::{self, BufReader, BufWriter, Read};

use answerplane_conformance::serve;
use clap::Subcommand;

use crate::output::Output;
use crate::problem::{Cause, Problem};
use crate::status::Status;

const EXAMPLES: &str = "\
Examples:
  echo '{\"op\":\"normalize\",\"value\":\"  Plot  12 \"}' | answerplane conformance
  answerplane conformance check fixtures/conformance/*.jsonl
  answerplane conformance check --cmd \"node my-implementation.js\" normalize.jsonl

Exit status: 0 at the end of input.";

/// Answer one JSON request a line with one JSON result a line, for tests in any language
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Commands>,
}

#[derive(Subcommand)]
enum Commands {
    Check(check::Arguments),
}

pub(crate) fn run(arguments: Arguments, output: &mut Output) -> Result<Status, Problem> {
    match arguments.command {
        Some(Commands::Check(arguments)) => check::run(&arguments, output),
        None => answer_requests(),
    }
}

fn answer_requests() -> Result<Status, Problem> {
    let mut requests = BufReader::new(Requests { input: io::stdin().lock(), failed: false });
    let mut results = BufWriter::new(io::stdout().lock());
    let served = serve(&mut requests, &mut results);
    // What could not be written is not tried again.
    let (_, _) = results.into_parts();
    match served {
        Ok(()) => Ok(Status::Good),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Status::Good),
        Err(error) if requests.get_ref().failed => {
            Err(Problem::new("standard input", Cause::Unreadable(error)))
        }
        Err(error) => Err(Problem::new("standard output", Cause::Unwritable(error))),
    }
}

/// Input that remembers whether it failed, to tell that from output that did.
struct Requests<R> {
    input: R,
    failed: bool,
}

impl<R: Read> Read for Requests<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer);
        self.failed = read.is_err();
        read
    }
}
