#![doc = include_str!("../README.md")]

mod calls;
mod connections;
mod failure;
mod options;
mod schema;
mod store;

pub use options::PostgresOptions;
pub use store::PostgresStore;
