#![doc = include_str!("../README.md")]

mod backend;
mod choices;
mod chunk;
mod clock;
mod conversation;
mod delegated;
mod ids;
mod local;
mod panics;
mod plane;
mod quota;
mod request;
mod session;
mod snapshot_confirmations;
mod snapshot_session;
pub mod testing;

pub use backend::{Backend, BackendFailed, ChunkStream};
pub use choices::{MAX_OFFERS, MAX_SESSIONS, Reservation, Submission};
pub use chunk::{Chunk, ChunkKind};
pub use clock::{Clock, SystemClock};
pub use conversation::{
    Conversation, ConversationBuilder, ConversationState, FileFault, FileProblem, Format,
    InvalidConversation, InvalidFile, Replay, Route, Said, StateView, Trace, TraceKind, Turned, Unreplayable,
    Unsavable,
};
pub use ids::{IdSource, RandomIds};
pub use plane::{AnswerPlane, Observations};
pub use quota::{Quota, QuotaNotice};
pub use request::{History, Message, Role, TurnRequest};
pub use session::{
    Action, ActionFailed, Actions, ConfirmError, Confirmation, Confirmed, Denial, InnerPolicy, PolicyReason,
    PolicyTrace, Proposal, Session, SessionError, SessionOptions, SessionView, Stage, Start, Status,
    TranscriptMessage, TrustedContext, Turn, TurnEnd, TurnError, Update, Usage,
};
pub use snapshot_confirmations::{Decided, NotProposed};
pub use snapshot_session::{Definition, NotResumable, SnapshotSession};

/// The examples of the page run too.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/turns.md")]
struct Turns;
