#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod config;
pub mod diagnostic;
pub mod draft;
pub mod emit;
pub mod golden;
pub mod invisible;
pub mod plan;
pub mod read;
pub mod rule;

pub use diagnostic::{Diagnostic, Level, Place, has_errors};
pub use rule::Rule;
