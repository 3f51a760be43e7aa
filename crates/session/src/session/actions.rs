//! What may be done beyond answering, and who may have it done.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use answerplane_protocol::{ForeignValue, Identifier};
use async_trait::async_trait;
use serde_json::{Map, Value};
use tokio::sync::broadcast;

use crate::panics::{caught, caught_call};
use crate::session::confirm::Denial;

/// How many decisions wait for a slow receiver before it misses the oldest.
const WAITING: usize = 256;

/// Something that can be done once somebody has confirmed it.
#[async_trait]
pub trait Action: Send + Sync {
    /// Does it, and says what came of it. It is called once for a confirmation that was approved, whatever happens.
    ///
    /// # Errors
    ///
    /// [`ActionFailed`]. The confirmation stays as approving, and it is not done again.
    async fn run(&self, confirmed: &Confirmed) -> Result<ForeignValue, ActionFailed>;

    /// Learns that it will not be done.
    ///
    /// # Errors
    ///
    /// [`ActionFailed`]. The confirmation stays as rejecting or expiring.
    async fn deny(&self, _confirmed: &Confirmed, _denial: Denial) -> Result<(), ActionFailed> {
        Ok(())
    }

    /// Whether this input is put up for confirmation at all. What is not is rejected at once.
    fn is_offered(&self, _input: &Map<String, Value>) -> bool {
        true
    }
}

/// What was confirmed, or was not.
#[derive(Clone, Debug, PartialEq)]
pub struct Confirmed {
    /// The token: nothing else is done under it, so that whoever does it can tell a repetition.
    pub token: Identifier,
    /// The action's name.
    pub action: Identifier,
    /// What it is given.
    pub input: Map<String, Value>,
    /// The session.
    pub session: Identifier,
}

/// An action failed. What happened is nobody's business but its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the action failed")]
pub struct ActionFailed;

impl ActionFailed {
    /// A stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        "ACTION_FAILED"
    }
}

/// What is known for certain about who uses a session: from the host's own authentication, never from what was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedContext {
    /// The session that it is about.
    pub session: Identifier,
    /// What its user may do.
    pub capabilities: BTreeSet<String>,
}

/// A policy of the host's own behind the capabilities.
#[async_trait]
pub trait InnerPolicy: Send + Sync {
    /// Whether the action may be done.
    ///
    /// # Errors
    ///
    /// [`ActionFailed`] where it cannot tell: then it may not.
    async fn allows(&self, action: &Identifier, context: &TrustedContext) -> Result<bool, ActionFailed>;
}

/// Why a policy decided as it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PolicyReason {
    /// It may be done.
    Allowed,
    /// Nothing is known of who uses the session.
    MissingContext,
    /// What is known is about another session.
    SessionMismatch,
    /// There is no such action.
    ActionUnregistered,
    /// A capability that the action needs is missing.
    MissingCapability,
    /// The policy of the host's own says no.
    ComposedPolicyDenied,
    /// A policy failed or panicked.
    PolicyFailure,
}

impl PolicyReason {
    /// Every reason.
    pub const ALL: [Self; 7] = [
        Self::Allowed,
        Self::MissingContext,
        Self::SessionMismatch,
        Self::ActionUnregistered,
        Self::MissingCapability,
        Self::ComposedPolicyDenied,
        Self::PolicyFailure,
    ];

    /// The word that it is written as.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::MissingContext => "missing-context",
            Self::SessionMismatch => "session-mismatch",
            Self::ActionUnregistered => "action-unregistered",
            Self::MissingCapability => "missing-capability",
            Self::ComposedPolicyDenied => "composed-policy-denied",
            Self::PolicyFailure => "policy-failure",
        }
    }
}

/// When a policy was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// When an action was proposed.
    Proposal,
    /// Before it was done.
    Execution,
}

/// What a policy decided: about which action and for which capabilities, and never about what input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyTrace {
    /// The action.
    pub action: Identifier,
    /// The capabilities that it needs.
    pub required: Vec<String>,
    /// When.
    pub stage: Stage,
    /// What, and why.
    pub reason: PolicyReason,
}

type Trust = dyn Fn(&Identifier) -> Option<TrustedContext> + Send + Sync;

/// The actions of a session, what each needs, and what is known of who uses it. By [`default`](Self::default) there are none,
/// and nothing is known. Cloning shares them.
#[derive(Clone)]
pub struct Actions {
    registered: BTreeMap<Identifier, Registered>,
    trust: Arc<Trust>,
    inner: Option<Arc<dyn InnerPolicy>>,
    decided: broadcast::Sender<PolicyTrace>,
}

#[derive(Clone)]
struct Registered {
    required: Vec<String>,
    action: Arc<dyn Action>,
}

impl Default for Actions {
    fn default() -> Self {
        Self {
            registered: BTreeMap::new(),
            trust: Arc::new(|_| None),
            inner: None,
            decided: broadcast::Sender::new(WAITING),
        }
    }
}

impl Actions {
    /// Adds an action, and what its user has to be able to do.
    #[must_use]
    pub fn action<C: Into<String>>(
        mut self,
        name: Identifier,
        required: impl IntoIterator<Item = C>,
        action: impl Action + 'static,
    ) -> Self {
        let required = required.into_iter().map(Into::into).collect();
        self.registered.insert(name, Registered { required, action: Arc::new(action) });
        self
    }

    /// Says what is known of who uses a session.
    #[must_use]
    pub fn trust<F>(mut self, trust: F) -> Self
    where
        F: Fn(&Identifier) -> Option<TrustedContext> + Send + Sync + 'static,
    {
        self.trust = Arc::new(trust);
        self
    }

    /// Asks a policy of the host's own as well, where everything else allows it.
    #[must_use]
    pub fn policy(mut self, policy: impl InnerPolicy + 'static) -> Self {
        self.inner = Some(Arc::new(policy));
        self
    }

    /// What is decided from now on.
    #[must_use]
    pub fn decided(&self) -> broadcast::Receiver<PolicyTrace> {
        self.decided.subscribe()
    }

    pub(super) fn get(&self, name: &Identifier) -> Option<Arc<dyn Action>> {
        self.registered.get(name).map(|registered| registered.action.clone())
    }

    /// Whether an action may be done in a session, and why. It is traced.
    pub(super) async fn decide(&self, name: &Identifier, session: &Identifier, stage: Stage) -> PolicyReason {
        let reason = self.reason(name, session).await;
        let required = self.registered.get(name).map(|registered| registered.required.clone());
        let trace =
            PolicyTrace { action: name.clone(), required: required.unwrap_or_default(), stage, reason };
        // Nobody is left to be told where it fails.
        let _ = self.decided.send(trace);
        reason
    }

    async fn reason(&self, name: &Identifier, session: &Identifier) -> PolicyReason {
        let context = match self.capable(name, session) {
            Ok(context) => context,
            Err(reason) => return reason,
        };
        let Some(inner) = &self.inner else { return PolicyReason::Allowed };
        match caught_call(|| inner.allows(name, &context)).await {
            // What is known may have changed while it was asked.
            Some(Ok(true)) => self.capable(name, session).err().unwrap_or(PolicyReason::Allowed),
            Some(Ok(false)) => PolicyReason::ComposedPolicyDenied,
            Some(Err(ActionFailed)) | None => PolicyReason::PolicyFailure,
        }
    }

    fn capable(&self, name: &Identifier, session: &Identifier) -> Result<TrustedContext, PolicyReason> {
        let context = caught(|| (self.trust)(session)).ok_or(PolicyReason::PolicyFailure)?;
        let context = context.ok_or(PolicyReason::MissingContext)?;
        if context.session != *session {
            return Err(PolicyReason::SessionMismatch);
        }
        let registered = self.registered.get(name).ok_or(PolicyReason::ActionUnregistered)?;
        if !registered.required.iter().all(|needed| context.capabilities.contains(needed)) {
            return Err(PolicyReason::MissingCapability);
        }
        Ok(context)
    }
}

impl std::fmt::Debug for Actions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.registered.keys()).finish()
    }
}
