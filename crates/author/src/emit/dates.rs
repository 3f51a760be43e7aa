//! When an artifact was made and when it stops answering.

use answerplane_protocol::{ArtifactContent, DateTime, Timestamp};

use crate::config::Life;
use crate::diagnostic::{Diagnostic, Place};
use crate::rule::Rule;

/// The least remaining life, in milliseconds, that is worth no warning: 14 days.
pub const SOON: i64 = 14 * 86_400_000;

/// Where the moment of a build comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// Somebody said it; it counts for every shard.
    Said(Timestamp),
    /// It was found, such as the date of the newest commit; a shard whose entries have not changed keeps its own.
    Found(Timestamp),
}

/// When the artifact stops answering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expiry {
    /// So long after it was made.
    After(Life),
    /// At a moment.
    At(DateTime),
}

/// The moments of a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dates {
    /// When the artifact was made.
    pub made: Made,
    /// When it stops answering.
    pub expiry: Expiry,
    /// What time it is.
    pub now: Timestamp,
}

/// Both dates of a shard, as they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) generated_at: String,
    pub(super) expires_at: Option<String>,
}

/// The greatest number of bytes of a date that is kept.
pub(super) const MAX_DATE_BYTES: usize = 40;

impl Dates {
    /// The dates of a new shard; nothing where they cannot be written.
    ///
    /// A moment that was found is never before that of the shard that it replaces: hosts refuse what is older.
    pub(super) fn fresh<'p>(&self, replaced: impl Iterator<Item = &'p ArtifactContent>) -> Option<Written> {
        let made = match self.made {
            Made::Said(moment) => moment,
            Made::Found(moment) => {
                replaced.map(|replaced| replaced.generated_at().timestamp()).fold(moment, Timestamp::max)
            }
        };
        let expires_at = match &self.expiry {
            Expiry::After(Life::Unlimited) => None,
            Expiry::After(Life::Millis(millis)) => Some(spelled(made.as_millis().checked_add(*millis)?)?),
            Expiry::At(moment) => Some(moment.as_str().to_owned()),
        };
        Some(Written { generated_at: spelled(made.as_millis())?, expires_at })
    }

    /// The dates of a shard that was published before with the same entries, if they still are what the policy
    /// would give.
    pub(super) fn kept(&self, previous: &ArtifactContent) -> Option<Written> {
        let generated = previous.generated_at();
        let expires = previous.expires_at();
        let lives = match (&self.expiry, expires) {
            (Expiry::After(Life::Unlimited), None) => true,
            (Expiry::After(Life::Millis(millis)), Some(expires)) => {
                expires.timestamp().as_millis() - generated.timestamp().as_millis() == *millis
            }
            (Expiry::At(moment), Some(expires)) => moment == expires,
            _ => false,
        };
        let is_short = |date: &DateTime| date.as_str().len() <= MAX_DATE_BYTES;
        let keeps = matches!(self.made, Made::Found(_)) && lives;
        (keeps && is_short(generated) && expires.is_none_or(is_short)).then(|| Written {
            generated_at: generated.as_str().to_owned(),
            expires_at: expires.map(|date| date.as_str().to_owned()),
        })
    }

    /// What is wrong with the life of an artifact that is written with these dates.
    pub(super) fn judge(&self, written: &Written, place: Place) -> Option<Diagnostic> {
        let millis = |date: &str| date.parse().map(|date: DateTime| date.timestamp().as_millis()).ok();
        let expires = millis(written.expires_at.as_deref()?)?;
        let expires_at = written.expires_at.as_deref()?;
        if expires <= millis(&written.generated_at)? || expires <= self.now.as_millis() {
            let message = format!("it would expire at {expires_at}, before anybody asks it");
            return Some(Diagnostic::new(Rule::ExpiryPast, place, message));
        }
        let soon = expires - self.now.as_millis() < SOON;
        soon.then(|| Diagnostic::new(Rule::ExpirySoon, place, format!("it expires at {expires_at}")))
    }
}

/// A moment as it is written: in UTC, with seconds. Years have four digits.
fn spelled(millis: i64) -> Option<String> {
    let text = jiff::Timestamp::from_millisecond(millis).ok()?.to_string();
    text.parse::<DateTime>().is_ok().then_some(text)
}
