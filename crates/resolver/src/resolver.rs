//! The decision, in the order of `docs/protocol/answer.md`.

use alloc::sync::Arc;

use answerplane_artifact::VerifiedArtifact;
use answerplane_normalize::{NormalizedKey, normalize_key, utf16_len};
use answerplane_protocol::{AnswerEnvelope, Artifact, Matches, Timestamp};

use crate::resolution::{Answer, Cause, Offer, Resolution};

/// The greatest length of a query and of its key in UTF-16 code units.
const MAX_QUERY_UNITS: usize = 512;

/// Resolves queries over the shards of a site, each a verified artifact or its absence. Most sites have one.
///
/// It holds no lock and does no I/O. Cloning shares the artifacts, and a new artifact is a new resolver, so a
/// program swaps one for another and whoever still holds the old one finishes with it.
#[derive(Clone, Debug)]
pub struct Resolver {
    shards: Arc<[Option<VerifiedArtifact>]>,
}

impl From<VerifiedArtifact> for Resolver {
    fn from(artifact: VerifiedArtifact) -> Self {
        Self { shards: Arc::new([Some(artifact)]) }
    }
}

impl Resolver {
    /// A resolver over what verification gave. A failure does not stop the program: every query escalates.
    #[must_use]
    pub fn new<E>(artifact: Result<VerifiedArtifact, E>) -> Self {
        Self { shards: Arc::new([artifact.ok()]) }
    }

    /// A resolver over what verification gave for each shard of a site, in their order. A shard that failed
    /// answers nothing and does not stop the others; without any shard every query is `corrupt`.
    ///
    /// The first shard that knows a key decides, so entries that share a key have to lie in one shard.
    #[must_use]
    pub fn over_shards<E>(shards: impl IntoIterator<Item = Result<VerifiedArtifact, E>>) -> Self {
        let shards: Arc<[_]> = shards.into_iter().map(Result::ok).collect();
        if shards.is_empty() { Self::without_artifact() } else { Self { shards } }
    }

    /// A resolver without an artifact.
    #[must_use]
    pub fn without_artifact() -> Self {
        Self { shards: Arc::new([None]) }
    }

    /// The artifact of the first shard, where there is one. Most sites have no other shard.
    #[must_use]
    pub fn artifact(&self) -> Option<&VerifiedArtifact> {
        self.shards().next().flatten()
    }

    /// The artifact of each shard, at least one, in the order in which they are asked; `None` for one that cannot be
    /// trusted.
    pub fn shards(&self) -> impl ExactSizeIterator<Item = Option<&VerifiedArtifact>> {
        self.shards.iter().map(Option::as_ref)
    }

    /// What is declared for `query` at the instant `now`.
    ///
    /// The first shard that has an artifact, has not expired and knows the key decides: one entry, its answer; several,
    /// choices. A query or key of more than 512 UTF-16 code units is known to none. Where none knows it, the
    /// worst shard gives the reason: one without an artifact, corrupt; an expired one, stale (whatever is asked);
    /// otherwise it is a miss.
    #[must_use]
    pub fn resolve(&self, query: &str, now: Timestamp) -> Resolution<'_> {
        let (artifact, matches) = match self.find(query, now) {
            Ok(found) => found,
            Err(cause) => return Resolution::Escalation(cause),
        };
        match (matches.len(), matches.clone().next()) {
            (1, Some(entry)) => Resolution::Answer(Answer::new(artifact, entry)),
            _ => Resolution::Choices(Offer::new(artifact, matches)),
        }
    }

    /// The answer that somebody chose by the id of its entry, after `original_query` had offered it at the
    /// instant `now`.
    ///
    /// It answers when the id is that of the query's one entry or of one of the first eight, in the shard that
    /// decides about the query. Otherwise the choice was not offered; but where no shard knows the query and one has
    /// no artifact or has expired, that is the reason.
    #[must_use]
    pub fn resolve_choice(&self, choice_id: &str, original_query: &str, now: Timestamp) -> Resolution<'_> {
        let (artifact, matches) = match self.find(original_query, now) {
            Ok(found) => found,
            Err(Cause::Miss) => return Resolution::Escalation(Cause::NotOffered),
            Err(cause) => return Resolution::Escalation(cause),
        };
        let chosen = Offer::new(artifact, matches).entries().find(|entry| entry.id() == choice_id);
        chosen.map_or(Resolution::Escalation(Cause::NotOffered), |entry| {
            Resolution::Answer(Answer::new(artifact, entry))
        })
    }

    /// [`resolve`](Self::resolve) as an envelope.
    #[must_use]
    pub fn answer(&self, query: &str, now: Timestamp) -> AnswerEnvelope {
        self.resolve(query, now).to_envelope(query)
    }

    /// The entries, at least one, of the first live shard that knows the query; or the worst state of a shard.
    fn find(&self, query: &str, now: Timestamp) -> Result<(&Artifact, Matches<'_>), Cause> {
        let key = key_within_limits(query);
        let mut worst = Cause::Miss;
        for shard in self.shards.iter() {
            match shard {
                None => worst = Cause::Corrupt,
                Some(artifact) if artifact.is_expired(now) => {
                    if worst == Cause::Miss {
                        worst = Cause::Stale;
                    }
                }
                Some(artifact) => {
                    let matches = key.as_ref().map(|key| artifact.matching(key));
                    if let Some(matches) = matches.filter(|matches| matches.len() > 0) {
                        return Ok((artifact, matches));
                    }
                }
            }
        }
        Err(worst)
    }
}

fn key_within_limits(query: &str) -> Option<NormalizedKey<'_>> {
    let fits = |text: &str| text.len() <= MAX_QUERY_UNITS || utf16_len(text) <= MAX_QUERY_UNITS;
    let key = fits(query).then(|| normalize_key(query))?;
    fits(key.as_str()).then_some(key)
}
