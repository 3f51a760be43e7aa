//! `ask`: what is declared for a question.

use std::io::{self, IsTerminal};

use answerplane_normalize::is_blank;
use answerplane_protocol::render::render_answer;
use answerplane_resolver::complete::Completer;
use answerplane_resolver::{Cause as EscalationCause, Resolution, Resolver, Timestamp};
use serde_json::json;

use crate::arguments::SiteArguments;
use crate::lines::next_line;
use crate::output::{self, Output, STRONG};
use crate::page::{Page, one_line, show_suggestion};
use crate::problem::{Cause, Problem};
use crate::site::{Site, outage};
use crate::status::Status;

/// How many bytes of a question are kept: far more than the 512 UTF-16 units beyond which every question is a miss.
const MAX_QUESTION_BYTES: usize = 4_096;

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
    outage::tell(&site);
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
        while let Some(line) = next_line(&mut input, MAX_QUESTION_BYTES)
            .map_err(|error| Problem::new("standard input", Cause::Unreadable(error)))?
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
                outage::tell_stale(self.site, now);
            }
        }
        if self.arguments.json {
            self.output.json(&resolution.to_envelope(query));
        } else {
            self.show(query, repeat, &resolution, now);
        }
        self.asked += 1;
    }

    fn show(&mut self, query: &str, repeat: bool, resolution: &Resolution<'_>, now: Timestamp) {
        if self.asked > 0 {
            self.output.end_line();
        }
        if repeat {
            self.output.mark().styled(STRONG, &format!("> {}", one_line(query))).end_line();
        }
        let fallback = self.site.first.config.fallback_mode();
        let mut page = Page::new(self.output, fallback).with_ids();
        match render_answer(&resolution.to_envelope(query), &mut page) {
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
