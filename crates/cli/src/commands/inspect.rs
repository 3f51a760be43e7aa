//! `inspect`: what is in a site.

mod summary;

use answerplane_protocol::{Artifact, FallbackMode, Timestamp};
use answerplane_resolver::Offer;
use answerplane_resolver::VerifiedArtifact;
use serde_json::{Value, json};

use crate::arguments::SiteArguments;
use crate::commands::inspect::summary::{AmbiguousKey, Summary};
use crate::commands::verify::{finding, of_site, show_count, show_life};
use crate::figures::{bar, grouped, show_share};
use crate::output::{BAD, CAUTION, FAINT, GOOD, Output, STRONG};
use crate::problem::Problem;
use crate::site::{Shard, Site};
use crate::status::Status;

/// How many of a long list are shown to a person; `--json` has all.
const SHOWN: usize = 10;

const EXAMPLES: &str = "\
Examples:
  answerplane inspect ./site
  answerplane inspect https://docs.example --json
  answerplane inspect ./site --at 2027-01-01T00:00:00Z

Exit status: 0 shown, 1 an artifact is missing, unreachable or wrong (only its configuration is shown),
2 the site configuration is unreadable, unreachable or refused.";

/// Show what is in a site: entries, aliases, ambiguous questions, sizes, expiry
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,

    /// Print everything as one line of JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Problem> {
    let site = Site::load(&arguments.site.site, arguments.site.timeout)?;
    let now = arguments.site.moment();
    let summaries: Vec<_> =
        site.artifacts().map(|artifact| artifact.ok().map(|found| Summary::of(found))).collect();
    if arguments.json {
        let shards = site.shards().zip(&summaries);
        output.json(&of_site(shards.map(|(shard, summary)| report(shard, summary.as_ref(), now)).collect()));
    } else {
        if site.is_sharded() {
            show_total(&site, summaries.iter().flatten(), output);
        }
        for (shard, summary) in site.shards().zip(&summaries) {
            if site.is_sharded() {
                output.end_line();
            }
            show_shard(shard, summary.as_ref(), now, output);
        }
    }
    site.problems().for_each(|problem| output.report(problem));
    Ok(Status::good_if(site.is_verified()))
}

/// Everything of a shard, for programs.
fn report(shard: Result<&Shard, &Problem>, summary: Option<&Summary<'_>>, now: Timestamp) -> Value {
    let mut report = finding(shard, now);
    if let (Ok(shard), Value::Object(report)) = (shard, &mut report) {
        report.insert("fallback".into(), json!(shard.config.fallback_mode()));
        report.insert("configBytes".into(), json!(shard.config_at.bytes));
        report.insert("artifactBytes".into(), json!(shard.artifact_at.as_ref().map(|origin| origin.bytes)));
        if let Some(summary) = summary {
            report.insert("summary".into(), json!(summary));
        }
    }
    report
}

/// What the shards come to together.
fn show_total<'s>(
    site: &Site,
    summaries: impl Iterator<Item = &'s Summary<'s>> + Clone,
    output: &mut Output,
) {
    output.styled(STRONG, site.first.config.site_id().as_str()).end_line();
    show_count(site, output);
    let sum = |count: fn(&Summary<'_>) -> usize| grouped(summaries.clone().map(count).sum());
    output.line(&format!("entries   {}", sum(|summary| summary.entries)));
    output.line(&format!(
        "aliases   {} with {} keys, {} of them ambiguous",
        sum(|summary| summary.aliases),
        sum(|summary| summary.keys),
        sum(|summary| summary.ambiguous.len())
    ));
    output.line(&format!("canonical {} bytes", sum(|summary| summary.canonical_bytes)));
}

fn show_shard(
    shard: Result<&Shard, &Problem>,
    summary: Option<&Summary<'_>>,
    now: Timestamp,
    output: &mut Output,
) {
    match shard {
        Ok(shard) => {
            show_config(shard, output);
            if let (Ok(artifact), Some(summary)) = (&shard.artifact, summary) {
                show_artifact(shard, artifact, summary, now, output);
            }
        }
        Err(problem) => {
            output.print(&format!("config    {}  ", problem.place()));
            output.styled(BAD, &format!("not verified: {}", problem.code())).end_line();
        }
    }
}

fn show_config(shard: &Shard, output: &mut Output) {
    output.styled(STRONG, shard.config.site_id().as_str()).end_line();
    output.line(&format!("config    {} ({} bytes)", shard.config_at.place, grouped(shard.config_at.bytes)));
    if let Some(origin) = &shard.artifact_at {
        let shown = origin.bytes.min(Artifact::MAX_TEXT_BYTES);
        let more = if origin.bytes > shown { "more than " } else { "" };
        output.line(&format!("artifact  {} ({more}{} bytes)", origin.place, grouped(shown)));
    }
    output.print(&format!("hash      {}  ", shard.config.artifact().content_hash()));
    match &shard.artifact {
        Ok(_) => output.styled(GOOD, "verified").end_line(),
        Err(problem) => output.styled(BAD, &format!("not verified: {}", problem.code())).end_line(),
    }
    output.line(match shard.config.fallback_mode() {
        FallbackMode::Backend => "fallback  backend",
        FallbackMode::Disabled => "fallback  disabled: this site asks no backend",
    });
}

fn show_artifact(
    shard: &Shard,
    artifact: &VerifiedArtifact,
    summary: &Summary<'_>,
    now: Timestamp,
    output: &mut Output,
) {
    output.line(&format!("id        {}", artifact.artifact_id()));
    show_life(artifact, now, output);

    heading("Size", output);
    let bytes = shard.artifact_at.as_ref().map_or(0, |origin| origin.bytes);
    show_share("bytes", bytes, Artifact::MAX_TEXT_BYTES, output);
    show_share("entries", summary.entries, Artifact::MAX_ENTRIES, output);
    output.line(&format!("  {:<8} {:>9} in canonical form", "", grouped(summary.canonical_bytes)));

    heading("Entries by kind", output);
    let most = summary.kinds.iter().map(|kind| kind.entries).max().unwrap_or(0);
    for kind in &summary.kinds {
        output.print(&format!("  {:<15} {:>5}", kind.kind.as_str(), kind.entries));
        if output.is_terminal() {
            output.print("  ").styled(FAINT, &bar(kind.entries, most));
        }
        output.end_line();
    }

    heading("Aliases", output);
    output.line(&format!("  {} with {} keys", grouped(summary.aliases), grouped(summary.keys)));

    heading("Ambiguous keys", output);
    if summary.ambiguous.is_empty() {
        output.line("  none");
    }
    for key in summary.ambiguous.iter().take(SHOWN) {
        show_ambiguous(key, output);
    }
    show_rest(summary.ambiguous.len(), output);

    heading("Largest entries", output);
    for entry in summary.largest.iter().take(SHOWN) {
        output.line(&format!("  {:>7} bytes  {}", grouped(entry.bytes), entry.id));
    }
    show_rest(summary.largest.len(), output);
}

fn heading(text: &str, output: &mut Output) {
    output.end_line();
    output.styled(STRONG, text).end_line();
}

fn show_ambiguous(key: &AmbiguousKey<'_>, output: &mut Output) {
    output.line(&format!("  {} entries  {}", key.entries.len(), key.key.replace('\t', " ")));
    let offered = &key.entries[..key.entries.len().min(Offer::MAX_ENTRIES)];
    output.styled(FAINT, &format!("    {}", offered.join(", "))).end_line();
    if !key.never_offered().is_empty() {
        let message =
            format!("    never offered beyond {}: {}", Offer::MAX_ENTRIES, key.never_offered().join(", "));
        output.styled(CAUTION, &message).end_line();
    }
}

fn show_rest(count: usize, output: &mut Output) {
    if count > SHOWN {
        output.styled(FAINT, &format!("  and {} more (--json has all)", count - SHOWN)).end_line();
    }
}
