//! What the public gets: an answer, or an abstention that says which kind it is.

use core::fmt;

use serde::ser::{Serialize, Serializer};

use crate::build::build;
use crate::integrity::IntegrityError;
use crate::nav::NavResult;
use crate::surface::Surface;
use crate::vocabulary::Verdict;

/// What becomes of a reasoning result in public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Navigated {
    /// An answer.
    Answered(Surface),
    /// No answer, not even a part of one.
    Abstained {
        /// Why, in words for a person.
        label: Abstention,
    },
}

/// Why there is no answer. It prints as a label that holds nothing of the input.
///
/// ```
/// use answerplane_surface::{Abstention, IntegrityError};
///
/// assert_eq!(Abstention::Clarify.to_string(), "No answer can be given: clarify");
/// let label = Abstention::Integrity(IntegrityError::CitationMissing);
/// assert_eq!(label.to_string(), "No answer can be given: integrity error");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Abstention {
    /// The question may not be answered.
    Abstain,
    /// The question has to be asked more clearly.
    Clarify,
    /// Somebody else has to answer.
    Escalate,
    /// The question may be answered, and those who vouch for the answer disagree. Which check failed is for the
    /// operator; the label does not say.
    Integrity(IntegrityError),
}

/// Answers, or abstains. Never fails: a disagreement is an abstention.
#[must_use]
pub fn navigate(nav: &NavResult) -> Navigated {
    let label = match (nav.decision.verdict, build(nav)) {
        (_, Ok(Some(surface))) => return Navigated::Answered(surface),
        (_, Err(error)) => Abstention::Integrity(error),
        (Verdict::Clarify, Ok(None)) => Abstention::Clarify,
        (Verdict::Escalate, Ok(None)) => Abstention::Escalate,
        // `build` gives a surface or an error where the verdict is `answer`.
        (Verdict::Abstain | Verdict::Answer, Ok(None)) => Abstention::Abstain,
    };
    Navigated::Abstained { label }
}

impl Abstention {
    /// The label, a fixed text.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Abstain => "No answer can be given: abstain",
            Self::Clarify => "No answer can be given: clarify",
            Self::Escalate => "No answer can be given: escalate",
            Self::Integrity(_) => "No answer can be given: integrity error",
        }
    }
}

impl fmt::Display for Abstention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Abstention {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.serialize_str(self.as_str())
    }
}
