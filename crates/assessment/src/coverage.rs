//! What the tools declared about their coverage, and what their results say by themselves.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use serde_json::Value;

use crate::calls::Calls;
use crate::check::Check;
use crate::declarations::Declarations;
use crate::emptiness::{Door, Emptiness};
use crate::envelope::Declared;
use crate::json::Json;
use crate::pointer::Pointer;
use crate::reason::Reason;
use crate::state::StateKey;
use crate::tally::Tally;
use crate::turn::named_call;

/// A coverage row. All rows of the run count; none carries a turn.
struct CoverageRow {
    index: usize,
    absence: bool,
    gap: bool,
    call: Option<usize>,
}

/// What came out of reading a result.
struct ToolResult {
    index: usize,
    call: Option<usize>,
    absence_row: bool,
    has_rows: bool,
    /// What it declares by itself; nothing where rows decide.
    own: Declared,
    read: Emptiness,
}

/// The coverage rows and this turn's results, with their calls.
pub(crate) struct Coverage<'a> {
    rows: Vec<CoverageRow>,
    results: Vec<ToolResult>,
    pub(crate) calls: Calls<'a>,
}

impl<'a> Coverage<'a> {
    /// The rows, before any result: they decide how a result is read.
    pub(crate) fn of(rows: &'a [Value]) -> Self {
        let mut calls = Calls::default();
        let mut coverage = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            let absence = match row.get("kind").and_then(Value::as_str) {
                Some("absence") => true,
                Some("ledger") => false,
                _ => continue,
            };
            let gap = ["notChecked", "cannotCover"]
                .into_iter()
                .any(|list| row.get(list).and_then(Value::as_array).is_some_and(|ground| !ground.is_empty()));
            let call = named_call(row).map(|call| calls.enter(call));
            if let Some(call) = call {
                let call = calls.at(call);
                call.absence_row |= absence;
                call.ledger_row |= !absence;
            }
            coverage.push(CoverageRow { index, absence, gap, call });
        }
        Self { rows: coverage, results: Vec::new(), calls }
    }

    /// Reads a result, from the last to the first.
    pub(crate) fn read(&mut self, index: usize, message: &'a Value, declarations: &Declarations) {
        let value = Json::of_content(message);
        let call = named_call(message).map(|call| self.calls.enter(call));
        let (absence_row, ledger_row) = call.map_or((false, false), |call| {
            let call = self.calls.at(call);
            (call.absence_row, call.ledger_row)
        });
        let has_rows = absence_row || ledger_row;
        // Where rows exist they decide, and the result's own envelope is not asked.
        let own = if has_rows { Declared::default() } else { Declared::by(value) };
        let door = if has_rows {
            Door { absent: absence_row, bounded: ledger_row }
        } else {
            Door { absent: own.absent, bounded: own.bounded }
        };
        let rows_at = || declarations.rows_at(message.get("toolName").and_then(Value::as_str));
        let read = Emptiness::of(value, door, rows_at);
        if let Some(call) = call {
            self.calls.at(call).declares |= own.anything();
        }
        self.results.push(ToolResult { index, call, absence_row, has_rows, own, read });
    }

    /// Rows first, then results, each in its own order.
    pub(crate) fn fold(&mut self, tally: &mut Tally<'a>) {
        self.results.reverse();
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

        let mut readable = Vec::new();
        for result in &self.results {
            let id = result.call.map(|call| self.calls.at(call).id);
            let pointer = || Pointer::History { index: result.index, call: id.map(Cow::Borrowed) };
            if result.read == Emptiness::DeclaredAbsent && !result.absence_row {
                tally.fire(Reason::DeclaredAbsent, pointer());
            }
            if result.read == Emptiness::UndeclaredEmpty && !result.has_rows {
                tally.fire(Reason::EmptyUndeclared, pointer());
            }
            if result.own.gap {
                tally.fire(Reason::CoverageGap, pointer());
            }
            if result.read != Emptiness::Unknown {
                readable.push(pointer());
            }
            if result.own.anything() {
                declared.push(pointer());
            }
        }

        // What names no call counts on its own.
        let unnamed_rows = self.rows.iter().filter(|row| row.call.is_none()).count();
        let unnamed = || self.results.iter().filter(|result| result.call.is_none());
        let unnamed_declaring = unnamed().filter(|result| result.own.anything()).count();
        let ran = self.calls.declaring() + unnamed_rows + unnamed_declaring;
        let of = self.calls.len() + unnamed_rows + unnamed().count();
        tally.check(Check::ToolCoverage, ran, of, declared);
        tally.check(Check::ResultShape, readable.len(), self.results.len(), readable);
    }

    /// The ids of this turn's calls in first-seen order: those of results, then those of rows. After
    /// [`Coverage::fold`].
    pub(crate) fn rests_on(&self) -> Vec<Cow<'a, str>> {
        let results = self.results.iter().filter_map(|result| result.call);
        self.calls.ids_in_order(results.chain(self.rows.iter().filter_map(|row| row.call)))
    }
}
