#![doc = include_str!("../README.md")]

mod backend;
mod error;
mod event;
mod finish;
mod key;
mod request;
mod retry_after;
mod sse;
mod transport;
mod turn;

pub use backend::OpenAiBackend;
pub use error::{OpenAiFailed, OpenAiRefused, StatusClass};
pub use key::ApiKey;
pub use retry_after::RetryAfter;
