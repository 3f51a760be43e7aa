//! Results that contradict each other.
//!
//! A stamped conflict also counts when its results are gone from the history: a window may have dropped this
//! turn's own early results. It does not where the history places every one of them in an earlier turn.

use alloc::collections::BTreeSet;

use serde_json::Value;

use crate::calls::Calls;
use crate::key::Key;
use crate::ledger::{Ledger, LedgerRow, Stamp};
use crate::pointer::Pointer;
use crate::reason::Reason;
use crate::state::StateKey;
use crate::tally::Tally;
use crate::turn::{is_result, named_call, named_calls};

pub(crate) fn fold<'a>(ledger: &Ledger<'a>, calls: &Calls<'a>, earlier: &'a [Value], tally: &mut Tally<'a>) {
    // Collected once, and only where a row needs it.
    let mut placed = None;
    let mut is_this_turns = |row: &'a Value, witnesses: &'a [Value]| match ledger.stamp(row) {
        Stamp::OtherTurn => false,
        _ if named_calls(row, "witnesses").any(|call| calls.has(call)) => true,
        Stamp::Unstamped => false,
        Stamp::ThisTurn => {
            let placed: &BTreeSet<Key<'_>> = placed.get_or_insert_with(|| {
                earlier
                    .iter()
                    .filter(|message| is_result(message))
                    .filter_map(named_call)
                    .map(Key::from)
                    .collect()
            });
            witnesses
                .iter()
                .filter(|witness| witness.is_object())
                .any(|witness| named_call(witness).is_none_or(|call| !placed.contains(&Key::from(call))))
        }
    };
    let rows = ledger
        .conflicts
        .iter()
        .filter_map(|&(index, row): &LedgerRow<'a>| Some((index, row, row.get("witnesses")?.as_array()?)));
    for (index, row, witnesses) in rows {
        if is_this_turns(row, witnesses) {
            tally.fire(Reason::SourcesConflict, Pointer::row(StateKey::FindingsLedger, index, "kind"));
        }
    }
}
