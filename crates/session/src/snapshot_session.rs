//! A session whose history its host hands over in whole, and that is saved as a snapshot.

use std::collections::VecDeque;

use answerplane_protocol::session_snapshot::{
    ActiveTurn, Confirmation, SessionSnapshot, SnapshotHead, TerminalTurn, TurnOutcome,
};
use answerplane_protocol::{Identifier, Integer, List, Timestamp, UtcTime};

use crate::conversation::{Conversation, Replay, StateView, Turned, Unreplayable, Unsavable};
use crate::request::Message;

/// How many finished turns are remembered.
const MAX_TERMINAL: usize = 64;

/// What a session is a session of: a definition in one of its revisions, and the conversation that it has, if any.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its id.
    pub id: Identifier,
    /// Its revision.
    pub revision: Integer<1>,
    /// Its conversation. Without one there are no states, no decisions and no traces.
    pub conversation: Option<Conversation>,
}

/// A session whose history its host keeps and hands over in whole, turn by turn. Contract: `docs/conversation.md`.
///
/// It is a value: nothing is saved here. After a turn, or a claim that succeeded, the host saves the
/// [snapshot](Self::snapshot) where the cursor is as [`cursor`](Self::cursor) says, and tells [`saved`](Self::saved).
#[derive(Clone, Debug)]
pub struct SnapshotSession {
    id: Identifier,
    definition_id: Identifier,
    revision: Integer<1>,
    conversation: Option<Replay>,
    active: Option<ActiveTurn>,
    terminal: VecDeque<TerminalTurn>,
    pub(crate) confirmations: Vec<Confirmation>,
    cursor: u64,
}

/// A snapshot that is not one of this session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotResumable {
    /// It is of another session.
    #[error("the snapshot is of another session")]
    OtherSession,
    /// It is of another definition, or another revision.
    #[error("the snapshot is of another definition or revision")]
    OtherDefinition,
    /// Its conversation is none that this definition can have had.
    #[error("the snapshot's conversation does not replay")]
    Conversation,
}

impl From<Unreplayable> for NotResumable {
    fn from(_: Unreplayable) -> Self {
        Self::Conversation
    }
}

impl NotResumable {
    /// Every reason.
    pub const ALL: [Self; 3] = [Self::OtherSession, Self::OtherDefinition, Self::Conversation];

    /// A stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::OtherSession => "SESSION_OTHER_SESSION",
            Self::OtherDefinition => "SESSION_OTHER_DEFINITION",
            Self::Conversation => "SESSION_NOT_REPLAYABLE",
        }
    }
}

impl SnapshotSession {
    /// A session at its beginning.
    #[must_use]
    pub fn new(id: Identifier, definition: &Definition) -> Self {
        Self {
            id,
            definition_id: definition.id.clone(),
            revision: definition.revision,
            conversation: definition.conversation.clone().map(Replay::new),
            active: None,
            terminal: VecDeque::new(),
            confirmations: Vec::new(),
            cursor: 0,
        }
    }

    /// A session that goes on where a snapshot was made.
    ///
    /// # Errors
    ///
    /// [`NotResumable`]: the snapshot is of another session, definition or revision; it has a conversation where the
    /// definition has none; or its decisions do not lead where it says.
    pub fn resume(
        id: Identifier,
        definition: &Definition,
        snapshot: &SessionSnapshot,
    ) -> Result<Self, NotResumable> {
        if *snapshot.session_id() != id {
            return Err(NotResumable::OtherSession);
        }
        let mut session = Self::new(id, definition);
        if *snapshot.definition_id() != session.definition_id
            || snapshot.definition_revision() != session.revision
        {
            return Err(NotResumable::OtherDefinition);
        }
        if let Some(saved) = snapshot.conversation() {
            let conversation = definition.conversation.clone().ok_or(NotResumable::Conversation)?;
            session.conversation = Some(Replay::resume(conversation, saved)?);
        }
        session.active = snapshot.active_turn().cloned();
        session.terminal = snapshot.terminal_turns().iter().cloned().collect();
        session.confirmations = snapshot.confirmations().to_vec();
        session.cursor = snapshot.cursor().get();
        Ok(session)
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> &Identifier {
        &self.id
    }

    /// How often it was saved.
    #[must_use]
    pub fn cursor(&self) -> u64 {
        self.cursor
    }

    /// Where its conversation stands; nothing without one.
    #[must_use]
    pub fn view(&self) -> Option<StateView> {
        self.conversation.as_ref().map(Replay::view)
    }

    /// The turn of a history. Without a conversation there is nothing to say of it: ask the backend.
    pub fn turn(&mut self, history: &[Message]) -> Option<Turned> {
        self.conversation.as_mut().map(|conversation| conversation.turn(self.id.as_str(), history))
    }

    /// Claims the session for a turn for so many milliseconds. False while a turn is active whose lease has not ended, the
    /// same too, and for a turn that has finished.
    pub fn claim_turn(&mut self, turn: &Identifier, lease: Integer<1>, now: Timestamp) -> bool {
        let now = u64::try_from(now.as_millis()).unwrap_or(0);
        let is_held = self.active.as_ref().is_some_and(|active| active.expires_at().get() > now);
        let is_finished = self.terminal.iter().any(|finished| finished.turn_id() == turn);
        let Some(expires_at) = now.checked_add(lease.get()).and_then(Integer::new) else { return false };
        if is_held || is_finished {
            return false;
        }
        self.active = Some(ActiveTurn::new(turn.clone(), expires_at));
        true
    }

    /// Ends a turn. False, and nothing changes, where it is not the active one.
    pub fn release_turn(&mut self, turn: &Identifier, outcome: TurnOutcome) -> bool {
        if self.active.as_ref().is_none_or(|active| active.turn_id() != turn) {
            return false;
        }
        self.active = None;
        self.terminal.retain(|finished| finished.turn_id() != turn);
        self.terminal.push_back(TerminalTurn::new(turn.clone(), outcome));
        while self.terminal.len() > MAX_TERMINAL {
            self.terminal.pop_front();
        }
        true
    }

    /// The snapshot to be saved now; its cursor is the one that follows.
    ///
    /// # Errors
    ///
    /// [`Unsavable`] where what was decided is too long to be saved, or about a message whose id is no identifier.
    pub fn snapshot(&self, now: Timestamp) -> Result<SessionSnapshot, Unsavable> {
        let head = SnapshotHead {
            session_id: self.id.clone(),
            definition_id: self.definition_id.clone(),
            definition_revision: self.revision,
            updated_at: UtcTime::at(now).ok_or(Unsavable::Time)?.into(),
            cursor: Integer::new(self.cursor + 1).ok_or(Unsavable::Cursor)?,
        };
        let mut snapshot = SessionSnapshot::new(head).with_active_turn(self.active.clone());
        if !self.terminal.is_empty() {
            let terminal = List::new(self.terminal.iter().cloned().collect()).ok_or(Unsavable::Cursor)?;
            snapshot = snapshot.with_terminal_turns(terminal).ok_or(Unsavable::Cursor)?;
        }
        if let Some(conversation) = &self.conversation {
            snapshot = snapshot.with_conversation(conversation.saved()?);
        }
        let confirmations = List::new(self.confirmations.clone()).ok_or(Unsavable::Cursor)?;
        snapshot.with_confirmations(confirmations).ok_or(Unsavable::Cursor)
    }

    /// The snapshot was saved, or where there is no store, the turn was dispatched.
    pub fn saved(&mut self) {
        self.cursor += 1;
    }
}
