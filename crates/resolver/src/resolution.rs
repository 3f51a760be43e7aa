//! What a query resolves to, borrowed from the artifact, and the envelope of it.

use core::fmt;

use answerplane_protocol::{
    AnswerEnvelope, Artifact, Choices, Entry, Escalation, EscalationReason, List, LocalSource, Matches,
    Outcome, Provenance,
};

/// What a query resolves to.
#[derive(Clone, Debug)]
pub enum Resolution<'r> {
    /// One entry declares the query.
    Answer(Answer<'r>),
    /// Several entries declare it.
    Choices(Offer<'r>),
    /// There is no declared answer.
    Escalation(Cause),
}

/// The entry that answers, and its artifact.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'r> {
    artifact: &'r Artifact,
    entry: Entry<'r>,
}

/// The entries to choose from, and their artifact.
#[derive(Clone, Debug)]
pub struct Offer<'r> {
    artifact: &'r Artifact,
    matches: Matches<'r>,
}

/// Why there is no declared answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// Nobody declared the query, or it is too long to be declared.
    Miss,
    /// The artifact has expired, or one of several that could have known.
    Stale,
    /// There is no artifact that can be trusted, or one of several that could have known is missing.
    Corrupt,
    /// The choice was not among those that the query offers.
    NotOffered,
}

impl Resolution<'_> {
    /// The envelope of this outcome of `query`.
    #[must_use]
    pub fn to_envelope(&self, query: &str) -> AnswerEnvelope {
        AnswerEnvelope::new(
            query,
            match self {
                Self::Answer(answer) => Outcome::Answer {
                    answer: answer.entry.answer_body(),
                    provenance: Provenance::Local {
                        source: source(answer.artifact),
                        entry_id: answer.entry.identifier(),
                    },
                },
                Self::Choices(offer) => match List::new(offer.entries().map(Entry::suggestion).collect()) {
                    Some(suggestions) => Choices::new(suggestions, source(offer.artifact)).into(),
                    None => Escalation::new(EscalationReason::Miss).into(),
                },
                Self::Escalation(cause) => cause.escalation().into(),
            },
        )
    }
}

impl<'r> Answer<'r> {
    pub(crate) fn new(artifact: &'r Artifact, entry: Entry<'r>) -> Self {
        Self { artifact, entry }
    }

    /// The entry.
    #[must_use]
    pub fn entry(self) -> Entry<'r> {
        self.entry
    }

    /// The artifact of the entry.
    #[must_use]
    pub fn artifact(self) -> &'r Artifact {
        self.artifact
    }

    /// The answer in Markdown, 1 to 16,384 UTF-16 code units.
    #[must_use]
    pub fn markdown(self) -> &'r str {
        self.entry.markdown()
    }
}

impl<'r> Offer<'r> {
    /// The greatest number of entries that one query offers.
    pub const MAX_ENTRIES: usize = 8;

    pub(crate) fn new(artifact: &'r Artifact, matches: Matches<'r>) -> Self {
        Self { artifact, matches }
    }

    /// The entries to choose from: the first eight that declare the query, in the order of the artifact.
    ///
    /// Each is chosen by its id, or by asking its [`own_alias`](Entry::own_alias).
    pub fn entries(&self) -> impl ExactSizeIterator<Item = Entry<'r>> + use<'r> {
        self.matches.clone().take(Self::MAX_ENTRIES)
    }

    /// The artifact of the entries.
    #[must_use]
    pub fn artifact(&self) -> &'r Artifact {
        self.artifact
    }
}

impl Cause {
    /// The reason that an envelope gives.
    #[must_use]
    pub const fn reason(self) -> EscalationReason {
        match self {
            Self::Miss | Self::NotOffered => EscalationReason::Miss,
            Self::Stale => EscalationReason::Stale,
            Self::Corrupt => EscalationReason::Corrupt,
        }
    }

    fn escalation(self) -> Escalation {
        match self {
            Self::NotOffered => Escalation::choice_not_offered(),
            _ => Escalation::new(self.reason()),
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotOffered => Escalation::CHOICE_NOT_OFFERED,
            _ => self.reason().message(),
        })
    }
}

fn source(artifact: &Artifact) -> LocalSource {
    LocalSource { artifact_id: artifact.artifact_id().clone(), content_hash: artifact.content_hash() }
}
