//! The standing of an answer as one line for the person who reads it.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use answerplane_normalize::{is_space, truncate_utf16};
use serde_json::Value;

use crate::assessment::Assessment;
use crate::pointer::Pointer;
use crate::projection::Projection;
use crate::reason::Reason;
use crate::record::{Record, Served};
use crate::standing::Standing;
use crate::state::{StateKey, is_placeholder};
use crate::words::{counted, reason_clause, short_check, shown_standing};

/// How many reasons the line names before it counts the rest. Assumed values are never among the counted.
const MAX_CLAUSES: usize = 12;
/// How much of an assumed value or a name the line shows, in UTF-16 units.
const MAX_SHOWN: usize = 200;

/// The values that rules assumed for this turn's calls, for the line to name.
///
/// The one place where text of the record reaches the line; its `Debug` shows counts alone.
#[derive(Clone, Default)]
pub struct AssumedValues {
    values: Vec<AssumedValue>,
    /// A rewrite without origin is behind the reason too.
    rewritten: bool,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct AssumedValue {
    tool: String,
    argument: String,
    /// As JSON; nothing where it is not to be shown.
    shown: Option<String>,
}

impl AssumedValues {
    /// The values behind an assessment, read from the record that it was folded from.
    ///
    /// Each (tool, argument, shown value) stands once, in the order of the witness. A list, an object, an
    /// absent value, and a placeholder of a record served under a policy are not shown.
    #[must_use]
    pub fn read(assessment: &Assessment<'_>, record: Record<'_>) -> Self {
        let mut assumed = Self::default();
        let mut seen = BTreeSet::new();
        let fired = assessment.reasons().iter().find(|fired| fired.reason() == Reason::ArgumentAssumed);
        for pointer in fired.into_iter().flat_map(|fired| fired.witness()) {
            match pointer {
                Pointer::State { key: StateKey::FindingsLedger, path } => {
                    let row = record
                        .state()
                        .and_then(|state| state.get(StateKey::FindingsLedger.as_str())?.get(path.row()?));
                    let Some(value) = row.and_then(|row| read_value(row, record.served())) else { continue };
                    if seen.insert(value.clone()) {
                        assumed.values.push(value);
                    }
                }
                _ => assumed.rewritten = true,
            }
        }
        assumed
    }
}

impl fmt::Debug for AssumedValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AssumedValues")
            .field("values", &self.values.len())
            .field("rewritten", &self.rewritten)
            .finish()
    }
}

fn read_value(row: &Value, served: Served) -> Option<AssumedValue> {
    let name = |member| row.get(member).and_then(Value::as_str).map(one_line);
    let value = row.get("value").filter(|value| {
        !(value.is_array() || value.is_object() || served == Served::UnderPolicy && is_placeholder(value))
    });
    let shown = value.map(|value| match value {
        Value::String(text) => {
            let cut = truncate_utf16(text, MAX_SHOWN);
            quoted(&if cut.len() < text.len() { format!("{cut}…") } else { cut.into() })
        }
        other => other.to_string(),
    });
    let tool = name("toolName").filter(|tool| !tool.is_empty());
    Some(AssumedValue { tool: tool.unwrap_or_else(|| "the tool".into()), argument: name("argument")?, shown })
}

/// A text as JSON that is one line wherever it is shown, and changes no other text's direction.
fn quoted(text: &str) -> String {
    let mut out = String::new();
    for character in Value::from(text).to_string().chars() {
        if moves_text(character) {
            out.push_str(&format!("\\u{:04x}", u32::from(character)));
        } else {
            out.push(character);
        }
    }
    out
}

/// Whether a character begins a line, controls a terminal, or changes the direction of text.
fn moves_text(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

/// A name on one line: characters that move text and runs of white space are one space.
fn one_line(name: &str) -> String {
    let words = name.split(|character: char| moves_text(character) || is_space(character));
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    truncate_utf16(&words.join(" "), MAX_SHOWN).into()
}

/// One line that says how an answer stands and why, and never that the answer is true. Whatever a record holds,
/// it has no line break, control character or change of direction in it.
///
/// For an answer that is not sure it names every assumed value, and at most twelve further reasons.
/// `assumed` is that of the same assessment; an empty one (of a projection that was read back, say) names no
/// value.
///
/// ```
/// use answerplane_assessment::{AssumedValues, Declarations, Projection, Record, assess, standing_line};
/// use serde_json::json;
///
/// let record = json!({ "snapshot": { "sharedState": { "findingsLedger": [{
///     "kind": "argument", "toolCallId": "c1", "toolName": "search_logs", "argument": "window",
///     "rule": "assume", "source": "default", "value": "2h"
/// }] } } });
/// let record = Record::new(&record)?;
/// let assessment = assess(record, &Declarations::default());
/// let line = standing_line(&Projection::of(&assessment), &AssumedValues::read(&assessment, record));
/// assert_eq!(line, "Not sure — window = \"2h\" was assumed by search_logs, you did not give it.");
/// # Ok::<(), answerplane_assessment::CallerError>(())
/// ```
#[must_use]
pub fn standing_line(projection: &Projection, assumed: &AssumedValues) -> String {
    let rest = match projection.standing() {
        Standing::Ask => "the run stopped to ask first, before it could answer.".into(),
        Standing::Known => "the app's checks passed exactly this answer.".into(),
        Standing::NotAssessed => "no check applied to this answer.".into(),
        Standing::Consistent => {
            let ran = projection.checked().iter().filter(|count| count.ran() > 0);
            let names = ran.clone().map(|count| short_check(count.check()));
            let mut seen = BTreeSet::new();
            let names: Vec<_> = names.filter(|name| seen.insert(*name)).collect();
            let (ran, names) = (ran.count(), names.join(" · "));
            let none = if ran == 1 { "and did not fire" } else { "and none of them fired" };
            format!("{} ran {none} ({names}). That is not a verification.", counted(ran, "check"))
        }
        Standing::NotSure => format!("{}.", clauses(projection, assumed).join("; ")),
    };
    format!("{} — {rest}", shown_standing(projection.standing()))
}

fn clauses(projection: &Projection, assumed: &AssumedValues) -> Vec<String> {
    let mut clauses = Vec::new();
    let mut named = 0;
    for &reason in projection.reasons() {
        if reason == Reason::ArgumentAssumed {
            clauses.extend(assumed.values.iter().map(assumed_clause));
            if assumed.rewritten || assumed.values.is_empty() {
                clauses.push(reason_clause(reason).into());
            }
            continue;
        }
        if named < MAX_CLAUSES {
            clauses.push(reason_clause(reason).into());
        }
        named += 1;
    }
    if named > MAX_CLAUSES {
        clauses.push(format!("and {} more, which the run's record holds", named - MAX_CLAUSES));
    }
    clauses
}

fn assumed_clause(value: &AssumedValue) -> String {
    let AssumedValue { tool, argument, shown } = value;
    match shown {
        Some(shown) => format!("{argument} = {shown} was assumed by {tool}, you did not give it"),
        None => format!("{argument} was assumed by {tool} (its value is hidden), you did not give it"),
    }
}

/// An answer with its line below: the answer without white space at its end, a rule, the line, and then what
/// limits travel with the answer, if any.
///
/// Only for an answer in prose. Beside a typed answer, or one that is checked byte for byte, the line would
/// change what was judged.
///
/// ```
/// use answerplane_assessment::below_answer;
///
/// assert_eq!(below_answer("Two.\n", "Not assessed — …", None), "Two.\n\n---\n\nNot assessed — …");
/// ```
#[must_use]
pub fn below_answer(answer: &str, line: &str, limits: Option<&str>) -> String {
    let mut out = format!("{}\n\n---\n\n{line}", answer.trim_end_matches(is_space));
    if let Some(limits) = limits {
        out.push_str("\n\n");
        out.push_str(limits);
    }
    out
}
