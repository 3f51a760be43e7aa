//! A page of HTML fragments, written as parts come in.

use std::convert::Infallible;

use answerplane_protocol::render::Renderer;
use answerplane_protocol::{
    Choices, Citation, Component, ComponentFallback, Escalation, Identifier, Provenance,
};
use maud::{Render, html};

use crate::answer;
use crate::component;
use crate::escape::Shown;
use crate::run::Run;

/// Shows parts and answers as HTML fragments. Contract: `docs/renderers.md`.
///
/// Runs of text that follow each other are one Markdown text. While parts come in, [`update`](Self::update) tells what
/// is new; whoever has all of them asks for the whole.
///
/// ```
/// use answerplane_protocol::render::Renderer;
/// use answerplane_render_html::Html;
///
/// let mut html = Html::new();
/// html.text("Water **at dawn**, [not later](javascript:alert(1)).").unwrap();
/// assert_eq!(
///     html.into_string(),
///     "<p dir=\"auto\">Water <strong>at dawn</strong>, <span class=\"ap-unlinked\">not later</span>.</p>\n",
/// );
/// ```
#[derive(Clone, Debug, Default)]
pub struct Html {
    /// What is finished.
    page: String,
    /// How much of it an update has told.
    told: usize,
    /// The text that comes in, and where on the page it begins.
    run: Run,
    run_begin: usize,
    is_inert: bool,
    replaces: bool,
    blocks: usize,
}

/// What is new since the last update: remove what was open then, put `finished` in its place, and `open` behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// Whether `finished` takes the place of everything that was told before. That happens when a text has ended in
    /// which references are defined, for a definition holds for what stands before it too.
    pub replaces: bool,
    /// What will not change any more.
    pub finished: String,
    /// What stands at the end and may change.
    pub open: String,
}

impl Html {
    /// An empty page, whose controls are to be used.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty page, whose buttons and fields are shown and disabled: for what is past, or only to be read.
    #[must_use]
    pub fn inert() -> Self {
        Self { is_inert: true, ..Self::default() }
    }

    /// What is new since the last update.
    ///
    /// Each block of Markdown is written once when it is finished; only the last one, which is not, is written again
    /// with each update. What that costs depends on the length of that block and on nothing before it.
    pub fn update(&mut self) -> Update {
        if self.run.is_empty() {
            return self.told(String::new());
        }
        self.run.write_finished(&mut self.page);
        let mut open = String::new();
        self.run.write_open(&mut open);
        self.told(open)
    }

    /// Ends the text that comes in, and tells what is new: nothing is open any more.
    pub fn finish(&mut self) -> Update {
        self.end_run();
        self.told(String::new())
    }

    /// The whole page. Ends the text that comes in.
    #[must_use]
    pub fn into_string(mut self) -> String {
        self.end_run();
        self.page
    }

    /// How many blocks of Markdown have been written so far, those that were written again counted each time.
    #[must_use]
    pub fn blocks_written(&self) -> usize {
        self.blocks + self.run.blocks
    }

    fn told(&mut self, open: String) -> Update {
        let replaces = std::mem::take(&mut self.replaces);
        let begin = if replaces { 0 } else { self.told };
        let finished = self.page[begin..].to_string();
        self.told = self.page.len();
        Update { replaces, finished, open }
    }

    fn end_run(&mut self) {
        if self.run.is_empty() {
            return;
        }
        if self.run.write_rest(&mut self.page) {
            self.page.truncate(self.run_begin);
            self.run.write_whole(&mut self.page);
            self.replaces = self.told > self.run_begin;
        }
        self.blocks += self.run.blocks;
        self.run = Run::default();
    }

    fn put(&mut self, fragment: &impl Render) -> Result<(), Infallible> {
        self.end_run();
        fragment.render_to(&mut self.page);
        self.page.push('\n');
        Ok(())
    }
}

impl Renderer for Html {
    type Error = Infallible;

    fn text(&mut self, text: &str) -> Result<(), Infallible> {
        if self.run.is_empty() {
            self.run_begin = self.page.len();
        }
        self.run.push(text);
        Ok(())
    }

    fn component(&mut self, instance: &Identifier, component: &Component<'_>) -> Result<(), Infallible> {
        self.put(&component::component(instance, component, self.is_inert))
    }

    fn unsupported(&mut self, fallback: &ComponentFallback) -> Result<(), Infallible> {
        self.put(&html! { p.ap-unsupported dir="auto" { (Shown(&fallback.to_string())) } })
    }

    fn provenance(&mut self, provenance: &Provenance, citations: &[Citation]) -> Result<(), Infallible> {
        self.put(&answer::provenance(provenance, citations))
    }

    fn choices(&mut self, choices: &Choices) -> Result<(), Infallible> {
        self.put(&answer::choices(choices, self.is_inert))
    }

    fn escalation(&mut self, escalation: &Escalation) -> Result<(), Infallible> {
        self.put(&answer::escalation(escalation))
    }
}
