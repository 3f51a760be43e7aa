#![doc = include_str!("../README.md")]

mod check;
mod ops;
mod request;
mod schemas;
mod serve;

pub use check::{Case, Deliberate, Report, Verdict, check};
pub use ops::{NAMES as OPS, op, respond, respond_if_known};
pub use schemas::schemas;
pub use serve::{MAX_REQUEST_BYTES, serve};
