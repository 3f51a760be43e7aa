//! What the calls were given: argument rows, the run's own question for them, and rewrites by middleware.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::{Map, Value};

use crate::check::Check;
use crate::key::Key;
use crate::pointer::Pointer;
use crate::reason::Reason;
use crate::state::StateKey;
use crate::tally::Tally;

/// The current argument rows: of each argument of each call, the last.
#[derive(Default)]
pub(crate) struct Arguments<'a> {
    rows: Vec<ArgumentRow<'a>>,
    positions: BTreeMap<(Key<'a>, Key<'a>), usize>,
    calls: BTreeMap<Key<'a>, usize>,
}

/// What the fold needs of an argument row.
struct ArgumentRow<'a> {
    index: usize,
    /// Its call and its argument.
    key: (Key<'a>, Key<'a>),
    /// The place of its call among the calls, first seen first.
    call: usize,
    /// What it says against its value.
    reason: Option<Reason>,
    asked: bool,
    claim: Claim,
}

/// Whether a source was claimed for a value, and checked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Claim {
    None,
    Uncheckable,
    Judged,
}

impl<'a> ArgumentRow<'a> {
    /// A member that is null is present.
    fn of(index: usize, key: (Key<'a>, Key<'a>), call: usize, row: &Value) -> Self {
        let text = |member| row.get(member).and_then(Value::as_str);
        let (source, failed) = (text("source"), row.get("failed"));
        let is_ruled = || row.get("rule").is_some() || is_true(row, "period");
        let reason = match source {
            Some("default") => Some(Reason::ArgumentAssumed),
            Some("model") if is_ruled() => Some(Reason::ArgumentUnverified),
            _ if failed.is_some() => Some(Reason::ArgumentUnverified),
            Some("said") if is_true(row, "reading") => Some(Reason::ArgumentRead),
            Some("result") if text("setAside").is_some() => Some(Reason::ValueContingent),
            _ => None,
        };
        let claim = match text("claimed") {
            None => Claim::None,
            Some(_) if failed.and_then(Value::as_str) == Some("uncheckable") => Claim::Uncheckable,
            Some(_) => Claim::Judged,
        };
        Self { index, key, call, reason, asked: text("asked").is_some() && source.is_none(), claim }
    }

    fn pointer(&self, leaf: &'static str) -> Pointer<'a> {
        Pointer::row(StateKey::FindingsLedger, self.index, leaf)
    }
}

impl<'a> Arguments<'a> {
    /// One more row. It takes the place of an earlier one on the same argument.
    pub(crate) fn enter(&mut self, index: usize, row: &'a Value) {
        let text = |member| row.get(member).and_then(Value::as_str);
        let Some((call, argument)) = text("toolCallId").zip(text("argument")) else { return };
        let key = (call.into(), argument.into());
        let next = self.calls.len();
        let call = *self.calls.entry(key.0).or_insert(next);
        let row = ArgumentRow::of(index, key, call, row);
        let position = *self.positions.entry(key).or_insert(self.rows.len());
        match self.rows.get_mut(position) {
            Some(earlier) => *earlier = row,
            None => self.rows.push(row),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The current row of an argument of a call.
    pub(crate) fn pointer_of(&self, call: &str, argument: &str) -> Option<Pointer<'a>> {
        let position = self.positions.get(&(call.into(), argument.into()))?;
        Some(self.rows.get(*position)?.pointer("argument"))
    }

    /// The rows, call by call, calls and arguments in first-seen order.
    fn in_order(&self) -> Vec<&ArgumentRow<'a>> {
        let mut rows: Vec<_> = self.rows.iter().collect();
        rows.sort_by_key(|row| row.call);
        rows
    }

    /// `ask` is the run's own question, `decisions` are the rows of the middleware.
    pub(crate) fn fold(
        &self,
        ask: Option<&'a Map<String, Value>>,
        decisions: &'a [Value],
        tally: &mut Tally<'a>,
    ) {
        let rows = self.in_order();
        if ask.and_then(|ask| ask.get("waiting")).is_some_and(Value::is_object) {
            tally.fire(Reason::ArgumentAsked, Pointer::whole(StateKey::ArgumentAsk, "waiting/requestId"));
            for row in rows.iter().filter(|row| row.asked) {
                tally.fire(Reason::ArgumentAsked, row.pointer("asked"));
            }
        }

        let rewrites = rewrites(decisions);
        let (mut ruled, mut verdicts, mut judged) = (Vec::new(), Vec::new(), 0);
        for row in rows {
            // A rewrite replaced the value, so what the row says of its source no longer matters.
            if let Some(rewrite) = rewrites.get(&row.key) {
                if !matches!(rewrite.origin, Some("person" | "app")) {
                    let at = Pointer::row(StateKey::MiddlewareDecisions, rewrite.index, "changedKeys");
                    tally.fire(Reason::ArgumentAssumed, at);
                }
            } else if let Some(reason) = row.reason {
                tally.fire(reason, row.pointer("argument"));
            }
            ruled.push(row.pointer("argument"));
            judged += usize::from(row.claim != Claim::None);
            if row.claim == Claim::Judged {
                verdicts.push(row.pointer("claimed"));
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
