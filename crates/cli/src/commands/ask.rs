//! `ask`: what is declared for a question.

mod lines;

use std::convert::Infallible;
use std::io::{self, IsTerminal};

use answerplane_normalize::is_blank;
use answerplane_protocol::render::{Renderer, render_answer};
use answerplane_protocol::{
    Choices, Citation, Component, ComponentFallback, Escalation, FallbackMode, Identifier, Provenance,
};
use answerplane_resolver::complete::Completer;
use answerplane_resolver::{Cause as EscalationCause, Resolution, Resolver, Timestamp};
use serde_json::json;

use crate::arguments::SiteArguments;
use crate::commands::ask::lines::next_line;
use crate::moment;
use crate::output::{self, CAUTION, FAINT, Output, STRONG};
use crate::problem::{Cause, Problem};
use crate::site::Site;
use crate::status::Status;

const EXAMPLES: &str = "\
Examples:
  answerplane ask ./site \"How do I get a plot?\"
  answerplane ask ./site \"Opening hours\" --choose tool-shed-hours
  answerplane ask https://docs.example/site-config.json \"Opening hours\" \"Water\" --json
  answerplane ask ./site < questions.txt

Exit status: 0 every question answered or offered as choices, 1 one escalated, 2 it could not be done.
A site whose artifact is missing or wrong still takes questions: each is escalated, and standard error says why.
On a terminal, up to three questions that may have been meant follow an escalation.";

/// Ask a site: an answer with its sources, choices, or why there is neither
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,

    /// What to ask; without any, each line of standard input is a question
    #[arg(value_name = "QUERY")]
    queries: Vec<String>,

    /// Answer with this one of the entries that QUERY offers
    #[arg(long, value_name = "ID", requires = "queries")]
    choose: Option<String>,

    /// Print each answer as one line of JSON (agentskit.chat.answer)
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Problem> {
    if arguments.choose.is_some() && arguments.queries.len() != 1 {
        return Err(Problem::new("--choose", Cause::NotOneQuery));
    }
    let site = Site::load(&arguments.site.site, arguments.site.timeout)?;
    for problem in site.problems() {
        output::complain(&format!("{problem} {}", until_then(&site, "corrupt")));
    }
    let mut desk = Desk {
        resolver: Resolver::over_shards(site.artifacts().map(|artifact| artifact.cloned())),
        completer: None,
        site: &site,
        arguments,
        output,
        asked: 0,
        told_stale: false,
        status: Status::Good,
    };
    if arguments.queries.is_empty() {
        desk.read()?;
    } else {
        arguments.queries.iter().for_each(|query| desk.ask(query, arguments.queries.len() > 1));
    }
    Ok(desk.status)
}

/// Where questions are asked one after the other.
struct Desk<'a> {
    site: &'a Site,
    resolver: Resolver,
    /// Made when it is first needed.
    completer: Option<Completer>,
    arguments: &'a Arguments,
    output: &'a mut Output,
    asked: usize,
    told_stale: bool,
    status: Status,
}

impl Desk<'_> {
    /// Asks every line of standard input, and answers each before the next is waited for.
    fn read(&mut self) -> Result<(), Problem> {
        let mut input = io::stdin().lock();
        let typing = input.is_terminal();
        if typing {
            output::complain("ask a question a line; end with Ctrl-D");
        }
        let mut number = 0;
        while let Some(line) =
            next_line(&mut input).map_err(|error| Problem::new("standard input", Cause::Unreadable(error)))?
        {
            number += 1;
            match line {
                Some(query) if is_blank(&query) => continue,
                Some(query) => self.ask(&query, !typing),
                None => {
                    let place = format!("standard input, line {number}");
                    let problem = Problem::new(place, Cause::NotText);
                    if self.arguments.json {
                        // Results stay in step with questions.
                        self.output.json(&json!({ "problem": problem }));
                    }
                    self.output.report(&problem);
                    self.status = Status::Undone;
                }
            }
            self.output.flush();
            if self.output.is_closed() {
                break;
            }
        }
        Ok(())
    }

    fn ask(&mut self, query: &str, repeat: bool) {
        let now = self.arguments.site.moment();
        let resolver = self.resolver.clone();
        let resolution = match &self.arguments.choose {
            Some(id) => resolver.resolve_choice(id, query, now),
            None => resolver.resolve(query, now),
        };
        if let Resolution::Escalation(cause) = resolution {
            self.status = self.status.and(Status::Wrong);
            if cause == EscalationCause::Stale && !self.told_stale {
                self.told_stale = true;
                self.tell_stale(now);
            }
        }
        if self.arguments.json {
            self.output.json(&resolution.to_envelope(query));
        } else {
            self.show(query, repeat, &resolution, now);
        }
        self.asked += 1;
    }

    fn tell_stale(&self, now: Timestamp) {
        for shard in self.site.shards().flatten() {
            let Ok(artifact) = &shard.artifact else { continue };
            if let Some(expires) = artifact.expires_at().filter(|_| artifact.is_expired(now)) {
                let place = shard.artifact_at.as_ref().map_or("", |origin| &origin.place);
                let expired = format!("{expires} ({})", moment::seen_from(now, expires.timestamp()));
                let problem = Problem::new(place, Cause::Expired(expired));
                output::complain(&format!("{problem} {}", until_then(self.site, "stale")));
            }
        }
    }

    fn show(&mut self, query: &str, repeat: bool, resolution: &Resolution<'_>, now: Timestamp) {
        if self.asked > 0 {
            self.output.end_line();
        }
        if repeat {
            self.output.mark().styled(STRONG, &format!("> {}", one_line(query))).end_line();
        }
        let fallback = self.site.first.config.fallback_mode();
        match render_answer(&resolution.to_envelope(query), &mut Page { output: self.output, fallback }) {
            Ok(()) => {}
        }
        let is_escalated = matches!(resolution, Resolution::Escalation(_));
        if is_escalated && self.output.is_terminal() && self.arguments.choose.is_none() {
            self.suggest(query, now);
        }
    }

    /// Shows a person what they may have meant. It is not part of the answer, so no program sees it.
    fn suggest(&mut self, query: &str, now: Timestamp) {
        let completer =
            self.completer.get_or_insert_with(|| Completer::new(self.resolver.shards().flatten().cloned()));
        let meant = completer.did_you_mean(query, now);
        if meant.is_empty() {
            return;
        }
        self.output.end_line();
        self.output.line("Did you mean");
        for (completion, number) in meant.iter().zip(1..) {
            show_suggestion(number, completion.label(), completion.alias(), self.output);
        }
    }
}

/// What a shard that cannot answer means for questions.
fn until_then(site: &Site, reason: &str) -> String {
    if site.is_sharded() {
        format!("Until then every question that no other shard answers escalates ({reason}).")
    } else {
        format!("Until then every question escalates ({reason}).")
    }
}

/// A label and what to type for it.
fn show_suggestion(number: usize, label: &str, value: &str, output: &mut Output) {
    output.end_line();
    output.print(&format!("{number}. ")).styled(STRONG, &one_line(label)).end_line();
    output.print("   type: ").print(&one_line(value)).end_line();
}

/// What `ask` shows a person.
struct Page<'a> {
    output: &'a mut Output,
    fallback: FallbackMode,
}

impl Page<'_> {
    fn source(&mut self, source: &str) {
        self.output.mark().styled(FAINT, source).end_line();
    }
}

impl Renderer for Page<'_> {
    type Error = Infallible;

    fn text(&mut self, text: &str) -> Result<(), Infallible> {
        self.output.lines(text);
        self.output.end_line();
        Ok(())
    }

    fn component(&mut self, _: &Identifier, component: &Component<'_>) -> Result<(), Infallible> {
        self.text(&component.text())
    }

    fn unsupported(&mut self, fallback: &ComponentFallback) -> Result<(), Infallible> {
        self.text(&fallback.to_string())
    }

    fn provenance(&mut self, provenance: &Provenance, citations: &[Citation]) -> Result<(), Infallible> {
        for (citation, number) in citations.iter().zip(1..) {
            self.output.mark().print(&format!("[{number}] {} ", one_line(citation.title().as_str())));
            self.output.styled(FAINT, &format!("<{}>", citation.href())).end_line();
        }
        match provenance {
            Provenance::Local { source, entry_id } => {
                self.source(&format!("from {entry_id} of {}, {}", source.artifact_id, source.content_hash));
            }
            Provenance::Backend { .. } => self.source("from the backend"),
        }
        Ok(())
    }

    fn choices(&mut self, choices: &Choices) -> Result<(), Infallible> {
        self.output.line(choices.message());
        for (suggestion, number) in choices.suggestions().iter().zip(1..) {
            show_suggestion(number, suggestion.label(), suggestion.value(), self.output);
            self.output.styled(FAINT, &format!("   or --choose {}", suggestion.id())).end_line();
        }
        self.output.end_line();
        self.source(&format!("from {}, {}", choices.source().artifact_id, choices.source().content_hash));
        Ok(())
    }

    fn escalation(&mut self, escalation: &Escalation) -> Result<(), Infallible> {
        self.output.styled(CAUTION, escalation.message());
        self.output.print(&format!(" ({})", escalation.reason())).end_line();
        let next = match self.fallback {
            FallbackMode::Backend => "This site hands such questions to its backend.",
            FallbackMode::Disabled => "This site asks no backend.",
        };
        self.output.styled(FAINT, next).end_line();
        Ok(())
    }
}

/// A label, title or alias, which may hold line feeds, on one line.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\t'], " ")
}
