//! The closed lists of words, and the one sentence, that engine and surface share.
//!
//! A host whose engine has other words maps them here and nowhere else.

use answerplane_protocol::declare::wire_enum;

/// What is said of an answer that rests on outdated sources.
pub const OUTDATED_DISCLOSURE: &str = "This answer rests on sources that are marked as outdated.";

wire_enum! {
    /// How well something is known. Only the router sets it.
    pub enum EpistemicStatus {
        /// The sources settle it.
        Known = "known",
        /// The sources speak for it.
        Likely = "likely",
        /// The sources disagree.
        Contested = "contested",
        /// The sources do not say.
        Unknown = "unknown",
    }
}

wire_enum! {
    /// How a claim follows from its premises and citations.
    pub enum InferenceForm {
        /// A source says so.
        Direct = "direct",
        /// It has to be so.
        Deduction = "deduction",
        /// It was so in every case seen.
        Induction = "induction",
        /// It explains what was seen best.
        Abduction = "abduction",
        /// It is so in a like case.
        Analogy = "analogy",
        /// Several sources put together.
        Aggregation = "aggregation",
    }
}

wire_enum! {
    /// What the router decided about a question.
    pub enum Verdict {
        /// It may be answered.
        Answer = "answer",
        /// It may not be answered.
        Abstain = "abstain",
        /// It has to be asked more clearly.
        Clarify = "clarify",
        /// Somebody else has to answer.
        Escalate = "escalate",
    }
}
