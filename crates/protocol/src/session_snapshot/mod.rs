//! Session snapshots, `agentskit.chat.session` v1: what of a session outlives its process, without its messages.

mod declaration;
mod diagnostic;
mod snapshot;

pub use declaration::{
    ActiveTurn, Confirmation, ConfirmationInput, ConfirmationStatus, Conversation, Decision, DecisionKind,
    StateName, TerminalTurn, TurnOutcome,
};
pub use diagnostic::SessionDiagnostic;
pub use snapshot::{SessionSnapshot, SnapshotHead};

#[cfg(feature = "schema")]
pub(crate) use declaration::SnapshotDocument;
