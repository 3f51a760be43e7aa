//! The closed set of checks.

use crate::reason::Layer;
use crate::word::vocabulary;

vocabulary! {
    /// A check that had something to look at. The order of the members is the order of reports.
    ///
    /// ```
    /// use answerplane_assessment::{Check, Layer};
    ///
    /// assert_eq!(Check::ResultShape.layer(), Layer::Results);
    /// assert_eq!(Check::ALL.len(), 7);
    /// ```
    pub enum Check {
        /// Argument rows with a rule's verdict.
        ArgumentRules = "argument-rules",
        /// Claimed sources of arguments that could be checked.
        ArgumentSources = "argument-sources",
        /// Calls that declared what they covered.
        ToolCoverage = "tool-coverage",
        /// Results whose rows could be counted.
        ResultShape = "result-shape",
        /// Results with a verdict on their period.
        ResultPeriod = "result-period",
        /// Names and numbers of the answer, looked up in the results.
        NamesAndNumbers = "names-and-numbers",
        /// The application's checks of the answer.
        AnswerChecks = "answer-checks",
    }
}

impl Check {
    /// The layer it belongs to.
    #[must_use]
    pub const fn layer(self) -> Layer {
        match self {
            Self::ArgumentRules | Self::ArgumentSources => Layer::Inputs,
            Self::ToolCoverage | Self::ResultShape | Self::ResultPeriod => Layer::Results,
            Self::NamesAndNumbers | Self::AnswerChecks => Layer::Answer,
        }
    }
}
