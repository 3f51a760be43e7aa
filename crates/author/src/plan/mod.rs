//! Drafts become entries.

pub mod ids;
pub mod variants;
