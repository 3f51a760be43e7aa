//! The fold itself: a record in, an assessment out.

use alloc::vec::Vec;

use serde_json::Value;

use crate::assessment::{Assessment, FiredReasons, Outcome};
use crate::coverage::Coverage;
use crate::declarations::Declarations;
use crate::ledger::Ledger;
use crate::pointer::Pointer;
use crate::reason::Reason;
use crate::record::{Record, Served};
use crate::state::{State, StateKey};
use crate::tally::Tally;
use crate::turn::Turn;
use crate::{answer, conflict, contingent, period};

/// How the answer of a record's turn stands against what the record can check.
///
/// Total: whatever a record does not say, or says in a shape that cannot be read, is absent. Looks at nothing
/// but the record and the declarations, and takes time in proportion to the record. A record of a run that
/// failed reads as one that answered; see [`assess_live`](crate::assess_live).
///
/// ```
/// use answerplane_assessment::{Declarations, Record, Standing, assess};
/// use serde_json::json;
///
/// let record = json!({ "snapshot": { "sharedState": { "answerValidation": {
///     "mode": "enforce", "status": "passed", "candidateDigest": "sha256:abc"
/// } } } });
/// let assessment = assess(Record::new(&record)?, &Declarations::default());
/// assert_eq!(assessment.standing(), Standing::Known);
/// # Ok::<(), answerplane_assessment::CallerError>(())
/// ```
#[must_use]
pub fn assess<'a>(record: Record<'a>, declarations: &Declarations) -> Assessment<'a> {
    fold(record.state(), declarations, record.served(), Pause::AsRecorded)
}

/// The same for a host that keeps the state and the word on its serving apart.
///
/// `state` is the committed state alone; anything but an object reads as an empty one.
///
/// ```
/// use answerplane_assessment::{Declarations, Served, Standing, fold_state};
/// use serde_json::json;
///
/// let state = json!({ "pausedToolCallId": "REDACTED" });
/// let none = Declarations::default();
/// assert_eq!(fold_state(&state, &none, Served::Plain).standing(), Standing::Ask);
/// assert_eq!(fold_state(&state, &none, Served::UnderPolicy).standing(), Standing::NotAssessed);
/// ```
#[must_use]
pub fn fold_state<'a>(state: &'a Value, declarations: &Declarations, served: Served) -> Assessment<'a> {
    fold(Some(state), declarations, served, Pause::AsRecorded)
}

/// Whether the run is paused.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pause {
    /// Where the state says so.
    AsRecorded,
    /// Whatever the state says.
    Certain,
}

pub(crate) fn fold<'a>(
    state: Option<&'a Value>,
    declarations: &Declarations,
    served: Served,
    pause: Pause,
) -> Assessment<'a> {
    let mut state = State::new(state, served);
    let mut coverage = Coverage::of(state.rows(StateKey::CoverageDeclared));
    let turn = Turn::of(state.rows(StateKey::History), declarations, |index, message| {
        coverage.read(index, message, declarations);
    });
    let paused = state.get(StateKey::PausedToolCallId).and_then(Value::as_str);
    let ledger_rows = state.rows(StateKey::FindingsLedger);
    let turn_number = state.get(StateKey::TurnNumber).and_then(Value::as_f64);
    let ask = state.object(StateKey::ArgumentAsk);
    let unsupported = state.object(StateKey::UnsupportedValues);
    let stopped_early = state.object(StateKey::StoppedEarly);
    let report = state.object(StateKey::AnswerValidation);
    let ledger = Ledger::of(ledger_rows, turn_number);
    let decisions = if ledger.arguments.is_empty() { &[] } else { state.rows(StateKey::MiddlewareDecisions) };

    let kept_out = state.into_kept_out();
    if !kept_out.is_empty() {
        let outcome = Outcome::KeptOut(kept_out);
        return Assessment { outcome, checked: Vec::new(), turn_from: turn.from, rests_on: Vec::new() };
    }

    let mut tally = Tally::new();
    let asks_itself = || ask.and_then(|ask| ask.get("waiting")).is_some_and(Value::is_object);
    if paused.is_some_and(|call| !call.is_empty()) || pause == Pause::Certain && !asks_itself() {
        tally.fire(Reason::Asked, Pointer::whole(StateKey::PausedToolCallId, ""));
    }
    ledger.arguments.fold(ask, decisions, &mut tally);
    contingent::fold(&ledger, &coverage.calls, &mut tally);
    coverage.fold(&mut tally);
    period::fold(&ledger.periods, &ledger.arguments, &mut tally);
    conflict::fold(&ledger, &coverage.calls, turn.earlier, &mut tally);

    answer::fold(&ledger, unsupported, stopped_early, &mut tally);
    let support = answer::fold_report(report, &mut tally);

    let (reasons, checked) = tally.finish();
    let outcome = match (FiredReasons::new(reasons), support) {
        (Some(reasons), _) => Outcome::Unknown(reasons),
        (None, Some(support)) => Outcome::Known(support),
        (None, None) if checked.iter().any(|run| run.ran > 0) => Outcome::Unrefuted,
        (None, None) => Outcome::NotApplicable,
    };
    Assessment { outcome, checked, turn_from: turn.from, rests_on: coverage.rests_on() }
}
