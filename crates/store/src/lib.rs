#![doc = include_str!("../README.md")]

mod document;
mod error;
mod key;
mod memory;
mod port;
pub mod testing;

pub use document::{Document, Expected, Extent, Version, Write};
pub use error::{Fault, ReadError, ReplaceError, StoreError};
pub use key::{InvalidKey, Key, KeyPrefix, MAX_KEY_BYTES, MAX_KEY_PARTS};
pub use memory::MemoryStore;
pub use port::{MAX_WRITE_BYTES, Store};
