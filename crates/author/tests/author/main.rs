//! Building, from drafts on.

#![allow(clippy::unwrap_used)]

mod drafts;
mod emit;
mod plan;
