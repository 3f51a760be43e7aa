//! The reference renderer: plain text.

use alloc::format;
use alloc::string::String;
use core::convert::Infallible;

use crate::answer::{Choices, Escalation, LocalSource, Provenance};
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

    fn put_on_one_line(&mut self, text: &str) -> &mut Self {
        self.put(&text.replace(['\n', '\t'], " "))
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
        self.put(&format!("{fallback}")).end_line()
    }

    fn provenance(&mut self, provenance: &Provenance, citations: &[Citation]) -> Result<(), Infallible> {
        self.0.push('\n');
        for (citation, number) in citations.iter().zip(1..) {
            self.put(&format!("[{number}] ")).put_on_one_line(citation.title().as_str());
            self.put(" <").put(citation.href().as_str()).put(">").end_line()?;
        }
        match provenance {
            Provenance::Local { source, entry_id } => {
                let LocalSource { artifact_id, content_hash } = source;
                self.put(&format!("from {entry_id} of {artifact_id}, {content_hash}"));
            }
            Provenance::Backend { provider, model } => {
                self.put("from the backend");
                for name in [provider, model].into_iter().flatten() {
                    self.put(", ").put_on_one_line(name.as_str());
                }
            }
        }
        self.end_line()
    }

    fn choices(&mut self, choices: &Choices) -> Result<(), Infallible> {
        self.put(choices.message()).end_line()?;
        for (suggestion, number) in choices.suggestions().iter().zip(1..) {
            self.put(&format!("\n{number}. ")).put_on_one_line(suggestion.label()).end_line()?;
            self.put("   type: ").put_on_one_line(suggestion.value()).end_line()?;
        }
        self.put("\n").put(&format!(
            "from {}, {}",
            choices.source().artifact_id,
            choices.source().content_hash
        ));
        self.end_line()
    }

    fn escalation(&mut self, escalation: &Escalation) -> Result<(), Infallible> {
        self.put(escalation.message()).put(" (").put(escalation.reason().as_str()).put(")").end_line()
    }
}
