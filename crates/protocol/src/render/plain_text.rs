//! The reference renderer: plain text.

use alloc::string::String;
use core::convert::Infallible;

use crate::answer::{Choices, Escalation, Provenance};
use crate::artifact::Citation;
use crate::component::{Component, ComponentFallback};
use crate::render::Renderer;
use crate::scalar::Identifier;

/// Shows everything as plain text, a line for each thing. Control characters but the line feed and the tab are left
/// out, so that no text can do anything to a terminal.
///
/// ```
/// use answerplane_protocol::{ContentPart, Manifest};
/// use answerplane_protocol::render::{PlainText, render_parts};
///
/// let mut page = PlainText::new();
/// render_parts(&[ContentPart::text("Plot 12 is sunny.")?], &Manifest::standard(), &mut page).unwrap();
/// assert_eq!(page.as_str(), "Plot 12 is sunny.\n");
/// # Ok::<(), answerplane_protocol::InvalidScalar>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainText(String);

impl PlainText {
    /// A page with nothing on it.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What stands on the page.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What stands on the page.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }

    fn put(&mut self, text: &str) -> &mut Self {
        self.0.extend(text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')));
        self
    }

    fn end_line(&mut self) -> Result<(), Infallible> {
        if !self.0.is_empty() && !self.0.ends_with('\n') {
            self.0.push('\n');
        }
        Ok(())
    }
}

impl Renderer for PlainText {
    type Error = Infallible;

    fn text(&mut self, text: &str) -> Result<(), Infallible> {
        self.put(text).end_line()
    }

    fn component(&mut self, _: &Identifier, component: &Component<'_>) -> Result<(), Infallible> {
        self.put(&component.text()).end_line()
    }

    fn unsupported(&mut self, fallback: &ComponentFallback) -> Result<(), Infallible> {
        self.put(&alloc::format!("{fallback}")).end_line()
    }

    fn provenance(&mut self, provenance: &Provenance, citations: &[Citation]) -> Result<(), Infallible> {
        for citation in citations {
            self.put("- ").put(citation.title().as_str()).put(" <").put(citation.href().as_str()).put(">");
            self.end_line()?;
        }
        match provenance {
            Provenance::Local { source, entry_id } => {
                self.put("declared: ").put(entry_id.as_str()).put(" of ").put(source.artifact_id.as_str());
            }
            Provenance::Backend { provider, model } => {
                self.put("from the backend");
                for name in [provider, model].into_iter().flatten() {
                    self.put(", ").put(name.as_str());
                }
            }
        }
        self.end_line()
    }

    fn choices(&mut self, choices: &Choices) -> Result<(), Infallible> {
        self.put(choices.message()).end_line()?;
        for suggestion in choices.suggestions() {
            self.put("- ").put(suggestion.label()).put(": ").put(suggestion.value());
            self.end_line()?;
        }
        Ok(())
    }

    fn escalation(&mut self, escalation: &Escalation) -> Result<(), Infallible> {
        self.put(escalation.message()).put(" (").put(escalation.reason().as_str()).put(")").end_line()
    }
}
