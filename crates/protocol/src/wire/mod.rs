//! The one mechanism through which every wire object is declared.
//!
//! [`wire_object!`](object) names the fields of an object once; its reader, writer and JSON Schema follow from
//! that ([`wire_input!`](object) for what is only read). [`wire_enum!`](constant) and [`wire_constant!`](constant) do the same for fixed words,
//! [`text_scalar!`](text) for texts with a rule, [`wire_union!`](union) for objects whose fields depend on a
//! word inside them, [`foreign_json!`](foreign) for bounded JSON that belongs to somebody else. A type so
//! declared reads alike from JSON text and from a parsed value.

mod constant;
mod foreign;
mod list;
mod number;
mod object;
mod raw_members;
mod text;
mod union;

pub use list::List;
pub use number::{Integer, Number};
pub use text::TextStorage;

pub use constant::word;
pub(crate) use constant::{Version1, wire_constant, wire_enum};
pub use foreign::ForeignValue;
pub(crate) use foreign::{Limits, foreign_json, read_foreign};
pub use object::{FieldName, Name, fixed, optional, optional_fixed, required};
pub(crate) use object::{Wire, getter, wire_input, wire_object, wire_record};
pub use raw_members::RawMembers;
pub(crate) use text::{TextRule, read_text, text_scalar};
pub(crate) use union::{Members, Union, read_union, wire_union};
