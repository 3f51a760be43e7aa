//! The objects of an answer envelope as they stand on the wire.
//!
//! Four flat objects under one name. What an outcome does not name is an unknown field of it.

use crate::artifact::Citation;
use crate::scalar::{BoundedText, ContentHash, Identifier, TrimmedText};
use crate::wire::{List, Version1, wire_constant, wire_enum, wire_object, wire_union};

wire_constant! {
    AnswerProtocol = "agentskit.chat.answer";
    AnswerWord = "answer";
    ChoicesWord = "choices";
    EscalationWord = "escalation";
    LocalWord = "local";
    BackendWord = "backend";
    HighWord = "high";
    MediumWord = "medium";
    LowWord = "low";
    ExactWord = "exact";
    AmbiguousWord = "ambiguous";
}

wire_union! {
    /// What became of a query: an answer, choices, or an escalation. Contract: `docs/protocol/answer.md`.
    /// At most 262,144 bytes as text.
    pub(crate) enum AnswerDocument by "outcome" {
        "answer" => Local(LocalAnswer),
        "answer" => Backend(BackendAnswer),
        "choices" => Choices(ChoicesAnswer),
        "escalation" => Escalation(EscalationAnswer),
    }
}

/// Declares an envelope of one outcome: what every envelope begins with, and then its own fields.
macro_rules! envelope_object {
    ($(#[doc = $doc:literal])* struct $name:ident as $outcome:ident { $($own:tt)* }) => {
        wire_object! {
            $(#[doc = $doc])*
            pub(crate) struct $name {
                /// The name of the protocol.
                required protocol: AnswerProtocol = "protocol",
                /// The version of the protocol.
                required version: Version1 = "version",
                /// What became of the query.
                required outcome: $outcome = "outcome",
                /// The first 512 UTF-16 code units of what was asked.
                required query: BoundedText<0, 512> = "query",
                /// The first 512 UTF-16 code units of the normalized key of `query`.
                required normalized_query: BoundedText<0, 512> = "normalizedQuery",
                $($own)*
            }
        }
    };
}

envelope_object! {
    /// A declared answer.
    struct LocalAnswer as AnswerWord {
        /// The answer.
        required answer: AnswerBody = "answer",
        /// The entry that declares the answer.
        required provenance: EntryProvenance = "provenance",
        /// A declared answer is certain.
        required confidence: ExactConfidence = "confidence",
    }
}

envelope_object! {
    /// The answer of a backend.
    struct BackendAnswer as AnswerWord {
        /// The answer.
        required answer: AnswerBody = "answer",
        /// Who answered.
        required provenance: BackendProvenance = "provenance",
        /// As sure as the backend is.
        required confidence: BackendConfidence = "confidence",
    }
}

envelope_object! {
    /// Several declared answers to choose from. Beyond this schema: the entry ids of the provenance are the ids
    /// of the suggestions, in order.
    struct ChoicesAnswer as ChoicesWord {
        /// What a person is told.
        required message: BoundedText<1, 4_096> = "message",
        /// What can be chosen.
        required suggestions: List<Suggestion, 2, 8> = "suggestions",
        /// The entries that can be chosen.
        required provenance: EntriesProvenance = "provenance",
        /// The query is ambiguous.
        required confidence: AmbiguousConfidence = "confidence",
    }
}

envelope_object! {
    /// No declared answer, and why. The basis of the confidence is the reason.
    struct EscalationAnswer as EscalationWord {
        /// What a person is told.
        required message: BoundedText<1, 4_096> = "message",
        /// Why there is no declared answer.
        required reason: EscalationReason = "reason",
        /// Entries that come near. They may repeat.
        optional candidate_entry_ids: List<Identifier, 0, 8> = "candidateEntryIds",
        /// Nothing is known; the basis is the reason.
        required confidence: EscalationConfidence = "confidence",
    }
}

wire_object! {
    /// The text of an answer and its sources.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct AnswerBody {
        /// The text in Markdown, kept as written.
        required markdown: BoundedText<1, 16_384> = "markdown",
        /// Where the answer comes from.
        required citations: List<Citation, 0, 8> = "citations",
    }
}

impl AnswerBody {
    /// The text of an answer and its sources.
    #[must_use]
    pub fn new(markdown: BoundedText<1, 16_384>, citations: List<Citation, 0, 8>) -> Self {
        Self { markdown, citations }
    }

    /// The text in Markdown.
    #[must_use]
    pub fn markdown(&self) -> &str {
        self.markdown.as_str()
    }

    /// Where the answer comes from, at most 8 sources.
    #[must_use]
    pub fn citations(&self) -> &[Citation] {
        &self.citations
    }
}

wire_object! {
    /// Something to choose.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Suggestion {
        /// The identifier of the entry.
        required id: Identifier = "id",
        /// What a person sees.
        required label: TrimmedText<1, 256> = "label",
        /// What to ask to get just this entry.
        required value: TrimmedText<1, 512> = "value",
    }
}

impl Suggestion {
    /// Something to choose.
    #[must_use]
    pub fn new(id: Identifier, label: TrimmedText<1, 256>, value: TrimmedText<1, 512>) -> Self {
        Self { id, label, value }
    }

    /// The entry.
    #[must_use]
    pub fn id(&self) -> &Identifier {
        &self.id
    }

    /// What a person sees.
    #[must_use]
    pub fn label(&self) -> &str {
        self.label.as_str()
    }

    /// What to ask to get just this entry.
    #[must_use]
    pub fn value(&self) -> &str {
        self.value.as_str()
    }
}

wire_object! {
    /// The one entry that declares an answer.
    pub(crate) struct EntryProvenance {
        /// Where the answer comes from.
        required source: LocalWord = "source",
        /// The identifier of the artifact.
        required artifact_id: Identifier = "artifactId",
        /// The content hash of the artifact.
        required content_hash: ContentHash = "contentHash",
        /// The identifier of the entry.
        required entry_ids: List<Identifier, 1, 1> = "entryIds",
    }
}

wire_object! {
    /// The entries that can be chosen.
    pub(crate) struct EntriesProvenance {
        /// Where the answer comes from.
        required source: LocalWord = "source",
        /// The identifier of the artifact.
        required artifact_id: Identifier = "artifactId",
        /// The content hash of the artifact.
        required content_hash: ContentHash = "contentHash",
        /// The identifiers of the entries.
        required entry_ids: List<Identifier, 2, 8> = "entryIds",
    }
}

wire_object! {
    /// The backend that answered.
    pub(crate) struct BackendProvenance {
        /// Where the answer comes from.
        required source: BackendWord = "source",
        /// The name of who runs the model.
        optional provider: TrimmedText<1, 128> = "provider",
        /// The name of the model.
        optional model: TrimmedText<1, 128> = "model",
    }
}

wire_object! {
    /// The confidence of a declared answer.
    pub(crate) struct ExactConfidence {
        /// How sure.
        required level: HighWord = "level",
        /// Why.
        required basis: ExactWord = "basis",
    }
}

wire_object! {
    /// The confidence of a backend's answer.
    pub(crate) struct BackendConfidence {
        /// How sure.
        required level: HighWord = "level",
        /// Why.
        required basis: BackendWord = "basis",
    }
}

wire_object! {
    /// The confidence of choices.
    pub(crate) struct AmbiguousConfidence {
        /// How sure.
        required level: MediumWord = "level",
        /// Why.
        required basis: AmbiguousWord = "basis",
    }
}

wire_object! {
    /// The confidence of an escalation.
    pub(crate) struct EscalationConfidence {
        /// How sure.
        required level: LowWord = "level",
        /// Why: the reason of the escalation.
        required basis: EscalationReason = "basis",
    }
}

wire_enum! {
    /// Why there is no declared answer.
    pub enum EscalationReason {
        /// Nobody declared this question.
        Miss = "miss",
        /// The artifact has expired.
        Stale = "stale",
        /// There is no artifact that can be trusted, or a backend's answer cannot be.
        Corrupt = "corrupt",
        /// Only a backend could answer, and there is none.
        Offline = "offline",
    }
}
