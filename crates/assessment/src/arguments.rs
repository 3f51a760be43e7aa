//! What the calls were given: argument rows, the run's own question for them, and rewrites by middleware.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use serde_json::{Map, Value};

use crate::check::Check;
use crate::key::Key;
use crate::ledger::Ledger;
use crate::pointer::Pointer;
use crate::reason::Reason;
use crate::state::StateKey;
use crate::tally::Tally;

/// The current argument rows: of each argument of each call, the last.
#[derive(Default)]
pub(crate) struct Arguments<'a> {
    rows: Vec<ArgumentRow<'a>>,
    positions: BTreeMap<(Key<'a>, Key<'a>), usize>,
    /// The rows of each call, calls and arguments in first-seen order.
    by_call: Vec<Vec<usize>>,
}

struct ArgumentRow<'a> {
    index: usize,
    /// Its call and its argument.
    key: (Key<'a>, Key<'a>),
    row: &'a Value,
}

impl<'a> ArgumentRow<'a> {
    fn text(&self, member: &str) -> Option<&'a str> {
        self.row.get(member).and_then(Value::as_str)
    }

    fn pointer(&self, leaf: &'static str) -> Pointer<'a> {
        Pointer::row(StateKey::FindingsLedger, self.index, leaf)
    }

    fn is_asked(&self) -> bool {
        self.text("asked").is_some() && self.text("source").is_none()
    }

    /// What the row says against its value; a member that is null is present.
    fn reason(&self) -> Option<Reason> {
        let source = self.text("source");
        let is_ruled = self.row.get("rule").is_some() || is_true(self.row, "period");
        match source {
            Some("default") => Some(Reason::ArgumentAssumed),
            Some("model") if is_ruled => Some(Reason::ArgumentUnverified),
            _ if self.row.get("failed").is_some() => Some(Reason::ArgumentUnverified),
            Some("said") if is_true(self.row, "reading") => Some(Reason::ArgumentRead),
            Some("result") if self.text("setAside").is_some() => Some(Reason::ValueContingent),
            _ => None,
        }
    }
}

impl<'a> Arguments<'a> {
    pub(crate) fn of(ledger: &Ledger<'a>) -> Self {
        let mut arguments = Self::default();
        let mut calls = BTreeMap::new();
        for &(index, row) in &ledger.arguments {
            let text = |member| row.get(member).and_then(Value::as_str);
            let Some((call, argument)) = text("toolCallId").zip(text("argument")) else { continue };
            let key = (call.into(), argument.into());
            let next = arguments.rows.len();
            let position = *arguments.positions.entry(key).or_insert(next);
            if position < next {
                arguments.rows[position] = ArgumentRow { index, key, row };
                continue;
            }
            arguments.rows.push(ArgumentRow { index, key, row });
            let call = *calls.entry(Key::from(call)).or_insert(arguments.by_call.len());
            if call == arguments.by_call.len() {
                arguments.by_call.push(Vec::new());
            }
            arguments.by_call[call].push(position);
        }
        arguments
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The current row of an argument of a call.
    pub(crate) fn pointer_of(&self, call: &str, argument: &str) -> Option<Pointer<'a>> {
        let position = self.positions.get(&(call.into(), argument.into()))?;
        Some(self.rows.get(*position)?.pointer("argument"))
    }

    fn iter(&self) -> impl Iterator<Item = &ArgumentRow<'a>> {
        self.by_call.iter().flatten().filter_map(|position| self.rows.get(*position))
    }

    /// `ask` is the run's own question, `decisions` are the rows of the middleware.
    pub(crate) fn fold(
        &self,
        ask: Option<&'a Map<alloc::string::String, Value>>,
        decisions: &'a [Value],
        tally: &mut Tally<'a>,
    ) {
        if ask.and_then(|ask| ask.get("waiting")).is_some_and(Value::is_object) {
            tally.fire(Reason::ArgumentAsked, Pointer::whole(StateKey::ArgumentAsk, "waiting/requestId"));
            for row in self.iter().filter(|row| row.is_asked()) {
                tally.fire(Reason::ArgumentAsked, row.pointer("asked"));
            }
        }

        let rewrites = rewrites(decisions);
        let (mut ruled, mut verdicts, mut judged) = (Vec::new(), Vec::new(), 0);
        for row in self.iter() {
            // A rewrite replaced the value, so what the row says of its source no longer matters.
            if let Some(rewrite) = rewrites.get(&row.key) {
                if !matches!(rewrite.origin, Some("person" | "app")) {
                    let at = Pointer::row(StateKey::MiddlewareDecisions, rewrite.index, "changedKeys");
                    tally.fire(Reason::ArgumentAssumed, at);
                }
            } else if let Some(reason) = row.reason() {
                tally.fire(reason, row.pointer("argument"));
            }
            ruled.push(row.pointer("argument"));
            if row.text("claimed").is_some() {
                judged += 1;
                if row.text("failed") != Some("uncheckable") {
                    verdicts.push(row.pointer("claimed"));
                }
            }
        }
        tally.check_all(Check::ArgumentRules, ruled);
        tally.check(Check::ArgumentSources, verdicts.len(), judged, verdicts);
    }
}

/// The last change that middleware made to an argument.
struct Rewrite<'a> {
    index: usize,
    origin: Option<&'a str>,
}

fn rewrites(decisions: &[Value]) -> BTreeMap<(Key<'_>, Key<'_>), Rewrite<'_>> {
    let mut rewrites = BTreeMap::new();
    for (index, row) in decisions.iter().enumerate() {
        let text = |member| row.get(member).and_then(Value::as_str);
        let changed = row.get("changedKeys").and_then(Value::as_array);
        let (Some("tool"), Some(call), Some(changed)) = (text("at"), text("toolCallId"), changed) else {
            continue;
        };
        for argument in changed.iter().filter_map(Value::as_str) {
            let origin = row.get("from").and_then(|from| from.get(argument)).and_then(Value::as_str);
            rewrites.insert((call.into(), argument.into()), Rewrite { index, origin });
        }
    }
    rewrites
}

fn is_true(row: &Value, member: &str) -> bool {
    row.get(member) == Some(&Value::Bool(true))
}
