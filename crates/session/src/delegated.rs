//! The answer of a backend, observed while it passes.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use answerplane_normalize::{trim, utf16_len};
use answerplane_protocol::{
    AnswerBody, AnswerEnvelope, BackendFault, CatalogComponent, Citation, Component, Content, ContentPart,
    Escalation, List, Manifest, Outcome, Provenance,
};
use futures_util::Stream;

use crate::backend::{BackendFailed, ChunkStream};
use crate::chunk::{Chunk, ChunkKind};
use crate::panics::caught;
use crate::plane::Vouching;

/// The greatest length of an answer that is looked at, in UTF-16 units.
const MAX_OBSERVED: usize = 262_144;
/// The greatest number of citations of an answer.
const MAX_CITATIONS: usize = 8;

/// A backend's answer. What it says passes at once and unchanged; at its end an envelope says what it is worth.
pub(crate) struct Delegated {
    /// Nothing after the end.
    answer: Option<ChunkStream>,
    query: String,
    vouching: Arc<Vouching>,
    text: String,
    units: usize,
    /// Half an answer, and one that failed, has no envelope.
    suppressed: bool,
    /// Whether an end came.
    ended: bool,
}

impl Delegated {
    pub(crate) fn new(answer: ChunkStream, query: String, vouching: Arc<Vouching>) -> Self {
        Self {
            answer: Some(answer),
            query,
            vouching,
            text: String::new(),
            units: 0,
            suppressed: false,
            ended: false,
        }
    }

    fn observe(&mut self, text: &str) {
        self.units = self.units.saturating_add(utf16_len(text));
        if self.units > MAX_OBSERVED {
            self.text = String::new();
        } else {
            self.text.push_str(text);
        }
    }

    /// The envelope of the text so far; nothing where there is none, or nobody vouches for anything.
    fn envelope(&self) -> Option<AnswerEnvelope> {
        if self.suppressed {
            return None;
        }
        let outcome = if self.units > MAX_OBSERVED {
            Err(BackendFault::TooMuch)
        } else {
            body(&self.text).transpose()?
        };
        let outcome = match outcome {
            Ok(answer) => Outcome::Answer { answer, provenance: self.vouching.identity() },
            Err(fault) => Outcome::Escalation(Escalation::of_backend(fault)),
        };
        let envelope = AnswerEnvelope::new(&self.query, outcome);
        self.vouching.decided(&envelope);
        Some(envelope)
    }

    fn pass(&mut self, chunk: Chunk) -> Chunk {
        match chunk.kind() {
            ChunkKind::Text(text) => self.observe(text),
            ChunkKind::Error(_) => self.suppressed = true,
            ChunkKind::Done => {
                self.ended = true;
                return chunk.with_answer(self.envelope());
            }
            ChunkKind::Other => {}
        }
        chunk
    }
}

impl Stream for Delegated {
    type Item = Result<Chunk, BackendFailed>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(answer) = &mut self.answer else { return Poll::Ready(None) };
        let next = match caught(|| answer.as_mut().poll_next(context)) {
            Some(Poll::Pending) => return Poll::Pending,
            Some(Poll::Ready(next)) => next,
            None => Some(Err(BackendFailed::Panicked)),
        };
        Poll::Ready(match next {
            Some(Ok(chunk)) => Some(Ok(self.pass(chunk.with_answer(None)))),
            Some(Err(failed)) => {
                drop_quietly(self.answer.take());
                Some(Err(failed))
            }
            None => {
                drop_quietly(self.answer.take());
                let answer = if self.ended { None } else { self.envelope() };
                answer.map(|answer| Ok(Chunk::done().with_answer(Some(answer))))
            }
        })
    }
}

impl Drop for Delegated {
    fn drop(&mut self) {
        drop_quietly(self.answer.take());
    }
}

/// Drops a stream, whatever its own code does about that.
fn drop_quietly(answer: Option<ChunkStream>) {
    let _ = caught(|| drop(answer));
}

/// What a text says as an answer; nothing where it is blank.
fn body(text: &str) -> Result<Option<AnswerBody>, BackendFault> {
    if !Content::is_ordered(text) {
        return answer(text, List::new(Vec::new()));
    }
    let content = Content::decode(text).map_err(|_| BackendFault::InvalidContent)?;
    if !content.is_complete() {
        return Err(BackendFault::IncompleteContent);
    }
    let texts = content.parts().iter().filter_map(|part| match part {
        ContentPart::Text(text) => Some(text.text()),
        ContentPart::Component(_) => None,
    });
    answer(&texts.collect::<String>(), List::new(citations(content.parts())))
}

fn answer(
    markdown: &str,
    citations: Option<List<Citation, 0, MAX_CITATIONS>>,
) -> Result<Option<AnswerBody>, BackendFault> {
    let markdown = trim(markdown);
    if markdown.is_empty() {
        return Ok(None);
    }
    let markdown = markdown.parse().map_err(|_| BackendFault::TooLong)?;
    Ok(citations.map(|citations| AnswerBody::new(markdown, citations)))
}

/// The first sources with a link among the parts.
fn citations(parts: &[ContentPart]) -> Vec<Citation> {
    let manifest = Manifest::standard();
    let frames = parts.iter().filter_map(|part| match part {
        ContentPart::Component(component) => Some(component.frame()),
        ContentPart::Text(_) => None,
    });
    let lists = frames.filter_map(|frame| match manifest.component(frame) {
        Ok(Component::Standard(CatalogComponent::SourceList(list))) => Some(list),
        _ => None,
    });
    let sources = lists.flat_map(|list| list.sources().to_vec());
    let citations = sources.filter_map(|source| {
        let title = source.title().as_str().parse().ok()?;
        Some(Citation::new(source.id().clone(), title, source.url()?.clone()))
    });
    citations.take(MAX_CITATIONS).collect()
}

/// Who vouches for a backend's answer.
pub(crate) fn provenance(provider: Option<&str>, model: Option<&str>) -> Option<Provenance> {
    let name = |name: Option<&str>| name.map(str::parse).transpose().ok();
    Some(Provenance::Backend { provider: name(provider)?, model: name(model)? })
}
