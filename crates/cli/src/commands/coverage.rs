//! `coverage`: what share of real queries a site answers.

use std::path::{Path, PathBuf};

use answerplane_author::coverage::{Coverage, coverage};
use answerplane_author::queries::{self, Query};

use crate::arguments::SiteArguments;
use crate::authored;
use crate::file;
use crate::output::{self, FAINT, Output, STRONG};
use crate::problem::Problem;
use crate::status::Status;

/// How many of a long list are shown to a person.
const SHOWN: usize = 10;
/// How many bytes of queries are read.
const MAX_BYTES: usize = 256 << 20;

const EXAMPLES: &str = "\
Examples:
  answerplane coverage ./site --queries asked.txt
  answerplane coverage ./site --queries asked.jsonl --json

Exit status: 0 counted, 2 the site or the queries are unreadable or refused.";

/// Count what share of real queries a site answers, and what would win the others
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,

    /// Queries: one a line, JSON Lines (.jsonl) with `query` and perhaps `intent`, or CSV (.csv) with such columns
    #[arg(long, value_name = "FILE")]
    queries: PathBuf,

    /// Print everything as one line of JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Problem> {
    let Some(artifacts) = authored::artifacts(&arguments.site.site, arguments.site.timeout, output)? else {
        return Ok(Status::Undone);
    };
    let Some(queries) = read(&arguments.queries, output)? else { return Ok(Status::Undone) };
    let found = coverage(&authored::shards(&artifacts), &queries, arguments.site.moment());
    if arguments.json {
        output.json(&found);
    } else {
        show(&found, output);
    }
    Ok(Status::Good)
}

/// The queries of a file; nothing after everything that is wrong with it has been said.
pub(crate) fn read(path: &Path, output: &mut Output) -> Result<Option<Vec<Query>>, Problem> {
    let bytes = file::read_within(path, MAX_BYTES).map_err(|cause| Problem::new(path.display(), cause))?;
    match queries::read(&path.display().to_string(), &bytes) {
        Ok(queries) => Ok(Some(queries)),
        Err(problems) => {
            output.flush();
            problems.iter().for_each(|problem| output::complain(&problem.to_string()));
            Ok(None)
        }
    }
}

fn show(found: &Coverage, output: &mut Output) {
    let plural =
        |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    let (queries, keys) = (plural(found.queries, "query", "queries"), plural(found.keys, "key", "keys"));
    output.styled(STRONG, &format!("{queries} with {keys}")).end_line();
    for (name, count) in [
        ("answered", found.answers),
        ("choices", found.choices),
        ("missed", found.misses),
        ("stale", found.stale),
    ] {
        let percent = if found.queries == 0 { 0.0 } else { count as f64 * 100.0 / found.queries as f64 };
        output.line(&format!("  {name:<9} {count:>7}  {percent:>5.1} %"));
    }
    if let Some(intents) = found.intents {
        let right = intents.right;
        output.line(&format!(
            "  of {} with an intent {right} got it and {} another",
            intents.named, intents.wrong
        ));
    }
    if !found.variants.is_empty() {
        heading("Misses that variants would win", output);
    }
    for share in &found.variants {
        output.line(&format!("  {:>5}  {}, such as {:?}", share.queries, share.rule, share.example));
    }
    if !found.top_misses.is_empty() {
        heading("Most frequent misses", output);
    }
    for group in found.top_misses.iter().take(SHOWN) {
        output.print(&format!("  {:>5}  ", group.queries)).print(&group.key).end_line();
        if let Some(near) = &group.nearest {
            output.styled(FAINT, &format!("         near {:?} of {}", near.alias, near.entry)).end_line();
        }
    }
    if found.top_misses.len() > SHOWN {
        let rest = format!("  and {} more keys (--json has all)", found.top_misses.len() - SHOWN);
        output.styled(FAINT, &rest).end_line();
    }
}

fn heading(text: &str, output: &mut Output) {
    output.end_line();
    output.styled(STRONG, text).end_line();
}
