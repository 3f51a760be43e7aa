//! The closed set of reasons, and what is fixed about each.

use crate::word::vocabulary;

vocabulary! {
    /// Why an answer's standing is *ask* or *not sure*. The order of the members is the order of reports.
    ///
    /// ```
    /// use answerplane_assessment::{Class, Layer, Reason};
    ///
    /// assert_eq!(Reason::ALL.len(), 23);
    /// assert_eq!(Reason::EmptyUndeclared.layer(), Some(Layer::Results));
    /// assert_eq!(Reason::Asked.layer(), None);
    /// assert_eq!(Reason::Asked.class(), Class::Ask);
    /// assert_eq!(Reason::from_word("truncated"), None);
    /// ```
    pub enum Reason {
        /// The run is paused and waits for a reply.
        Asked = "asked",
        /// The run waits for the values of some arguments.
        ArgumentAsked = "argument-asked",
        /// A call ran with a value that a rule assumed, or that was rewritten without saying from where.
        ArgumentAssumed = "argument-assumed",
        /// A call ran with a value that the model chose, or whose claimed source did not hold.
        ArgumentUnverified = "argument-unverified",
        /// A call ran with a value that was read into the person's words.
        ArgumentRead = "argument-read",
        /// A value rests on a result that was set aside.
        ValueContingent = "value-contingent",
        /// A tool named ground that it did not check or cannot cover.
        CoverageGap = "coverage-gap",
        /// A tool declared that nothing is there.
        DeclaredAbsent = "declared-absent",
        /// A result is empty and nobody declared what was searched.
        EmptyUndeclared = "empty-undeclared",
        /// The source does not hold the period that was asked for.
        PeriodNotHeld = "period-not-held",
        /// The source holds a part of the period that was asked for.
        PeriodPartlyHeld = "period-partly-held",
        /// The source cannot say which period it holds.
        PeriodUnknown = "period-unknown",
        /// The source did not say which period its result is about.
        PeriodUndeclared = "period-undeclared",
        /// The result is about another period than the one that was asked for.
        PeriodDiffersFromAsked = "period-differs-from-asked",
        /// The period that was asked for is older than what the source keeps.
        PeriodBeyondRetention = "period-beyond-retention",
        /// Two results of this turn contradict each other.
        SourcesConflict = "sources-conflict",
        /// A name or number of the answer is in no result.
        ValueUnsupported = "value-unsupported",
        /// The same, after the answer had been revised once.
        ValueSurvivedRevision = "value-survived-revision",
        /// A time in the answer was derived from a reading of the person's words.
        DerivedFromReading = "derived-from-reading",
        /// The run stopped at a limit.
        StoppedEarly = "stopped-early",
        /// The answer came before the declared steps were done.
        StepsUnfinished = "steps-unfinished",
        /// The application's checks failed this answer.
        AnswerCheckFailed = "answer-check-failed",
        /// A check was armed and could not come to a verdict.
        CheckUnreachable = "check-unreachable",
    }
}

vocabulary! {
    /// What can settle a reason.
    pub enum Class {
        /// A reply of the person.
        Ask = "ask",
        /// Nothing that the person can say.
        NotSure = "not-sure",
    }
}

/// Which part of a turn a reason or a check is about.
///
/// On the wire it is its number; number 1, the choice of a path, has neither reasons nor checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Layer {
    /// What the calls were given (2).
    Inputs = 2,
    /// What the calls gave back (3).
    Results = 3,
    /// What was answered (4).
    Answer = 4,
}

impl Layer {
    /// The number on the wire.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }
}

/// What is fixed about a reason, in the order of [`Reason`].
const TABLE: [(Option<Layer>, Class, &str); 23] = {
    use Class::{Ask, NotSure};
    use Layer::{Answer, Inputs, Results};
    [
        (None, Ask, "pausedToolCallId: a call id that is not empty"),
        (Some(Inputs), Ask, "argumentAsk: waiting, and this turn's argument rows that ask"),
        (
            Some(Inputs),
            NotSure,
            "findingsLedger: an argument row from a default; or middlewareDecisions: a rewrite without origin",
        ),
        (
            Some(Inputs),
            NotSure,
            "findingsLedger: an argument row with a value of the model under a rule or for a period, or a failed claim",
        ),
        (Some(Inputs), NotSure, "findingsLedger: an argument row that was said, by a reading"),
        (
            Some(Inputs),
            NotSure,
            "findingsLedger: an argument row from a result set aside; or a contingent row",
        ),
        (Some(Results), NotSure, "coverageDeclared: a row with a gap; or a result's own envelope with one"),
        (
            Some(Results),
            NotSure,
            "coverageDeclared: an absence row; or a result that reads as a declared absence",
        ),
        (Some(Results), NotSure, "history: an empty result of a call without a coverage row"),
        (Some(Results), NotSure, "findingsLedger: a period row, verdict not-held"),
        (Some(Results), NotSure, "findingsLedger: a period row, verdict partly-held"),
        (Some(Results), NotSure, "findingsLedger: a period row, verdict unknown"),
        (Some(Results), NotSure, "findingsLedger: a period row, verdict undeclared"),
        (Some(Results), NotSure, "findingsLedger: a period row that differs"),
        (Some(Results), NotSure, "findingsLedger: a period row beyond retention"),
        (Some(Results), NotSure, "findingsLedger: a conflict row of this turn"),
        (Some(Answer), NotSure, "unsupportedValues: values left, not revised"),
        (Some(Answer), NotSure, "unsupportedValues: values left after a revision"),
        (Some(Answer), NotSure, "findingsLedger: a time-derived row of this turn"),
        (Some(Answer), NotSure, "stoppedEarly: the run stopped at a limit"),
        (Some(Answer), NotSure, "findingsLedger: a steps-unfinished row of this turn"),
        (Some(Answer), NotSure, "answerValidation: status failed"),
        (None, NotSure, "answerValidation: status unverified"),
    ]
};

impl Reason {
    /// The layer it belongs to; nothing where it belongs to all of them.
    #[must_use]
    pub const fn layer(self) -> Option<Layer> {
        TABLE[self as usize].0
    }

    /// What can settle it.
    #[must_use]
    pub const fn class(self) -> Class {
        TABLE[self as usize].1
    }

    /// Which part of the record it is read from, in words for people. Never parsed.
    #[must_use]
    pub const fn reads(self) -> &'static str {
        TABLE[self as usize].2
    }
}
