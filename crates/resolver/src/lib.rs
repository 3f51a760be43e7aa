#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

pub mod complete;
mod resolution;
mod resolver;

pub use answerplane_artifact::VerifiedArtifact;
pub use answerplane_protocol::{
    AnswerBody, AnswerEnvelope, Artifact, ArtifactReference, Choices, Citation, CitationView, ContentHash,
    DateTime, DeterministicDiagnostic, Entry, EntryKind, Escalation, EscalationReason, FallbackMode,
    Identifier, InvalidScalar, LocalSource, Outcome, Provenance, SafeLink, SiteConfig, Suggestion, Timestamp,
    Trust,
};
pub use resolution::{Answer, Cause, Offer, Resolution};
pub use resolver::Resolver;
