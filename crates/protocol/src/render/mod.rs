//! Showing what has been decoded.
//!
//! A [`Renderer`] shows parts, answers and why there is none; [`render_parts`] and [`render_answer`] walk through
//! what was decoded and hand it over piece by piece, so that no renderer decides which component is inert or
//! which words stand for it.

mod plain_text;
mod steering;

pub use plain_text::PlainText;
pub use steering::{is_seen, steers};

use crate::answer::{AnswerEnvelope, Choices, Escalation, Outcome, Provenance};
use crate::artifact::Citation;
use crate::component::{Component, ComponentFallback, Manifest};
use crate::content::ContentPart;
use crate::scalar::Identifier;

/// Shows decoded parts and answers, in the order in which they are handed over.
pub trait Renderer {
    /// Why something could not be shown.
    type Error;

    /// Shows a run of text, which may be Markdown.
    ///
    /// # Errors
    ///
    /// When it cannot be shown.
    fn text(&mut self, text: &str) -> Result<(), Self::Error>;

    /// Shows a component whose props fit.
    ///
    /// # Errors
    ///
    /// When it cannot be shown.
    fn component(&mut self, instance: &Identifier, component: &Component<'_>) -> Result<(), Self::Error>;

    /// Shows what stands for a component that is not in the manifest or whose props do not fit. It is inert.
    ///
    /// # Errors
    ///
    /// When it cannot be shown.
    fn unsupported(&mut self, fallback: &ComponentFallback) -> Result<(), Self::Error>;

    /// Shows what an answer rests on and who vouches for it.
    ///
    /// # Errors
    ///
    /// When it cannot be shown.
    fn provenance(&mut self, provenance: &Provenance, citations: &[Citation]) -> Result<(), Self::Error>;

    /// Shows several declared answers to choose from.
    ///
    /// # Errors
    ///
    /// When they cannot be shown.
    fn choices(&mut self, choices: &Choices) -> Result<(), Self::Error>;

    /// Shows that there is no declared answer, and why.
    ///
    /// # Errors
    ///
    /// When it cannot be shown.
    fn escalation(&mut self, escalation: &Escalation) -> Result<(), Self::Error>;
}

/// Shows the parts of a message, in order.
///
/// # Errors
///
/// Those of the renderer.
pub fn render_parts<'p, R: Renderer>(
    parts: impl IntoIterator<Item = &'p ContentPart>,
    manifest: &Manifest,
    renderer: &mut R,
) -> Result<(), R::Error> {
    for part in parts {
        match part {
            ContentPart::Text(part) => renderer.text(part.text())?,
            ContentPart::Component(part) => match manifest.component(part.frame()) {
                Ok(component) => renderer.component(part.frame().instance_id(), &component)?,
                Err(_) => renderer.unsupported(part.frame().fallback())?,
            },
        }
    }
    Ok(())
}

/// Shows what became of a query.
///
/// # Errors
///
/// Those of the renderer.
pub fn render_answer<R: Renderer>(envelope: &AnswerEnvelope, renderer: &mut R) -> Result<(), R::Error> {
    match envelope.outcome() {
        Outcome::Answer { answer, provenance } => {
            renderer.text(answer.markdown())?;
            renderer.provenance(provenance, answer.citations())
        }
        Outcome::Choices(choices) => renderer.choices(choices),
        Outcome::Escalation(escalation) => renderer.escalation(escalation),
    }
}
