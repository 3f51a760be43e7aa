//! The value of an assessment, and the word it is served under.

use crate::word::vocabulary;

vocabulary! {
    /// The value that the fold comes to.
    ///
    /// ```
    /// use answerplane_assessment::{AssessmentValue, Standing};
    ///
    /// assert_eq!(AssessmentValue::from_word("unrefuted"), Some(AssessmentValue::Unrefuted));
    /// assert_eq!(Standing::Consistent.to_string(), "consistent");
    /// ```
    pub enum AssessmentValue {
        /// A check bound to exactly this answer passed, and no reason fired.
        Known = "known",
        /// Some check ran and no reason fired. This is not a verification.
        Unrefuted = "unrefuted",
        /// At least one reason fired.
        Unknown = "unknown",
        /// Nothing on the record had a verdict to rest on.
        NotApplicable = "not-applicable",
    }
}

vocabulary! {
    /// The word an answer is served under. It follows from the value and the classes of the reasons alone.
    pub enum Standing {
        /// The application's checks passed exactly this answer.
        Known = "known",
        /// Checks ran and none fired; nothing verified the answer.
        Consistent = "consistent",
        /// The record holds a reason against relying on the answer.
        NotSure = "not-sure",
        /// The record holds a reason that the person can settle by replying.
        Ask = "ask",
        /// No verdict.
        NotAssessed = "not-assessed",
    }
}

vocabulary! {
    /// Where the turn that was read begins.
    pub enum TurnFrom {
        /// At the last message that a person wrote.
        Person = "person",
        /// At the start: the history shows no such message.
        WholeHistory = "whole-history",
    }
}
