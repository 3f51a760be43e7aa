#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod answer;
mod component;
mod escape;
mod html;
mod markdown;
mod page;
mod run;

pub use html::{Html, Update};
pub use page::{Direction, Page, STYLESHEET};
