//! The command line: arguments in, library call, exit status out.

#![forbid(unsafe_code)]

mod arguments;
mod authored;
mod commands;
mod figures;
mod file;
mod findings;
mod interrupt;
mod json;
mod lines;
mod member;
mod moment;
mod output;
mod page;
mod patience;
mod problem;
mod site;
mod status;
mod visible;

use std::process::ExitCode;

use crate::output::Output;
use crate::problem::Problem;
use crate::status::Status;

fn main() -> ExitCode {
    let command = match arguments::parse() {
        Ok(command) => command,
        Err(refused) => return refused.exit(),
    };
    let mut output = Output::new();
    let status = commands::run(command, &mut output).unwrap_or_else(|problem| {
        output.report(&problem);
        Status::Undone
    });
    match output.finish() {
        Ok(()) => status.into(),
        Err(error) => {
            output::complain(&Problem::new("standard output", problem::Cause::Unwritable(error)).to_string());
            Status::Undone.into()
        }
    }
}
