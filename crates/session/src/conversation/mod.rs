//! Conversations: states, and routes that answer what is said in them.

mod definition;
mod file;
mod replay;
mod route;
mod saved;
mod track;

pub use definition::{Conversation, ConversationBuilder, ConversationState, InvalidConversation};
pub use file::{FileFault, FileProblem, Format, InvalidFile};
pub use replay::{Replay, StateView, Trace, TraceKind, Turned};
pub use route::{Route, Said};
pub(crate) use saved::{MAX_DECISIONS, written};
pub use saved::{Unreplayable, Unsavable};
pub(crate) use track::{Change, Track};
