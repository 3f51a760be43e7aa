//! How an answer is shown to a person: as it was published, its sources behind it.

use std::convert::Infallible;
use std::io::Write;

use answerplane_protocol::render::Renderer;
use answerplane_protocol::{
    Choices, Citation, Component, ComponentFallback, Escalation, FallbackMode, Identifier, Provenance,
};

use crate::output::{CAUTION, FAINT, Output, STRONG};

/// Where an answer is shown.
pub(crate) struct Page<'a, W: Write> {
    output: &'a mut Output<W>,
    fallback: FallbackMode,
    has_ids: bool,
    asks_backend: bool,
}

impl<'a, W: Write> Page<'a, W> {
    /// A page for the answers of a site that does this with what it cannot answer.
    pub(crate) fn new(output: &'a mut Output<W>, fallback: FallbackMode) -> Self {
        Self { output, fallback, has_ids: false, asks_backend: true }
    }

    /// The same, on which choices say how to take them by their ids.
    pub(crate) fn with_ids(mut self) -> Self {
        self.has_ids = true;
        self
    }

    /// The same, of a command that never asks a backend.
    pub(crate) fn without_backend(mut self) -> Self {
        self.asks_backend = false;
        self
    }

    fn source(&mut self, source: &str) {
        self.output.mark().styled(FAINT, source).end_line();
    }
}

impl<W: Write> Renderer for Page<'_, W> {
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
            if self.has_ids {
                self.output.styled(FAINT, &format!("   or --choose {}", suggestion.id())).end_line();
            }
        }
        self.output.end_line();
        self.source(&format!("from {}, {}", choices.source().artifact_id, choices.source().content_hash));
        Ok(())
    }

    fn escalation(&mut self, escalation: &Escalation) -> Result<(), Infallible> {
        self.output.styled(CAUTION, escalation.message());
        self.output.print(&format!(" ({})", escalation.reason())).end_line();
        let next = match self.fallback {
            FallbackMode::Backend if self.asks_backend => "This site hands such questions to its backend.",
            FallbackMode::Backend => {
                "Elsewhere this site hands such questions to its backend; chat never asks one."
            }
            FallbackMode::Disabled => "This site asks no backend.",
        };
        self.output.styled(FAINT, next).end_line();
        Ok(())
    }
}

/// A label, title or alias, which may hold line feeds, on one line.
pub(crate) fn one_line(text: &str) -> String {
    text.replace(['\n', '\t'], " ")
}

/// A label and what to type for it.
pub(crate) fn show_suggestion<W: Write>(number: usize, label: &str, value: &str, output: &mut Output<W>) {
    output.end_line();
    output.print(&format!("{number}. ")).styled(STRONG, &one_line(label)).end_line();
    output.print("   type: ").print(&one_line(value)).end_line();
}
