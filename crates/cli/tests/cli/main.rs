//! The program as its users run it: every command, every flag, and everything that can be wrong with an input.

// clippy.toml allows these in tests, but does not count what tests share.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod ask;
mod assess;
mod authors;
mod build;
mod chat;
mod conformance;
mod docs;
mod hash;
mod inspect;
mod output_folder;
mod render;
mod run;
mod schema;
mod server;
mod shards;
mod shell;
mod sources;
mod surface;
mod terminal;
mod verify;
mod web;
mod wrong_input;
