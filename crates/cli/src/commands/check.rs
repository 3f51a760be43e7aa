//! `check`: whether what is committed is what it should be.

use std::path::{Path, PathBuf};

use answerplane_author::config::{Config, Life};
use answerplane_author::emit::{Dates, Layout, Publication, Shard, config_name};
use answerplane_author::golden;
use answerplane_author::lint::{Document, LintOptions, lint};
use answerplane_author::{Diagnostic, Level, Place, Rule};
use answerplane_protocol::{Artifact, SiteConfig, Timestamp};
use answerplane_resolver::{Resolver, VerifiedArtifact};
use serde_json::json;

use crate::commands::build::dates::{expiry, made};
use crate::commands::build::{Builder, Sources, publish};
use crate::file;
use crate::findings::Findings;
use crate::moment;
use crate::output::{GOOD, Output};
use crate::patience;
use crate::problem::{Cause, Problem};
use crate::status::Status;

/// The greatest number of bytes of a golden file.
const MAX_GOLDEN_BYTES: usize = 16 << 20;

const EXAMPLES: &str = "\
Examples:
  answerplane check answerplane.toml -o site
  answerplane check answerplane.toml -o site --golden golden.jsonl --min-remaining 14d
  answerplane check answerplane.toml -o site --site-tree public --sarif > check.sarif

A golden file has one JSON object a line:
  {\"query\": \"What does it cost?\", \"answer\": \"ENTRY-ID\"}
  {\"query\": \"Overview\", \"choices\": [\"ENTRY-ID\", \"ENTRY-ID\"]}
  {\"query\": \"Can I sleep here?\", \"miss\": true}

Give the same options as to build. Nothing is written.

Exit status: 0 everything holds, 1 something does not, 2 wrong usage or something is unreadable.";

/// Check in CI that a committed site is what its sources give, and answers as expected
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    sources: Sources,

    /// The folder of the committed site
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,

    /// Questions with the outcomes that they should have, one JSON object a line
    #[arg(long, value_name = "FILE", help_heading = "Checks")]
    golden: Option<PathBuf>,

    /// The least time that the site still answers, such as 14d [default: it has not expired]
    #[arg(long, value_name = "LIFE", help_heading = "Checks")]
    min_remaining: Option<Life>,

    /// The folder of the published pages, in which links have to lead somewhere
    #[arg(long, value_name = "FOLDER", help_heading = "Checks")]
    site_tree: Option<PathBuf>,

    /// Print whether everything holds, and what was found, as one line of JSON
    #[arg(long)]
    json: bool,

    /// Print what was found as SARIF 2.1.0
    #[arg(long, conflicts_with = "json")]
    sarif: bool,
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Problem> {
    let waiting = patience::tell("checking");
    let golden = arguments.golden.as_deref().map(read_golden).transpose()?;
    let found = match arguments.sources.config()? {
        Ok(config) => check(arguments, &config, golden)?,
        Err(found) => found,
    };
    drop(waiting);
    let findings = Findings::new(found);
    let status = findings.status();
    if arguments.sarif {
        output.json(&findings.sarif());
    } else if arguments.json {
        output.json(&json!({ "holds": status == Status::Good, "found": findings }));
    } else {
        findings.show(false, output);
        if status == Status::Good {
            output.styled(GOOD, "holds").line(&format!("  {}", arguments.output.display()));
        }
    }
    Ok(status)
}

fn read_golden(path: &Path) -> Result<(String, String), Problem> {
    let problem = |cause| Problem::new(path.display(), cause);
    let bytes = file::read_within(path, MAX_GOLDEN_BYTES).map_err(problem)?;
    let text = String::from_utf8(bytes).map_err(|_| problem(Cause::NotText))?;
    Ok((path.display().to_string(), text))
}

/// Everything that does not hold.
fn check(
    arguments: &Arguments,
    config: &Config,
    golden: Option<(String, String)>,
) -> Result<Vec<Diagnostic>, Problem> {
    let mut builder = Builder::default();
    let reading = builder.read(config);
    let now = moment::now();
    let made = made(&arguments.sources, &reading.files, now)?;
    let dates = Dates { made, expiry: expiry(&arguments.sources, config), now };
    let previous = publish::previous(&arguments.output);
    let publication = Publication { config, dates: &dates, layout: Layout::Compact, previous: &previous };
    let emission = builder.emit(&reading, &publication);
    let mut found = emission.diagnostics;
    found.retain(|found| found.level > Level::Note);
    let committed = Committed::read(&arguments.output, emission.shards.len(), &mut found);
    if !answerplane_author::has_errors(&found) {
        committed.compare(&arguments.output, &emission.shards, &mut found);
    }
    committed.judge_life(arguments.min_remaining, now, &mut found);
    if let Some((file, text)) = golden {
        let resolver =
            Resolver::over_shards(committed.artifacts().map(|artifact| Ok::<_, ()>(artifact.clone())));
        let (expectations, problems) = golden::parse(&text, &file);
        found.extend(problems);
        found.extend(golden::check(&expectations, &resolver, now));
    }
    if let Some(site_tree) = &arguments.site_tree {
        let documents: Vec<Document> = committed.documents();
        let options = LintOptions {
            now,
            site_tree: Some(site_tree.clone()),
            base_url: config.site.base_url.clone(),
            ..LintOptions::default()
        };
        let about_links =
            [Rule::Unreadable, Rule::LintDeadLink, Rule::LintMissingAnchor, Rule::LintUnsafeLink];
        found
            .extend(lint(&documents, &options).into_iter().filter(|found| about_links.contains(&found.rule)));
    }
    Ok(found)
}

/// The shards that lie in a folder: the place of each configuration, and what it trusts.
struct Committed {
    shards: Vec<(Place, Option<Pair>)>,
}

/// A configuration and the artifact that it trusts, with the file of the artifact and its text.
struct Pair {
    config: SiteConfig,
    artifact: VerifiedArtifact,
    file: String,
    text: Vec<u8>,
}

impl Committed {
    /// Reads the shards of a folder, as many as there are and at least one, and tells which cannot be believed.
    fn read(folder: &Path, expected: usize, found: &mut Vec<Diagnostic>) -> Self {
        let mut shards = Vec::new();
        for number in 1.. {
            let name = config_name(number);
            let path = folder.join(&name);
            if !path.exists() && (number > expected || number > 1) {
                break;
            }
            let place = Place::file(path.to_string_lossy());
            let found_pair = match pair(folder, &path) {
                Ok(pair) => Some(pair),
                Err(message) => {
                    found.push(Diagnostic::new(Rule::Outdated, place.clone(), message));
                    None
                }
            };
            shards.push((place, found_pair));
        }
        Self { shards }
    }

    /// Tells where the committed shards are not those that the sources give.
    fn compare(&self, folder: &Path, built: &[Shard], found: &mut Vec<Diagnostic>) {
        for (shard, number) in built.iter().zip(0..) {
            let Some((place, pair)) = self.shards.get(number) else {
                let place = Place::file(folder.join(&shard.config_name).to_string_lossy());
                found.push(Diagnostic::new(
                    Rule::Outdated,
                    place,
                    "the sources give a shard that is not there",
                ));
                continue;
            };
            let Some(Pair { config, artifact, .. }) = pair else { continue };
            let message = if artifact.content_hash() != shard.content_hash {
                "the sources give other entries or dates"
            } else if SiteConfig::decode(&shard.config).is_ok_and(|given| given != *config) {
                "the sources give another configuration: another `publish-url` or `fallback`"
            } else {
                continue;
            };
            found.push(Diagnostic::new(Rule::Outdated, place.clone(), message));
        }
        for (place, _) in self.shards.iter().skip(built.len()) {
            let message = "the sources give no such shard";
            found.push(Diagnostic::new(Rule::Outdated, place.clone(), message));
        }
    }

    fn judge_life(&self, least: Option<Life>, now: Timestamp, found: &mut Vec<Diagnostic>) {
        for (place, pair) in &self.shards {
            let Some(expires) = pair.as_ref().and_then(|pair| pair.artifact.expires_at()) else {
                continue;
            };
            let remaining = expires.timestamp().as_millis().saturating_sub(now.as_millis());
            let is_enough = match least {
                Some(Life::Millis(least)) => remaining >= least,
                Some(Life::Unlimited) => false,
                None => remaining > 0,
            };
            if !is_enough {
                let message =
                    format!("it expires at {expires}, {}", moment::seen_from(now, expires.timestamp()));
                found.push(Diagnostic::new(Rule::LifeTooShort, place.clone(), message));
            }
        }
    }

    fn artifacts(&self) -> impl Iterator<Item = &VerifiedArtifact> {
        self.shards.iter().filter_map(|(_, pair)| Some(&pair.as_ref()?.artifact))
    }

    fn documents(&self) -> Vec<Document> {
        let pairs = self.shards.iter().filter_map(|(_, pair)| pair.as_ref());
        pairs.map(|pair| Document::read(&pair.file, &pair.text)).collect()
    }
}

/// A configuration with the artifact that it trusts, or why there is none.
fn pair(folder: &Path, path: &Path) -> Result<Pair, String> {
    let bytes = file::read_within(path, SiteConfig::MAX_TEXT_BYTES).map_err(|cause| cause.to_string())?;
    let config = SiteConfig::decode(&bytes).map_err(|refusal| refusal.to_string())?;
    let name = publish::name_of(&config);
    let file = folder.join(&name);
    let text = file::read_within(&file, Artifact::MAX_TEXT_BYTES)
        .map_err(|cause| format!("its artifact {name}: {cause}"))?;
    let artifact = VerifiedArtifact::verify(&text, &config.trust())
        .map_err(|refusal| format!("its artifact does not belong to it: {refusal}"))?;
    Ok(Pair { config, artifact, file: file.to_string_lossy().into_owned(), text })
}
