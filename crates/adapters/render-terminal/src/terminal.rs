//! A page for a terminal.

use std::convert::Infallible;

use answerplane_protocol::render::Renderer;
use answerplane_protocol::{
    Choices, Citation, Component, ComponentFallback, Escalation, Identifier, Provenance,
};

use crate::control::{Control, Effect};
use crate::markdown::markdown;
use crate::screen::Screen;
use crate::text::{FAINT, PLAIN, STRONG, Span};
use crate::wrap::Breaks;

/// Shows parts and answers as lines for a terminal. Contract: `docs/renderers.md`.
///
/// Whoever makes one decides whether it is styled: when it is shown on a terminal, and `NO_COLOR` is not set.
///
/// ```
/// use answerplane_protocol::render::Renderer;
/// use answerplane_render_terminal::Terminal;
///
/// let mut terminal = Terminal::plain(24);
/// terminal.text("Water **at dawn**, before the sun stands high.").unwrap();
/// assert_eq!(terminal.into_string(), "Water at dawn, before\nthe sun stands high.\n");
///
/// let mut terminal = Terminal::ansi(80);
/// terminal.text("**Now** \u{1b}[2J").unwrap();
/// assert_eq!(terminal.into_string(), "\u{1b}[1mNow\u{1b}[0m \u{fffd}[2J\n");
/// ```
#[derive(Clone, Debug)]
pub struct Terminal {
    pub(crate) screen: Screen,
    controls: Vec<Control>,
    /// The text that comes in, until something else does.
    run: String,
}

impl Terminal {
    /// An empty page of so many columns, at least one, without any control sequence.
    #[must_use]
    pub fn plain(width: usize) -> Self {
        Self { screen: Screen::new(width, false), controls: Vec::new(), run: String::new() }
    }

    /// An empty page of so many columns, at least one, with styles and with hyperlinks (OSC 8) for safe links.
    #[must_use]
    pub fn ansi(width: usize) -> Self {
        Self { screen: Screen::new(width, true), ..Self::plain(width) }
    }

    /// What can be done with what is shown so far, in the order of its numbers.
    #[must_use]
    pub fn controls(&self) -> &[Control] {
        &self.controls
    }

    /// What a number stands for.
    #[must_use]
    pub fn control(&self, number: usize) -> Option<&Control> {
        self.controls.get(number.checked_sub(1)?)
    }

    /// The page. Each line ends with a line feed, and with every style and link that was begun on it.
    #[must_use]
    pub fn into_string(mut self) -> String {
        self.end_run();
        self.screen.page
    }

    fn end_run(&mut self) {
        if !self.run.is_empty() {
            let run = std::mem::take(&mut self.run);
            self.screen.gap();
            markdown(&run, &mut self.screen);
        }
    }

    /// Begins a block that is no Markdown.
    pub(crate) fn begin(&mut self) {
        self.end_run();
        self.screen.gap();
    }

    /// Writes a text of somebody else's on lines of its own.
    pub(crate) fn put(&mut self, text: &str, style: anstyle::Style) {
        self.screen.lines(&[Span::on_one_line(text, style)], Breaks::Words);
    }

    /// Writes a line that begins with the number of what it does.
    pub(crate) fn offer(&mut self, effect: Effect, mut spans: Vec<Span>) {
        let number = self.controls.len() + 1;
        self.controls.push(Control { number, effect });
        let first = format!("[{number}] ");
        self.screen.enter(&first, &" ".repeat(first.len()));
        for span in &mut spans {
            if span.style == PLAIN {
                span.style = STRONG;
            }
        }
        self.screen.lines(&spans, Breaks::Words);
        self.screen.leave();
    }
}

impl Renderer for Terminal {
    type Error = Infallible;

    fn text(&mut self, text: &str) -> Result<(), Infallible> {
        self.run.push_str(text);
        Ok(())
    }

    fn component(&mut self, instance: &Identifier, component: &Component<'_>) -> Result<(), Infallible> {
        self.begin();
        self.show_component(instance, component);
        Ok(())
    }

    fn unsupported(&mut self, fallback: &ComponentFallback) -> Result<(), Infallible> {
        self.begin();
        self.put(&fallback.to_string(), FAINT);
        Ok(())
    }

    fn provenance(&mut self, provenance: &Provenance, citations: &[Citation]) -> Result<(), Infallible> {
        self.begin();
        self.show_provenance(provenance, citations);
        Ok(())
    }

    fn choices(&mut self, choices: &Choices) -> Result<(), Infallible> {
        self.begin();
        self.show_choices(choices);
        Ok(())
    }

    fn escalation(&mut self, escalation: &Escalation) -> Result<(), Infallible> {
        self.begin();
        self.show_escalation(escalation);
        Ok(())
    }
}
