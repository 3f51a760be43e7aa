//! `suggest`: what people asked in vain, as proposals for a person to review.

use std::path::PathBuf;

use answerplane_author::suggest::suggest;

use crate::arguments::SiteArguments;
use crate::authored;
use crate::commands::coverage;
use crate::output::Output;
use crate::problem::Problem;
use crate::status::Status;

const EXAMPLES: &str = "\
Examples:
  answerplane suggest ./site --queries asked.txt > proposals.toml
  answerplane suggest ./site --queries asked.jsonl --json

Exit status: 0 done, 2 the site or the queries are unreadable or refused.";

/// Propose aliases and stubs of entries from queries that were asked in vain, for you to review
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,

    /// Queries: one a line, JSON Lines (.jsonl) with `query`, or CSV (.csv) with a column `query`
    #[arg(long, value_name = "FILE")]
    queries: PathBuf,

    /// Print the proposals as one line of JSON, with how like each is
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Problem> {
    let Some(artifacts) = authored::artifacts(&arguments.site.site, arguments.site.timeout, output)? else {
        return Ok(Status::Undone);
    };
    let Some(queries) = coverage::read(&arguments.queries, output)? else { return Ok(Status::Undone) };
    let shards = authored::shards(&artifacts);
    let found = suggest(&shards, &queries, arguments.site.moment());
    if arguments.json {
        output.json(&found);
    } else {
        output.lines(found.to_toml(&shards).trim_end());
    }
    Ok(Status::Good)
}
