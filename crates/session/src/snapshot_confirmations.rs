//! Confirmations of a session whose host saves its snapshots.

use answerplane_protocol::session_snapshot::{Confirmation, ConfirmationStatus};
use answerplane_protocol::{Identifier, Timestamp};

use crate::snapshot_session::SnapshotSession;

/// The greatest number of confirmations of a session.
const MAX_CONFIRMATIONS: usize = 1_000;

/// What is to be done about a confirmation that somebody decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decided {
    /// Nothing: it was decided before, and this is what became of it.
    Before(Confirmation),
    /// It is claimed, and its action is to be done now.
    Run(Confirmation),
    /// It is claimed, and its action is to be denied now.
    Deny(Confirmation),
}

/// A confirmation was not taken: the session has one with this token or tool call, or 1,000 of which none is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the confirmation is not taken")]
pub struct NotProposed;

impl NotProposed {
    /// A stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        "SESSION_NOT_PROPOSED"
    }
}

impl SnapshotSession {
    /// Puts an action up for confirmation, made by [`Confirmation::pending`]. Past 1,000 the oldest settled one leaves.
    ///
    /// # Errors
    ///
    /// [`NotProposed`].
    pub fn propose(&mut self, confirmation: Confirmation) -> Result<(), NotProposed> {
        let is_known = self.confirmations.iter().any(|known| {
            known.token() == confirmation.token() || known.tool_call_id() == confirmation.tool_call_id()
        });
        if is_known {
            return Err(NotProposed);
        }
        if self.confirmations.len() >= MAX_CONFIRMATIONS {
            let oldest = self.confirmations.iter().position(|known| is_settled(*known.status()));
            self.confirmations.remove(oldest.ok_or(NotProposed)?);
        }
        self.confirmations.push(confirmation);
        Ok(())
    }

    /// Decides about a confirmation; nothing where there is none with this token. One that is pending is claimed: a host with
    /// a store saves the snapshot now, and acts only when it is saved.
    pub fn decide(&mut self, token: &Identifier, approve: bool, now: Timestamp) -> Option<Decided> {
        let known = self.confirmations.iter_mut().find(|known| known.token() == token)?;
        if *known.status() != ConfirmationStatus::Pending {
            return Some(Decided::Before(known.clone()));
        }
        let is_late = u64::try_from(now.as_millis()).is_ok_and(|now| now >= known.expires_at().get());
        let status = match approve {
            _ if is_late => ConfirmationStatus::Expiring,
            true => ConfirmationStatus::Approving,
            false => ConfirmationStatus::Rejecting,
        };
        *known = known.clone().with_status(status);
        Some(if status == ConfirmationStatus::Approving {
            Decided::Run(known.clone())
        } else {
            Decided::Deny(known.clone())
        })
    }

    /// What was to be done about a claimed confirmation is done. Gives what became of it; nothing where it was not claimed.
    pub fn decided(&mut self, token: &Identifier) -> Option<Confirmation> {
        self.settle(token, |status| match status {
            ConfirmationStatus::Approving => Some(ConfirmationStatus::Approved),
            ConfirmationStatus::Rejecting => Some(ConfirmationStatus::Rejected),
            ConfirmationStatus::Expiring => Some(ConfirmationStatus::Expired),
            _ => None,
        })
    }

    /// What was to be done about a claimed confirmation failed. Where nothing is stored it is pending again; with a store, leave
    /// it as it was claimed: nobody can know what had happened.
    pub fn undecided(&mut self, token: &Identifier) -> Option<Confirmation> {
        self.settle(token, |status| match status {
            ConfirmationStatus::Approving | ConfirmationStatus::Rejecting | ConfirmationStatus::Expiring => {
                Some(ConfirmationStatus::Pending)
            }
            _ => None,
        })
    }

    fn settle(
        &mut self,
        token: &Identifier,
        next: impl Fn(ConfirmationStatus) -> Option<ConfirmationStatus>,
    ) -> Option<Confirmation> {
        let known = self.confirmations.iter_mut().find(|known| known.token() == token)?;
        *known = known.clone().with_status(next(*known.status())?);
        Some(known.clone())
    }
}

fn is_settled(status: ConfirmationStatus) -> bool {
    use ConfirmationStatus::{Approved, Expired, Rejected};
    matches!(status, Approved | Expired | Rejected)
}
