//! `render`: what a person sees of content: as HTML, as text, or on a terminal.

use std::convert::Infallible;
use std::path::{Path, PathBuf};

use answerplane_protocol::render::{Renderer, render_answer, render_parts};
use answerplane_protocol::{AnswerEnvelope, Content, ContentPart, Manifest};
use answerplane_render_html::{Html, Page};
use answerplane_render_terminal::Terminal;
use clap::ValueEnum;
use serde_json::Value;

use crate::file;
use crate::output::{self, Output};
use crate::problem::{Cause, Problem};
use crate::status::Status;

/// How many bytes of a file are read.
const MAX_BYTES: usize = 1 << 20;

const EXAMPLES: &str = "\
Examples:
  answerplane render message.content
  answerplane render answer.md --to html --page \"Opening hours\" > page.html
  answerplane ask ./site \"Opening hours\" --json | answerplane render - --to html

Exit status: 0 shown; 1 shown, but the last record is not finished; 2 the file is unreadable or refused.";

/// Show content as people see it: ordered content, an answer as `ask --json` prints it, or Markdown
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A file, or - for standard input
    file: PathBuf,

    /// As what [default: ansi on a terminal with colours, otherwise text]
    #[arg(long, value_enum, value_name = "FORM")]
    to: Option<Form>,

    /// Make a whole HTML page with this title: one file that loads nothing, in which nothing can be pressed
    #[arg(long, value_name = "TITLE")]
    page: Option<String>,

    /// How many columns text and ansi have
    #[arg(long, value_name = "COLUMNS", default_value_t = 80)]
    width: usize,
}

/// What content is shown as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// HTML fragments
    Html,
    /// Text without control sequences
    Text,
    /// Text with styles, and hyperlinks for safe links
    Ansi,
}

/// What was read.
enum Shown {
    Parts(Vec<ContentPart>),
    Answer(Box<AnswerEnvelope>),
    Text(String),
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Problem> {
    let form = match (arguments.to, &arguments.page) {
        (None | Some(Form::Html), Some(_)) => Form::Html,
        (Some(_), Some(_)) => return Err(Problem::new("--page", Cause::NotHtml)),
        (Some(form), None) => form,
        (None, None) if output.has_colours() => Form::Ansi,
        (None, None) => Form::Text,
    };
    let path = &arguments.file;
    let bytes =
        file::read_input_within(path, MAX_BYTES).map_err(|cause| Problem::new(path.display(), cause))?;
    let text = String::from_utf8(bytes).map_err(|_| Problem::new(path.display(), Cause::NotTextFile))?;
    let (shown, is_finished) = read(path, text)?;
    let page = match (form, &arguments.page) {
        (Form::Html, None) => shown.on(Html::new()).into_string(),
        (Form::Html, Some(title)) => {
            let mut page = Page::new(title);
            page.answered(shown.on(Html::inert()));
            page.into_string() + "\n"
        }
        (Form::Text, _) => shown.on(Terminal::plain(arguments.width)).into_string(),
        (Form::Ansi, _) => shown.on(Terminal::ansi(arguments.width)).into_string(),
    };
    output.write(page.as_bytes());
    if !is_finished {
        output.flush();
        output::complain(&format!("{}: the last record is not finished and is not shown.", path.display()));
    }
    Ok(Status::good_if(is_finished))
}

/// What a text is, and whether it is finished.
fn read(path: &Path, text: String) -> Result<(Shown, bool), Problem> {
    if Content::is_ordered(&text) {
        let content =
            Content::decode(&text).map_err(|why| Problem::new(place(path, &text), Cause::NotContent(why)))?;
        let is_finished = content.is_complete();
        return Ok((Shown::Parts(content.into_parts()), is_finished));
    }
    match AnswerEnvelope::decode(&text) {
        Ok(envelope) => Ok((Shown::Answer(Box::new(envelope)), true)),
        Err(why) if is_envelope(&text) => Err(Problem::new(path.display(), Cause::NotAnswer(why))),
        Err(_) => Ok((Shown::Text(text), true)),
    }
}

/// Whether a text says that it is an answer.
fn is_envelope(text: &str) -> bool {
    let protocol =
        |value: Value| value.get("protocol").and_then(Value::as_str) == Some("agentskit.chat.answer");
    serde_json::from_str(text).is_ok_and(protocol)
}

/// A file, with the first line that is no record.
fn place(path: &Path, text: &str) -> String {
    let mut lines = text.split_inclusive('\n').zip(1..).skip(1);
    let bad = lines
        .find(|(line, _)| line.ends_with('\n') && ContentPart::decode(line.trim_end_matches('\n')).is_err());
    match bad {
        Some((_, number)) => format!("{}:{number}", path.display()),
        None => path.display().to_string(),
    }
}

impl Shown {
    fn on<R: Renderer<Error = Infallible>>(&self, mut renderer: R) -> R {
        let shown = match self {
            Self::Parts(parts) => render_parts(parts, &Manifest::standard(), &mut renderer),
            Self::Answer(envelope) => render_answer(envelope, &mut renderer),
            Self::Text(text) => renderer.text(text),
        };
        match shown {
            Ok(()) => renderer,
        }
    }
}
