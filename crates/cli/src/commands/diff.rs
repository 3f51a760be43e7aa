//! `diff`: what changes for a reader between two builds of a site.

use std::ffi::OsString;
use std::time::Duration;

use answerplane_author::diff::{Change, Consequence, Diff, Line, Verdict, View, changed_lines, diff};
use answerplane_protocol::{Artifact, DateTime};

use crate::arguments::seconds;
use crate::authored;
use crate::moment;
use crate::output::{BAD, CAUTION, FAINT, GOOD, Output, STRONG};
use crate::problem::Problem;
use crate::status::Status;

/// How many consequences of a kind, aliases of a consequence, and lines of a changed answer are shown to a person.
const SHOWN: usize = 10;
const ALIASES: usize = 4;
const LINES: usize = 10;

const EXAMPLES: &str = "\
Examples:
  answerplane diff ./published ./site
  answerplane diff https://docs.example ./site --markdown > comment.md
  answerplane diff old.json new.json --json

Exit status: 0 no reader sees a difference (a rebuild with new times only is named a no-op),
1 readers see one, 2 wrong usage, or something that cannot be read or is refused.";

/// Say what changes for a reader between two builds of a site
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// An artifact file, a folder with site-config.json, a configuration file, or an http(s) address
    #[arg(value_name = "OLD")]
    old: OsString,

    /// What it is compared with
    #[arg(value_name = "NEW")]
    new: OsString,

    /// Print Markdown for a pull request
    #[arg(long, conflicts_with = "json")]
    markdown: bool,

    /// Print everything as one line of JSON
    #[arg(long)]
    json: bool,

    /// Compare what both say at this moment, such as 2026-03-01T09:00:00Z [default: now]
    #[arg(long, value_name = "TIME")]
    at: Option<DateTime>,

    /// How long everything that is read of an http(s) address may take together
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    timeout: Duration,
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Problem> {
    let mut read = |place| authored::read(place, arguments.timeout, output);
    let (Some(old), Some(new)) = (read(&arguments.old)?, read(&arguments.new)?) else {
        return Ok(Status::Undone);
    };
    let (old, new): (Vec<&Artifact>, Vec<&Artifact>) = (old.iter().collect(), new.iter().collect());
    let at = arguments.at.as_ref().map_or_else(moment::now, DateTime::timestamp);
    let found = diff(&old, &new, at);
    if arguments.json {
        output.json(&found);
    } else if arguments.markdown {
        output.lines(found.to_markdown().trim_end());
    } else {
        show(&found, output);
    }
    Ok(Status::good_if(found.consequences.is_empty()))
}

fn show(found: &Diff, output: &mut Output) {
    let style = if found.verdict == Verdict::Changed { CAUTION } else { GOOD };
    output.styled(style, found.verdict.sentence()).end_line();
    if found.old.expired && found.new.expired {
        output.styled(CAUTION, "Both have expired at this moment; --at compares them at another.").end_line();
    }
    for change in Change::ALL {
        let group: Vec<&Consequence> =
            found.consequences.iter().filter(|consequence| consequence.change == *change).collect();
        if group.is_empty() {
            continue;
        }
        let keys: usize = group.iter().map(|consequence| consequence.aliases.len()).sum();
        output.end_line();
        output.styled(STRONG, &format!("{}: {keys}", change.title())).end_line();
        for consequence in group.iter().take(SHOWN) {
            show_consequence(consequence, output);
        }
        if group.len() > SHOWN {
            let rest = format!("  and {} more (--json has all)", group.len() - SHOWN);
            output.styled(FAINT, &rest).end_line();
        }
    }
    output.end_line();
    show_sides(found, output);
}

fn show_consequence(consequence: &Consequence, output: &mut Output) {
    let aliases: Vec<&str> = consequence.aliases.iter().take(ALIASES).map(String::as_str).collect();
    output.print("  ").print(&aliases.join(" · "));
    if consequence.aliases.len() > ALIASES {
        output.styled(FAINT, &format!(" · and {} more", consequence.aliases.len() - ALIASES));
    }
    output.end_line();
    let (before, after) = (&consequence.before, &consequence.after);
    match consequence.change {
        Change::AnswerChanged => {
            let (old, new) =
                (before.markdown.as_deref().unwrap_or(""), after.markdown.as_deref().unwrap_or(""));
            let lines = changed_lines(old, new);
            for line in lines.iter().take(LINES) {
                match line {
                    Line::Old(text) => output.styled(BAD, &format!("    - {text}")).end_line(),
                    Line::New(text) => output.styled(GOOD, &format!("    + {text}")).end_line(),
                }
            }
            if lines.len() > LINES {
                output.styled(FAINT, &format!("    and {} more lines", lines.len() - LINES)).end_line();
            }
        }
        Change::CitationsChanged => {
            let sources = |view: &View| {
                let sources: Vec<&str> = view.citations.iter().map(|source| source.href.as_str()).collect();
                if sources.is_empty() { "none".to_owned() } else { sources.join(", ") }
            };
            output.styled(BAD, &format!("    - {}", sources(before))).end_line();
            output.styled(GOOD, &format!("    + {}", sources(after))).end_line();
        }
        _ => output.styled(FAINT, &format!("    {} → {}", described(before), described(after))).end_line(),
    }
}

fn described(view: &View) -> String {
    let ids: Vec<&str> = view.entries.iter().map(|entry| entry.id.as_str()).collect();
    let space = if ids.is_empty() { "" } else { " " };
    format!("{}{space}{}", view.outcome.as_str(), ids.join(", "))
}

fn show_sides(found: &Diff, output: &mut Output) {
    let (old, new) = (&found.old, &found.new);
    let numbers = [
        ("shards", old.shards, new.shards),
        ("entries", old.entries, new.entries),
        ("aliases", old.aliases, new.aliases),
        ("keys", old.keys, new.keys),
        ("bytes", old.bytes, new.bytes),
    ];
    for (name, old, new) in numbers {
        let change = if old == new { format!("{old}") } else { format!("{old} → {new}") };
        output.line(&format!("{name:<10}{change}"));
    }
    let never = || "never".to_owned();
    for (name, old, new) in [
        ("generated", old.generated_at.clone(), new.generated_at.clone()),
        ("expires", old.expires_at.clone(), new.expires_at.clone()),
    ] {
        let (old, new) = (old.unwrap_or_else(never), new.unwrap_or_else(never));
        let change = if old == new { old } else { format!("{old} → {new}") };
        output.line(&format!("{name:<10}{change}"));
    }
}
