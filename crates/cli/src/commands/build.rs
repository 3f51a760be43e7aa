//! `build`: from documents to a site.

pub(crate) mod dates;
pub(crate) mod inputs;
pub(crate) mod publish;
mod summary;
mod watch;

use std::path::PathBuf;

use answerplane_author::Diagnostic;
use answerplane_author::config::{Config, Life, Over, Overflow};
use answerplane_author::emit::{Dates, Emission, Emitter, Layout, Made, Publication, Report};
use answerplane_author::plan::Planner;
use answerplane_author::read::{Reader, Reading};
use answerplane_protocol::{DateTime, Identifier, SafeLink, Timestamp};
use answerplane_resolver::VerifiedArtifact;
use serde_json::json;

use crate::commands::build::dates::{GeneratedAt, expiry, made};
use crate::commands::build::publish::Published;
use crate::findings::Findings;
use crate::moment;
use crate::output::Output;
use crate::patience;
use crate::problem::Problem;
use crate::status::Status;

const EXAMPLES: &str = "\
Examples:
  answerplane build answerplane.toml -o site
  answerplane build docs --base-url https://docs.example/ -o site
  answerplane build docs faq.csv -o site --site-id handbook --expires-in 30d --verbose
  answerplane build answerplane.toml -o site --watch

Without a configuration every path is a source: a folder is read for Markdown, llms.txt and package
manifests, a file by its name (.csv, .yaml, .json, .jsonl, .toml, …); a .toml file with [[entry]] tables
is one too. docs/authoring.md starts from nothing and tells what a configuration holds.

Exit status: 0 written or unchanged, perhaps with warnings, 1 there are errors in the sources and
nothing was written, 2 wrong usage, a source that cannot be read, an output that cannot be written.";

/// Build a site from Markdown, rows, llms.txt, package manifests or artifacts
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) sources: Sources,

    /// The folder that the site is written to
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,

    /// How many earlier builds stay in FOLDER [default: that of the configuration, or 3]
    #[arg(long, value_name = "COUNT", help_heading = "Output")]
    keep: Option<usize>,

    /// Lay artifacts out over many lines, for review
    #[arg(long, help_heading = "Output")]
    pretty: bool,

    /// Build again whenever a source changes
    #[arg(long, conflicts_with_all = ["json", "sarif"], help_heading = "Output")]
    watch: bool,

    /// Show notes too: aliases that were added, variants that were left out
    #[arg(short, long, help_heading = "Output")]
    verbose: bool,

    /// Print everything as one line of JSON
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// Print what was found as SARIF 2.1.0
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    sarif: bool,
}

/// What is built, and how.
#[derive(clap::Args)]
pub(crate) struct Sources {
    /// A configuration, a folder that holds answerplane.toml, or folders and files to build from
    #[arg(value_name = "CONFIG|DIR", required = true)]
    inputs: Vec<PathBuf>,

    /// The identifier of the site [default: that of the configuration, or the name of the first path]
    #[arg(long, value_name = "ID", help_heading = "Site")]
    site_id: Option<Identifier>,

    /// What links of pages are relative to: an address or a path [default: that of the configuration, or /]
    #[arg(long, value_name = "URL", help_heading = "Site")]
    base_url: Option<SafeLink>,

    /// Make an entry of every further heading of a page too
    #[arg(long, help_heading = "Policies")]
    headings: bool,

    /// Declare no typing variants
    #[arg(long, help_heading = "Policies")]
    no_variants: bool,

    /// What happens to keys beyond the 16 of an entry [default: that of the configuration, or trim]
    #[arg(long, value_name = "POLICY", value_parser = ["continue", "trim", "error"], help_heading = "Policies")]
    overflow: Option<String>,

    /// The greatest number of bytes of an artifact, at most 524288
    #[arg(long, value_name = "BYTES", help_heading = "Policies")]
    max_bytes: Option<usize>,

    /// The greatest number of entries of an artifact, at most 1024
    #[arg(long, value_name = "COUNT", help_heading = "Policies")]
    max_entries: Option<usize>,

    /// Leave out entries of the lowest priority instead of making shards
    #[arg(long, help_heading = "Policies")]
    shed: bool,

    /// How long the site answers: a number and m, h, d or w [default: that of the configuration, or 90d]
    #[arg(long, value_name = "LIFE", help_heading = "Dates")]
    expires_in: Option<Life>,

    /// When the site stops answering, such as 2027-03-01T09:00:00Z
    #[arg(long, value_name = "TIME", conflicts_with = "expires_in", help_heading = "Dates")]
    pub(crate) expires_at: Option<DateTime>,

    /// Let the site answer for ever
    #[arg(long, conflicts_with_all = ["expires_in", "expires_at"], help_heading = "Dates")]
    no_expiry: bool,

    /// When the site was made: such a time, or `now` [default: SOURCE_DATE_EPOCH, the newest commit of the sources, or now]
    #[arg(long, value_name = "TIME", help_heading = "Dates")]
    pub(crate) generated_at: Option<GeneratedAt>,
}

impl Sources {
    /// The configuration with what the arguments say otherwise; or what is wrong with it.
    pub(crate) fn config(&self) -> Result<Result<Config, Vec<Diagnostic>>, Problem> {
        self.config_of(&self.inputs)
    }

    /// The same of other inputs.
    fn config_of(&self, inputs: &[PathBuf]) -> Result<Result<Config, Vec<Diagnostic>>, Problem> {
        let mut config = match inputs::config(inputs, self.site_id.as_ref())? {
            Ok(config) => config,
            Err(found) => return Ok(Err(found)),
        };
        if let Some(id) = &self.site_id {
            config.site.id = id.clone();
        }
        if self.base_url.is_some() {
            config.site.base_url.clone_from(&self.base_url);
        }
        if self.headings {
            config.sources.iter_mut().for_each(|source| source.headings = true);
        }
        let policy = &mut config.policy;
        policy.variants &= !self.no_variants;
        policy.overflow = match self.overflow.as_deref() {
            Some("continue") => Overflow::Continue,
            Some("trim") => Overflow::Trim,
            Some(_) => Overflow::Error,
            None => policy.overflow,
        };
        policy.max_bytes = self.max_bytes.unwrap_or(policy.max_bytes);
        policy.max_entries = self.max_entries.unwrap_or(policy.max_entries);
        if self.shed {
            policy.over = Over::Shed;
        }
        policy.expires_in =
            if self.no_expiry { Life::Unlimited } else { self.expires_in.unwrap_or(policy.expires_in) };
        Ok(config.check().map(|()| config))
    }

    /// The inputs: the configuration where there is one now, so that another build does not do without it.
    fn resolved(&self) -> Vec<PathBuf> {
        inputs::config_file(&self.inputs).map_or_else(|| self.inputs.clone(), |file| vec![file])
    }
}

/// What builds, and remembers.
#[derive(Default)]
pub(crate) struct Builder {
    reader: Reader,
    planner: Planner,
    emitter: Emitter,
}

impl Builder {
    /// What the sources say.
    pub(crate) fn read(&mut self, config: &Config) -> Reading {
        self.reader.read(config)
    }

    /// What the sources say after nothing but these files have changed, where that is known.
    fn read_changed(&mut self, config: &Config, changed: Option<&[PathBuf]>) -> Reading {
        match changed {
            Some(changed) => self.reader.read_changed(config, changed),
            None => self.reader.read(config),
        }
    }

    /// What is to be published of it.
    pub(crate) fn emit(&mut self, reading: &Reading, publication: &Publication<'_>) -> Emission {
        let mut plan = self.planner.plan(&reading.drafts, &publication.config.policy);
        plan.diagnostics.splice(0..0, reading.diagnostics.iter().cloned());
        self.emitter.emit(plan, publication)
    }
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Problem> {
    if arguments.watch {
        return watch::run(arguments, output);
    }
    let mut builder = Builder::default();
    let waiting = patience::tell("building");
    let outcome = build(arguments, &mut builder, &mut Start::new(arguments), None)?;
    drop(waiting);
    show(arguments, &outcome, output);
    Ok(outcome.status)
}

/// What the first build finds, and all builds go by.
struct Start {
    /// What is built.
    inputs: Vec<PathBuf>,
    /// What was published before.
    previous: Vec<VerifiedArtifact>,
    /// What time it is.
    now: Timestamp,
    /// When the site is made.
    made: Option<Made>,
}

impl Start {
    fn new(arguments: &Arguments) -> Self {
        Self {
            inputs: arguments.sources.resolved(),
            previous: publish::previous(&arguments.output),
            now: moment::now(),
            made: None,
        }
    }
}

/// What a build came to.
struct Outcome {
    config: Option<Config>,
    findings: Findings,
    built: Option<(Report, Published)>,
    status: Status,
}

impl Outcome {
    /// What a person is told of it: where that is the same as before, nothing is told.
    fn telling(&self) -> (Vec<String>, Findings) {
        let hashes = self.built.iter().flat_map(|(report, _)| &report.shards);
        (hashes.map(|shard| shard.content_hash.clone()).collect(), self.findings.clone())
    }
}

/// Builds, and publishes what is without errors.
fn build(
    arguments: &Arguments,
    builder: &mut Builder,
    start: &mut Start,
    changed: Option<&[PathBuf]>,
) -> Result<Outcome, Problem> {
    let mut config = match arguments.sources.config_of(&start.inputs)? {
        Ok(config) => config,
        Err(found) => {
            let findings = Findings::new(found);
            return Ok(Outcome { status: findings.status(), findings, config: None, built: None });
        }
    };
    config.policy.keep = arguments.keep.unwrap_or(config.policy.keep);
    let reading = builder.read_changed(&config, changed);
    let made = match start.made {
        Some(made) => made,
        None => *start.made.insert(made(&arguments.sources, &reading.files, start.now)?),
    };
    let dates = Dates { made, expiry: expiry(&arguments.sources, &config), now: start.now };
    let layout = if arguments.pretty { Layout::Pretty } else { Layout::Compact };
    let Emission { shards, diagnostics, report } = builder
        .emit(&reading, &Publication { config: &config, dates: &dates, layout, previous: &start.previous });
    let findings = Findings::new(diagnostics);
    let built = if shards.is_empty() {
        None
    } else {
        Some((report, publish::publish(&arguments.output, &shards, config.policy.keep)?))
    };
    Ok(Outcome { status: findings.status(), findings, config: Some(config), built })
}

fn show(arguments: &Arguments, outcome: &Outcome, output: &mut Output) {
    if arguments.sarif {
        output.json(&outcome.findings.sarif());
    } else if arguments.json {
        output.json(&json!({
            "written": outcome.built.as_ref().map(|(_, published)| published),
            "report": outcome.built.as_ref().map(|(report, _)| report),
            "found": outcome.findings,
        }));
    } else {
        outcome.findings.show(arguments.verbose, output);
        if let Some((report, published)) = &outcome.built {
            summary::show(report, published, &arguments.output, output);
        }
    }
}
