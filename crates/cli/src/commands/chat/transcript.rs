//! What was said and answered, in a file.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use answerplane_protocol::{AnswerEnvelope, Timestamp, UtcTime};
use answerplane_session::{Definition, Role, SessionView, StateView, TranscriptMessage, TurnEnd};
use serde::Serialize;

use crate::commands::chat::show;
use crate::commands::chat::talk::{plain, word};
use crate::file::{self, Replacement};
use crate::output::Output;
use crate::problem::{Cause, Problem};
use crate::site::Site;

/// Where a transcript is written, and as what.
pub(super) struct Transcript<'a> {
    path: &'a Path,
}

/// The transcript as JSON.
#[derive(Serialize)]
struct Saved<'a> {
    site: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    conversation: Option<SavedConversation<'a>>,
    messages: Vec<SavedMessage<'a>>,
}

#[derive(Serialize)]
struct SavedConversation<'a> {
    id: &'a str,
    revision: u64,
    #[serde(flatten)]
    state: &'a StateView,
}

#[derive(Serialize)]
struct SavedMessage<'a> {
    role: &'static str,
    at: Option<UtcTime>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<&'a str>,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'a AnswerEnvelope>,
}

impl<'a> Transcript<'a> {
    /// A transcript that can be written to this file, in which nothing stands unless it may be replaced.
    pub(super) fn new(path: &'a PathBuf, may_replace: bool) -> Result<Self, Problem> {
        let problem = |cause| Problem::new(path.display(), cause);
        let has_content = fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() > 0);
        if has_content && !may_replace {
            return Err(problem(Cause::Exists));
        }
        // It is laid beside the file and removed: whether that can be done is known before anything is said.
        Replacement::prepare(path, b"").map_err(problem)?;
        Ok(Self { path })
    }

    /// Writes it, whole or not at all.
    pub(super) fn write(
        &self,
        site: &Site,
        definition: &Definition,
        view: &SessionView,
    ) -> Result<(), Problem> {
        let is_json = self.path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        let text = if is_json { json(site, definition, view) } else { markdown(site, definition, view) };
        let written = text.map_err(Cause::Unreplaced).and_then(|text| file::write(self.path, &text));
        written.map_err(|cause| Problem::new(self.path.display(), cause))
    }
}

fn json(site: &Site, definition: &Definition, view: &SessionView) -> io::Result<Vec<u8>> {
    let messages = view.messages.iter().map(|message| SavedMessage {
        role: if message.role == Role::User { "user" } else { "assistant" },
        at: UtcTime::at(Timestamp::from_millis(message.at)),
        turn: message.turn.as_deref(),
        text: if message.role == Role::User { message.text.clone() } else { plain(&message.text) },
        end: message.end.map(word),
        answer: message.answer.as_ref(),
    });
    let mut output = Output::kept();
    output.json(&Saved {
        site: site.first.config.site_id().as_str(),
        conversation: view.state.as_ref().map(|state| SavedConversation {
            id: definition.id.as_str(),
            revision: definition.revision.get(),
            state,
        }),
        messages: messages.collect(),
    });
    output.into_text()
}

/// As it is shown, with a heading.
fn markdown(site: &Site, definition: &Definition, view: &SessionView) -> io::Result<Vec<u8>> {
    let mut output = Output::kept();
    output.line("# Transcript");
    output.end_line();
    output.mark().print(&format!("site: {}", site.first.config.site_id())).end_line();
    if view.state.is_some() {
        let of = format!("conversation: {}, revision {}", definition.id, definition.revision.get());
        output.mark().print(&of).end_line();
    }
    for message in &view.messages {
        if message.role == Role::User {
            output.end_line();
            show::said(&message.text, &mut output);
            output.end_line();
        } else {
            assistant(site, definition, message, &mut output);
        }
    }
    if let Some(state) = &view.state {
        output.end_line();
        show::state(state, &mut output);
    }
    output.into_text()
}

fn assistant<W: Write>(
    site: &Site,
    definition: &Definition,
    message: &TranscriptMessage,
    output: &mut Output<W>,
) {
    let fallback = site.first.config.fallback_mode();
    show::answer(&message.text, message.answer.as_ref(), definition, fallback, output);
    if let Some(end) = message.end.filter(|end| *end != TurnEnd::Done) {
        output.mark().print(&format!("the turn is {}", word(end))).end_line();
    }
}
