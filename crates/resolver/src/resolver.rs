//! The decision, in the order of `docs/protocol/answer.md`.

use answerplane_artifact::VerifiedArtifact;
use answerplane_normalize::{NormalizedKey, normalize_key, utf16_len};
use answerplane_protocol::{AnswerEnvelope, Artifact, Timestamp};

use crate::resolution::{Answer, Cause, Offer, Resolution};

/// The greatest length of a query and of its key in UTF-16 code units.
const MAX_QUERY_UNITS: usize = 512;

/// Resolves queries over one verified artifact, or over its absence: then every query is `corrupt`.
///
/// It holds no lock and does no I/O. Cloning shares the artifact, and a new artifact is a new resolver, so a
/// program swaps one for another and whoever still holds the old one finishes with it.
#[derive(Clone, Debug)]
pub struct Resolver {
    artifact: Option<VerifiedArtifact>,
}

impl From<VerifiedArtifact> for Resolver {
    fn from(artifact: VerifiedArtifact) -> Self {
        Self { artifact: Some(artifact) }
    }
}

impl Resolver {
    /// A resolver over what verification gave. A failure does not stop the program: every query escalates.
    #[must_use]
    pub fn new<E>(artifact: Result<VerifiedArtifact, E>) -> Self {
        Self { artifact: artifact.ok() }
    }

    /// A resolver without an artifact.
    #[must_use]
    pub const fn without_artifact() -> Self {
        Self { artifact: None }
    }

    /// The artifact, where there is one.
    #[must_use]
    pub const fn artifact(&self) -> Option<&VerifiedArtifact> {
        self.artifact.as_ref()
    }

    /// What is declared for `query` at the instant `now`.
    ///
    /// In this order: no artifact, corrupt; expired, stale (whatever is asked); a query or key of more than 512
    /// UTF-16 code units, or a key that nobody declared, miss; one entry, its answer; several, choices.
    #[must_use]
    pub fn resolve(&self, query: &str, now: Timestamp) -> Resolution<'_> {
        let artifact = match self.live_artifact(now) {
            Ok(artifact) => artifact,
            Err(cause) => return Resolution::Escalation(cause),
        };
        let Some(key) = key_within_limits(query) else {
            return Resolution::Escalation(Cause::Miss);
        };
        let mut matches = artifact.matching(&key);
        match matches.len() {
            0 => Resolution::Escalation(Cause::Miss),
            1 => match matches.next() {
                Some(entry) => Resolution::Answer(Answer::new(artifact, entry)),
                None => Resolution::Escalation(Cause::Miss),
            },
            _ => Resolution::Choices(Offer::new(artifact, matches)),
        }
    }

    /// The answer that somebody chose by the id of its entry, after `original_query` had offered it at the
    /// instant `now`.
    ///
    /// It answers when the id is that of the query's one entry or of one of the first eight; otherwise, unless
    /// there is no artifact or it has expired, the choice was not offered.
    #[must_use]
    pub fn resolve_choice(&self, choice_id: &str, original_query: &str, now: Timestamp) -> Resolution<'_> {
        let artifact = match self.live_artifact(now) {
            Ok(artifact) => artifact,
            Err(cause) => return Resolution::Escalation(cause),
        };
        key_within_limits(original_query)
            .and_then(|key| {
                Offer::new(artifact, artifact.matching(&key)).entries().find(|entry| entry.id() == choice_id)
            })
            .map_or(Resolution::Escalation(Cause::NotOffered), |entry| {
                Resolution::Answer(Answer::new(artifact, entry))
            })
    }

    /// [`resolve`](Self::resolve) as an envelope.
    #[must_use]
    pub fn answer(&self, query: &str, now: Timestamp) -> AnswerEnvelope {
        self.resolve(query, now).to_envelope(query)
    }

    fn live_artifact(&self, now: Timestamp) -> Result<&Artifact, Cause> {
        let artifact = self.artifact.as_deref().ok_or(Cause::Corrupt)?;
        if artifact.is_expired(now) { Err(Cause::Stale) } else { Ok(artifact) }
    }
}

fn key_within_limits(query: &str) -> Option<NormalizedKey<'_>> {
    let fits = |text: &str| text.len() <= MAX_QUERY_UNITS || utf16_len(text) <= MAX_QUERY_UNITS;
    let key = fits(query).then(|| normalize_key(query))?;
    fits(key.as_str()).then_some(key)
}
