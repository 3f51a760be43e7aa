//! The resolver as its users see it.
#![allow(clippy::unwrap_used)]

mod artifacts;
mod resolve;
mod shards;
