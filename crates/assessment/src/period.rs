//! Which periods the results were about, and whether those were the periods asked for.

use alloc::vec::Vec;

use serde_json::Value;

use crate::arguments::Arguments;
use crate::check::Check;
use crate::ledger::Ledger;
use crate::pointer::Pointer;
use crate::reason::Reason;
use crate::state::StateKey;
use crate::tally::Tally;

/// Every row counts: a call id that comes again is another call.
pub(crate) fn fold<'a>(ledger: &Ledger<'a>, arguments: &Arguments<'a>, tally: &mut Tally<'a>) {
    let mut witness = Vec::new();
    for &(index, row) in &ledger.periods {
        let text = |member| row.get(member).and_then(Value::as_str);
        let Some((call, verdict)) = text("toolCallId").zip(text("verdict")) else { continue };
        let asked = text("argument").and_then(|argument| arguments.pointer_of(call, argument));
        let mut fire = |reason, leaf| {
            tally.fire(reason, Pointer::row(StateKey::FindingsLedger, index, leaf));
            if let Some(asked) = &asked {
                tally.fire(reason, asked.clone());
            }
        };
        if row.get("differs").is_some_and(Value::is_object) {
            fire(Reason::PeriodDiffersFromAsked, "differs");
        }
        if row.get("beyondRetention") == Some(&Value::Bool(true)) {
            fire(Reason::PeriodBeyondRetention, "beyondRetention");
        }
        match verdict {
            "not-held" => fire(Reason::PeriodNotHeld, "verdict"),
            "partly-held" => fire(Reason::PeriodPartlyHeld, "verdict"),
            "unknown" => fire(Reason::PeriodUnknown, "verdict"),
            "undeclared" => fire(Reason::PeriodUndeclared, "verdict"),
            _ => {}
        }
        witness.push(Pointer::row(StateKey::FindingsLedger, index, "verdict"));
    }
    tally.check_all(Check::ResultPeriod, witness);
}
