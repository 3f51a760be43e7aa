//! Components, `agentskit.chat.component` v1: frames, the manifest and the standard catalog.

mod diagnostic;
mod frame;

pub use diagnostic::{ComponentDiagnostic, InteractionRefused};
pub use frame::{ComponentFallback, EventValue, InteractFrame, Props, RenderFrame, SelectFrame};
