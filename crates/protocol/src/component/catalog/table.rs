//! `table`: rows of cells under columns.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::{Map, Value};

use crate::component::catalog::{StandardComponent, unique, write_line};
use crate::component::frame::FRAME_LIMITS;
use crate::component::semantics::{Capability, Keyboard, Live, Role, Semantics};
use crate::scalar::{BoundedText, Identifier};
use crate::wire::{Limits, List, read_foreign, wire_record};

/// A row lies at depth 0 and its cells at depth 1: no cell holds another value.
const ROW_LIMITS: Limits = Limits { depth: 1, text: 4_096, object: true, ..FRAME_LIMITS };

wire_record! {
    /// Rows of cells under columns. Beyond this schema: the keys of the columns are unique.
    pub struct Table strict sound {
        /// What the table shows.
        required caption: BoundedText<1, 4_096> = "caption",
        /// The columns.
        required columns: List<Column, 1, 30> = "columns",
        /// The rows.
        required rows: List<Row, 0, 1_000> = "rows",
    }
}

wire_record! {
    /// A column.
    pub struct Column strict {
        /// The key of its cells, unique in the table.
        required key: Identifier = "key",
        /// What stands above it.
        required label: BoundedText<1, 256> = "label",
    }
}

/// A row: a cell for each key, which is a text of at most 4,096 UTF-16 code units, a number, yes or no, or null.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row(Map<String, Value>);

impl Row {
    /// The cells under their keys; `None` where a key has more than 256 or a text more than 4,096 UTF-16 code units, a
    /// cell holds a list or an object, or there are more than 999 cells.
    #[must_use]
    pub fn new(cells: impl IntoIterator<Item = (String, Value)>) -> Option<Self> {
        Self::deserialize(Value::Object(cells.into_iter().collect())).ok()
    }

    /// The cell under a key: a text, a number, a boolean or null.
    #[must_use]
    pub fn cell(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    /// The cell under a key as a text.
    #[must_use]
    pub fn cell_text(&self, key: &str) -> String {
        match self.0.get(key) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Null) | None => String::new(),
            Some(value) => format!("{value}"),
        }
    }
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match read_foreign(deserializer, ROW_LIMITS)? {
            Value::Object(cells) if !cells.values().any(|cell| cell.is_array() || cell.is_object()) => {
                Ok(Self(cells))
            }
            _ => Err(D::Error::custom("a cell holds another value")),
        }
    }
}

impl serde::Serialize for Row {
    fn serialize<Z: serde::Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        self.0.serialize(serializer)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Row {
    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "Row".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A cell for each key.",
            "type": "object",
            "additionalProperties": {
                "type": ["string", "number", "boolean", "null"],
                "maxLength": ROW_LIMITS.text,
            },
            "propertyNames": { "maxLength": ROW_LIMITS.key },
        })
    }
}

impl Table {
    /// Rows of cells under columns; `None` where two columns have one key.
    #[must_use]
    pub fn new(
        caption: BoundedText<1, 4_096>,
        columns: List<Column, 1, 30>,
        rows: List<Row, 0, 1_000>,
    ) -> Option<Self> {
        let table = Self { caption, columns, rows };
        table.is_sound().then_some(table)
    }
}

impl Column {
    /// The key of its cells, and what stands above them.
    #[must_use]
    pub fn new(key: Identifier, label: BoundedText<1, 256>) -> Self {
        Self { key, label }
    }
}

impl Table {
    /// Whether the ids are unique.
    fn is_sound(&self) -> bool {
        unique(self.columns.iter().map(Column::key))
    }
}

impl StandardComponent for Table {
    const SEMANTICS: Semantics = Semantics {
        role: Role::Table,
        live: Live::Off,
        keyboard: Keyboard::None,
        capabilities: &[Capability::Display],
        events: &[],
    };

    fn takes(&self, _: &str, _: Option<&Value>) -> bool {
        false
    }

    fn write_text(&self, out: &mut String) {
        write_line(out, &[self.caption.as_str()]);
        let labels: Vec<&str> = self.columns.iter().map(|column| column.label.as_str()).collect();
        write_line(out, &[&labels.join(" | ")]);
        for row in self.rows.iter() {
            let cells: Vec<String> =
                self.columns.iter().map(|column| row.cell_text(column.key.as_str())).collect();
            write_line(out, &[&cells.join(" | ")]);
        }
    }
}
