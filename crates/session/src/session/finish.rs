//! How a turn ends: one replace writes the answer, what was decided, and the turn's record.

use answerplane_protocol::turn::Role;
use serde_json::value::to_raw_value;

use crate::conversation::{MAX_DECISIONS, Track};
use crate::session::error::SessionError;
use crate::session::head::States;
use crate::session::journal::{Node, Payload};
use crate::session::stored::{Additions, Stored, Written};
use crate::session::turn::{Running, TurnEnd};
use crate::session::{Inner, Status, Update};

impl Inner {
    /// Writes the record of a turn, if nobody has; gives the end that it says. A turn that has not ended is stopped.
    pub(super) async fn finish(&self, running: &Running) -> Result<TurnEnd, SessionError> {
        let stored = &mut *self.stored.lock().await;
        self.finish_on(stored, running).await
    }

    pub(super) async fn finish_on(
        &self,
        stored: &mut Stored,
        running: &Running,
    ) -> Result<TurnEnd, SessionError> {
        let context = &self.context;
        if let Some(end) = running.recorded() {
            return Ok(end);
        }
        let outcome = async {
            stored.settle(context).await?;
            loop {
                if stored.head.claim(&running.nonce).is_some() {
                    if let Some(end) = self.commit(stored, running).await? {
                        return Ok(end);
                    }
                } else if stored.is_fresh {
                    let end = stored.record(running.turn.as_str(), &running.nonce);
                    return Ok(end.unwrap_or(TurnEnd::Indeterminate));
                } else {
                    stored.load(context).await?;
                }
            }
        };
        let outcome = outcome.await;
        match &outcome {
            Ok(end) => self.ended(running, *end, stored.head.cursor),
            Err(SessionError::Erased) => self.ended(running, TurnEnd::Indeterminate, stored.head.cursor),
            Err(_) => {}
        }
        outcome
    }

    /// Writes the record where the claim stands; nothing where the document had moved on, and was loaded.
    async fn commit(&self, stored: &mut Stored, running: &Running) -> Result<Option<TurnEnd>, SessionError> {
        let context = &self.context;
        let kept = running.kept();
        let mut head = stored.next_head(context.write_id()?);
        head.end_claim(kept.end);
        head.usage.add(kept.usage);
        let first_payload = stored.next_payload();
        for (number, offer) in (first_payload..).zip(&kept.offers) {
            head.offer(&offer.instance, number);
        }
        if stored.dispatched.as_ref() == Some(&running.nonce)
            && let Some(track) = &mut stored.track
        {
            track.fold_to(MAX_DECISIONS);
            head.states = Some(states_of(track));
        }
        head.tip = Some(stored.tree.length());
        let answer = Node {
            parent: Some(running.user_node),
            message: running.answer_message.clone(),
            role: Role::Assistant,
            content: kept.text,
            at: context.now(),
            turn: Some((running.turn.as_str().to_string(), running.nonce.clone())),
            end: Some(kept.end),
            answer: kept.answer.and_then(|answer| to_raw_value(&answer).ok()),
            failure: kept.failure,
        };
        let additions = Additions {
            nodes: vec![answer],
            payloads: kept.offers.into_iter().map(Payload::Choices).collect(),
            decisions: true,
            ..Additions::default()
        };
        match stored.replace(context, head, additions).await? {
            Written::Done => {
                stored.dispatched = None;
                stored.move_to(stored.head.tip);
                Ok(Some(kept.end))
            }
            Written::Conflict { after_unknown } => {
                stored.load_after(context, after_unknown).await?;
                Ok(None)
            }
        }
    }

    pub(super) fn ended(&self, running: &Running, end: TurnEnd, cursor: u64) {
        running.record(end);
        self.forget(running);
        self.set_status(match end {
            TurnEnd::Done | TurnEnd::Stopped => Status::Idle,
            TurnEnd::Failed | TurnEnd::Indeterminate => Status::Error,
        });
        self.tell(Update::Ended(running.turn.clone(), end));
        self.tell(Update::Changed(cursor));
    }
}

pub(super) fn states_of(track: &Track) -> States {
    States { current: track.current().to_string(), base: track.base().to_string() }
}
