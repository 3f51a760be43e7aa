//! The standing of a run that is still at hand.

use crate::assessment::Assessment;
use crate::declarations::Declarations;
use crate::fold::{Pause, fold};
use crate::record::{Record, Served};

/// How a run stands that is still at hand. Only its owner knows; the record does not say that a run failed.
#[derive(Clone, Copy, Debug)]
pub enum LiveRun<'a> {
    /// There was no run yet.
    NotStarted,
    /// It answered.
    Answered(Record<'a>),
    /// It is paused and waits, whatever for. It asks, also where its state does not say so.
    Paused(Record<'a>),
    /// It failed or was halted before there was an answer.
    Failed,
    /// There was an answer, and a rule refused it.
    Refused,
}

/// The standing of a live run: nothing where there is no answer and no question to stand for.
///
/// A live state was never redacted, so the guard for kept-out keys does not apply, whatever the record says.
///
/// ```
/// use answerplane_assessment::{Declarations, LiveRun, Record, Standing, assess_live};
/// use serde_json::json;
///
/// let record = json!({ "checkpoint": { "sharedState": { "pausedToolCallId": "c1" } } });
/// let none = Declarations::default();
/// let standing = |run| assess_live(run, &none).map(|assessment| assessment.standing());
/// assert_eq!(standing(LiveRun::Paused(Record::new(&record)?)), Some(Standing::Ask));
/// assert_eq!(standing(LiveRun::Failed), None);
/// # Ok::<(), answerplane_assessment::CallerError>(())
/// ```
#[must_use]
pub fn assess_live<'a>(run: LiveRun<'a>, declarations: &Declarations) -> Option<Assessment<'a>> {
    match run {
        LiveRun::Answered(record) => {
            Some(fold(record.state(), declarations, Served::Plain, Pause::AsRecorded))
        }
        LiveRun::Paused(record) => Some(fold(record.state(), declarations, Served::Plain, Pause::Certain)),
        LiveRun::NotStarted | LiveRun::Failed | LiveRun::Refused => None,
    }
}
