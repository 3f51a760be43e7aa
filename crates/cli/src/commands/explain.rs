//! `explain`: why a query comes to what it does.

use answerplane_author::explain::{Explanation, Fate, explain};
use answerplane_author::outcome::OutcomeName;

use crate::arguments::SiteArguments;
use crate::authored;
use crate::output::{BAD, CAUTION, FAINT, GOOD, Output, STRONG};
use crate::problem::Problem;
use crate::status::Status;

/// How many characters of a query are shown to a person.
const SHOWN: usize = 16;

const EXAMPLES: &str = "\
Examples:
  answerplane explain ./site \"How do I get a plot\"
  answerplane explain ./site \"$(pbpaste)\" --json

Exit status: 0 answered or offered as choices, 1 escalated, 2 the site is unreadable, unreachable or
refused.";

/// Explain why a query resolves as it does: normalization step by step, and on a miss what was near
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,

    /// The query
    query: String,

    /// Print everything as one line of JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Problem> {
    let Some(artifacts) = authored::artifacts(&arguments.site.site, arguments.site.timeout, output)? else {
        return Ok(Status::Undone);
    };
    let found = explain(&authored::shards(&artifacts), &arguments.query, arguments.site.moment());
    if arguments.json {
        output.json(&found);
    } else {
        show(&found, output);
    }
    Ok(Status::good_if(matches!(found.outcome, OutcomeName::Answer | OutcomeName::Choices)))
}

fn show(found: &Explanation, output: &mut Output) {
    output.styled(STRONG, "Key").end_line();
    for step in found.steps.iter().enumerate().filter(|(number, step)| *number == 0 || step.changed) {
        output.print(&format!("  {:<22} ", step.1.name)).print(&step.1.text).end_line();
    }
    let count = found.steps.iter().filter(|step| step.changed).count();
    if count == 0 {
        output.styled(FAINT, "  it is its own key").end_line();
    }
    if !found.special.is_empty() {
        output.end_line();
        output.styled(STRONG, "Characters beyond plain ASCII").end_line();
    }
    for special in found.special.iter().take(SHOWN) {
        let becomes: Vec<String> = special.becomes.iter().map(ToString::to_string).collect();
        let fate = match special.fate {
            Fate::Kept => "stays".to_owned(),
            Fate::KeptUnseen => "stays, and nobody sees it".to_owned(),
            Fate::Space => "is white space".to_owned(),
            Fate::Changed => format!("becomes {}", becomes.join(" and ")),
        };
        output.line(&format!("  at {:<4} {}: {fate}", special.position, special.character));
    }
    if found.special.len() > SHOWN {
        output
            .styled(FAINT, &format!("  and {} more (--json has them)", found.special.len() - SHOWN))
            .end_line();
    }
    output.end_line();
    output.styled(STRONG, "Outcome").end_line();
    let style = match found.outcome {
        OutcomeName::Answer | OutcomeName::Choices => GOOD,
        OutcomeName::Miss => BAD,
        OutcomeName::Stale => CAUTION,
    };
    output.print("  ").styled(style, found.outcome.as_str()).end_line();
    for entry in &found.entries {
        output.line(&format!("  {} declares {:?} ({})", entry.id, entry.alias, entry.label));
    }
    for reason in &found.reasons {
        output.line(&format!("  {reason}"));
    }
    if !found.nearest.is_empty() {
        output.end_line();
        output.styled(STRONG, "Nearest declared").end_line();
    }
    for near in &found.nearest {
        let edits = format!("{} edit{}", near.edits, if near.edits == 1 { "" } else { "s" });
        output
            .print(&format!("  {edits:<9} "))
            .print(&near.alias)
            .print(" of ")
            .print(&near.entry)
            .end_line();
        output.styled(FAINT, &format!("            {}", near.difference)).end_line();
    }
}
