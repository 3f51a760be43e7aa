//! `verify`: whether a site's artifact can be believed.

use answerplane_protocol::Timestamp;
use answerplane_resolver::VerifiedArtifact;
use serde_json::{Value, json};

use crate::arguments::SiteArguments;
use crate::moment;
use crate::output::{BAD, CAUTION, GOOD, Output};
use crate::problem::Problem;
use crate::site::{Shard, Site};
use crate::status::Status;

const EXAMPLES: &str = "\
Examples:
  answerplane verify ./site
  answerplane verify https://docs.example --timeout 3
  answerplane verify ./site --at 2027-01-01T00:00:00Z --json

Exit status: 0 verified (an expired artifact too, with a note), 1 an artifact is missing, unreachable or wrong,
2 the site configuration is unreadable, unreachable or refused.";

/// Check that a site's artifact is the one that its configuration names
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,

    /// Print the finding as one line of JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Problem> {
    let site = Site::load(&arguments.site.site, arguments.site.timeout)?;
    let now = arguments.site.moment();
    if arguments.json {
        output.json(&of_site(site.shards().map(|shard| finding(shard, now)).collect()));
        site.problems().for_each(|problem| output.report(problem));
    } else {
        show_shards(&site, now, output);
    }
    Ok(Status::good_if(site.is_verified()))
}

/// What programs are told of a site: what there is to say of its first shard, and where there are several, `shards`
/// with what there is to say of each.
pub(crate) fn of_site(shards: Vec<Value>) -> Value {
    let mut site = shards.first().cloned().unwrap_or_default();
    if let (true, Value::Object(site)) = (shards.len() > 1, &mut site) {
        site.insert("shards".into(), shards.into());
    }
    site
}

/// Whether the artifact of a shard can be believed, for programs.
pub(crate) fn finding(shard: Result<&Shard, &Problem>, now: Timestamp) -> Value {
    let shard = match shard {
        Ok(shard) => shard,
        Err(problem) => {
            return json!({
                "siteId": null,
                "config": problem.place(),
                "artifact": null,
                "contentHash": null,
                "verified": false,
                "problem": problem,
            });
        }
    };
    let mut finding = json!({
        "siteId": shard.config.site_id(),
        "config": shard.config_at.place,
        "artifact": shard.artifact_at.as_ref().map(|origin| &origin.place),
        "contentHash": shard.config.artifact().content_hash(),
        "verified": shard.artifact.is_ok(),
    });
    let more = match &shard.artifact {
        Ok(artifact) => json!({
            "artifactId": artifact.artifact_id(),
            "generatedAt": artifact.generated_at(),
            "expiresAt": artifact.expires_at(),
            "expired": artifact.is_expired(now),
            "remainingMs": artifact.expires_at().map(|end| remaining(now, end.timestamp())),
        }),
        Err(problem) => json!({ "problem": problem }),
    };
    if let (Value::Object(finding), Value::Object(more)) = (&mut finding, more) {
        finding.extend(more);
    }
    finding
}

fn remaining(now: Timestamp, end: Timestamp) -> i64 {
    end.as_millis().saturating_sub(now.as_millis()).max(0)
}

fn show_shards(site: &Site, now: Timestamp, output: &mut Output) {
    for shard in site.shards() {
        match shard.map(|shard| (shard, &shard.artifact)) {
            Ok((shard, Ok(artifact))) => {
                show(shard, artifact, now, output);
                if site.is_sharded() {
                    output.end_line();
                }
            }
            Ok((_, Err(problem))) | Err(problem) => output.report(problem),
        }
    }
    if site.is_sharded() {
        show_count(site, output);
    }
}

/// How many shards there are, and can be believed.
pub(crate) fn show_count(site: &Site, output: &mut Output) {
    let (shards, wrong) = (site.shards().count(), site.problems().count());
    let style = if wrong == 0 { GOOD } else { BAD };
    output.styled(style, &format!("{} of {shards} shards verified", shards - wrong)).end_line();
}

fn show(shard: &Shard, artifact: &VerifiedArtifact, now: Timestamp, output: &mut Output) {
    let place = shard.artifact_at.as_ref().map_or("", |origin| &origin.place);
    output.styled(GOOD, "verified").line(&format!("  {place}"));
    output.line(&format!("site      {}", artifact.site_id()));
    output.line(&format!("artifact  {}", artifact.artifact_id()));
    output.line(&format!("hash      {}", artifact.content_hash()));
    show_life(artifact, now, output);
}

/// Since when, and until when, an artifact answers.
pub(crate) fn show_life(artifact: &VerifiedArtifact, now: Timestamp, output: &mut Output) {
    let generated = artifact.generated_at();
    output.print(&format!("generated {generated} ({})", moment::seen_from(now, generated.timestamp())));
    if generated.timestamp() > now {
        output.styled(CAUTION, "  in the future: is the clock right?");
    }
    output.end_line();
    let Some(expires) = artifact.expires_at() else {
        return output.line("expires   never");
    };
    output.print(&format!("expires   {expires} ({})", moment::seen_from(now, expires.timestamp())));
    if artifact.is_expired(now) {
        output.styled(CAUTION, "  expired: every question escalates (stale)");
    }
    output.end_line();
}
