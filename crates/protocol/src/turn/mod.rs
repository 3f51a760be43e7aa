//! Turn events, `agentskit.chat.turn` v1.

mod cursor;
mod diagnostic;
mod event;
mod message;
mod payload;

pub use cursor::SnapshotCursor;
pub use diagnostic::{TurnDiagnostic, TurnRefusal};
pub use event::{
    Correlation, DecideEvent, DiagnosticEvent, Envelope, Shared, SnapshotEvent, SubmitEvent, TurnEvent,
};
pub use message::{
    ImageDetail, MediaKind, MessageFile, MessageImage, MessageMedia, MessagePart, MessageStatus, MessageText,
    Metadata, Role, ToolArguments, ToolCall, ToolCallStatus, Transcript, TurnMessage,
};
pub use payload::{
    Decision, DerivedLineage, DerivedOperation, Lineage, Quota, Snapshot, Submission, SubmitLineage,
    TurnError, TurnStatus, Usage, Verdict,
};
