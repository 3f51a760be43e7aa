//! The arguments: what there is to say, and how help says it.

use std::ffi::OsString;
use std::fmt::Write;
use std::process::ExitCode;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use answerplane_protocol::{DateTime, Timestamp};
use clap::builder::Styles;
use clap::{Args, Command, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::commands::{
    ask, assess, build, chat, check, completions, conformance, coverage, diff, explain, hash, inspect, lint,
    man, render, schema, suggest, surface, verify,
};
use crate::moment;
use crate::output;
use crate::status::Status;

const HEADING: Style = AnsiColor::Green.on_default().bold();
const LITERAL: Style = AnsiColor::Cyan.on_default().bold();

const STYLES: Styles = Styles::styled().header(HEADING).usage(HEADING).literal(LITERAL);

/// The commands as the first help shows them.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Use a site", &["ask", "chat", "verify", "inspect"]),
    ("For authors", &["build", "lint", "diff", "explain", "coverage", "suggest", "check", "hash", "render"]),
    ("Judge an answer", &["assess", "surface"]),
    ("Implement the protocols", &["schema", "conformance"]),
    ("Set up your shell", &["completions", "man"]),
];

const EXAMPLES: &str = "\
Examples:
  answerplane ask ./site \"How do I get a plot?\"
  answerplane ask https://docs.example/site-config.json --json < questions.txt
  answerplane verify ./site && answerplane inspect ./site
  answerplane hash knowledge.json --write --site-config site-config.json

Exit status:
  0  answered, offered as choices, or fine
  1  a question escalated, something was found wrong, or there are problems
  2  it could not be done: wrong usage, or an input that is unreadable, unreachable or refused";

/// Declared questions answered exactly, locally and with citations.
///
/// A site publishes a configuration and an artifact of questions and answers. A question that stands there is
/// answered word for word as it was published; an ambiguous one becomes choices; everything else is escalated
/// with its reason. No model is asked and nothing is guessed.
#[derive(Parser)]
#[command(name = "answerplane", version, styles = STYLES, max_term_width = 100, after_help = EXAMPLES)]
#[command(arg_required_else_help = true, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Commands,
}

/// What there is to do.
#[derive(Subcommand)]
pub(crate) enum Commands {
    Ask(ask::Arguments),
    Chat(chat::Arguments),
    Verify(verify::Arguments),
    Inspect(inspect::Arguments),
    Build(build::Arguments),
    Lint(lint::Arguments),
    Diff(diff::Arguments),
    Explain(explain::Arguments),
    Coverage(coverage::Arguments),
    Suggest(suggest::Arguments),
    Check(check::Arguments),
    Hash(hash::Arguments),
    Render(render::Arguments),
    Schema(schema::Arguments),
    Assess(assess::Arguments),
    Surface(surface::Arguments),
    Conformance(conformance::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// A site and the moment at which it is looked at.
#[derive(Args)]
pub(crate) struct SiteArguments {
    /// A folder with site-config.json, a configuration file, or an http(s) address of either
    pub(crate) site: OsString,

    /// Look at the site as of this moment, such as 2026-03-01T09:00:00Z [default: now]
    #[arg(long, value_name = "TIME", help_heading = "Site")]
    at: Option<DateTime>,

    /// How long everything that is read of an http(s) address may take together
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds, help_heading = "Site")]
    pub(crate) timeout: Duration,
}

impl SiteArguments {
    /// The moment that was named.
    pub(crate) fn fixed_moment(&self) -> Option<Timestamp> {
        self.at.as_ref().map(DateTime::timestamp)
    }

    /// The moment at which the site is looked at.
    pub(crate) fn moment(&self) -> Timestamp {
        self.fixed_moment().unwrap_or_else(moment::now)
    }
}

/// A number of seconds, with a fraction if need be, up to an hour.
pub(crate) fn seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds")?;
    if seconds > 0.0 && seconds <= 3_600.0 {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err("more than 0 and at most 3600 seconds are possible")
    }
}

/// The command that the arguments name.
pub(crate) fn parse() -> Result<Commands, Refused> {
    let matches = command().try_get_matches().map_err(Refused)?;
    Arguments::from_arg_matches(&matches).map(|arguments| arguments.command).map_err(Refused)
}

/// The whole command line as clap knows it.
pub(crate) fn command() -> Command {
    let command = Arguments::command();
    let mut template = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    for (heading, names) in GROUPS {
        let _ = write!(template, "\n{HEADING}{heading}:{HEADING:#}\n");
        for subcommand in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let name = subcommand.get_name();
            let about = subcommand.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(template, "  {LITERAL}{name:<12}{LITERAL:#} {about}");
        }
    }
    let _ = write!(template, "\n{HEADING}Options:{HEADING:#}\n{{options}}{{after-help}}");
    command.help_template(template)
}

/// Arguments that ask for help or the version, or that cannot be understood.
pub(crate) struct Refused(clap::Error);

impl Refused {
    /// Prints the help that was asked for, or in one line what is wrong.
    pub(crate) fn exit(self) -> ExitCode {
        if !self.0.use_stderr()
            || self.0.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
        {
            // A reader that has gone away wants no help.
            let _ = self.0.print();
            return if self.0.use_stderr() { Status::Undone } else { Status::Good }.into();
        }
        output::complain(&in_one_line(&self.0.to_string()));
        Status::Undone.into()
    }
}

/// What clap says in paragraphs, without usage, in one line.
fn in_one_line(message: &str) -> String {
    let mut line = String::new();
    for part in message.lines().map(str::trim).take_while(|part| !part.starts_with("Usage:")) {
        let part = part.strip_prefix("error:").or(part.strip_prefix("tip:")).unwrap_or(part).trim();
        if part.is_empty() || part.starts_with("For more information") {
            continue;
        }
        if !line.is_empty() {
            line.push_str(if line.ends_with(':') || part.starts_with('[') { " " } else { "; " });
        }
        line.push_str(part);
    }
    format!("{line}. See --help.")
}

#[cfg(test)]
mod tests {
    use super::{GROUPS, command, in_one_line};

    #[test]
    fn the_arguments_are_consistent() {
        command().debug_assert();
    }

    #[test]
    fn every_command_is_in_one_group() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        let command = command();
        let mut all: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        grouped.sort_unstable();
        all.sort_unstable();
        assert_eq!(grouped, all);
    }

    #[test]
    fn a_refusal_is_one_line() {
        let message = "error: invalid value 'x' for '<SHELL>'\n  [possible values: bash, zsh]\n\n  tip: try bash\n\nFor more information, try '--help'.\n";
        assert_eq!(
            in_one_line(message),
            "invalid value 'x' for '<SHELL>' [possible values: bash, zsh]; try bash. See --help."
        );
    }
}
