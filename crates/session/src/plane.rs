//! The answer plane: declared answers in front of a backend.

use std::sync::Arc;

use answerplane_protocol::{
    AnswerEnvelope, Escalation, EscalationReason, FallbackMode, InvalidScalar, Outcome, Provenance,
    RenderFrame, SiteConfig,
};
use answerplane_resolver::Resolver;
use futures_util::stream::{self, StreamExt};
use serde_json::{Map, json};
use tokio::sync::broadcast;

use crate::backend::{Backend, BackendFailed, ChunkStream};
use crate::choices::{Offers, Submission};
use crate::chunk::{Chunk, Offer};
use crate::clock::{Clock, SystemClock};
use crate::delegated::{Delegated, provenance};
use crate::local;
use crate::panics::{caught, caught_call};
use crate::quota::Quota;
use crate::request::TurnRequest;

/// How many observations wait for a slow observer before it misses the oldest.
const OBSERVED: usize = 256;

/// Declared answers in front of an optional backend. Contract: `docs/protocol/answer.md`, `docs/plane.md`.
///
/// A question whose answer is declared is answered locally, an ambiguous one becomes choices, and everything else
/// goes to the backend with the reason. What was decided is observed, and nothing that an observer does reaches a turn.
///
/// Cloning shares everything: the offers that were made, and the observers.
#[derive(Clone)]
pub struct AnswerPlane {
    resolver: Resolver,
    backend: Option<Arc<dyn Backend>>,
    mode: FallbackMode,
    clock: Arc<dyn Clock>,
    quota: Option<Arc<dyn Quota>>,
    offers: Arc<Offers>,
    vouching: Arc<Vouching>,
}

/// What a plane decided, turn by turn: first the local decision, then the envelope of a delegated answer, if any. Who is
/// too slow misses the oldest.
pub type Observations = broadcast::Receiver<Arc<AnswerEnvelope>>;

/// Who vouches for the backend's answers, and who is told what was decided.
pub(crate) struct Vouching {
    identity: Provenance,
    observers: broadcast::Sender<Arc<AnswerEnvelope>>,
}

impl Vouching {
    pub(crate) fn identity(&self) -> Provenance {
        self.identity.clone()
    }

    pub(crate) fn decided(&self, envelope: &AnswerEnvelope) {
        if self.observers.receiver_count() > 0 {
            // Nobody is left to be told where it fails.
            let _ = self.observers.send(Arc::new(envelope.clone()));
        }
    }
}

impl AnswerPlane {
    /// A plane over what is declared, without a backend.
    #[must_use]
    pub fn new(resolver: impl Into<Resolver>) -> Self {
        Self {
            resolver: resolver.into(),
            backend: None,
            mode: FallbackMode::Backend,
            clock: Arc::new(SystemClock),
            quota: None,
            offers: Arc::default(),
            vouching: Arc::new(Vouching {
                identity: Provenance::Backend { provider: None, model: None },
                observers: broadcast::Sender::new(OBSERVED),
            }),
        }
    }

    /// Puts a backend behind it.
    #[must_use]
    pub fn fallback(mut self, backend: impl Backend + 'static) -> Self {
        self.backend = Some(Arc::new(backend));
        self
    }

    /// Lets a site say whether the backend may be asked.
    #[must_use]
    pub fn of_site(self, site: &SiteConfig) -> Self {
        self.mode(site.fallback_mode())
    }

    /// Says whether the backend may be asked.
    #[must_use]
    pub fn mode(mut self, mode: FallbackMode) -> Self {
        self.mode = mode;
        self
    }

    /// Names who runs the backend's model, and the model: answers of the backend say so.
    ///
    /// # Errors
    ///
    /// [`InvalidScalar::Text`] where a name, trimmed, has not 1 to 128 UTF-16 code units.
    pub fn identity(mut self, provider: Option<&str>, model: Option<&str>) -> Result<Self, InvalidScalar> {
        let identity = provenance(provider, model).ok_or(InvalidScalar::Text { min: 1, max: 128 })?;
        let observers = self.vouching.observers.clone();
        self.vouching = Arc::new(Vouching { identity, observers });
        Ok(self)
    }

    /// Tells the time by another clock than the system's.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Asks for leave each time before the backend is asked.
    #[must_use]
    pub fn quota(mut self, quota: impl Quota + 'static) -> Self {
        self.quota = Some(Arc::new(quota));
        self
    }

    /// What the plane decides from now on.
    #[must_use]
    pub fn observe(&self) -> Observations {
        self.vouching.observers.subscribe()
    }

    /// What is declared.
    #[must_use]
    pub fn resolver(&self) -> &Resolver {
        &self.resolver
    }

    /// Takes a choice that this plane offered to a session.
    ///
    /// The same frame with the same props has to come back, and a choice that is in it; nobody else may have taken one of
    /// them. Component key and text fallback are not compared.
    #[must_use]
    pub fn reserve(&self, session: &str, frame: &RenderFrame, choice: &str) -> Submission {
        self.offers.reserve(session, frame, choice)
    }

    /// Forgets what was offered to a session. A reservation from before can no longer change anything.
    pub fn release_session(&self, session: &str) {
        self.offers.release_session(session);
    }

    /// The answer of a turn. What is declared is decided now, whether or not anybody reads the answer.
    #[must_use]
    pub fn dispatch(&self, request: TurnRequest) -> ChunkStream {
        let (query, message_id) = match request.latest() {
            Some(message) => (message.content.clone(), message.id.clone()),
            None => (String::new(), String::from("deterministic")),
        };
        let envelope = self.resolver.answer(&query, self.clock.now());
        match envelope.outcome() {
            Outcome::Answer { answer, .. } => {
                let content = local::encode(answer.markdown(), local::sources(answer, &message_id).as_ref());
                self.local(content, envelope, None)
            }
            Outcome::Choices(choices) => {
                let shown = local::offer(choices, &message_id);
                let content = local::encode(choices.message(), shown.as_ref());
                let offer = shown.map(|shown| shown.offer(choices));
                if request.is_kept {
                    return self.local_kept(content, envelope, offer);
                }
                let session = request.session_name().to_string();
                self.local(content, envelope, offer.map(|offer| (session, offer)))
            }
            Outcome::Escalation(escalation) => match self.askable() {
                Some(backend) => self.delegate(backend, request, query, &envelope),
                None => {
                    let reason = match escalation.reason() {
                        EscalationReason::Miss => EscalationReason::Offline,
                        reason => reason,
                    };
                    let envelope = AnswerEnvelope::new(&query, Escalation::new(reason));
                    self.local(local::encode(reason.message(), None), envelope, None)
                }
            },
        }
    }

    /// The backend, where it may be asked.
    fn askable(&self) -> Option<&Arc<dyn Backend>> {
        self.backend.as_ref().filter(|_| self.mode == FallbackMode::Backend)
    }

    /// A local answer. Whoever takes its text may take a choice: not before, and not where nobody does.
    fn local(
        &self,
        content: String,
        envelope: AnswerEnvelope,
        offer: Option<(String, Offer)>,
    ) -> ChunkStream {
        self.vouching.decided(&envelope);
        let offers = self.offers.clone();
        let text = Chunk::text(content).with_answer(Some(envelope));
        let text = stream::once(async move {
            if let Some((session, offer)) = offer {
                offers.offer(&session, offer);
            }
            Ok(text)
        });
        Box::pin(text.chain(stream::once(async { Ok(Chunk::done()) })))
    }

    /// The same, whose offer is authorized by whoever keeps the session.
    fn local_kept(&self, content: String, envelope: AnswerEnvelope, offer: Option<Offer>) -> ChunkStream {
        self.vouching.decided(&envelope);
        let text = Chunk::text(content).with_answer(Some(envelope)).with_offer(offer);
        Box::pin(stream::iter([Ok(text), Ok(Chunk::done())]))
    }

    fn delegate(
        &self,
        backend: &Arc<dyn Backend>,
        mut request: TurnRequest,
        query: String,
        envelope: &AnswerEnvelope,
    ) -> ChunkStream {
        self.vouching.decided(envelope);
        let metadata = request.context.entry("metadata").or_insert_with(|| Map::new().into());
        if !metadata.is_object() {
            *metadata = Map::new().into();
        }
        metadata[TurnRequest::ESCALATION] = json!(envelope);
        let answer = match &self.quota {
            None => ask(backend.as_ref(), request),
            Some(quota) => admitted(quota.clone(), backend.clone(), request),
        };
        Box::pin(Delegated::new(answer, query, self.vouching.clone()))
    }
}

/// What a backend answers.
pub(crate) fn ask(backend: &dyn Backend, request: TurnRequest) -> ChunkStream {
    caught(|| backend.answer(request))
        .unwrap_or_else(|| Box::pin(stream::iter([Err(BackendFailed::Panicked)])))
}

/// What a backend answers where its quota allows that it is asked.
fn admitted(quota: Arc<dyn Quota>, backend: Arc<dyn Backend>, request: TurnRequest) -> ChunkStream {
    let answer = async move {
        let leave = caught_call(|| quota.admit(&request)).await.unwrap_or(Err(BackendFailed::Panicked));
        let notice = match leave {
            Ok(notice) => notice.and_then(|notice| Chunk::of_quota(&notice)),
            Err(failed) => return stream::iter([Err(failed)]).boxed(),
        };
        stream::iter(notice.map(Ok)).chain(ask(backend.as_ref(), request)).boxed()
    };
    Box::pin(stream::once(answer).flatten())
}

impl Backend for AnswerPlane {
    fn answer(&self, request: TurnRequest) -> ChunkStream {
        self.dispatch(request)
    }
}

/// What is asked and answered is not shown.
impl std::fmt::Debug for AnswerPlane {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AnswerPlane")
            .field("mode", &self.mode)
            .field("has_backend", &self.backend.is_some())
            .finish_non_exhaustive()
    }
}
