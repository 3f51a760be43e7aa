//! `man`: the manual page.

use std::fs;
use std::path::PathBuf;

use clap_mangen::Man;

use crate::arguments;
use crate::output::Output;
use crate::problem::{Cause, Problem};
use crate::status::Status;

const EXAMPLES: &str = "\
Examples:
  answerplane man | man -l -
  answerplane man --all ~/.local/share/man/man1";

/// Print the manual page, or write one for every command
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Write the pages of this program and of each command into this folder
    #[arg(long, value_name = "DIR")]
    all: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Problem> {
    match &arguments.all {
        Some(folder) => fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(arguments::command(), folder))
            .map_err(|error| Problem::new(folder.display(), Cause::Unwritable(error)))?,
        None => {
            let mut page = Vec::new();
            Man::new(arguments::command())
                .render(&mut page)
                .map_err(|error| Problem::new("standard output", Cause::Unwritable(error)))?;
            output.write(&page);
        }
    }
    Ok(Status::Good)
}
