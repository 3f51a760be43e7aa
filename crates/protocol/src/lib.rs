#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod answer;
mod artifact;
pub mod ask;
mod component;
mod content;
mod diagnostic;
mod document;
mod json_text;
mod one_line;
pub mod render;
mod scalar;
#[cfg(feature = "schema")]
pub mod schema;
pub mod session_snapshot;
mod site;
pub mod turn;
mod wire;

/// What the declarations of wire objects expand to, for the crates of this project that declare some of their own, and
/// the members of an object as its text has them, for those that show or change it. Not for anybody else: it may change with every release.
#[doc(hidden)]
pub mod declare {
    #[cfg(feature = "schema")]
    pub use crate::schema::{Object, text};
    pub use crate::wire::{FieldName, Name, RawMembers, fixed, optional, optional_fixed, required, word};
    pub use crate::{wire_enum, wire_open_object};
}

pub use answer::{
    AnswerBody, AnswerEnvelope, BackendFault, Choices, Escalation, EscalationReason, LocalSource, Outcome,
    Provenance, Suggestion,
};
pub use artifact::{Artifact, ArtifactContent, Citation, CitationView, Entry, EntryKind, Matches};
pub use component::{
    ActionInput, ApprovalRequest, Button, ButtonGroup, ButtonVariant, Capability, CatalogComponent, Choice,
    ChoiceAction, ChoiceList, Column, Component, ComponentDiagnostic, ComponentFallback, ConfirmationCard,
    CustomComponent, ErrorNotice, EventValue, FieldKind, FieldOption, FileAttachment, Form, FormField,
    InteractFrame, InteractionRefused, KeyTaken, Keyboard, LinkCard, Live, Manifest, Progress, Props,
    RenderFrame, Role, Row, SelectFrame, Semantics, Source, SourceList, Table, ToolCallCard, ToolCallState,
};
pub use content::{
    ComponentPart, Content, ContentDiagnostic, ContentEncoder, ContentPart, ContentReader, TextPart,
};
pub use diagnostic::DeterministicDiagnostic;
pub use scalar::{
    BoundedText, ComponentKey, ContentHash, DateTime, DiagnosticCode, EventName, FreeText, Identifier,
    InvalidScalar, NotBlank, SafeLink, Timestamp, TrimmedText, UtcTime,
};
pub use site::{ArtifactReference, FallbackMode, SiteConfig, Trust};
pub use wire::{ForeignValue, Integer, List, Number, TextStorage};
