//! The ledger of findings: one pass, in which rows are read or laid aside by their kind.

use alloc::vec::Vec;

use serde_json::Value;

use crate::arguments::Arguments;
use crate::calls::Calls;
use crate::period::PeriodRow;
use crate::turn::{named_call, named_calls};

/// A row and its position in the ledger.
pub(crate) type LedgerRow<'a> = (usize, &'a Value);

/// The rows that count for a turn, or whose own rule says whether they do.
#[derive(Default)]
pub(crate) struct Ledger<'a> {
    rows: &'a [Value],
    turn: Option<f64>,
    /// Of this turn.
    pub(crate) arguments: Arguments<'a>,
    /// Of any turn.
    pub(crate) contingent: Vec<LedgerRow<'a>>,
    /// Of this turn.
    pub(crate) periods: Vec<PeriodRow<'a>>,
    /// Of any turn.
    pub(crate) conflicts: Vec<LedgerRow<'a>>,
    /// Of this turn, the last one.
    pub(crate) grounded: Option<LedgerRow<'a>>,
    /// Of this turn.
    pub(crate) steps_unfinished: Vec<LedgerRow<'a>>,
    /// Of this turn.
    pub(crate) time_derived: Vec<LedgerRow<'a>>,
}

/// Which turn's a row is by its own stamp.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stamp {
    ThisTurn,
    OtherTurn,
    /// The row or the state has no number to compare.
    Unstamped,
}

impl<'a> Ledger<'a> {
    pub(crate) fn of(rows: &'a [Value], turn: Option<f64>) -> Self {
        let mut ledger = Self { rows, turn, ..Self::default() };
        for row in rows.iter().enumerate() {
            let kind = row.1.get("kind").and_then(Value::as_str);
            match kind {
                Some("contingent") => ledger.contingent.push(row),
                Some("conflict") => ledger.conflicts.push(row),
                Some(kind) if ledger.is_of_this_turn(row.1) => match kind {
                    "argument" => ledger.arguments.enter(row.0, row.1),
                    "period" => ledger.periods.extend(PeriodRow::of(row.0, row.1)),
                    "grounded" => ledger.grounded = Some(row),
                    "steps-unfinished" => ledger.steps_unfinished.push(row),
                    "time-derived" => ledger.time_derived.push(row),
                    _ => {}
                },
                _ => {}
            }
        }
        ledger
    }

    /// For the kinds that always carry a stamp: without a number of the turn, every row is of this turn.
    fn is_of_this_turn(&self, row: &Value) -> bool {
        self.turn.is_none() || self.stamp(row) == Stamp::ThisTurn
    }

    pub(crate) fn stamp(&self, row: &Value) -> Stamp {
        match (row.get("turn").and_then(Value::as_f64), self.turn) {
            (Some(stamp), Some(turn)) if stamp == turn => Stamp::ThisTurn,
            (Some(_), Some(_)) => Stamp::OtherTurn,
            _ => Stamp::Unstamped,
        }
    }

    /// Whether a turn is known to have come before this one.
    pub(crate) fn is_later_turn(&self) -> bool {
        self.turn.is_some_and(|turn| turn > 1.0)
    }

    /// Where this turn's rows begin: at the first that is stamped with it or, without a stamp, names one of
    /// its calls. Rows of every kind take part.
    pub(crate) fn begin_of_turn(&self, calls: &Calls<'_>) -> Option<usize> {
        self.rows.iter().position(|row| match self.stamp(row) {
            Stamp::ThisTurn => true,
            Stamp::OtherTurn => false,
            Stamp::Unstamped => {
                let own = named_call(row).into_iter();
                let declared_on = row.get("declaredOn").and_then(named_call);
                own.chain(declared_on)
                    .chain(named_calls(row, "carriers"))
                    .chain(named_calls(row, "witnesses"))
                    .any(|call| calls.has(call))
            }
        })
    }
}
