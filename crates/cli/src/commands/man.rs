//! `man`: the manual page.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Command;
use clap_mangen::Man;

use crate::arguments;
use crate::file;
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
        Some(folder) => {
            fs::create_dir_all(folder)
                .map_err(|error| Problem::new(folder.display(), Cause::Unwritable(error)))?;
            let mut command = arguments::command().disable_help_subcommand(true);
            command.build();
            write_all(&command, folder)?;
        }
        None => output.write(&page(arguments::command())?),
    }
    Ok(Status::Good)
}

/// Writes the page of a command and those of the commands below it.
fn write_all(command: &Command, folder: &Path) -> Result<(), Problem> {
    for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
        write_all(subcommand, folder)?;
    }
    let path = folder.join(Man::new(command.clone()).get_filename());
    file::write(&path, &page(command.clone())?).map_err(|cause| Problem::new(path.display(), cause))
}

fn page(command: Command) -> Result<Vec<u8>, Problem> {
    let mut page = Vec::new();
    Man::new(command)
        .render(&mut page)
        .map_err(|error| Problem::new("the manual page", Cause::Unwritable(error)))?;
    Ok(page)
}
