//! The sentences for people. Nothing reads them back.

use alloc::format;
use alloc::string::String;

use crate::check::Check;
use crate::reason::Reason;
use crate::standing::Standing;

/// The word that a standing is shown under.
pub(crate) const fn shown_standing(standing: Standing) -> &'static str {
    match standing {
        Standing::Known => "Known",
        Standing::Consistent => "Consistent with the run's record",
        Standing::NotSure => "Not sure",
        Standing::Ask => "Ask",
        Standing::NotAssessed => "Not assessed",
    }
}

/// The short name of a check.
pub(crate) const fn short_check(check: Check) -> &'static str {
    match check {
        Check::ArgumentRules => "argument rules",
        Check::ArgumentSources => "argument sources",
        Check::ToolCoverage => "tool coverage",
        Check::ResultShape => "what came back",
        Check::ResultPeriod => "result periods",
        Check::NamesAndNumbers => "names and numbers",
        Check::AnswerChecks => "app checks",
    }
}

/// What a check's counts mean.
pub(crate) fn check_line(check: Check, ran: usize, of: usize) -> String {
    match check {
        Check::ArgumentRules => format!("argument rules: {ran} of {of} had a verdict"),
        Check::ArgumentSources => format!("argument sources: {ran} of {of} had a verdict"),
        Check::ToolCoverage => format!("tool coverage: {ran} of {of} calls declared their ground"),
        Check::ResultShape => format!("what came back: {ran} of {of} results could be read"),
        Check::ResultPeriod => format!("result periods: {ran} of {of} had a verdict"),
        Check::NamesAndNumbers => "names and numbers: looked up in the results".into(),
        Check::AnswerChecks => "app checks: ran on this answer".into(),
    }
}

/// A reason as a clause of the one line, without a count. An assumed value has its own clauses.
pub(crate) const fn reason_clause(reason: Reason) -> &'static str {
    match reason {
        Reason::Asked => "the run is waiting for a reply",
        Reason::ArgumentAsked => "the run is waiting for values that its calls need",
        Reason::ArgumentAssumed => "a value that a call ran with was set on the way, with no source named",
        Reason::ArgumentUnverified => "a call ran with a value that no source on the record accounts for",
        Reason::ArgumentRead => "a call ran with a value that was read into what you said",
        Reason::ValueContingent => "a value was taken from a result that had been set aside",
        Reason::CoverageGap => "a tool named ground that it did not check or cannot cover",
        Reason::DeclaredAbsent => "a tool reported that it found nothing",
        Reason::EmptyUndeclared => "a result was empty, and nothing says what had been searched",
        Reason::PeriodNotHeld => "a source does not hold the period in question",
        Reason::PeriodPartlyHeld => "a source holds only a part of the period in question",
        Reason::PeriodUnknown => "a source could not say which period it holds",
        Reason::PeriodUndeclared => "a source did not say which period its result is about",
        Reason::PeriodDiffersFromAsked => "a result is about another period than the one in question",
        Reason::PeriodBeyondRetention => "the period in question is older than what a source keeps",
        Reason::SourcesConflict => "two results contradict each other",
        Reason::ValueUnsupported => "the answer has names or numbers that no result has",
        Reason::ValueSurvivedRevision => {
            "the answer, once revised, still has names or numbers that no result has"
        }
        Reason::DerivedFromReading => {
            "a time in the answer was worked out from your words, not found in a result"
        }
        Reason::StoppedEarly => "the run reached a limit before it was done",
        Reason::StepsUnfinished => "the answer came before all declared steps were done",
        Reason::AnswerCheckFailed => "the app's checks did not pass this answer",
        Reason::CheckUnreachable => "the app's checks could not come to a verdict",
    }
}

/// What a reason's count counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counts {
    /// Distinct calls behind its witness.
    Calls,
    /// Its witness.
    Witness,
    /// Nothing: its sentence is fixed.
    Nothing,
}

pub(crate) const fn counts(reason: Reason) -> Counts {
    match reason {
        Reason::CoverageGap
        | Reason::DeclaredAbsent
        | Reason::EmptyUndeclared
        | Reason::PeriodNotHeld
        | Reason::PeriodPartlyHeld
        | Reason::PeriodUnknown
        | Reason::PeriodUndeclared
        | Reason::PeriodDiffersFromAsked
        | Reason::PeriodBeyondRetention => Counts::Calls,
        Reason::ArgumentAssumed
        | Reason::ArgumentUnverified
        | Reason::ArgumentRead
        | Reason::ValueContingent
        | Reason::SourcesConflict => Counts::Witness,
        _ => Counts::Nothing,
    }
}

/// A reason as a line of its own.
pub(crate) fn reason_line(reason: Reason, count: usize) -> String {
    let clause = reason_clause(reason);
    let unit = match (counts(reason), reason) {
        (Counts::Nothing, _) => return clause.into(),
        (Counts::Calls, _) => "call",
        (Counts::Witness, Reason::SourcesConflict) => "conflict",
        (Counts::Witness, _) => "value",
    };
    format!("{}: {clause}", counted(count, unit))
}

/// A number of things.
pub(crate) fn counted(count: usize, unit: &str) -> String {
    if count == 1 { format!("1 {unit}") } else { format!("{count} {unit}s") }
}
