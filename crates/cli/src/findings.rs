//! Findings of the author's tools, for people and for programs.

use answerplane_author::{Diagnostic, Level, Place};
use serde::Serialize;
use serde_json::{Value, json};

use crate::output::{BAD, CAUTION, FAINT, Output, STRONG};

/// How many other places of a finding are shown to a person.
const RELATED: usize = 4;

/// How many findings there are of each level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Counts {
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    pub(crate) notes: usize,
}

impl Counts {
    pub(crate) fn of(findings: &[Diagnostic]) -> Self {
        let count = |level| findings.iter().filter(|finding| finding.level == level).count();
        Self { errors: count(Level::Error), warnings: count(Level::Warning), notes: count(Level::Note) }
    }

    /// As in `1 error, 2 warnings`.
    pub(crate) fn in_words(self) -> String {
        let words = [(self.errors, "error"), (self.warnings, "warning"), (self.notes, "note")];
        let words = words.iter().filter(|(count, _)| *count > 0);
        let words: Vec<String> = words
            .map(|(count, word)| format!("{count} {word}{}", if *count == 1 { "" } else { "s" }))
            .collect();
        if words.is_empty() { "nothing found".to_owned() } else { words.join(", ") }
    }
}

/// Prints findings for a person: place, level, code and message, other places, remedy.
pub(crate) fn show(findings: &[Diagnostic], output: &mut Output) {
    for finding in findings {
        let style = match finding.level {
            Level::Error => BAD,
            Level::Warning => CAUTION,
            Level::Note => FAINT,
        };
        output.styled(STRONG, &finding.place.to_string()).end_line();
        output.print("  ").styled(style, finding.level.as_str()).print(" ").print(finding.rule.code());
        output.print(": ").print(&finding.message);
        if let (Some(limit), Some(actual)) = (finding.limit, finding.actual) {
            output.print(&format!(" ({actual}, at most {limit})"));
        }
        output.end_line();
        if !finding.related.is_empty() {
            let mut places: Vec<String> =
                finding.related.iter().take(RELATED).map(Place::to_string).collect();
            if finding.related.len() > RELATED {
                places.push(format!("and {} more", finding.related.len() - RELATED));
            }
            output.styled(FAINT, &format!("  see {}", places.join(", "))).end_line();
        }
        output.styled(FAINT, &format!("  {}", finding.remedy())).end_line();
    }
}

/// Findings for programs, each with its remedy.
pub(crate) fn report(findings: &[Diagnostic]) -> Value {
    let all = findings.iter().map(|finding| {
        let mut value = json!(finding);
        value["remedy"] = finding.remedy().into();
        value
    });
    let mut report = json!(Counts::of(findings));
    report["diagnostics"] = all.collect();
    report
}
