//! The one mechanism through which every wire object is declared.
//!
//! [`wire_object!`](object) names the fields of an object once; its reader, writer and JSON Schema follow from
//! that ([`wire_input!`](object) for what is only read). [`wire_enum!`](constant) and [`wire_constant!`](constant) do the same for fixed words,
//! [`text_scalar!`](text) for texts with a rule, [`wire_union!`](union) for objects whose fields depend on a
//! word inside them. A type so declared reads alike from JSON text and from a parsed value.

mod constant;
mod list;
mod object;
mod text;
mod union;

pub use list::List;
pub use text::TextStorage;

pub(crate) use constant::{Version1, wire_constant, wire_enum, word};
pub(crate) use object::{FieldName, Name, optional, required, wire_input, wire_object};
pub(crate) use text::{TextRule, read_text, text_scalar};
pub(crate) use union::{Members, wire_union};
