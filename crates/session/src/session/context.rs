//! What a session works with.

use std::sync::Arc;
use std::time::Duration;

use answerplane_protocol::Identifier;
use answerplane_store::{Key, KeyPrefix, Store};

use crate::backend::Backend;
use crate::clock::{Clock, SystemClock};
use crate::ids::{IdSource, RandomIds};
use crate::session::actions::Actions;
use crate::session::error::SessionError;
use crate::session::head::WriteId;
use crate::snapshot_session::Definition;

/// By how much the clocks of two replicas may differ.
const CLOCKS_AGREE: Duration = Duration::from_secs(5);

/// How a session is run. What is not said is as [`default`](Self::default).
#[derive(Clone)]
pub struct SessionOptions {
    namespace: Option<Vec<String>>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
    deadline: Duration,
    cleanup: Duration,
    retention: Option<Duration>,
    pub(super) actions: Actions,
}

impl Default for SessionOptions {
    /// A turn may take 300 s and its end 5 s, nothing expires, there are no actions, and clock and randomness are the system's.
    fn default() -> Self {
        Self {
            namespace: None,
            clock: Arc::new(SystemClock),
            ids: Arc::new(RandomIds),
            deadline: Duration::from_secs(300),
            cleanup: Duration::from_secs(5),
            retention: None,
            actions: Actions::default(),
        }
    }
}

impl SessionOptions {
    /// Keeps the session's document under these parts of a key, before its id: where a store serves several sites or
    /// subjects, their names. Without, the id of the definition stands there.
    #[must_use]
    pub fn namespace<P: Into<String>>(mut self, parts: impl IntoIterator<Item = P>) -> Self {
        self.namespace = Some(parts.into_iter().map(Into::into).collect());
        self
    }

    /// Tells the time by another clock.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Draws ids from another source.
    #[must_use]
    pub fn ids(mut self, ids: impl IdSource + 'static) -> Self {
        self.ids = Arc::new(ids);
        self
    }

    /// Says how long an answer may take, and how long its record. A turn holds the session for both and five seconds more at
    /// most: then somebody else may go on without it.
    #[must_use]
    pub fn deadline(mut self, turn: Duration, cleanup: Duration) -> Self {
        (self.deadline, self.cleanup) = (turn, cleanup);
        self
    }

    /// Forgets the session when nothing was written for so long.
    #[must_use]
    pub fn retention(mut self, retention: Duration) -> Self {
        self.retention = Some(retention);
        self
    }

    /// Lets actions be proposed and confirmed.
    #[must_use]
    pub fn actions(mut self, actions: Actions) -> Self {
        self.actions = actions;
        self
    }
}

impl SessionOptions {
    /// What the keys of all sessions of a definition begin with.
    fn place(&self, definition: &Definition) -> impl Iterator<Item = String> {
        let namespace = self.namespace.clone();
        let namespace = namespace.unwrap_or_else(|| vec![definition.id.as_str().to_string()]);
        ["session".to_string()].into_iter().chain(namespace)
    }

    pub(super) fn prefix(&self, definition: &Definition) -> Result<KeyPrefix, SessionError> {
        KeyPrefix::new(self.place(definition)).map_err(|_| SessionError::InvalidKey)
    }

    pub(super) fn key(&self, id: &Identifier, definition: &Definition) -> Result<Key, SessionError> {
        let parts = self.place(definition).chain([id.as_str().to_string()]);
        Key::new(parts).map_err(|_| SessionError::InvalidKey)
    }

    pub(super) fn now(&self) -> i64 {
        self.clock.now().as_millis()
    }
}

/// What a session works with: it stays the same as long as the session is open.
pub(super) struct Context {
    pub(super) id: Identifier,
    pub(super) key: Key,
    pub(super) definition: Definition,
    pub(super) backend: Arc<dyn Backend>,
    pub(super) store: Arc<dyn Store>,
    pub(super) options: SessionOptions,
}

impl Context {
    pub(super) fn new(
        id: Identifier,
        definition: Definition,
        backend: Arc<dyn Backend>,
        store: Arc<dyn Store>,
        options: SessionOptions,
    ) -> Result<Self, SessionError> {
        let key = options.key(&id, &definition)?;
        Ok(Self { id, key, definition, backend, store, options })
    }

    /// The present moment, in milliseconds since 1970.
    pub(super) fn now(&self) -> i64 {
        self.options.now()
    }

    pub(super) fn clock(&self) -> &Arc<dyn Clock> {
        &self.options.clock
    }

    pub(super) fn deadline(&self) -> Duration {
        self.options.deadline
    }

    /// When a lease that begins now ends.
    pub(super) fn lease_end(&self, now: i64) -> i64 {
        let lease = self.options.deadline.saturating_add(self.options.cleanup).saturating_add(CLOCKS_AGREE);
        now.saturating_add(millis(lease))
    }

    /// When the document expires: not before the lease of a claim ends.
    pub(super) fn expires_at(&self, now: i64, lease_end: Option<i64>) -> Option<i64> {
        let retention = self.options.retention?;
        Some(now.saturating_add(millis(retention)).max(lease_end.unwrap_or(i64::MIN)))
    }

    pub(super) fn draw(&self) -> Result<u128, SessionError> {
        self.options.ids.draw().ok_or(SessionError::NoId)
    }

    pub(super) fn write_id(&self) -> Result<WriteId, SessionError> {
        self.draw().map(WriteId::new)
    }

    /// An id that nobody else has, with a word before it.
    pub(super) fn name(&self, kind: &str) -> Result<Identifier, SessionError> {
        let bits = self.draw()?;
        format!("{kind}-{bits:032x}").parse().map_err(|_| SessionError::NoId)
    }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}
