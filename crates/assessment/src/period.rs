//! Which periods the results were about, and whether those were the periods asked for.

use alloc::vec::Vec;

use serde_json::Value;

use crate::arguments::Arguments;
use crate::check::Check;
use crate::pointer::Pointer;
use crate::reason::Reason;
use crate::state::StateKey;
use crate::tally::Tally;

/// What the fold needs of a period row.
pub(crate) struct PeriodRow<'a> {
    index: usize,
    call: &'a str,
    argument: Option<&'a str>,
    differs: bool,
    beyond_retention: bool,
    /// What its verdict says against the answer.
    verdict: Option<Reason>,
}

impl<'a> PeriodRow<'a> {
    /// A row that names a call and has a verdict. A verdict of another version says nothing, but is one.
    pub(crate) fn of(index: usize, row: &'a Value) -> Option<Self> {
        let text = |member| row.get(member).and_then(Value::as_str);
        let call = text("toolCallId")?;
        let verdict = match text("verdict")? {
            "not-held" => Some(Reason::PeriodNotHeld),
            "partly-held" => Some(Reason::PeriodPartlyHeld),
            "unknown" => Some(Reason::PeriodUnknown),
            "undeclared" => Some(Reason::PeriodUndeclared),
            _ => None,
        };
        let differs = row.get("differs").is_some_and(Value::is_object);
        let beyond_retention = row.get("beyondRetention") == Some(&Value::Bool(true));
        Some(Self { index, call, argument: text("argument"), differs, beyond_retention, verdict })
    }
}

/// Every row counts: a call id that comes again is another call.
pub(crate) fn fold<'a>(rows: &[PeriodRow<'a>], arguments: &Arguments<'a>, tally: &mut Tally<'a>) {
    let mut witness = Vec::new();
    for row in rows {
        let pointer = |leaf| Pointer::row(StateKey::FindingsLedger, row.index, leaf);
        let fired = [
            (row.differs.then_some(Reason::PeriodDiffersFromAsked), "differs"),
            (row.beyond_retention.then_some(Reason::PeriodBeyondRetention), "beyondRetention"),
            (row.verdict, "verdict"),
        ];
        for (reason, leaf) in fired {
            let Some(reason) = reason else { continue };
            tally.fire(reason, pointer(leaf));
            // The argument that set the period stands beside it.
            if let Some(asked) = row.argument.and_then(|argument| arguments.pointer_of(row.call, argument)) {
                tally.fire(reason, asked);
            }
        }
        witness.push(pointer("verdict"));
    }
    tally.check_all(Check::ResultPeriod, witness);
}
