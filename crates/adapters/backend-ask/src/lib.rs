#![doc = include_str!("../README.md")]

mod answer;
mod backend;
mod body;
mod cite;
mod error;
mod question;
mod transport;
mod turn;

pub use backend::AskBackend;
pub use error::{AskFailed, AskRefused};
