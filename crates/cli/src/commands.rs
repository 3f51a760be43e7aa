//! The commands, a module for each.

pub(crate) mod ask;
pub(crate) mod assess;
pub(crate) mod build;
pub(crate) mod chat;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod conformance;
pub(crate) mod coverage;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod hash;
pub(crate) mod inspect;
pub(crate) mod lint;
pub(crate) mod man;
pub(crate) mod render;
pub(crate) mod schema;
pub(crate) mod suggest;
pub(crate) mod surface;
pub(crate) mod verify;

use crate::arguments::Commands;
use crate::output::Output;
use crate::problem::Problem;
use crate::status::Status;

/// Does what the command says.
pub(crate) fn run(command: Commands, output: &mut Output) -> Result<Status, Problem> {
    match command {
        Commands::Ask(arguments) => ask::run(&arguments, output),
        Commands::Chat(arguments) => chat::run(&arguments, output),
        Commands::Assess(arguments) => assess::run(&arguments, output),
        Commands::Surface(arguments) => surface::run(&arguments, output),
        Commands::Build(arguments) => build::run(&arguments, output),
        Commands::Check(arguments) => check::run(&arguments, output),
        Commands::Verify(arguments) => verify::run(&arguments, output),
        Commands::Inspect(arguments) => inspect::run(&arguments, output),
        Commands::Lint(arguments) => lint::run(&arguments, output),
        Commands::Diff(arguments) => diff::run(&arguments, output),
        Commands::Explain(arguments) => explain::run(&arguments, output),
        Commands::Coverage(arguments) => coverage::run(&arguments, output),
        Commands::Suggest(arguments) => suggest::run(&arguments, output),
        Commands::Hash(arguments) => hash::run(&arguments, output),
        Commands::Render(arguments) => render::run(&arguments, output),
        Commands::Schema(arguments) => schema::run(&arguments, output),
        Commands::Conformance(arguments) => conformance::run(arguments, output),
        Commands::Completions(arguments) => Ok(completions::run(&arguments, output)),
        Commands::Man(arguments) => man::run(&arguments, output),
    }
}
