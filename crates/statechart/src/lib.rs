#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod builder;
mod context;
mod decode;
mod definition;
mod diagnostic;
mod diagram;
mod event;
mod instance;
mod invalid;
mod json;
mod members;
mod restore;
mod snapshot;
mod text;
mod transition;
mod value;

pub use builder::{Builder, Edge, State};
pub use context::{Failed, MAX_CONTEXT_DEPTH};
pub use definition::Definition;
pub use diagnostic::{Code, Diagnostic};
pub use event::Event;
pub use instance::Instance;
pub use invalid::{Fault, InvalidDefinition, Place};
pub use serde_json::{Map, Value};
pub use snapshot::{SCHEMA_VERSION, Snapshot};
pub use text::{Blank, NonBlank};
pub use transition::{Accepted, MAX_REVISION, Rejected, Transition};
pub use value::read_object;
