//! `lint`: what is wrong or doubtful in an artifact.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use answerplane_author::Level;
use answerplane_author::config::Life;
use answerplane_author::lint::{Document, LintOptions, lint};
use answerplane_protocol::{DateTime, SafeLink};
use serde_json::json;

use crate::arguments::seconds;
use crate::authored;
use crate::findings::Findings;
use crate::moment;
use crate::output::{BAD, GOOD, Output};
use crate::problem::Problem;
use crate::site::Site;
use crate::status::Status;

const EXAMPLES: &str = "\
Examples:
  answerplane lint knowledge.json
  answerplane lint ./site --site-tree ./public --base-url https://docs.example/
  answerplane lint ./site --sarif > lint.sarif

Exit status: 0 no errors (with --strict no warnings either), 1 errors, or an artifact that is not the
one that its site configuration names, 2 wrong usage, or nothing that can be read.";

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

    /// Print whether there is no error, and what was found, as one line of JSON
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
    let (documents, site) = match authored::artifact_file(&arguments.target)? {
        Some(text) => (vec![Document::read(Path::new(&arguments.target).display().to_string(), &text)], None),
        None => {
            let site = Site::load(&arguments.target, arguments.timeout)?;
            (authored::documents(&site), Some(site))
        }
    };
    let options = LintOptions {
        now: arguments.at.as_ref().map_or_else(moment::now, DateTime::timestamp),
        min_remaining: match arguments.min_remaining {
            Life::Millis(millis) => millis,
            Life::Unlimited => i64::MAX,
        },
        site_tree: arguments.site_tree.clone(),
        base_url: arguments.base_url.clone(),
    };
    let found = Findings::new(lint(&documents, &options));
    if arguments.sarif {
        output.json(&found.sarif());
    } else if arguments.json {
        output.json(&json!({ "holds": found.has_no(Level::Error), "found": found }));
    } else {
        found.show(false, output);
        let style = if found.has_no(Level::Error) { GOOD } else { BAD };
        output.styled(style, &found.in_words()).end_line();
    }
    let mut status = found.status();
    // What lint has explained line by line is not said again without one.
    let is_explained = |problem: &Problem| problem.is_refusal() && !found.has_no(Level::Error);
    for problem in site.iter().flat_map(Site::problems).filter(|problem| !is_explained(problem)) {
        output.report(problem);
        status = status.and(Status::Wrong);
    }
    Ok(if arguments.strict { status.and(Status::good_if(found.has_no(Level::Warning))) } else { status })
}
