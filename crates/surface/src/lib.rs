#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod address;
mod answer;
mod build;
mod citations;
mod dag;
mod graph;
mod index;
mod input;
mod integrity;
mod nav;
mod navigate;
mod payload;
mod payload_error;
mod ready;
mod repeats;
#[cfg(feature = "schema")]
pub mod schema;
mod surface;
mod verdicts;
mod vocabulary;

pub use address::{Address, InvalidAddress};
pub use answer::{AnswerTooLong, Backend, Source};
pub use answerplane_protocol::{AnswerEnvelope, SafeLink, TrimmedText};
pub use build::build;
pub use dag::{Claim, ProseCitation, ReasoningDag};
pub use graph::DagError;
pub use input::InputError;
pub use integrity::IntegrityError;
pub use nav::{Envelope, EnvelopeNode, NavResult, RouterDecision, Traceability};
pub use navigate::{Abstention, Navigated, navigate};
pub use payload::{validate, validate_text};
pub use payload_error::{Field, PayloadError, PayloadFault, Place, UnknownWord};
pub use surface::{Surface, SurfaceCitation};
pub use verdicts::{ClaimVerdict, Verdicts};
pub use vocabulary::{EpistemicStatus, InferenceForm, OUTDATED_DISCLOSURE, Verdict};
