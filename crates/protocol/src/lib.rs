#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod answer;
mod artifact;
mod diagnostic;
mod document;
mod scalar;
#[cfg(feature = "schema")]
pub mod schema;
mod site;
mod wire;

pub use answer::{
    AnswerBody, AnswerEnvelope, Choices, Escalation, EscalationReason, LocalSource, Outcome, Provenance,
    Suggestion,
};
pub use artifact::{Artifact, ArtifactContent, Citation, CitationView, Entry, EntryKind, Matches};
pub use diagnostic::DeterministicDiagnostic;
pub use scalar::{
    BoundedText, ContentHash, DateTime, Identifier, InvalidScalar, SafeLink, Timestamp, TrimmedText,
};
pub use site::{ArtifactReference, FallbackMode, SiteConfig, Trust};
pub use wire::{List, TextStorage};
