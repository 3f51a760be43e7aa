//! The transition: an instance and an event give another instance, or a reason why not.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::context::Context;
use crate::definition::Definition;
use crate::diagnostic::Diagnostic;
use crate::event::Event;
use crate::instance::Instance;
use crate::text::NonBlank;

/// The greatest revision: the greatest integer that every reader of JSON holds exactly.
pub const MAX_REVISION: u64 = (1 << 53) - 1;

/// What became of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Transition<'a> {
    /// The instance has moved.
    Accepted(Accepted<'a>),
    /// The instance stays as it is.
    Rejected(Rejected<'a>),
}

/// A transition that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted<'a> {
    from: &'a NonBlank,
    event: &'a Event,
    instance: Instance,
}

/// A transition that was not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected<'a> {
    diagnostic: Diagnostic,
    event: &'a Event,
    instance: &'a Instance,
}

impl<'a> Transition<'a> {
    /// The next instance, or the reason why there is none.
    ///
    /// # Errors
    ///
    /// The diagnostic of a rejected transition.
    pub fn into_result(self) -> Result<Instance, Diagnostic> {
        match self {
            Self::Accepted(accepted) => Ok(accepted.instance),
            Self::Rejected(rejected) => Err(rejected.diagnostic),
        }
    }

    /// The state before.
    #[must_use]
    pub const fn from(&self) -> &'a NonBlank {
        match self {
            Self::Accepted(accepted) => accepted.from,
            Self::Rejected(rejected) => rejected.instance.state(),
        }
    }

    /// The event.
    #[must_use]
    pub const fn event(&self) -> &'a Event {
        match self {
            Self::Accepted(Accepted { event, .. }) | Self::Rejected(Rejected { event, .. }) => event,
        }
    }
}

impl<'a> Accepted<'a> {
    /// The state before.
    #[must_use]
    pub const fn from(&self) -> &'a NonBlank {
        self.from
    }

    /// The state after.
    #[must_use]
    pub const fn to(&self) -> &NonBlank {
        self.instance.state()
    }

    /// The event.
    #[must_use]
    pub const fn event(&self) -> &'a Event {
        self.event
    }

    /// The next instance.
    #[must_use]
    pub const fn instance(&self) -> &Instance {
        &self.instance
    }

    /// The next instance, taken out.
    #[must_use]
    pub fn into_instance(self) -> Instance {
        self.instance
    }
}

impl<'a> Rejected<'a> {
    /// The reason.
    #[must_use]
    pub const fn diagnostic(&self) -> &Diagnostic {
        &self.diagnostic
    }

    /// The event.
    #[must_use]
    pub const fn event(&self) -> &'a Event {
        self.event
    }

    /// The instance, unchanged.
    #[must_use]
    pub const fn instance(&self) -> &'a Instance {
        self.instance
    }
}

impl Definition {
    /// What becomes of `event` at `instance`.
    ///
    /// In this order: the instance belongs to this definition; its state accepts the event; its revision can
    /// grow; the guard allows it; the reducer makes the next context, which keeps the definition's rule. That
    /// event and time are well-formed is proven by their types; [`transition_value`](Self::transition_value)
    /// takes them as any JSON.
    ///
    /// The same arguments give the same transition as long as guards, reducers and the rule of the context do.
    /// Nothing is allocated but what a reducer makes and the one cell that holds its context.
    ///
    /// Whatever the arguments are, there is no panic of this function's own. A closure that panics does so
    /// through it: without `std` nothing can be caught here. Whoever runs closures that it does not trust
    /// catches panics around this call, at its port; instance and definition are as they were.
    pub fn transition<'a>(&self, instance: &'a Instance, event: &'a Event, now: &NonBlank) -> Transition<'a> {
        match self.next(instance, event, now) {
            Ok(next) => Transition::Accepted(Accepted { from: instance.state(), event, instance: next }),
            Err(diagnostic) => Transition::Rejected(Rejected { diagnostic, event, instance }),
        }
    }

    fn next(&self, instance: &Instance, event: &Event, now: &NonBlank) -> Result<Instance, Diagnostic> {
        let is_ours = instance.machine_id() == self.id() && instance.machine_version() == self.version();
        let state = self.node(instance.state()).filter(|_| is_ours).ok_or(Diagnostic::ForeignInstance)?;
        let kind = || event.kind().clone();
        let edge = state
            .edge(event.kind())
            .ok_or_else(|| Diagnostic::Unavailable { event: kind(), state: instance.state().clone() })?;
        if instance.revision >= MAX_REVISION {
            return Err(Diagnostic::RevisionExhausted);
        }
        if let Some(guard) = &edge.guard {
            match guard(instance.context(), event) {
                Ok(true) => {}
                Ok(false) => return Err(Diagnostic::GuardRejected { event: kind() }),
                Err(_) => return Err(Diagnostic::GuardFailed { event: kind() }),
            }
        }
        let context = match &edge.reducer {
            None => instance.context.clone(),
            Some(reduce) => {
                let reduced = reduce(instance.context(), event)
                    .map_err(|_| Diagnostic::ReducerFailed { event: kind() })?;
                Context::new(reduced)
                    .filter(|context| self.allows(context))
                    .ok_or_else(|| Diagnostic::InvalidReducedContext { event: kind() })?
            }
        };
        Ok(Instance {
            identity: instance.identity.clone(),
            state: edge.target.clone(),
            context,
            revision: instance.revision + 1,
            updated_at: now.clone(),
        })
    }
}

impl Serialize for Transition<'_> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let mut wire = serializer.serialize_struct("Transition", 5)?;
        wire.serialize_field("from", self.from())?;
        wire.serialize_field("event", self.event())?;
        match self {
            Self::Accepted(accepted) => {
                wire.serialize_field("status", "accepted")?;
                wire.serialize_field("to", accepted.to())?;
                wire.serialize_field("instance", accepted.instance())?;
            }
            Self::Rejected(rejected) => {
                wire.serialize_field("status", "rejected")?;
                wire.serialize_field("diagnostic", rejected.diagnostic())?;
                wire.serialize_field("instance", rejected.instance())?;
            }
        }
        wire.end()
    }
}
