//! An instance as it is written and saved.

use alloc::string::String;
use core::fmt;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::instance::Instance;
use crate::text::NonBlank;

/// The schema version of the snapshots that are written and read.
pub const SCHEMA_VERSION: u64 = 1;

/// A snapshot: the fields of an instance and `schemaVersion`. Its `Display` is its JSON text, and
/// [`Definition::restore`](crate::Definition::restore) makes an equal instance of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot<'i>(&'i Instance);

impl Instance {
    /// The instance as it is saved.
    #[must_use]
    pub const fn snapshot(&self) -> Snapshot<'_> {
        Snapshot(self)
    }
}

impl Serialize for Snapshot<'_> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        Fields::of(self.0, Some(SCHEMA_VERSION)).serialize(serializer)
    }
}

impl Serialize for Instance {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        Fields::of(self, None).serialize(serializer)
    }
}

impl fmt::Display for Snapshot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Fields<'i> {
    context: &'i Map<String, Value>,
    instance_id: &'i NonBlank,
    machine_id: &'i NonBlank,
    machine_version: &'i NonBlank,
    revision: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    schema_version: Option<u64>,
    state: &'i NonBlank,
    updated_at: &'i NonBlank,
}

impl<'i> Fields<'i> {
    fn of(instance: &'i Instance, schema_version: Option<u64>) -> Self {
        Self {
            context: instance.context(),
            instance_id: instance.instance_id(),
            machine_id: instance.machine_id(),
            machine_version: instance.machine_version(),
            revision: instance.revision(),
            schema_version,
            state: instance.state(),
            updated_at: instance.updated_at(),
        }
    }
}
