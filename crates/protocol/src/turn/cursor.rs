//! Which snapshots of a session are new.

use crate::scalar::Identifier;
use crate::turn::SnapshotEvent;
use crate::wire::Integer;

/// Accepts the snapshots of one session, each newer than the one before.
///
/// Snapshots may arrive twice or out of order; showing an older one would take back what a person has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotCursor {
    session: Identifier,
    newest: Option<Integer>,
}

impl SnapshotCursor {
    /// A cursor before the first snapshot of a session.
    #[must_use]
    pub fn new(session: Identifier) -> Self {
        Self { session, newest: None }
    }

    /// Whether a snapshot is of this session and newer than all before; if so, it is the newest from now on.
    pub fn accept(&mut self, snapshot: &SnapshotEvent) -> bool {
        let is_newer = self.newest.is_none_or(|newest| *snapshot.sequence() > newest);
        let accepted = *snapshot.session_id() == self.session && is_newer;
        if accepted {
            self.newest = Some(*snapshot.sequence());
        }
        accepted
    }

    /// The sequence of the newest snapshot.
    #[must_use]
    pub fn newest(&self) -> Option<Integer> {
        self.newest
    }
}
