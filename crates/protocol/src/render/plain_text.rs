//! The reference renderer: plain text.

use alloc::format;
use alloc::string::String;
use core::convert::Infallible;

use crate::answer::{Choices, Escalation, LocalSource, Provenance};
use crate::artifact::Citation;
use crate::component::{Component, ComponentFallback};
use crate::one_line::one_line;
use crate::render::Renderer;
use crate::scalar::Identifier;

/// Shows everything as plain text, a line for each thing; runs of text that follow each other are one.
///
/// Control characters but the line feed and the tab are left out, so that no text can begin a control sequence of a
/// terminal. What turns text around or shows nothing (such as U+202E and U+200B) stays, since some scripts need it: who
/// shows the page to people who must not be deceived escapes it.
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
pub struct PlainText {
    page: String,
    /// Whether the page ends with a line feed that the run of text before it does not have.
    is_text_open: bool,
}

impl PlainText {
    /// A page with nothing on it.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What stands on the page.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.page
    }

    /// What stands on the page.
    #[must_use]
    pub fn into_string(self) -> String {
        self.page
    }

    fn put(&mut self, text: &str) -> &mut Self {
        self.page.extend(text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')));
        self
    }

    fn put_on_one_line(&mut self, text: &str) -> &mut Self {
        self.put(&one_line(text).collect::<String>())
    }

    fn end_line(&mut self) -> Result<(), Infallible> {
        self.is_text_open = false;
        if !self.page.is_empty() && !self.page.ends_with('\n') {
            self.page.push('\n');
        }
        Ok(())
    }
}

impl Renderer for PlainText {
    type Error = Infallible;

    fn text(&mut self, text: &str) -> Result<(), Infallible> {
        if self.is_text_open {
            self.page.pop();
        }
        self.put(text);
        let is_open = !self.page.is_empty() && !self.page.ends_with('\n');
        self.end_line()?;
        self.is_text_open = is_open;
        Ok(())
    }

    fn component(&mut self, _: &Identifier, component: &Component<'_>) -> Result<(), Infallible> {
        self.put(&component.text()).end_line()
    }

    fn unsupported(&mut self, fallback: &ComponentFallback) -> Result<(), Infallible> {
        self.put_on_one_line(&format!("{fallback}")).end_line()
    }

    fn provenance(&mut self, provenance: &Provenance, citations: &[Citation]) -> Result<(), Infallible> {
        self.page.push('\n');
        for (citation, number) in citations.iter().zip(1..) {
            self.put(&format!("[{number}] ")).put_on_one_line(citation.title().as_str());
            self.put(" <").put_on_one_line(citation.href().as_str()).put(">").end_line()?;
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
        self.put_on_one_line(choices.message()).end_line()?;
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
        self.put_on_one_line(escalation.message())
            .put(" (")
            .put(escalation.reason().as_str())
            .put(")")
            .end_line()
    }
}
