//! The answer envelope, `agentskit.chat.answer` v1.

mod declaration;
mod envelope;

pub use declaration::{AnswerBody, EscalationReason, Suggestion};
pub use envelope::{AnswerEnvelope, BackendFault, Choices, Escalation, LocalSource, Outcome, Provenance};

pub(crate) use declaration::AnswerDocument;
#[cfg(feature = "schema")]
pub(crate) use declaration::EscalationAnswer;
