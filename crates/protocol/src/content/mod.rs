//! Ordered assistant content, `agentskit.chat.content/1`: text and components in one string.

mod decode;
mod diagnostic;
mod encode;
mod history;
mod part;
mod reader;

pub use decode::Content;
pub use diagnostic::ContentDiagnostic;
pub use encode::ContentEncoder;
pub use part::{ComponentPart, ContentPart, TextPart};
pub use reader::ContentReader;
