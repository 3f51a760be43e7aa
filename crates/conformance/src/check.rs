//! Running files of vectors: requests that say what result they expect.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

/// Vectors that this implementation answers otherwise on purpose: id and reason.
pub type Deliberate = BTreeMap<String, String>;

/// One line of a vector file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Case {
    /// The line in the file, counted from 1.
    pub line: usize,
    /// The vector's id, or nothing.
    pub id: String,
    /// What became of it.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// What became of a vector.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum Verdict {
    /// The result is the expected one.
    Passed,
    /// The result is another one.
    Failed {
        /// The expected result.
        expected: Value,
        /// The result.
        actual: Value,
    },
    /// The result is another one, on purpose.
    Deliberate {
        /// Why.
        reason: String,
    },
    /// The op is not one that was asked for, or the line expects nothing.
    NotRun,
}

/// What became of the vectors of one file.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// How many gave the expected result.
    pub passed: usize,
    /// How many were not run.
    pub not_run: usize,
    /// Those that gave another result, in order.
    pub failed: Vec<Case>,
    /// Those that give another result on purpose, in order.
    pub deliberate: Vec<Case>,
}

impl Report {
    /// Whether at least one vector was run and none failed.
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.failed.is_empty() && self.passed + self.deliberate.len() > 0
    }

    fn add(&mut self, case: Case) {
        match case.verdict {
            Verdict::Passed => self.passed += 1,
            Verdict::NotRun => self.not_run += 1,
            Verdict::Failed { .. } => self.failed.push(case),
            Verdict::Deliberate { .. } => self.deliberate.push(case),
        }
    }
}

/// Runs the vectors of a file: `answer` gives the result of a request line, or nothing for an op that it does not
/// know.
///
/// Results compare as JSON values: key order and number spelling do not matter.
///
/// ```
/// use answerplane_conformance::{Deliberate, check, respond};
///
/// let file = br#"{"id":"n-1","op":"normalize","value":"A","expect":{"output":"a","length":1.0}}"#;
/// let report = check(file, &Deliberate::new(), |line| Some(respond(line)));
/// assert!(report.is_good());
/// ```
pub fn check(file: &[u8], deliberate: &Deliberate, mut answer: impl FnMut(&[u8]) -> Option<Value>) -> Report {
    let mut report = Report::default();
    for (line, number) in file.split(|byte| *byte == b'\n').zip(1..) {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let Head { id, expect } = serde_json::from_slice(line).unwrap_or_default();
        let verdict = match (expect, answer(line)) {
            (Some(expected), Some(actual)) if same(&expected, &actual) => Verdict::Passed,
            (Some(expected), Some(actual)) => match deliberate.get(&id) {
                Some(reason) => Verdict::Deliberate { reason: reason.clone() },
                None => Verdict::Failed { expected, actual },
            },
            _ => Verdict::NotRun,
        };
        report.add(Case { line: number, id, verdict });
    }
    report
}

/// What a vector says beside its request. The request itself may nest deeper than a value can.
#[derive(Default, serde::Deserialize)]
struct Head {
    #[serde(default)]
    id: String,
    expect: Option<Value>,
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}
