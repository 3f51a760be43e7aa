//! The envelope as a type that cannot contradict itself.

use answerplane_normalize::normalize_key;
use serde::ser::{Serialize, Serializer};

use crate::answer::declaration::{
    AmbiguousConfidence, AmbiguousWord, AnswerBody, AnswerDocument, AnswerProtocol, AnswerWord,
    BackendAnswer, BackendConfidence, BackendProvenance, BackendWord, ChoicesAnswer, ChoicesWord,
    EntriesProvenance, EntryProvenance, EscalationAnswer, EscalationConfidence, EscalationReason,
    EscalationWord, ExactConfidence, ExactWord, HighWord, LocalAnswer, LocalWord, LowWord, MediumWord,
    Suggestion,
};
use crate::document::document;
use crate::scalar::{BoundedText, ContentHash, Identifier, TrimmedText};
use crate::wire::{List, Version1};

/// The greatest length of the query and of its key in an envelope, in UTF-16 code units.
const MAX_QUERY_UNITS: usize = 512;

/// What became of a query, ready to travel. Contract: `docs/protocol/answer.md`.
///
/// The confidence and the normalized query follow from the rest, so nothing here can contradict them.
///
/// ```
/// use answerplane_protocol::{AnswerEnvelope, Escalation, EscalationReason, Outcome};
///
/// let envelope = AnswerEnvelope::new("  Where is PLOT 12?", Escalation::new(EscalationReason::Miss));
/// assert_eq!(envelope.normalized_query(), "where is plot 12?");
/// assert!(matches!(envelope.outcome(), Outcome::Escalation(_)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerEnvelope {
    query: BoundedText<0, MAX_QUERY_UNITS>,
    normalized_query: BoundedText<0, MAX_QUERY_UNITS>,
    outcome: Outcome,
}

/// The three things that can become of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// An answer.
    Answer {
        /// Its text and sources.
        answer: AnswerBody,
        /// Who vouches for it.
        provenance: Provenance,
    },
    /// Several declared answers to choose from.
    Choices(Choices),
    /// No declared answer.
    Escalation(Escalation),
}

/// Who vouches for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Provenance {
    /// An entry of a verified artifact.
    Local {
        /// The artifact.
        source: LocalSource,
        /// The entry.
        entry_id: Identifier,
    },
    /// A backend.
    Backend {
        /// Who runs the model.
        provider: Option<TrimmedText<1, 128>>,
        /// The model.
        model: Option<TrimmedText<1, 128>>,
    },
}

/// The artifact that a local outcome comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalSource {
    /// The artifact.
    pub artifact_id: Identifier,
    /// Its content hash.
    pub content_hash: ContentHash,
}

/// Several declared answers to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choices {
    message: BoundedText<1, 4_096>,
    suggestions: List<Suggestion, 2, 8>,
    source: LocalSource,
}

/// No declared answer, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Escalation {
    message: BoundedText<1, 4_096>,
    reason: EscalationReason,
    candidates: Option<List<Identifier, 0, 8>>,
}

document!(AnswerEnvelope read as AnswerDocument: "agentskit.chat.answer", at most 262_144 bytes,
    fn from_wire(wire: AnswerDocument) -> Option<Self> {
        Self::of(wire)
    }
);

impl AnswerEnvelope {
    /// The envelope of what was asked and what became of it.
    ///
    /// It keeps the first 512 UTF-16 code units of `query`.
    #[must_use]
    pub fn new(query: &str, outcome: impl Into<Outcome>) -> Self {
        let query = BoundedText::cut(query);
        let normalized_query = normalized(&query);
        Self { query, normalized_query, outcome: outcome.into() }
    }

    /// The first 512 UTF-16 code units of what was asked.
    #[must_use]
    pub fn query(&self) -> &str {
        self.query.as_str()
    }

    /// The first 512 UTF-16 code units of the normalized key of [`query`](Self::query).
    #[must_use]
    pub fn normalized_query(&self) -> &str {
        self.normalized_query.as_str()
    }

    /// What became of the query.
    #[must_use]
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }
}

impl Choices {
    /// The message of choices that the resolver makes.
    pub const MESSAGE: &'static str = "More than one exact local answer matches. Choose one to continue.";

    /// Choices among declared answers of one artifact, with the resolver's message.
    #[must_use]
    pub fn new(suggestions: List<Suggestion, 2, 8>, source: LocalSource) -> Self {
        Self { message: BoundedText::proven(Self::MESSAGE), suggestions, source }
    }

    /// What a person is told, 1 to 4,096 UTF-16 code units.
    #[must_use]
    pub fn message(&self) -> &str {
        self.message.as_str()
    }

    /// What can be chosen, 2 to 8 suggestions.
    #[must_use]
    pub fn suggestions(&self) -> &[Suggestion] {
        &self.suggestions
    }

    /// The artifact of the entries.
    #[must_use]
    pub fn source(&self) -> &LocalSource {
        &self.source
    }
}

impl Escalation {
    /// The message of an escalation after a choice that was not offered.
    pub const CHOICE_NOT_OFFERED: &'static str =
        "The selected local answer is unavailable. A backend answer is required.";

    /// An escalation with the message that belongs to its reason.
    #[must_use]
    pub fn new(reason: EscalationReason) -> Self {
        Self { message: BoundedText::proven(reason.message()), reason, candidates: None }
    }

    /// The escalation after a choice that was not offered, reason `miss`.
    #[must_use]
    pub fn choice_not_offered() -> Self {
        Self { message: BoundedText::proven(Self::CHOICE_NOT_OFFERED), ..Self::new(EscalationReason::Miss) }
    }

    /// The escalation after an answer of a backend that cannot be vouched for, reason `corrupt`.
    #[must_use]
    pub fn of_backend(fault: BackendFault) -> Self {
        Self { message: BoundedText::proven(fault.message()), ..Self::new(EscalationReason::Corrupt) }
    }

    /// What a person is told, 1 to 4,096 UTF-16 code units.
    #[must_use]
    pub fn message(&self) -> &str {
        self.message.as_str()
    }

    /// Why there is no declared answer.
    #[must_use]
    pub fn reason(&self) -> EscalationReason {
        self.reason
    }

    /// Entries that come near, at most 8.
    #[must_use]
    pub fn candidates(&self) -> &[Identifier] {
        self.candidates.as_deref().unwrap_or_default()
    }
}

/// Why nobody vouches for what a backend said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BackendFault {
    /// It looks like ordered content and is none.
    InvalidContent,
    /// It is ordered content that ends in the middle.
    IncompleteContent,
    /// It is longer than an answer may be.
    TooLong,
    /// It went on for longer than is looked at.
    TooMuch,
}

impl BackendFault {
    /// Every fault.
    pub const ALL: &'static [Self] =
        &[Self::InvalidContent, Self::IncompleteContent, Self::TooLong, Self::TooMuch];

    /// What a person is told.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::InvalidContent => "Backend answer contained invalid ordered content.",
            Self::IncompleteContent => "Backend answer ended with incomplete ordered content.",
            Self::TooLong => "Backend answer exceeded the unified response limit.",
            Self::TooMuch => "Backend stream exceeded the observation limit.",
        }
    }
}

impl EscalationReason {
    /// What a person is told.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::Miss => "No exact local answer was found. A backend answer is required.",
            Self::Stale => "Local knowledge is stale. A backend answer is required.",
            Self::Corrupt => "Local knowledge is corrupt. A backend answer is required.",
            Self::Offline => "This question needs the backend, which is not available.",
        }
    }
}

impl From<Choices> for Outcome {
    fn from(choices: Choices) -> Self {
        Self::Choices(choices)
    }
}

impl From<Escalation> for Outcome {
    fn from(escalation: Escalation) -> Self {
        Self::Escalation(escalation)
    }
}

impl AnswerEnvelope {
    pub(crate) fn of(document: AnswerDocument) -> Option<Self> {
        let (query, normalized_query, outcome) = match document {
            AnswerDocument::Local(answer) => {
                let EntryProvenance { artifact_id, content_hash, entry_ids, .. } = answer.provenance;
                let source = LocalSource { artifact_id, content_hash };
                let provenance = Provenance::Local { source, entry_id: entry_ids.into_vec().pop()? };
                let outcome = Outcome::Answer { answer: answer.answer, provenance };
                (answer.query, answer.normalized_query, outcome)
            }
            AnswerDocument::Backend(answer) => {
                let BackendProvenance { provider, model, .. } = answer.provenance;
                let provenance = Provenance::Backend { provider, model };
                let outcome = Outcome::Answer { answer: answer.answer, provenance };
                (answer.query, answer.normalized_query, outcome)
            }
            AnswerDocument::Choices(choices) => {
                let ChoicesAnswer { message, suggestions, provenance, .. } = choices;
                let EntriesProvenance { artifact_id, content_hash, entry_ids, .. } = provenance;
                if !entry_ids.iter().eq(suggestions.iter().map(Suggestion::id)) {
                    return None;
                }
                let source = LocalSource { artifact_id, content_hash };
                let outcome = Outcome::Choices(Choices { message, suggestions, source });
                (choices.query, choices.normalized_query, outcome)
            }
            AnswerDocument::Escalation(escalation) => {
                let EscalationAnswer { message, reason, candidate_entry_ids: candidates, .. } = escalation;
                if escalation.confidence.basis != reason {
                    return None;
                }
                let outcome = Outcome::Escalation(Escalation { message, reason, candidates });
                (escalation.query, escalation.normalized_query, outcome)
            }
        };
        (normalized_query == normalized(&query)).then_some(Self { query, normalized_query, outcome })
    }
}

impl Serialize for AnswerEnvelope {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        AnswerDocument::from(self.clone()).serialize(serializer)
    }
}

impl From<AnswerEnvelope> for AnswerDocument {
    fn from(envelope: AnswerEnvelope) -> Self {
        let AnswerEnvelope { query, normalized_query, outcome } = envelope;
        let (protocol, version) = (AnswerProtocol, Version1);
        match outcome {
            Outcome::Answer { answer, provenance: Provenance::Local { source, entry_id } } => {
                Self::Local(LocalAnswer {
                    protocol,
                    version,
                    outcome: AnswerWord,
                    query,
                    normalized_query,
                    answer,
                    provenance: EntryProvenance {
                        source: LocalWord,
                        artifact_id: source.artifact_id,
                        content_hash: source.content_hash,
                        entry_ids: List::one(entry_id),
                    },
                    confidence: ExactConfidence { level: HighWord, basis: ExactWord },
                })
            }
            Outcome::Answer { answer, provenance: Provenance::Backend { provider, model } } => {
                Self::Backend(BackendAnswer {
                    protocol,
                    version,
                    outcome: AnswerWord,
                    query,
                    normalized_query,
                    answer,
                    provenance: BackendProvenance { source: BackendWord, provider, model },
                    confidence: BackendConfidence { level: HighWord, basis: BackendWord },
                })
            }
            Outcome::Choices(Choices { message, suggestions, source }) => Self::Choices(ChoicesAnswer {
                protocol,
                version,
                outcome: ChoicesWord,
                query,
                normalized_query,
                message,
                provenance: EntriesProvenance {
                    source: LocalWord,
                    artifact_id: source.artifact_id,
                    content_hash: source.content_hash,
                    entry_ids: suggestions.map(|suggestion| suggestion.id.clone()),
                },
                suggestions,
                confidence: AmbiguousConfidence { level: MediumWord, basis: AmbiguousWord },
            }),
            Outcome::Escalation(Escalation { message, reason, candidates }) => {
                Self::Escalation(EscalationAnswer {
                    protocol,
                    version,
                    outcome: EscalationWord,
                    query,
                    normalized_query,
                    message,
                    reason,
                    candidate_entry_ids: candidates,
                    confidence: EscalationConfidence { level: LowWord, basis: reason },
                })
            }
        }
    }
}

fn normalized(query: &BoundedText<0, MAX_QUERY_UNITS>) -> BoundedText<0, MAX_QUERY_UNITS> {
    BoundedText::cut(normalize_key(query.as_str()).as_str())
}
