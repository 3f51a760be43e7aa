//! Golden files: questions with the outcome that an author expects of each.
//!
//! A golden file holds one JSON object a line: `{"query": "…", "answer": "entry-id"}`,
//! `{"query": "…", "choices": ["entry-id", "entry-id"]}` or `{"query": "…", "miss": true}`.

use answerplane_resolver::{Entry, Resolution, Resolver, Timestamp};
use serde::Deserialize;

use crate::diagnostic::{Diagnostic, Place};
use crate::rule::Rule;

/// A question and the outcome that an author expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// Where it stands.
    pub place: Place,
    /// What is asked.
    pub query: String,
    /// What should come of it.
    pub outcome: Expected,
}

/// The outcome that an author expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The answer of an entry, or of a continuation of it.
    Answer(String),
    /// The choices between these entries, in any order.
    Choices(Vec<String>),
    /// No declared answer.
    Miss,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    query: String,
    answer: Option<String>,
    choices: Option<Vec<String>>,
    miss: Option<bool>,
}

impl Line {
    fn expected(self) -> Option<(String, Expected)> {
        let outcome = match (self.answer, self.choices, self.miss) {
            (Some(id), None, None) => Expected::Answer(id),
            (None, Some(mut ids), None) => {
                ids.sort_unstable();
                Expected::Choices(ids)
            }
            (None, None, Some(true)) => Expected::Miss,
            _ => return None,
        };
        Some((self.query, outcome))
    }
}

/// Reads a golden file; `file` is what findings call it. Blank lines are left out. Every line that is none of the three
/// objects is a finding of [`GoldenSyntax`](Rule::GoldenSyntax).
#[must_use]
pub fn parse(text: &str, file: &str) -> (Vec<Expectation>, Vec<Diagnostic>) {
    let mut expectations = Vec::new();
    let mut problems = Vec::new();
    let text = text.trim_start_matches('\u{feff}');
    for (line, number) in text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()) {
        let place = Place::file(file).line(number);
        match serde_json::from_str(line).ok().and_then(Line::expected) {
            Some((query, outcome)) => expectations.push(Expectation { place, query, outcome }),
            None => problems.push(Diagnostic::new(
                Rule::GoldenSyntax,
                place,
                "this is no question with one of answer, choices and miss",
            )),
        }
    }
    (expectations, problems)
}

/// What does not come out as expected at the instant `now`.
#[must_use]
pub fn check(expectations: &[Expectation], resolver: &Resolver, now: Timestamp) -> Vec<Diagnostic> {
    let broken = expectations.iter().filter_map(|expectation| {
        let found = resolver.resolve(&expectation.query, now);
        let holds = match (&found, &expectation.outcome) {
            (Resolution::Answer(answer), Expected::Answer(id)) => is_or_continues(answer.entry(), id),
            (Resolution::Choices(offer), Expected::Choices(ids)) => {
                let mut offered: Vec<&str> = offer.entries().map(Entry::id).collect();
                offered.sort_unstable();
                offered == *ids
            }
            (Resolution::Escalation(_), Expected::Miss) => true,
            _ => false,
        };
        (!holds).then(|| {
            let message = format!(
                "\"{}\" should be {} and is {}",
                expectation.query,
                expectation.outcome.in_words(),
                in_words(&found)
            );
            Diagnostic::new(Rule::GoldenBroken, expectation.place.clone(), message)
        })
    });
    broken.collect()
}

impl Expected {
    fn in_words(&self) -> String {
        match self {
            Self::Answer(id) => format!("the answer of {id}"),
            Self::Choices(ids) => format!("the choice between {}", ids.join(", ")),
            Self::Miss => "a miss".into(),
        }
    }
}

fn in_words(found: &Resolution<'_>) -> String {
    match found {
        Resolution::Answer(answer) => format!("the answer of {}", answer.entry().id()),
        Resolution::Choices(offer) => {
            let ids: Vec<&str> = offer.entries().map(Entry::id).collect();
            format!("the choice between {}", ids.join(", "))
        }
        Resolution::Escalation(cause) => format!("an escalation ({})", cause.reason()),
    }
}

/// Whether an entry is the one that is meant, or one that continues it.
fn is_or_continues(entry: Entry<'_>, id: &str) -> bool {
    entry.id() == id || continued(entry.id()) == Some(id)
}

/// The id that a continuation's id is made of.
fn continued(id: &str) -> Option<&str> {
    let (base, number) = id.rsplit_once('.')?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(base)
}

#[cfg(test)]
mod tests {
    use super::{Expected, continued, parse};
    use crate::rule::Rule;

    #[test]
    fn the_three_outcomes_are_read() {
        let text = "{\"query\":\"a\",\"answer\":\"x\"}\n\n{\"query\":\"b\",\"choices\":[\"y\",\"x\"]}\n{\"query\":\"c\",\"miss\":true}";
        let (read, found) = parse(text, "golden.jsonl");
        assert_eq!(found, []);
        assert_eq!(read[0].outcome, Expected::Answer("x".into()));
        assert_eq!(read[1].outcome, Expected::Choices(vec!["x".into(), "y".into()]));
        assert_eq!((&read[2].outcome, read[2].place.line), (&Expected::Miss, Some(4)));
    }

    #[test]
    fn every_other_line_is_named() {
        let text = "{}\n{\"query\":\"a\"}\n{\"query\":\"a\",\"answer\":\"x\",\"miss\":true}\n{\"query\":\"a\",\"miss\":false}\n{\"query\":\"a\",\"answer\":\"x\",\"note\":1}\n[";
        let (read, found) = parse(text, "golden.jsonl");
        assert_eq!(read, []);
        assert_eq!(found.len(), 6);
        assert!(found.iter().all(|found| found.rule == Rule::GoldenSyntax));
    }

    #[test]
    fn continuations_have_a_number_at_the_end() {
        assert_eq!(continued("guide.2"), Some("guide"));
        assert_eq!([continued("guide"), continued("guide."), continued("guide.md")], [None; 3]);
    }
}
