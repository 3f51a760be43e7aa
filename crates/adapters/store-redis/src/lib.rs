#![doc = include_str!("../README.md")]

mod calls;
mod failure;
mod names;
mod options;
mod store;

pub use options::RedisOptions;
pub use store::RedisStore;
