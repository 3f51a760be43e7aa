//! One run of a machine, at one moment: an immutable value.

use alloc::string::String;
use alloc::sync::Arc;

use serde_json::{Map, Value};

use crate::context::Context;
use crate::definition::Definition;
use crate::diagnostic::Diagnostic;
use crate::text::NonBlank;

/// An instance of a definition: where it stands, what it knows, and how often it has moved.
///
/// It never changes; a transition gives another one, which shares with it whatever is the same. It holds no
/// clock, timer or pending work: there is no moment between two instances that could be saved or lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    pub(crate) identity: Arc<Identity>,
    pub(crate) state: NonBlank,
    pub(crate) context: Context,
    pub(crate) revision: u64,
    pub(crate) updated_at: NonBlank,
}

/// What is the same for all the life of an instance.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) machine_id: NonBlank,
    pub(crate) machine_version: NonBlank,
    pub(crate) instance_id: NonBlank,
}

impl Instance {
    /// The id of the definition.
    #[must_use]
    pub fn machine_id(&self) -> &NonBlank {
        &self.identity.machine_id
    }

    /// The version of the definition.
    #[must_use]
    pub fn machine_version(&self) -> &NonBlank {
        &self.identity.machine_version
    }

    /// The identity that the caller gave.
    #[must_use]
    pub fn instance_id(&self) -> &NonBlank {
        &self.identity.instance_id
    }

    /// The state.
    #[must_use]
    pub const fn state(&self) -> &NonBlank {
        &self.state
    }

    /// The context.
    #[must_use]
    pub fn context(&self) -> &Map<String, Value> {
        self.context.object()
    }

    /// How many transitions led here.
    #[must_use]
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// The time that the caller gave when the instance was made.
    #[must_use]
    pub const fn updated_at(&self) -> &NonBlank {
        &self.updated_at
    }
}

impl Definition {
    /// A new instance in the initial state, at revision 0.
    ///
    /// # Errors
    ///
    /// [`Diagnostic::InvalidInitialContext`] when the context breaks the definition's rule or nests deeper than
    /// [`MAX_CONTEXT_DEPTH`](crate::MAX_CONTEXT_DEPTH).
    pub fn start(
        &self,
        instance_id: &NonBlank,
        context: Map<String, Value>,
        now: &NonBlank,
    ) -> Result<Instance, Diagnostic> {
        let context = Context::new(context).filter(|context| self.allows(context));
        Ok(Instance {
            identity: Arc::new(Identity {
                machine_id: self.id().clone(),
                machine_version: self.version().clone(),
                instance_id: instance_id.clone(),
            }),
            state: self.initial().clone(),
            context: context.ok_or(Diagnostic::InvalidInitialContext)?,
            revision: 0,
            updated_at: now.clone(),
        })
    }
}
