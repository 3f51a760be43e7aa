#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod characters;
pub mod config;
pub mod coverage;
pub mod diagnostic;
pub mod diff;
pub mod draft;
pub mod emit;
pub mod explain;
pub mod golden;
pub mod invisible;
pub mod lint;
mod near;
pub mod outcome;
pub mod plan;
mod prose;
pub mod queries;
mod quoting;
pub mod read;
pub mod rule;
pub mod sarif;
pub mod suggest;

pub use diagnostic::{Diagnostic, Level, Place, has_errors};
pub use rule::Rule;
