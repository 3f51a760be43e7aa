#![doc = include_str!("../README.md")]

mod check;
mod ops;
mod request;
mod serve;

pub use check::{Case, Deliberate, Report, Verdict, check};
pub use ops::{NAMES as OPS, op, respond, respond_if_known};
pub use serve::serve;
