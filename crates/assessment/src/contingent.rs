//! Values that rest on results which were set aside.

use serde_json::Value;

use crate::calls::Calls;
use crate::ledger::{Ledger, Stamp};
use crate::pointer::Pointer;
use crate::reason::Reason;
use crate::state::StateKey;
use crate::tally::Tally;
use crate::turn::named_call;

pub(crate) fn fold<'a>(ledger: &Ledger<'a>, calls: &Calls<'a>, tally: &mut Tally<'a>) {
    // Looked for once, and only where a row needs it.
    let mut begin = None;
    for &(index, row) in &ledger.contingent {
        let declared_on = row.get("declaredOn");
        let counts = match ledger.stamp(row) {
            Stamp::ThisTurn => true,
            Stamp::OtherTurn => false,
            Stamp::Unstamped if declared_on.and_then(Value::as_str) != Some("answer") => {
                declared_on.and_then(named_call).is_some_and(|call| calls.has(call))
            }
            // On the answer: on a later turn the row may be a former turn's.
            Stamp::Unstamped if !ledger.is_later_turn() => true,
            Stamp::Unstamped => {
                begin.get_or_insert_with(|| ledger.begin_of_turn(calls)).is_some_and(|begin| begin <= index)
            }
        };
        if counts {
            tally.fire(Reason::ValueContingent, Pointer::row(StateKey::FindingsLedger, index, "value"));
        }
    }
}
