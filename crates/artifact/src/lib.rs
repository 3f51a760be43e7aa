#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod hash;
mod verify;

pub use hash::{canonical_json, content_hash};
pub use verify::{VerifiedArtifact, check_expected};
