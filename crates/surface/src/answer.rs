//! A surface as an answer of the answer plane.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use answerplane_protocol::{
    AnswerBody, AnswerEnvelope, BoundedText, Citation, Identifier, List, Outcome, Provenance, SafeLink,
    TrimmedText,
};

use crate::address::Address;
use crate::surface::{Surface, SurfaceCitation};
use crate::vocabulary::OUTDATED_DISCLOSURE;

/// The greatest number of citations of an answer.
const MAX_CITATIONS: usize = 8;

/// Who is named as having answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Backend {
    /// Who runs the engine.
    pub provider: Option<TrimmedText<1, 128>>,
    /// The engine or its model.
    pub model: Option<TrimmedText<1, 128>>,
}

/// What a host shows for an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Where the source is.
    pub link: SafeLink,
    /// What a person sees.
    pub title: TrimmedText<1, 256>,
}

/// Text and disclosure of a surface are too long for an answer. What grounds a text grounds the whole of it, so it is
/// not cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("The text of the surface exceeds what an answer can hold.")]
pub struct AnswerTooLong;

impl AnswerTooLong {
    /// The stable code of the reason.
    #[must_use]
    pub const fn code(self) -> &'static str {
        "SURFACE_ANSWER_TOO_LONG"
    }
}

impl Surface {
    /// The answer to `query` that a backend gives with this surface.
    ///
    /// The text is the answer's Markdown; of an outdated surface the disclosure stands before it as a paragraph of its
    /// own, where nothing that the text leaves open can swallow it.
    /// Sources are those of the first eight citations for which `source_of` knows one, in the order of the citations.
    /// The id of a source is its address where that is an identifier, and otherwise `citation-` and its number among
    /// the citations, counted from 1.
    ///
    /// ```
    /// # use answerplane_surface::Surface;
    /// use answerplane_surface::{Backend, Source};
    ///
    /// # let payload = serde_json::json!({
    /// #     "version": 1, "text": "At sunset.", "conclusion_claim_id": "c1", "inference_form": "direct",
    /// #     "status": "known", "premise_claim_ids": [], "outdated": true,
    /// #     "citations": [{ "address": "kb:hours", "claim_ids": ["c1"], "status": "known", "outdated": true }],
    /// #     "disclosure": "This answer rests on sources that are marked as outdated.",
    /// # });
    /// # let surface = Surface::from_payload(&payload)?;
    /// let envelope = surface.to_answer("When does the garden close?", Backend::default(), |address| {
    ///     Some(Source {
    ///         link: format!("https://garden.example/{}", address.path()).parse().ok()?,
    ///         title: "Hours".parse().ok()?,
    ///     })
    /// })?;
    /// let json = serde_json::to_value(&envelope)?;
    /// assert_eq!(json["answer"]["citations"][0]["href"], "https://garden.example/hours");
    /// assert_eq!(
    ///     json["answer"]["markdown"],
    ///     "This answer rests on sources that are marked as outdated.\n\nAt sunset.",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When text and disclosure have more than 16,384 UTF-16 code units together. Nothing is cut.
    pub fn to_answer(
        &self,
        query: &str,
        backend: Backend,
        mut source_of: impl FnMut(&Address) -> Option<Source>,
    ) -> Result<AnswerEnvelope, AnswerTooLong> {
        let markdown = if self.outdated {
            format!("{OUTDATED_DISCLOSURE}\n\n{}", self.text)
        } else {
            String::from(self.text.as_str())
        };
        let markdown = BoundedText::parse(&markdown).map_err(|_| AnswerTooLong)?;
        let citations: Vec<Citation> = self
            .citations
            .iter()
            .zip(1..)
            .filter_map(|(citation, number)| {
                let Source { link, title } = source_of(&citation.address)?;
                Some(Citation::new(id(citation, number)?, title, link))
            })
            .take(MAX_CITATIONS)
            .collect();
        let citations = List::new(citations).ok_or(AnswerTooLong)?; // never: they are at most eight
        let Backend { provider, model } = backend;
        let outcome = Outcome::Answer {
            answer: AnswerBody::new(markdown, citations),
            provenance: Provenance::Backend { provider, model },
        };
        Ok(AnswerEnvelope::new(query, outcome))
    }
}

fn id(citation: &SurfaceCitation, number: usize) -> Option<Identifier> {
    let token = citation.address.as_str();
    token.parse().or_else(|_| format!("citation-{number}").parse()).ok()
}
