#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod answer;
mod component;
mod control;
mod markdown;
mod screen;
mod table;
mod terminal;
mod text;
mod wrap;

pub use control::{Control, Effect};
pub use terminal::Terminal;
