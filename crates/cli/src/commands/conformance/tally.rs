//! What became of the vectors of a file, however large the results were.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use answerplane_conformance::{Report, Verdict};
use serde::{Serialize, Serializer};
use serde_json::Value;

/// How many bytes of a value are kept.
const VALUE_BYTES: usize = 4 << 10;
/// Of how many differences the values are kept.
const WITH_VALUES: usize = 1_000;

/// What became of the vectors of a file.
#[derive(Default)]
pub(super) struct Tally {
    passed: usize,
    not_run: usize,
    /// Those that gave another result or are no vectors.
    failed: Vec<Case>,
    /// Those that give another result on purpose.
    deliberate: Vec<Case>,
}

/// A vector with something to say about it.
#[derive(Serialize)]
pub(super) struct Case {
    /// The line in the file, counted from 1.
    pub(super) line: usize,
    /// The vector's id, or nothing.
    pub(super) id: String,
    #[serde(flatten)]
    pub(super) finding: Finding,
}

/// What is to be said.
#[derive(Serialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub(super) enum Finding {
    /// The result is another one.
    Failed {
        /// The expected result.
        expected: Kept,
        /// The result.
        actual: Kept,
    },
    /// The result is another one, on purpose.
    Deliberate {
        /// Why.
        reason: String,
    },
    /// The line is no vector: not JSON, without an op, or without a result to expect.
    Broken,
}

/// A value, or the beginning of the text of one that is too large to be kept.
pub(super) enum Kept {
    Whole(Value),
    Beginning(String),
}

impl Tally {
    /// Adds what became of one line.
    pub(super) fn add(&mut self, line: usize, report: Report) {
        let Report { passed, not_run, failed, deliberate } = report;
        self.passed += passed;
        self.not_run += not_run;
        for case in failed {
            let finding = Finding::of(case.verdict, self.failed.len() < WITH_VALUES);
            self.failed.push(Case { line, id: case.id, finding });
        }
        for case in deliberate {
            let finding = Finding::of(case.verdict, true);
            self.deliberate.push(Case { line, id: case.id, finding });
        }
    }

    /// Puts what was added into the order of the file.
    pub(super) fn sort(&mut self) {
        self.failed.sort_by_key(|case| case.line);
        self.deliberate.sort_by_key(|case| case.line);
    }

    /// Whether at least one vector was run and none failed.
    pub(super) fn is_good(&self) -> bool {
        self.failed.is_empty() && self.run() > 0
    }

    /// How many vectors have a result.
    pub(super) fn run(&self) -> usize {
        self.passed + self.failed.len() + self.deliberate.len()
    }

    /// Those that gave another result or are no vectors, in the order of the file.
    pub(super) fn failed(&self) -> impl ExactSizeIterator<Item = &Case> {
        self.failed.iter()
    }

    /// Those that give another result on purpose, in the order of the file.
    pub(super) fn deliberate(&self) -> impl ExactSizeIterator<Item = &Case> {
        self.deliberate.iter()
    }

    pub(super) fn counts(&self) -> String {
        let Self { passed, not_run, failed, deliberate } = self;
        format!(
            "{passed} passed, {} failed, {} deliberate, {not_run} not run",
            failed.len(),
            deliberate.len()
        )
    }

    /// Everything, for programs.
    pub(super) fn report(&self, path: &Path) -> impl Serialize {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Everything<'a> {
            file: String,
            passed: usize,
            failed: &'a [Case],
            deliberate: &'a [Case],
            not_run: usize,
        }

        Everything {
            file: path.to_string_lossy().into_owned(),
            passed: self.passed,
            failed: &self.failed,
            deliberate: &self.deliberate,
            not_run: self.not_run,
        }
    }
}

impl Finding {
    fn of(verdict: Verdict, with_values: bool) -> Self {
        let kept = |value| if with_values { Kept::of(value) } else { Kept::Beginning("…".into()) };
        match verdict {
            Verdict::Failed { expected, actual } => {
                Self::Failed { expected: kept(expected), actual: kept(actual) }
            }
            Verdict::Deliberate { reason } => Self::Deliberate { reason },
            // Of the others only this has something to be said about.
            Verdict::Broken | Verdict::Passed | Verdict::NotRun => Self::Broken,
        }
    }
}

impl Kept {
    fn of(value: Value) -> Self {
        let mut beginning = Beginning(Vec::new());
        if serde_json::to_writer(&mut beginning, &value).is_ok() {
            return Self::Whole(value);
        }
        let Beginning(mut bytes) = beginning;
        if let Err(error) = std::str::from_utf8(&bytes) {
            bytes.truncate(error.valid_up_to());
        }
        Self::Beginning(String::from_utf8(bytes).unwrap_or_default() + "…")
    }
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(value) => value.fmt(f),
            Self::Beginning(text) => f.write_str(text),
        }
    }
}

impl Serialize for Kept {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        match self {
            Self::Whole(value) => value.serialize(serializer),
            Self::Beginning(text) => text.serialize(serializer),
        }
    }
}

/// The beginning of a text; writing more fails.
struct Beginning(Vec<u8>);

impl Write for Beginning {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = VALUE_BYTES - self.0.len();
        self.0.extend_from_slice(&bytes[..bytes.len().min(room)]);
        if bytes.len() > room { Err(io::ErrorKind::StorageFull.into()) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
