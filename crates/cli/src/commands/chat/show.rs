//! What a person is shown of a turn, on a terminal and in a transcript alike.

use std::io::Write;

use answerplane_protocol::render::{Renderer, render_answer, render_parts};
use answerplane_protocol::{AnswerEnvelope, Content, FallbackMode, Manifest};
use answerplane_session::{Definition, StateView};

use crate::commands::chat::line;
use crate::commands::chat::offered::Offer;
use crate::commands::chat::talk::Failure;
use crate::output::{BAD, FAINT, Output, STRONG};
use crate::page::{Page, one_line, show_suggestion};

/// What was said.
pub(super) fn said<W: Write>(text: &str, output: &mut Output<W>) {
    output.mark().styled(STRONG, &format!("> {}", one_line(text))).end_line();
}

/// What was answered, and by whom.
pub(super) fn answer<W: Write>(
    text: &str,
    answer: Option<&AnswerEnvelope>,
    definition: &Definition,
    fallback: FallbackMode,
    output: &mut Output<W>,
) {
    let mut page = Page::new(output, fallback).without_backend();
    let shown = match answer {
        Some(answer) => render_answer(answer, &mut page),
        None if text.is_empty() => return,
        None => {
            let shown = match Content::decode(text) {
                Ok(content) if Content::is_ordered(text) => {
                    render_parts(content.parts(), &Manifest::standard(), &mut page)
                }
                _ => page.text(text),
            };
            output.mark().styled(FAINT, &format!("from the conversation {}", definition.id)).end_line();
            shown
        }
    };
    match shown {
        Ok(()) => {}
    }
}

/// Why a turn did not end well.
pub(super) fn failure<W: Write>(failure: &Failure, output: &mut Output<W>) {
    output.styled(BAD, &failure.message);
    output.print(&format!(" ({})", failure.code.unwrap_or("failed"))).end_line();
}

/// What may have been meant.
pub(super) fn meant<W: Write>(offers: &[Offer], output: &mut Output<W>) {
    if offers.is_empty() {
        return;
    }
    output.end_line();
    output.line("Did you mean");
    for offer in offers {
        show_suggestion(offer.number, &offer.label, &offer.value, output);
    }
}

/// Where a conversation stands, and what may be done there.
pub(super) fn state<W: Write>(state: &StateView, output: &mut Output<W>) {
    let mut line = format!("state: {}", one_line(&state.state));
    if !state.actions.is_empty() {
        line += &format!(", actions: {}", names(&state.actions));
    }
    output.mark().styled(FAINT, &line).end_line();
}

/// What may be typed for the commands that a conversation answers where it stands.
pub(super) fn commands<W: Write>(commands: &[&str], output: &mut Output<W>) {
    if !commands.is_empty() {
        let typed: Vec<String> = commands.iter().map(|command| line::typed(command)).collect();
        output.mark().styled(FAINT, &format!("commands: {}", names(&typed))).end_line();
    }
}

/// The events that a state accepts.
pub(super) fn events<W: Write>(state: &StateView, output: &mut Output<W>) {
    if !state.events.is_empty() {
        output.mark().styled(FAINT, &format!("events: {}", names(&state.events))).end_line();
    }
}

fn names(names: &[String]) -> String {
    names.iter().map(|name| one_line(name)).collect::<Vec<_>>().join(" · ")
}
