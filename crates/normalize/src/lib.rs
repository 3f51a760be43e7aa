#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod class;
mod key;
mod length;
mod space;
mod tables;

pub use key::{NormalizedKey, UNICODE_VERSION, normalize_key, push_normalized_key};
pub use length::{truncate_utf16, utf16_len};
pub use space::{SPACES, is_blank, is_space, trim};
