//! `chat`: a conversation with a site, line by line.

mod desk;
mod line;
mod listen;
mod offered;
mod record;
mod show;
mod talk;
mod transcript;

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use answerplane_protocol::Integer;
use answerplane_resolver::Resolver;
use answerplane_session::{AnswerPlane, Definition, InvalidFile, SessionError};
use tokio::runtime::{Builder, Runtime};

use crate::arguments::SiteArguments;
use crate::commands::chat::desk::Desk;
use crate::commands::chat::listen::Listener;
use crate::commands::chat::offered::Offered;
use crate::commands::chat::talk::Talk;
use crate::commands::chat::transcript::Transcript;
use crate::interrupt;
use crate::output::{self, Output};
use crate::problem::{Cause, Problem};
use crate::site::{Site, outage};
use crate::status::Status;

const EXAMPLES: &str = "\
Each line of standard input is said as it stands; blank lines are skipped. A number alone (2 or
#2), or the whole label, takes what was offered last. These lines, perhaps with white space behind
them, are commands of this program:

  /retry        answer what was said last once more
  /regenerate   make the last answer anew
  /edit TEXT    say TEXT instead of what was said last
  /state        where the conversation stands, with its actions, commands and events
  /help         these commands
  /exit         end, as the end of input does
  //retry       say /retry itself, where the conversation has it; the other five in the same way

Every other line is said, with a slash or without. A conversation (--conversation) has commands of
its own; those that it answers where it stands are shown as \"commands\", which is what you type.
Its \"actions\" are only names for what may be done there: an app makes buttons of them.

No backend is asked, whatever the site says: what is not declared escalates.

Examples:
  answerplane chat ./site
  answerplane chat ./site --conversation support.toml --transcript talk.md
  printf 'opening hours\\n2\\n' | answerplane chat ./site --json

Exit status: 0 every turn answered or offered as choices, 1 one escalated or failed, 2 it could not
be done, or a line was refused.";

/// Talk to a site, line by line: answers, choices by number, a conversation's states
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,

    /// The states and commands of a conversation (.toml, .json, .yaml), which come before the site's answers
    #[arg(long, value_name = "FILE")]
    conversation: Option<PathBuf>,

    /// Write what was said and answered to FILE at the end: Markdown, or JSON where its name ends in .json
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,

    /// Replace the file of --transcript
    #[arg(long, requires = "transcript")]
    force: bool,

    /// Print each turn as one line of JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Problem> {
    let definition = match arguments.conversation.as_deref().map(load).transpose()? {
        Some(Err(invalid)) => {
            invalid.problems().iter().for_each(|problem| output::complain(&problem.to_string()));
            return Ok(Status::Undone);
        }
        Some(Ok(definition)) => definition,
        None => without_conversation()?,
    };
    let transcript = arguments.transcript.as_ref().map(|path| Transcript::new(path, arguments.force));
    let transcript = transcript.transpose()?;
    let site = Site::load(&arguments.site.site, arguments.site.timeout)?;
    outage::tell(&site);
    let resolver = Resolver::over_shards(site.artifacts().map(|artifact| artifact.cloned()));
    let plane = AnswerPlane::new(resolver.clone()).of_site(&site.first.config);
    let runtime = runtime()?;
    let talk = runtime.block_on(Talk::open(definition, plane, arguments.site.fixed_moment()));
    let talk = talk.map_err(|error| Problem::new("the session", Cause::NotSaid(error)))?;
    let listener = Listener::new().map_err(unreadable)?;
    if transcript.is_some() {
        listener.heed_signals();
    }
    let mut desk = Desk {
        site: &site,
        arguments: &arguments.site,
        is_json: arguments.json,
        is_typed: io::stdin().is_terminal(),
        resolver,
        runtime,
        talk,
        output,
        offered: Offered::default(),
        completer: None,
        has_shown: false,
        told_stale: false,
        status: Status::Good,
    };
    let attended = desk.attend(&listener);
    let saved = transcript.map_or(Ok(()), |transcript| desk.save(&transcript));
    let mut status = desk.status;
    for problem in [attended, saved].into_iter().filter_map(Result::err) {
        output.report(&problem);
        status = Status::Undone;
    }
    output.flush();
    interrupt::follow();
    Ok(status)
}

/// The definition of a file. A pipe or device, which may never end, is not read.
fn load(path: &Path) -> Result<Result<Definition, InvalidFile>, Problem> {
    let is_other = fs::metadata(path).is_ok_and(|found| !found.is_file());
    if is_other {
        return Err(Problem::new(path.display(), Cause::NotAFile));
    }
    Ok(Definition::load(path))
}

/// A definition without a conversation.
fn without_conversation() -> Result<Definition, Problem> {
    let id = "chat".parse().ok();
    let definition =
        id.zip(Integer::new(1)).map(|(id, revision)| Definition { id, revision, conversation: None });
    definition.ok_or_else(|| Problem::new("the session", Cause::NotSaid(SessionError::NoId)))
}

fn runtime() -> Result<Runtime, Problem> {
    Builder::new_current_thread().enable_time().build().map_err(unreadable)
}

fn unreadable(error: io::Error) -> Problem {
    Problem::new("standard input", Cause::Unreadable(error))
}

#[cfg(test)]
mod tests {
    use super::{EXAMPLES, line};

    #[test]
    fn the_help_has_the_commands() {
        assert!(EXAMPLES.contains(line::COMMANDS));
    }
}
