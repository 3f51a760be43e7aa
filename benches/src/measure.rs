//! Paired rounds and what is reported of them.

use std::fmt;
use std::hint::black_box;
use std::time::Instant;

use serde_json::{Value, json};

/// The ratios of all rounds of one subject against its reference.
pub(crate) struct Measurement {
    pub(crate) name: String,
    pub(crate) limit: f64,
    ratios: Vec<f64>,
    subject_nanos: f64,
}

impl Measurement {
    /// `ratios` holds subject against reference for each round; `subject_nanos` the times of the subject.
    pub(crate) fn new(name: String, limit: f64, ratios: Vec<f64>, subject_nanos: Vec<f64>) -> Self {
        let subject_nanos = quantile(subject_nanos, 0.5);
        Self { name, limit, ratios, subject_nanos }
    }

    fn quantile(&self, part: f64) -> f64 {
        quantile(self.ratios.clone(), part)
    }

    pub(crate) fn is_within_limit(&self) -> bool {
        self.quantile(0.5) <= self.limit
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({
            "name": self.name,
            "median": self.quantile(0.5),
            "p10": self.quantile(0.1),
            "p90": self.quantile(0.9),
            "limit": self.limit,
            "subjectNanos": self.subject_nanos,
        })
    }
}

impl fmt::Display for Measurement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [median, p10, p90] = [0.5, 0.1, 0.9].map(|part| self.quantile(part));
        let verdict = if self.is_within_limit() { "" } else { "  OVER" };
        write!(f, "{:<52} {median:>8.2} {p10:>8.2} {p90:>8.2} {:>8.1}", self.name, self.limit)?;
        write!(f, "{verdict}   ({:.0} ns)", self.subject_nanos)
    }
}

fn quantile(mut numbers: Vec<f64>, part: f64) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(((numbers.len().max(1) - 1) as f64 * part).round() as usize).copied().unwrap_or(f64::NAN)
}

/// The nanoseconds of one call, its result dropped inside the measured section.
pub(crate) fn nanos<T>(run: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    drop(black_box(run()));
    start.elapsed().as_nanos() as f64
}
