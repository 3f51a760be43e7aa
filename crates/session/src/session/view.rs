//! What can be seen of a session.

use std::collections::HashMap;

use answerplane_protocol::session_snapshot::{
    ActiveTurn, Confirmation as WireConfirmation, ConfirmationInput, SessionSnapshot, SnapshotHead,
    TerminalTurn, TurnOutcome,
};
use answerplane_protocol::turn::Role;
use answerplane_protocol::{
    AnswerEnvelope, Content, ContentPart, Integer, List, RenderFrame, Timestamp, UtcTime,
};
use serde_json::Value;

use crate::conversation::{StateView, Unsavable, written};
use crate::local::CHOICES_INSTANCE;
use crate::session::error::SessionError;
use crate::session::head::{Head, Usage};
use crate::session::journal::Node;
use crate::session::turn::TurnEnd;
use crate::session::{Inner, Session, locked};

/// A message of the active path.
#[derive(Clone, Debug, PartialEq)]
pub struct TranscriptMessage {
    /// The id of the message; its versions share it.
    pub id: String,
    /// The node of the version that is shown.
    pub node: u64,
    /// The nodes of all its versions, the oldest first.
    pub versions: Vec<u64>,
    /// Who speaks.
    pub role: Role,
    /// What is said: of an answer with components beside it, [ordered content](Content). See [`plain`](Self::plain) and
    /// [`choices`](Self::choices).
    pub text: String,
    /// When it was written, in milliseconds since 1970.
    pub at: i64,
    /// The turn that it belongs to; nothing where it was edited without one.
    pub turn: Option<String>,
    /// Of an answer, how its turn ended; nothing while it runs.
    pub end: Option<TurnEnd>,
    /// Of an answer, the envelope that vouches for it.
    pub answer: Option<AnswerEnvelope>,
    /// Of an answer that failed, what a person is told, if anything.
    pub failure: Option<String>,
}

impl TranscriptMessage {
    /// What is said, without the components that stand beside it.
    #[must_use]
    pub fn plain(&self) -> String {
        if !Content::is_ordered(&self.text) {
            return self.text.clone();
        }
        let Ok(content) = Content::decode(&self.text) else { return self.text.clone() };
        let texts = content.parts().iter().filter_map(|part| match part {
            ContentPart::Text(text) => Some(text.text()),
            ContentPart::Component(_) => None,
        });
        texts.collect()
    }

    /// The choices that it offers, for [`Session::choose`].
    #[must_use]
    pub fn choices(&self) -> Option<RenderFrame> {
        let content = Content::decode(&self.text).ok().filter(|_| Content::is_ordered(&self.text))?;
        content.parts().iter().find_map(|part| match part {
            ContentPart::Component(part) => Some(part.frame())
                .filter(|it| it.instance_id().as_str().starts_with(CHOICES_INSTANCE))
                .cloned(),
            ContentPart::Text(_) => None,
        })
    }

    fn of(number: u64, node: &Node, versions: Vec<u64>) -> Self {
        Self {
            id: node.message.clone(),
            node: number,
            versions,
            role: node.role,
            text: node.content.clone(),
            at: node.at,
            turn: node.turn.as_ref().map(|(turn, _)| turn.clone()),
            end: node.end,
            answer: node.answer.as_ref().and_then(|text| AnswerEnvelope::decode(text.get()).ok()),
            failure: node.failure.clone(),
        }
    }
}

impl Inner {
    fn state(&self, head: &Head) -> Option<StateView> {
        let conversation = self.context.definition.conversation.as_ref()?;
        let state = head.states.as_ref().map_or(conversation.initial(), |states| &states.current);
        Some(StateView::of(conversation, state))
    }
}

/// A session as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionView {
    /// One more with every write. A session that was erased and opened again begins beyond every cursor that it had.
    pub cursor: u64,
    /// Where its conversation stands; nothing without one.
    pub state: Option<StateView>,
    /// The messages of the active path, with the answer that comes in.
    pub messages: Vec<TranscriptMessage>,
    /// The turns that ended last, and how.
    pub ended: Vec<(String, TurnEnd)>,
    /// What backends said that answers have cost.
    pub usage: Usage,
}

impl Session {
    /// The session as it stands, as this process knows it: [`refresh`](Self::refresh) first to see what others did.
    pub async fn view(&self) -> SessionView {
        let running = locked(&self.inner.running).clone();
        let stored = &*self.inner.stored.lock().await;
        let tree = &stored.tree;
        let mut versions: HashMap<(Option<u64>, &str), Vec<u64>> = HashMap::new();
        for number in tree.first()..tree.length() {
            if let Some(node) = tree.node(number) {
                versions.entry((tree.parent(number), &node.message)).or_default().push(number);
            }
        }
        let shown = tree.path().filter_map(|number| {
            let node = tree.node(number)?;
            let versions = versions.get(&(tree.parent(number), node.message.as_str()));
            Some(TranscriptMessage::of(number, node, versions.cloned().unwrap_or_default()))
        });
        let mut messages: Vec<TranscriptMessage> = shown.collect();
        if let Some(running) = running.filter(|running| stored.dispatched.as_ref() == Some(&running.nonce)) {
            let earlier = versions.get(&(Some(running.user_node), running.answer_message.as_str()));
            messages.push(TranscriptMessage {
                id: running.answer_message.clone(),
                node: tree.length(),
                versions: earlier.into_iter().flatten().copied().chain([tree.length()]).collect(),
                role: Role::Assistant,
                text: running.text(),
                at: self.inner.context.now(),
                turn: Some(running.turn.as_str().to_string()),
                end: None,
                answer: None,
                failure: None,
            });
        }
        SessionView {
            cursor: stored.head.cursor,
            state: self.inner.state(&stored.head),
            messages,
            ended: stored.head.terminal.iter().map(|ended| (ended.turn.clone(), ended.end)).collect(),
            usage: stored.head.usage,
        }
    }

    /// Where the conversation stands, as this process knows it; nothing without one.
    pub async fn state(&self) -> Option<StateView> {
        let stored = &*self.inner.stored.lock().await;
        self.inner.state(&stored.head)
    }

    /// The latest message of the active path that somebody in this role has said, as this process knows it.
    pub async fn latest(&self, role: Role) -> Option<TranscriptMessage> {
        let stored = &*self.inner.stored.lock().await;
        let tree = &stored.tree;
        let (number, node) = tree.path().rev().find_map(|number| {
            tree.node(number).filter(|node| node.role == role).map(|node| (number, node))
        })?;
        Some(TranscriptMessage::of(number, node, tree.versions(number)))
    }

    /// A version of a message by its node, on the path or not, as this process knows it.
    pub async fn version(&self, node: u64) -> Option<TranscriptMessage> {
        let stored = &*self.inner.stored.lock().await;
        let tree = &stored.tree;
        Some(TranscriptMessage::of(node, tree.node(node)?, tree.versions(node)))
    }

    /// Learns what others have done to the session.
    ///
    /// # Errors
    ///
    /// [`SessionError`] where it cannot be read.
    pub async fn refresh(&self) -> Result<(), SessionError> {
        let stored = &mut *self.inner.stored.lock().await;
        self.inner.settle(stored).await?;
        stored.load(&self.inner.context).await
    }

    /// The session as a [snapshot](SessionSnapshot), without its messages. While a turn runs it is the one before what
    /// that decides.
    ///
    /// # Errors
    ///
    /// [`SessionError`] where it cannot be read.
    pub async fn snapshot(&self) -> Result<SessionSnapshot, SessionError> {
        let context = &self.inner.context;
        let known = &mut *self.inner.stored.lock().await;
        self.inner.settle(known).await?;
        let mut anew;
        let stored = if known.dispatched.is_none() {
            known
        } else {
            anew = known.anew();
            &mut anew
        };
        stored.load(context).await?;
        let head = SnapshotHead {
            session_id: context.id.clone(),
            definition_id: context.definition.id.clone(),
            definition_revision: context.definition.revision,
            updated_at: UtcTime::at(Timestamp::from_millis(context.now())).ok_or(Unsavable::Time)?.into(),
            cursor: Integer::new(stored.head.cursor).ok_or(Unsavable::Cursor)?,
        };
        let damaged = || SessionError::Damaged;
        let millis = |time: i64| u64::try_from(time).ok().and_then(Integer::new).ok_or(Unsavable::Time);
        let active = stored.head.active.as_ref().map(|active| {
            let turn = active.turn.parse().map_err(|_| damaged())?;
            Ok::<_, SessionError>(ActiveTurn::new(turn, millis(active.lease_end)?))
        });
        let mut snapshot = SessionSnapshot::new(head).with_active_turn(active.transpose()?);
        if let Some(track) = &stored.track {
            snapshot = snapshot.with_conversation(written(track)?);
        }
        let terminal = stored.head.terminal.iter().map(|ended| {
            let outcome = match ended.end {
                TurnEnd::Indeterminate => TurnOutcome::Indeterminate,
                TurnEnd::Done | TurnEnd::Stopped | TurnEnd::Failed => TurnOutcome::Completed,
            };
            Ok(TerminalTurn::new(ended.turn.parse().map_err(|_| damaged())?, outcome))
        });
        let terminal = terminal.collect::<Result<Vec<_>, SessionError>>()?;
        if !terminal.is_empty() {
            let terminal = List::new(terminal).ok_or_else(damaged)?;
            snapshot = snapshot.with_terminal_turns(terminal).ok_or_else(damaged)?;
        }
        let confirmations = self.inner.confirmations(stored).await?.into_iter().map(|confirmation| {
            let input = ConfirmationInput::new(&Value::Object(confirmation.input)).ok_or_else(damaged)?;
            let pending = WireConfirmation::pending(
                confirmation.token,
                confirmation.action,
                input,
                confirmation.tool_call_id,
                millis(confirmation.expires_at)?,
            );
            Ok(pending.with_status(confirmation.status))
        });
        let confirmations = confirmations.collect::<Result<Vec<_>, SessionError>>()?;
        let confirmations = List::new(confirmations).ok_or_else(damaged)?;
        snapshot.with_confirmations(confirmations).ok_or_else(damaged)
    }
}
