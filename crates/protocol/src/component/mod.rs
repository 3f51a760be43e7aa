//! Components, `agentskit.chat.component` v1: frames, the manifest and the standard catalog.

mod catalog;
mod diagnostic;
mod frame;
mod manifest;
mod semantics;

pub use catalog::{
    ActionInput, ApprovalRequest, Button, ButtonGroup, ButtonVariant, CatalogComponent, Choice, ChoiceAction,
    ChoiceList, Column, ConfirmationCard, ErrorNotice, FieldKind, FieldOption, FileAttachment, Form,
    FormField, LinkCard, Progress, Row, Source, SourceList, Table, ToolCallCard, ToolCallState,
};
pub use diagnostic::{ComponentDiagnostic, InteractionRefused};
pub use frame::{ComponentFallback, EventValue, InteractFrame, Props, RenderFrame, SelectFrame};
pub use manifest::{Component, CustomComponent, KeyTaken, Manifest};
pub use semantics::{Capability, Keyboard, Live, Role, Semantics};

#[cfg(feature = "schema")]
pub(crate) use catalog::schemas;
pub(crate) use frame::FRAME_LIMITS;
