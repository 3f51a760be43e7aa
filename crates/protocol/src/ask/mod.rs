//! The Ask protocol, `agentskit.chat.ask` v1: asking a backend, and its answer as records on lines.

mod backend_site;
mod diagnostic;
mod reader;
mod record;
mod request;

pub use backend_site::{AskLimits, Assistant, BackendSite, Corpus, CorpusMode, Persistence};
pub use diagnostic::{AskDiagnostic, AskMetric};
pub use reader::{AskBuffer, AskReader};
pub use record::{AskArguments, AskDone, AskError, AskRecord, AskText, AskTool, LineTooLong};
pub use request::{AskMessage, AskRequest, AskRole, EscalationEnvelope};
