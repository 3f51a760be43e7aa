//! The resolver and the completer as their users see them.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod artifacts;
mod complete;
mod reach;
mod resolve;
mod shards;
