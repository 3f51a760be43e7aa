//! `completions`: what a shell completes.

use clap_complete::Shell;

use crate::arguments;
use crate::output::Output;
use crate::status::Status;

const EXAMPLES: &str = "\
Examples:
  answerplane completions bash > ~/.local/share/bash-completion/completions/answerplane
  answerplane completions zsh > ~/.zfunc/_answerplane
  answerplane completions fish > ~/.config/fish/completions/answerplane.fish";

/// Print a completion script for a shell
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Status {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut arguments::command(), "answerplane", &mut script);
    output.write(&script);
    Status::Good
}
