//! An instance made of its snapshot.

use alloc::string::ToString;
use alloc::sync::Arc;

use serde_json::Value;

use crate::context::{Context, is_buildable};
use crate::definition::Definition;
use crate::diagnostic::Diagnostic;
use crate::instance::{Identity, Instance};
use crate::members::{Members, text, whole_number};
use crate::snapshot::SCHEMA_VERSION;
use crate::text::NonBlank;
use crate::value::read_object;

/// The fields of an instance, which must not stand in a snapshot twice.
const FIELDS: [&str; 7] =
    ["machineId", "machineVersion", "instanceId", "state", "revision", "updatedAt", "context"];

impl Definition {
    /// Makes an instance of the JSON text of its snapshot.
    ///
    /// Unknown fields are ignored.
    ///
    /// # Errors
    ///
    /// The first check that fails, in this order: a JSON object whose context can be built; the schema version;
    /// a name that stands there twice; the machine and its version; instance id, state, revision and time; the
    /// context.
    pub fn restore(&self, snapshot: &str) -> Result<Instance, Diagnostic> {
        let fields = Members::read(snapshot).map_err(|_| Diagnostic::SnapshotNotObject)?;
        let context = read_context(&fields)?;
        let version =
            fields.one("schemaVersion").map_err(|_| Diagnostic::InvalidSnapshotMetadata)?.map(whole_number);
        if version != Some(Some(SCHEMA_VERSION)) {
            return Err(Diagnostic::UnsupportedSnapshotVersion);
        }
        self.instance_of(&fields, context)
    }

    /// Makes an instance of the JSON value that it is serialized to.
    ///
    /// # Errors
    ///
    /// As [`restore`](Self::restore), without the schema version.
    pub fn instance_from_value(&self, instance: &Value) -> Result<Instance, Diagnostic> {
        if !is_buildable(instance) {
            return Err(Diagnostic::SnapshotNotObject);
        }
        let instance = instance.to_string();
        let fields = Members::read(&instance).map_err(|_| Diagnostic::SnapshotNotObject)?;
        let context = read_context(&fields)?;
        self.instance_of(&fields, context)
    }

    fn instance_of(&self, fields: &Members<'_>, context: Option<Context>) -> Result<Instance, Diagnostic> {
        let invalid = Diagnostic::InvalidSnapshotMetadata;
        if FIELDS.iter().any(|name| fields.one(name).is_err()) {
            return Err(invalid);
        }
        let field = |name: &str| fields.one(name).ok().flatten();
        let is = |name: &str, expected: &str| field(name).and_then(text).is_some_and(|text| text == expected);
        if !is("machineId", self.id()) || !is("machineVersion", self.version()) {
            return Err(Diagnostic::ForeignSnapshot);
        }
        let non_blank = |name: &str| NonBlank::new(&field(name).and_then(text)?).ok();
        let metadata = || {
            let state = field("state").and_then(text)?;
            let (state, _) = self.nodes().get(&state)?;
            let revision = field("revision").and_then(whole_number)?;
            Some((non_blank("instanceId")?, state.clone(), revision, non_blank("updatedAt")?))
        };
        let (instance_id, state, revision, updated_at) = metadata().ok_or(invalid)?;
        let context = context.filter(|context| self.allows(context));
        Ok(Instance {
            identity: Arc::new(Identity {
                machine_id: self.id().clone(),
                machine_version: self.version().clone(),
                instance_id,
            }),
            state,
            context: context.ok_or(Diagnostic::InvalidSnapshotContext)?,
            revision,
            updated_at,
        })
    }
}

/// The context; `None` where it is absent, no object, or stands there twice. One that cannot be built makes the
/// whole snapshot unreadable.
fn read_context(fields: &Members<'_>) -> Result<Option<Context>, Diagnostic> {
    match fields.one("context") {
        Ok(Some(context)) if context.starts_with('{') => {
            read_object(context).and_then(Context::new).map(Some).ok_or(Diagnostic::SnapshotNotObject)
        }
        _ => Ok(None),
    }
}
