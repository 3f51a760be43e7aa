//! `lint`: what is wrong or doubtful in an artifact.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use answerplane_author::config::Life;
use answerplane_author::lint::{LintOptions, lint};
use answerplane_author::sarif;
use answerplane_protocol::{DateTime, SafeLink};

use crate::arguments::seconds;
use crate::authored;
use crate::findings::{self, Counts};
use crate::moment;
use crate::output::{GOOD, Output, STRONG};
use crate::problem::Problem;
use crate::status::Status;

const EXAMPLES: &str = "\
Examples:
  answerplane lint knowledge.json
  answerplane lint ./site --site-tree ./public --base-url https://docs.example/
  answerplane lint ./site --sarif > lint.sarif

Exit status: 0 no errors (with --strict no warnings either), 1 errors, or an artifact that is not the one that its
site configuration names, 2 wrong usage, or nothing that can be read.";

/// Find what is wrong or doubtful in an artifact: ambiguity, invisible characters, dead links
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// An artifact file, a folder with site-config.json, a configuration file, or an http(s) address
    #[arg(value_name = "ARTIFACT|SITE")]
    target: OsString,

    /// Follow links into this folder of pages
    #[arg(long, value_name = "DIR")]
    site_tree: Option<PathBuf>,

    /// The address of that folder; without it only links that begin with / are followed
    #[arg(long, value_name = "URL", requires = "site_tree")]
    base_url: Option<SafeLink>,

    /// Warn when the artifact answers for less than this
    #[arg(long, value_name = "LENGTH", default_value = "14d")]
    min_remaining: Life,

    /// Let warnings fail too
    #[arg(long)]
    strict: bool,

    /// Print SARIF 2.1.0, as code hosts read it
    #[arg(long, conflicts_with = "json")]
    sarif: bool,

    /// Print the findings as one line of JSON
    #[arg(long)]
    json: bool,

    /// Judge expiry as of this moment, such as 2026-03-01T09:00:00Z [default: now]
    #[arg(long, value_name = "TIME")]
    at: Option<DateTime>,

    /// How long everything that is read of an http(s) address may take together
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    timeout: Duration,
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Problem> {
    let (documents, unbelievable) = authored::documents(&arguments.target, arguments.timeout)?;
    let options = LintOptions {
        now: arguments.at.as_ref().map_or_else(moment::now, DateTime::timestamp),
        min_remaining: match arguments.min_remaining {
            Life::Millis(millis) => millis,
            Life::Unlimited => i64::MAX,
        },
        site_tree: arguments.site_tree.clone(),
        base_url: arguments.base_url.clone(),
    };
    let found = lint(&documents, &options);
    let counts = Counts::of(&found);
    if arguments.sarif {
        output.json(&sarif::log(&found));
    } else if arguments.json {
        output.json(&findings::report(&found));
    } else {
        findings::show(&found, output);
        let style = if found.is_empty() { GOOD } else { STRONG };
        output.styled(style, &counts.in_words()).end_line();
    }
    // What lint has explained already is not said twice.
    let unexplained = unbelievable.filter(|_| counts.errors == 0);
    if let Some(problem) = &unexplained {
        output.report(problem);
    }
    let is_good = counts.errors == 0 && unexplained.is_none() && (!arguments.strict || counts.warnings == 0);
    Ok(Status::good_if(is_good))
}
