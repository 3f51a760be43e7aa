#![doc = include_str!("../README.md")]

mod failure;
mod maintenance;
mod options;
mod reading;
mod schema;
mod store;
mod worker;
mod writing;

pub use options::{Durability, SqliteOptions};
pub use store::SqliteStore;
