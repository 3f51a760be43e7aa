//! What is on record about the answer itself.

use alloc::borrow::Cow;
use alloc::string::String;

use serde_json::{Map, Value};

use crate::assessment::Support;
use crate::check::Check;
use crate::ledger::Ledger;
use crate::pointer::Pointer;
use crate::reason::Reason;
use crate::state::StateKey;
use crate::tally::Tally;

/// Names and numbers, derived times, limits and steps. Of names and numbers, what the gate left unfound
/// counts, or else the last clean pass, if it looked anything up; that is a check and never support.
pub(crate) fn fold<'a>(
    ledger: &Ledger<'a>,
    unsupported: Option<&'a Map<String, Value>>,
    stopped_early: Option<&'a Map<String, Value>>,
    tally: &mut Tally<'a>,
) {
    if let Some(unsupported) = unsupported {
        let revised = unsupported.get("revised") == Some(&Value::Bool(true));
        let reason = if revised { Reason::ValueSurvivedRevision } else { Reason::ValueUnsupported };
        let witness = Pointer::whole(StateKey::UnsupportedValues, "candidates");
        tally.fire(reason, witness.clone());
        tally.check(Check::NamesAndNumbers, 1, 1, [witness].into());
    } else if let Some((index, row)) = ledger.grounded
        && row.get("lookedUp").and_then(Value::as_f64).is_some_and(|looked_up| looked_up > 0.0)
    {
        let witness = Pointer::row(StateKey::FindingsLedger, index, "kind");
        tally.check(Check::NamesAndNumbers, 1, 1, [witness].into());
    }
    for &(index, _) in &ledger.time_derived {
        tally.fire(Reason::DerivedFromReading, Pointer::row(StateKey::FindingsLedger, index, "values"));
    }
    if stopped_early.is_some() {
        tally.fire(Reason::StoppedEarly, Pointer::whole(StateKey::StoppedEarly, "iteration"));
    }
    for &(index, _) in &ledger.steps_unfinished {
        tally.fire(Reason::StepsUnfinished, Pointer::row(StateKey::FindingsLedger, index, "kind"));
    }
}

/// The report on the answer: the only thing that can support it. A report without a status is none.
pub(crate) fn fold_report<'a>(
    report: Option<&'a Map<String, Value>>,
    tally: &mut Tally<'a>,
) -> Option<Support<'a>> {
    let mut support = None;
    let text = |member| report.and_then(|report| report.get(member)).and_then(Value::as_str);
    if let Some(status) = text("status") {
        let witness = Pointer::whole(StateKey::AnswerValidation, "status");
        match status {
            "passed" if text("mode") == Some("enforce") => {
                let digest = text("candidateDigest").filter(|digest| !digest.is_empty());
                support = digest.map(|digest| Support { report_digest: Cow::Borrowed(digest) });
            }
            "failed" => tally.fire(Reason::AnswerCheckFailed, witness.clone()),
            "unverified" => tally.fire(Reason::CheckUnreachable, witness.clone()),
            _ => {}
        }
        tally.check(Check::AnswerChecks, 1, 1, [witness].into());
    }
    support
}
