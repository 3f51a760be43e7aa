#![doc = include_str!("../README.md")]

mod backend;
mod choices;
mod chunk;
mod clock;
mod conversation;
mod delegated;
mod local;
mod panics;
mod plane;
mod request;
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
pub use plane::{AnswerPlane, Observations};
pub use request::{Message, Role, TurnRequest};
pub use snapshot_session::{Definition, NotResumable, SnapshotSession};
