//! Actions that are done once somebody has confirmed them, and then once: rule 10 of `docs/turns.md`.

use answerplane_protocol::session_snapshot::{ConfirmationInput, ConfirmationStatus};
use answerplane_protocol::{ForeignValue, Identifier};
use serde_json::{Map, Value};

use crate::panics::{caught, caught_call};
use crate::session::actions::{Action, ActionFailed, Confirmed, PolicyReason, Stage};
use crate::session::error::SessionError;
use crate::session::head::{ConfirmationEntry, MAX_CONFIRMATIONS, WriteId};
use crate::session::journal::Payload;
use crate::session::stored::{Additions, Stored, Written};
use crate::session::{Inner, Session, Update, locked};

/// How long a confirmation waits where nothing else is said, in milliseconds.
const LIFE: i64 = 300_000;

/// An action that is proposed.
#[derive(Clone, Debug)]
pub struct Proposal {
    action: Identifier,
    input: Map<String, Value>,
    id: Option<String>,
    life: i64,
}

impl Proposal {
    /// An action and what it is given. It waits for five minutes.
    #[must_use]
    pub fn new(action: Identifier, input: Map<String, Value>) -> Self {
        Self { action, input, id: None, life: LIFE }
    }

    /// The same with an id of the caller's: its token is `confirm-<id>`, its tool call `app-<id>`.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// The same, waiting for so many milliseconds.
    #[must_use]
    pub fn life(mut self, millis: u32) -> Self {
        self.life = millis.into();
        self
    }
}

/// An action that was put up for confirmation, and how far it has come.
#[derive(Clone, Debug, PartialEq)]
pub struct Confirmation {
    /// The token under which it is confirmed.
    pub token: Identifier,
    /// The use of a tool that it is.
    pub tool_call_id: Identifier,
    /// The action.
    pub action: Identifier,
    /// What it is given.
    pub input: Map<String, Value>,
    /// Until when it can be confirmed, in milliseconds since 1970.
    pub expires_at: i64,
    /// How far it has come.
    pub status: ConfirmationStatus,
    /// What came of it, where it was approved.
    pub receipt: Option<Value>,
    /// The turn that it was proposed in.
    pub turn: Option<String>,
}

/// Why an action is denied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Denial {
    /// Somebody has rejected it.
    Rejected,
    /// It waited too long.
    Expired,
}

/// Why an action was not proposed, or not confirmed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfirmError {
    /// As of every operation of the session that writes.
    #[error("{0}")]
    Session(#[from] SessionError),
    /// The policy does not allow it.
    #[error("the policy does not allow the action")]
    Denied(PolicyReason),
    /// The session has no such confirmation.
    #[error("there is no such confirmation")]
    UnknownToken,
    /// Somebody else has decided in the meantime.
    #[error("already resolved by another client")]
    AlreadyResolved,
    /// The session has a confirmation with this id.
    #[error("a confirmation has this id already")]
    IdUsed,
    /// Token and tool call of this id would be no identifiers.
    #[error("the id makes no token and tool call")]
    InvalidId,
    /// The input is beyond the limits of what is kept.
    #[error("the input exceeds its limits")]
    InvalidInput,
    /// The session has 1,000 confirmations, and none is settled.
    #[error("too many confirmations are open")]
    Full,
    /// The action failed, or learned that it is denied and failed. It is not done again.
    #[error("{0}")]
    Failed(#[from] ActionFailed),
}

impl ConfirmError {
    /// A stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Session(error) => error.code(),
            Self::Denied(_) => "ACTION_DENIED",
            Self::UnknownToken => "ACTION_NOT_FOUND",
            Self::AlreadyResolved => "ACTION_ALREADY_DECIDED",
            Self::IdUsed => "ACTION_ID_USED",
            Self::InvalidId => "ACTION_INVALID_ID",
            Self::InvalidInput => "ACTION_INVALID_INPUT",
            Self::Full => "ACTION_TOO_MANY",
            Self::Failed(failed) => failed.code(),
        }
    }
}

/// What a process has done about a confirmation, and is still to write.
#[derive(Clone)]
pub(super) struct Owed {
    id: String,
    nonce: WriteId,
    settled: ConfirmationStatus,
    receipt: Option<ForeignValue>,
}

/// What somebody decides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Decision {
    Approve,
    Reject,
}

impl Session {
    /// Puts an action up for confirmation. When this returns, it certainly is.
    ///
    /// # Errors
    ///
    /// [`ConfirmError`], notably [`Denied`](ConfirmError::Denied), [`InvalidId`](ConfirmError::InvalidId),
    /// [`IdUsed`](ConfirmError::IdUsed), [`InvalidInput`](ConfirmError::InvalidInput) and [`Full`](ConfirmError::Full).
    pub async fn propose(&self, proposal: Proposal) -> Result<Confirmation, ConfirmError> {
        self.inner.propose(proposal).await
    }

    /// Approves an action and does it. What was settled before is returned as it is. One that waited too long is denied.
    ///
    /// # Errors
    ///
    /// [`ConfirmError`], notably [`UnknownToken`](ConfirmError::UnknownToken), [`Denied`](ConfirmError::Denied) (it waits
    /// on), [`AlreadyResolved`](ConfirmError::AlreadyResolved) and [`Failed`](ConfirmError::Failed).
    pub async fn approve(&self, token: &Identifier) -> Result<Confirmation, ConfirmError> {
        self.inner.decide(token, Decision::Approve).await
    }

    /// Rejects an action. What was settled before is returned as it is.
    ///
    /// # Errors
    ///
    /// As for [`approve`](Self::approve).
    pub async fn reject(&self, token: &Identifier) -> Result<Confirmation, ConfirmError> {
        self.inner.decide(token, Decision::Reject).await
    }

    /// The confirmations of the session, in the order in which they were proposed.
    ///
    /// # Errors
    ///
    /// [`SessionError`] where they cannot be read.
    pub async fn confirmations(&self) -> Result<Vec<Confirmation>, SessionError> {
        let stored = &mut *self.inner.stored.lock().await;
        self.inner.settle(stored).await?;
        stored.load(&self.inner.context).await?;
        self.inner.confirmations(stored).await
    }
}

impl Inner {
    async fn propose(&self, proposal: Proposal) -> Result<Confirmation, ConfirmError> {
        let context = &self.context;
        let Proposal { action: name, input, id, life } = proposal;
        let reason = context.options.actions.decide(&name, &context.id, Stage::Proposal).await;
        let action = context.options.actions.get(&name).filter(|_| reason == PolicyReason::Allowed);
        let action = action.ok_or(ConfirmError::Denied(reason))?;
        let id = match id {
            Some(id) => id,
            None => format!("{:032x}", context.draw()?),
        };
        names(&id)?;
        let is_offered = caught(|| action.is_offered(&input)).unwrap_or(false);
        let input = ConfirmationInput::new(&Value::Object(input)).ok_or(ConfirmError::InvalidInput)?;
        let status = if is_offered { ConfirmationStatus::Pending } else { ConfirmationStatus::Rejected };
        let stored = &mut *self.stored.lock().await;
        self.settle(stored).await?;
        loop {
            let now = context.now();
            let write = context.write_id()?;
            let mut head = stored.next_head(write.clone());
            let planned = if head.confirmations.iter().any(|entry| entry.id == id) {
                Err(ConfirmError::IdUsed)
            } else {
                make_room(&mut head.confirmations)
            };
            if planned.is_err() && !stored.is_fresh {
                stored.load(context).await?;
                continue;
            }
            planned?;
            head.confirmations.push(ConfirmationEntry {
                id: id.clone(),
                status,
                proposal: write.clone(),
                owner: None,
                expires_at: now.saturating_add(life),
                payload: stored.next_payload(),
                receipt: None,
                turn: head.active.as_ref().map(|active| active.turn.clone()),
            });
            let payloads = vec![Payload::Proposal { action: name.clone(), input: input.clone() }];
            let additions = Additions { payloads, ..Additions::default() };
            match stored.replace(context, head, additions).await? {
                Written::Done => break,
                Written::Conflict { after_unknown } => {
                    stored.load_after(context, after_unknown).await?;
                    if entry(stored, &id).is_some_and(|entry| entry.proposal == write) {
                        break;
                    }
                }
            }
        }
        self.tell(Update::Changed(stored.head.cursor));
        let entry = entry(stored, &id).cloned().ok_or(ConfirmError::UnknownToken)?;
        Ok(confirmation(&entry, name, input, None)?)
    }

    async fn decide(&self, token: &Identifier, decision: Decision) -> Result<Confirmation, ConfirmError> {
        let context = &self.context;
        let id = token.as_str().strip_prefix(TOKEN).ok_or(ConfirmError::UnknownToken)?;
        let (proposal, confirmed) = {
            let stored = &mut *self.stored.lock().await;
            self.settle(stored).await?;
            stored.load(context).await?;
            let current = self.confirmation(stored, id).await?.ok_or(ConfirmError::UnknownToken)?;
            let found = entry(stored, id).ok_or(ConfirmError::UnknownToken)?;
            if found.status != ConfirmationStatus::Pending {
                return Ok(current);
            }
            let confirmed = Confirmed {
                token: token.clone(),
                action: current.action,
                input: current.input,
                session: context.id.clone(),
            };
            (found.proposal.clone(), confirmed)
        };
        if decision == Decision::Approve {
            let reason =
                context.options.actions.decide(&confirmed.action, &context.id, Stage::Execution).await;
            if reason != PolicyReason::Allowed {
                return Err(ConfirmError::Denied(reason));
            }
        }
        let (nonce, claim) = self.claim(id, &proposal, decision).await?;
        // From here on it is this process alone that acts, and once.
        let action = context.options.actions.get(&confirmed.action);
        let (settled, receipt) = match claim {
            ConfirmationStatus::Approving => {
                (ConfirmationStatus::Approved, Some(run(action.as_deref(), &confirmed).await?))
            }
            ConfirmationStatus::Rejecting => {
                deny(action.as_deref(), &confirmed, Denial::Rejected).await?;
                (ConfirmationStatus::Rejected, None)
            }
            _ => {
                deny(action.as_deref(), &confirmed, Denial::Expired).await?;
                (ConfirmationStatus::Expired, None)
            }
        };
        let owed = Owed { id: id.to_string(), nonce, settled, receipt };
        locked(&self.owed).push(owed.clone());
        let stored = &mut *self.stored.lock().await;
        let paid = async {
            stored.settle(context).await?;
            self.settle_confirmation(stored, &owed).await
        };
        let paid = paid.await;
        self.strike_out(&owed, &paid);
        paid
    }

    /// Claims a confirmation that is pending. Gives the nonce of the claim, and what is to be done.
    async fn claim(
        &self,
        id: &str,
        proposal: &WriteId,
        decision: Decision,
    ) -> Result<(WriteId, ConfirmationStatus), ConfirmError> {
        let context = &self.context;
        let stored = &mut *self.stored.lock().await;
        self.settle(stored).await?;
        loop {
            let nonce = context.write_id()?;
            let mut head = stored.next_head(nonce.clone());
            let is_it = |entry: &&mut ConfirmationEntry| {
                entry.id == id && entry.proposal == *proposal && entry.status == ConfirmationStatus::Pending
            };
            let Some(pending) = head.confirmations.iter_mut().find(is_it) else {
                if !stored.is_fresh {
                    stored.load(context).await?;
                    continue;
                }
                return Err(ConfirmError::AlreadyResolved);
            };
            let status = match decision {
                _ if context.now() >= pending.expires_at => ConfirmationStatus::Expiring,
                Decision::Approve => ConfirmationStatus::Approving,
                Decision::Reject => ConfirmationStatus::Rejecting,
            };
            pending.status = status;
            pending.owner = Some(nonce.clone());
            let is_claimed = match stored.replace(context, head, Additions::default()).await? {
                Written::Done => true,
                Written::Conflict { after_unknown } => {
                    stored.load_after(context, after_unknown).await?;
                    entry(stored, id).is_some_and(|entry| entry.owner.as_ref() == Some(&nonce))
                }
            };
            if is_claimed {
                self.tell(Update::Changed(stored.head.cursor));
                return Ok((nonce, status));
            }
        }
    }

    /// Writes what became of confirmations that this process has acted on, where that was not possible before.
    pub(super) async fn pay(&self, stored: &mut Stored) {
        let owed = locked(&self.owed).clone();
        for owed in owed {
            let paid = self.settle_confirmation(stored, &owed).await;
            self.strike_out(&owed, &paid);
        }
    }

    /// Nothing is owed any more where it is written, or there is nothing left to write to.
    fn strike_out(&self, owed: &Owed, paid: &Result<Confirmation, ConfirmError>) {
        if matches!(
            paid,
            Ok(_) | Err(ConfirmError::UnknownToken | ConfirmError::Session(SessionError::Erased))
        ) {
            locked(&self.owed).retain(|other| other.nonce != owed.nonce);
        }
    }

    /// Writes what became of a claimed confirmation.
    async fn settle_confirmation(
        &self,
        stored: &mut Stored,
        owed: &Owed,
    ) -> Result<Confirmation, ConfirmError> {
        let context = &self.context;
        let Owed { id, nonce, settled, receipt } = owed;
        loop {
            let found = entry(stored, id).filter(|entry| entry.owner.as_ref() == Some(nonce));
            let Some(found) = found else {
                if !stored.is_fresh {
                    stored.load(context).await?;
                    continue;
                }
                return Err(ConfirmError::UnknownToken);
            };
            if found.status == *settled {
                return self.confirmation(stored, id).await?.ok_or(ConfirmError::UnknownToken);
            }
            let mut head = stored.next_head(context.write_id()?);
            let number = stored.next_payload();
            if let Some(entry) = head.confirmations.iter_mut().find(|entry| entry.id == *id) {
                entry.status = *settled;
                entry.receipt = receipt.is_some().then_some(number);
            }
            let payloads = receipt.clone().map(Payload::Receipt).into_iter().collect();
            let additions = Additions { payloads, ..Additions::default() };
            if let Written::Conflict { after_unknown } = stored.replace(context, head, additions).await? {
                stored.load_after(context, after_unknown).await?;
            } else {
                self.tell(Update::Changed(stored.head.cursor));
            }
        }
    }

    pub(super) async fn confirmations(&self, stored: &mut Stored) -> Result<Vec<Confirmation>, SessionError> {
        let ids: Vec<String> = stored.head.confirmations.iter().map(|entry| entry.id.clone()).collect();
        let mut confirmations = Vec::with_capacity(ids.len());
        for id in &ids {
            confirmations.extend(self.confirmation(stored, id).await?);
        }
        Ok(confirmations)
    }

    /// The confirmation with this id, with its input and receipt; nothing where there is none.
    async fn confirmation(
        &self,
        stored: &mut Stored,
        id: &str,
    ) -> Result<Option<Confirmation>, SessionError> {
        let proposed = |stored: &Stored| entry(stored, id).map(|entry| entry.payload);
        let receipt = |stored: &Stored| entry(stored, id).and_then(|entry| entry.receipt);
        let payload = stored.read_payload(&self.context, proposed).await?;
        let receipt = stored.read_payload(&self.context, receipt).await?;
        let Some(entry) = entry(stored, id) else { return Ok(None) };
        let Some(Payload::Proposal { action, input }) = payload else { return Err(SessionError::Damaged) };
        let receipt = match receipt {
            Some(Payload::Receipt(receipt)) => Some(receipt.into_value()),
            Some(_) => return Err(SessionError::Damaged),
            None => None,
        };
        confirmation(entry, action, input, receipt).map(Some)
    }
}

const TOKEN: &str = "confirm-";
const TOOL_CALL: &str = "app-";

/// Token and tool call of an id.
fn names(id: &str) -> Result<(Identifier, Identifier), ConfirmError> {
    if id.is_empty() {
        return Err(ConfirmError::InvalidId);
    }
    let name = |prefix: &str| format!("{prefix}{id}").parse().map_err(|_| ConfirmError::InvalidId);
    Ok((name(TOKEN)?, name(TOOL_CALL)?))
}

fn confirmation(
    entry: &ConfirmationEntry,
    action: Identifier,
    input: ConfirmationInput,
    receipt: Option<Value>,
) -> Result<Confirmation, SessionError> {
    let (token, tool_call_id) = names(&entry.id).map_err(|_| SessionError::Damaged)?;
    let Value::Object(input) = input.into_value() else { return Err(SessionError::Damaged) };
    Ok(Confirmation {
        token,
        tool_call_id,
        action,
        input,
        expires_at: entry.expires_at,
        status: entry.status,
        receipt,
        turn: entry.turn.clone(),
    })
}

fn entry<'s>(stored: &'s Stored, id: &str) -> Option<&'s ConfirmationEntry> {
    stored.head.confirmations.iter().find(|entry| entry.id == id)
}

/// Lets the oldest settled one leave where there are too many.
fn make_room(confirmations: &mut Vec<ConfirmationEntry>) -> Result<(), ConfirmError> {
    use ConfirmationStatus::{Approved, Expired, Rejected};
    if confirmations.len() < MAX_CONFIRMATIONS {
        return Ok(());
    }
    let is_settled = |entry: &ConfirmationEntry| matches!(entry.status, Approved | Rejected | Expired);
    let oldest = confirmations.iter().position(is_settled).ok_or(ConfirmError::Full)?;
    confirmations.remove(oldest);
    Ok(())
}

async fn run(action: Option<&dyn Action>, confirmed: &Confirmed) -> Result<ForeignValue, ActionFailed> {
    let action = action.ok_or(ActionFailed)?;
    caught_call(|| action.run(confirmed)).await.unwrap_or(Err(ActionFailed))
}

/// An action that is no longer registered has nothing to learn.
async fn deny(
    action: Option<&dyn Action>,
    confirmed: &Confirmed,
    denial: Denial,
) -> Result<(), ActionFailed> {
    let Some(action) = action else { return Ok(()) };
    caught_call(|| action.deny(confirmed, denial)).await.unwrap_or(Err(ActionFailed))
}
