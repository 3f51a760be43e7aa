//! What the tools declared about their coverage, and what their results say by themselves.

use alloc::vec::Vec;

use serde_json::Value;

use crate::calls::Calls;
use crate::check::Check;
use crate::declarations::Declarations;
use crate::emptiness::{Door, Emptiness};
use crate::envelope::Declared;
use crate::pointer::Pointer;
use crate::reason::Reason;
use crate::state::StateKey;
use crate::tally::Tally;
use crate::turn::{ToolResult, Turn, named_call};

/// A coverage row. All rows of the run count; none carries a turn.
struct CoverageRow<'a> {
    index: usize,
    absence: bool,
    gap: bool,
    call: Option<&'a str>,
}

/// The coverage rows and this turn's results, with their calls.
pub(crate) struct Coverage<'t, 'a> {
    rows: Vec<CoverageRow<'a>>,
    results: Vec<(&'t ToolResult<'a>, Option<usize>)>,
    pub(crate) calls: Calls<'a>,
}

impl<'t, 'a> Coverage<'t, 'a> {
    pub(crate) fn of(rows: &'a [Value], turn: &'t Turn<'a>) -> Self {
        let mut calls = Calls::default();
        let results =
            turn.results.iter().map(|result| (result, result.call.map(|call| calls.enter(call)))).collect();
        let rows: Vec<_> = rows.iter().enumerate().filter_map(read_row).collect();
        for row in &rows {
            if let Some(call) = row.call {
                let position = calls.enter(call);
                let call = calls.at(position);
                call.absence_row |= row.absence;
                call.ledger_row |= !row.absence;
            }
        }
        Self { rows, results, calls }
    }

    /// Rows first, then results, each in its own order.
    pub(crate) fn fold(&mut self, declarations: &Declarations, tally: &mut Tally<'a>) {
        let mut declared = Vec::new();
        for row in &self.rows {
            let pointer = Pointer::row(StateKey::CoverageDeclared, row.index, "kind");
            if row.gap {
                tally.fire(Reason::CoverageGap, pointer.clone());
            }
            if row.absence {
                tally.fire(Reason::DeclaredAbsent, pointer.clone());
            }
            declared.push(pointer);
        }
        let unnamed_rows = self.rows.iter().filter(|row| row.call.is_none()).count();

        let mut readable = Vec::new();
        let (mut unnamed_results, mut unnamed_declare) = (0, 0);
        for (result, call) in &self.results {
            let value = result.content.read();
            let call = call.map(|position| self.calls.at(position));
            let (absence_row, ledger_row) =
                call.as_ref().map_or((false, false), |call| (call.absence_row, call.ledger_row));
            let has_rows = absence_row || ledger_row;
            // Where rows exist they decide, and the result's own envelope is not asked.
            let own = if has_rows { Declared::default() } else { Declared::by(value) };
            let door = if has_rows {
                Door { absent: absence_row, bounded: ledger_row }
            } else {
                Door { absent: own.absent, bounded: own.bounded }
            };
            let read = Emptiness::of(value, door, declarations.rows_at(result.tool));

            if read == Emptiness::DeclaredAbsent && !absence_row {
                tally.fire(Reason::DeclaredAbsent, result.pointer());
            }
            if read == Emptiness::UndeclaredEmpty && !has_rows {
                tally.fire(Reason::EmptyUndeclared, result.pointer());
            }
            if own.gap {
                tally.fire(Reason::CoverageGap, result.pointer());
            }
            if read != Emptiness::Unknown {
                readable.push(result.pointer());
            }
            if own.anything() {
                declared.push(result.pointer());
            }
            match call {
                Some(call) => call.declares |= own.anything(),
                None => {
                    unnamed_results += 1;
                    unnamed_declare += usize::from(own.anything());
                }
            }
        }

        let named = self.calls.iter().filter(|call| call.has_rows() || call.declares).count();
        let ran = named + unnamed_rows + unnamed_declare;
        tally.check(Check::ToolCoverage, ran, self.calls.len() + unnamed_rows + unnamed_results, declared);
        tally.check(Check::ResultShape, readable.len(), self.results.len(), readable);
    }
}

fn read_row((index, row): (usize, &Value)) -> Option<CoverageRow<'_>> {
    let absence = match row.get("kind").and_then(Value::as_str)? {
        "absence" => true,
        "ledger" => false,
        _ => return None,
    };
    let gap = ["notChecked", "cannotCover"]
        .into_iter()
        .any(|list| row.get(list).and_then(Value::as_array).is_some_and(|ground| !ground.is_empty()));
    Some(CoverageRow { index, absence, gap, call: named_call(row) })
}
