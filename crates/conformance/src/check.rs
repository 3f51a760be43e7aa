//! Running files of vectors: requests that say what result they expect.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::request::{Request, value};

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
    /// The line is not a vector: not JSON, without an op, or without a result to expect.
    Broken,
    /// The op is not one that the implementation has.
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
    /// Those that gave another result or are broken, in order.
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
            Verdict::Failed { .. } | Verdict::Broken => self.failed.push(case),
            Verdict::Deliberate { .. } => self.deliberate.push(case),
        }
    }
}

/// Runs the vectors of a file: `answer` gives the result of a request line, or nothing for an op that it does not
/// know.
///
/// Results compare as JSON values: key order and number spelling do not matter. Texts under `encoded` compare line
/// by line as JSON values. An expected result that nests too deep to be built differs from every result.
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
        let Some(Vector { id, expected }) = Vector::read(line) else {
            report.add(Case { line: number, id: String::new(), verdict: Verdict::Broken });
            continue;
        };
        let verdict = match answer(line) {
            None => Verdict::NotRun,
            Some(actual) if expected.as_ref().is_some_and(|expected| same(expected, &actual)) => {
                Verdict::Passed
            }
            Some(actual) => match deliberate.get(&id) {
                Some(reason) => Verdict::Deliberate { reason: reason.clone() },
                None => Verdict::Failed { expected: expected.unwrap_or_default(), actual },
            },
        };
        report.add(Case { line: number, id, verdict });
    }
    report
}

/// What a vector says beside its request.
struct Vector {
    id: String,
    /// The expected result, or nothing where it nests too deep to be built.
    expected: Option<Value>,
}

impl Vector {
    fn read(line: &[u8]) -> Option<Self> {
        let request = Request::parse(line).ok()?;
        request.optional::<String>("op")?;
        let id = request.raw("id").map(|id| serde_json::from_str(id).unwrap_or_else(|_| id.to_string()));
        let expected = value(request.raw("expect")?);
        Some(Self { id: id.unwrap_or_default(), expected })
    }
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            let same_under =
                |name: &str, a, b| if name == "encoded" { same_encoded(a, b) } else { same(a, b) };
            a.len() == b.len()
                && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same_under(name, a, b)))
        }
        _ => a == b,
    }
}

/// Whether encoded texts hold the same records, a record on each line.
fn same_encoded(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::String(a), Value::String(b)) => {
            a.split('\n').count() == b.split('\n').count()
                && a.split('\n').zip(b.split('\n')).all(|(a, b)| a == b || same_record(a, b))
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_encoded(a, b))
        }
        _ => same(a, b),
    }
}

fn same_record(a: &str, b: &str) -> bool {
    matches!((value(a), value(b)), (Some(a), Some(b)) if same(&a, &b))
}
