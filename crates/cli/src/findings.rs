//! What was found in sources or artifacts, for people and for programs.

use answerplane_author::{Diagnostic, Level, Rule, sarif};
use serde::Serialize;

use crate::figures::{counted, grouped};
use crate::output::{BAD, CAUTION, FAINT, Output, STRONG};
use crate::status::Status;

/// How many findings of a rule are shown to a person; `--verbose` and `--json` have all.
const SHOWN: usize = 20;

/// What was found, in the order in which it is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct Findings(Vec<Diagnostic>);

impl Findings {
    pub(crate) fn new(mut found: Vec<Diagnostic>) -> Self {
        found.sort_by(|a, b| b.level.cmp(&a.level).then_with(|| a.place.cmp(&b.place)));
        Self(found)
    }

    /// 2 for what is unreadable, 1 for errors, 0 otherwise.
    pub(crate) fn status(&self) -> Status {
        if self.0.iter().any(|found| found.rule == Rule::Unreadable) {
            return Status::Undone;
        }
        Status::good_if(!answerplane_author::has_errors(&self.0))
    }

    /// Whether nothing of this level was found.
    pub(crate) fn has_no(&self, level: Level) -> bool {
        self.count(level) == 0
    }

    /// As in `1 error, 2 warnings`.
    pub(crate) fn in_words(&self) -> String {
        let levels = [Level::Error, Level::Warning, Level::Note].map(|level| (level, self.count(level)));
        let words = levels
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(level, count)| counted(*count, level.as_str()));
        let words: Vec<String> = words.collect();
        if words.is_empty() { "nothing found".to_owned() } else { words.join(", ") }
    }

    fn count(&self, level: Level) -> usize {
        self.0.iter().filter(|found| found.level == level).count()
    }

    /// SARIF 2.1.0.
    pub(crate) fn sarif(&self) -> sarif::Log {
        sarif::log(&self.0)
    }

    /// Everything for a person: errors and warnings, and where all is wanted notes too; otherwise how many.
    pub(crate) fn show(&self, all: bool, output: &mut Output) {
        let mut shown: Vec<(Rule, usize)> = Vec::new();
        for found in &self.0 {
            if found.level == Level::Note && !all {
                continue;
            }
            let count = match shown.iter_mut().find(|(rule, _)| *rule == found.rule) {
                Some((_, count)) => {
                    *count += 1;
                    *count
                }
                None => {
                    shown.push((found.rule, 1));
                    1
                }
            };
            if all || count <= SHOWN {
                show(found, output);
            }
        }
        for (rule, count) in shown.iter().filter(|(_, count)| !all && *count > SHOWN) {
            let more = format!("and {} more of {rule} (--json has all)", grouped(count - SHOWN));
            output.styled(FAINT, &more).end_line();
        }
        let notes = self.0.iter().filter(|found| found.level == Level::Note).count();
        if notes > 0 && !all {
            let message = format!("{} on what was added or left out (--verbose)", counted(notes, "note"));
            output.styled(FAINT, &message).end_line();
        }
    }
}

fn show(found: &Diagnostic, output: &mut Output) {
    let style = match found.level {
        Level::Error => BAD,
        Level::Warning => CAUTION,
        Level::Note => FAINT,
    };
    output.styled(STRONG, &found.place.to_string()).print(": ").styled(style, found.level.as_str());
    output.print(&format!(" {}: {}", found.rule, found.message));
    if let (Some(limit), Some(actual)) = (found.limit, found.actual) {
        output.print(&format!(" ({actual}, at most {limit})"));
    }
    output.end_line();
    for place in &found.related {
        output.line(&format!("    see {place}"));
    }
    output.styled(FAINT, &format!("    {}", found.remedy())).end_line();
}
