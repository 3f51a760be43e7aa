//! Where lines are taken one after the other.

use answerplane_normalize::is_blank;
use answerplane_protocol::{EscalationReason, Outcome};
use answerplane_resolver::complete::Completer;
use answerplane_resolver::{Resolution, Resolver};
use answerplane_session::{SessionError, TurnEnd};
use serde_json::json;
use tokio::runtime::Runtime;

use crate::arguments::SiteArguments;
use crate::commands::chat::line::{COMMANDS, Command, Line};
use crate::commands::chat::listen::{Heard, Listener};
use crate::commands::chat::offered::Offered;
use crate::commands::chat::record::Record;
use crate::commands::chat::show;
use crate::commands::chat::talk::{Asked, Talk, Turned};
use crate::commands::chat::transcript::Transcript;
use crate::output::{self, Output};
use crate::problem::{Cause, Problem};
use crate::site::{Site, outage};
use crate::status::Status;

/// Where lines are taken.
pub(super) struct Desk<'a> {
    pub(super) site: &'a Site,
    pub(super) arguments: &'a SiteArguments,
    pub(super) is_json: bool,
    /// Whether somebody types.
    pub(super) is_typed: bool,
    pub(super) resolver: Resolver,
    pub(super) runtime: Runtime,
    pub(super) talk: Talk,
    pub(super) output: &'a mut Output,
    /// What was offered last.
    pub(super) offered: Offered,
    /// Made when it is first needed.
    pub(super) completer: Option<Completer>,
    pub(super) has_shown: bool,
    pub(super) told_stale: bool,
    pub(super) status: Status,
}

impl Desk<'_> {
    /// Takes what comes in until it ends.
    pub(super) fn attend(&mut self, listener: &Listener) -> Result<(), Problem> {
        self.greet();
        let mut number = 0;
        loop {
            self.output.flush();
            if self.output.is_closed() {
                return Ok(());
            }
            if self.is_typed {
                output::prompt();
            }
            number += 1;
            let place = format!("standard input, line {number}");
            match listener.next() {
                Heard::Line(line) if is_blank(&line) => {}
                Heard::Line(line) => {
                    if self.take(&line, &place) {
                        return Ok(());
                    }
                }
                Heard::NotText => self.complain(Problem::new(place, Cause::NotText)),
                Heard::End => {
                    if self.is_typed {
                        output::end_prompt();
                    }
                    return Ok(());
                }
                Heard::Unreadable(error) => {
                    return Err(Problem::new("standard input", Cause::Unreadable(error)));
                }
                Heard::Signal => return Ok(()),
            }
        }
    }

    /// Writes what was said and answered to a file.
    pub(super) fn save(&self, transcript: &Transcript<'_>) -> Result<(), Problem> {
        let view = self.runtime.block_on(self.talk.view());
        transcript.write(self.site, self.talk.definition(), &view)
    }

    fn greet(&mut self) {
        if self.is_typed {
            output::complain(
                "ask a question a line, or take what is offered by its number; /help has the commands; end with Ctrl-D",
            );
        }
        if !self.is_json && self.talk.state().is_some() {
            self.begin();
            self.show_state();
            self.end();
        }
    }

    /// Takes a line, and says whether it was the last.
    fn take(&mut self, line: &str, place: &str) -> bool {
        let asked = match Line::of(line) {
            Line::Said(said) => {
                if let Some(count) = self.offered.lacks(said).filter(|_| !self.is_declared(said)) {
                    self.complain(Problem::new(place, Cause::NoSuchNumber(count)));
                    return false;
                }
                self.asked(said)
            }
            Line::Command(command) => {
                if self.talk.has_command(line.trim_end()) {
                    let word = line.split_whitespace().next().unwrap_or_default();
                    output::complain(&format!(
                        "{word} is a command of this program. The conversation's own is said by /{word}."
                    ));
                }
                match command {
                    Command::Retry => Asked::Retry,
                    Command::Regenerate => Asked::Regenerate,
                    Command::Edit(said) => Asked::Edit(said.to_owned()),
                    Command::State => {
                        self.tell_state();
                        return false;
                    }
                    Command::Help => {
                        self.help();
                        return false;
                    }
                    Command::Exit => return true,
                }
            }
        };
        // Somebody who does not type sees what was said only here; somebody who does, not what became of it.
        let repeat = !self.is_typed || !matches!(&asked, Asked::Said(said) if said == line);
        match self.runtime.block_on(self.talk.turn(asked)) {
            Ok(turned) => self.tell(&turned, repeat),
            Err(error) => self.refuse(error, place),
        }
        false
    }

    /// Whether the conversation or the site has something for exactly this.
    fn is_declared(&self, said: &str) -> bool {
        let resolution = self.resolver.resolve(said, self.arguments.moment());
        self.talk.has_command(said) || !matches!(resolution, Resolution::Escalation(_))
    }

    /// What is meant by something that is said: what it takes of what was offered, or itself.
    fn asked(&self, said: &str) -> Asked {
        let Some(offer) = self.offered.taken(said) else { return Asked::Said(said.to_owned()) };
        match self.offered.authorized(offer) {
            Some((frame, choice)) => Asked::Choice(Box::new(frame.clone()), choice, offer.value.clone()),
            None => Asked::Said(offer.value.clone()),
        }
    }

    fn refuse(&mut self, error: SessionError, place: &str) {
        if matches!(error, SessionError::ChoiceUnavailable | SessionError::NotOurs) {
            self.offered = Offered::default();
        }
        self.complain(Problem::new(place, Cause::NotSaid(error)));
    }

    fn complain(&mut self, problem: Problem) {
        if self.is_json {
            // Results stay in step with what was said.
            self.output.json(&json!({ "problem": problem }));
        }
        self.output.report(&problem);
        self.status = Status::Undone;
    }

    fn tell(&mut self, turned: &Turned, repeat: bool) {
        self.offered = self.offers(turned);
        if turned.end != Some(TurnEnd::Done) {
            self.status = self.status.and(Status::Wrong);
        }
        if self.is_json {
            self.output.json(&Record::new(turned, self.offered.options(), self.talk.state()));
            return;
        }
        self.begin();
        if repeat {
            show::said(&turned.said, self.output);
        }
        let fallback = self.site.first.config.fallback_mode();
        show::answer(&turned.text, turned.answer.as_ref(), self.talk.definition(), fallback, self.output);
        if let Some(failure) = &turned.failure {
            show::failure(failure, self.output);
        }
        if turned.is_escalated() {
            show::meant(self.offered.options(), self.output);
        }
        if turned.has_moved {
            self.show_state();
        }
        self.end();
    }

    /// What may be taken after a turn.
    fn offers(&mut self, turned: &Turned) -> Offered {
        match turned.answer.as_ref().map(|answer| (answer.outcome(), answer.query())) {
            Some((Outcome::Choices(choices), _)) => Offered::choices(choices, turned.choices_frame()),
            Some((Outcome::Escalation(escalation), query)) => {
                self.status = self.status.and(Status::Wrong);
                let now = self.arguments.moment();
                if escalation.reason() == EscalationReason::Stale && !self.told_stale {
                    self.told_stale = true;
                    outage::tell_stale(self.site, now);
                }
                let shards = || Completer::new(self.resolver.shards().flatten().cloned());
                Offered::meant(&self.completer.get_or_insert_with(shards).did_you_mean(query, now))
            }
            _ => Offered::default(),
        }
    }

    fn tell_state(&mut self) {
        if self.is_json {
            self.output.json(&json!({ "state": self.talk.state() }));
            return;
        }
        self.begin();
        self.show_state();
        match self.talk.state() {
            Some(state) => show::events(state, self.output),
            None => self.output.mark().print("there is no conversation").end_line(),
        }
        self.end();
    }

    fn show_state(&mut self) {
        if let Some(state) = self.talk.state() {
            show::state(state, self.output);
            show::commands(&self.talk.commands(), self.output);
        }
    }

    fn help(&mut self) {
        if self.is_json {
            COMMANDS.lines().for_each(output::complain);
            return;
        }
        self.begin();
        self.output.lines(COMMANDS);
        show::commands(&self.talk.commands(), self.output);
        self.end();
    }

    /// An empty line before what is shown, where nobody types.
    fn begin(&mut self) {
        if std::mem::replace(&mut self.has_shown, true) && !self.is_typed {
            self.output.end_line();
        }
    }

    /// An empty line behind what was shown, where somebody types.
    fn end(&mut self) {
        if self.is_typed {
            self.output.end_line();
        }
    }
}
