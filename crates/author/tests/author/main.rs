//! Building, from drafts on and from sources on.

#![allow(clippy::unwrap_used, clippy::panic)] // in the helpers of tests too

mod built;
mod drafts;
mod emit;
mod incremental;
mod material;
mod page;
mod plan;
mod reach;
