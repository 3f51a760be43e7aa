//! A conversation as it is saved, and read back.

use answerplane_protocol::List;
use answerplane_protocol::session_snapshot::{Conversation as Saved, Decision as SavedDecision};

use crate::conversation::definition::Conversation;
use crate::conversation::replay::Replay;
use crate::conversation::track::{Decision, Track};

/// How many decisions are saved; older ones are folded into the state that they lead to.
pub(crate) const MAX_DECISIONS: usize = 1_000;

/// What cannot be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsavable {
    /// The id of a message or of a route is no identifier.
    #[error("the id of a message or route is no identifier")]
    Id,
    /// What was said has more than 16,384 UTF-16 code units, or what was answered more than 65,536.
    #[error("a text is too long to be saved")]
    Text,
    /// The name of a state has more than 128 UTF-16 code units.
    #[error("the name of a state is too long to be saved")]
    State,
    /// The time is outside the years 0 to 9999.
    #[error("the time cannot be written")]
    Time,
    /// It was saved too often to be counted.
    #[error("the session was saved too often to be counted")]
    Cursor,
}

impl Unsavable {
    /// Every reason.
    pub const ALL: [Self; 5] = [Self::Id, Self::Text, Self::State, Self::Time, Self::Cursor];

    /// A stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Id => "SESSION_UNSAVABLE_ID",
            Self::Text => "SESSION_UNSAVABLE_TEXT",
            Self::State => "SESSION_UNSAVABLE_STATE",
            Self::Time => "SESSION_UNSAVABLE_TIME",
            Self::Cursor => "SESSION_UNSAVABLE_CURSOR",
        }
    }
}

/// A saved conversation whose decisions do not lead, one after the other, to its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the saved conversation does not replay")]
pub struct Unreplayable;

impl Replay {
    /// The conversation as it is saved: its state is the one that the decisions lead to, which is another than that of
    /// [`view`](Self::view) after a turn without a message. Of more than 1,000 decisions the oldest are folded into the
    /// state that they lead to.
    ///
    /// # Errors
    ///
    /// [`Unsavable`] where an id is no identifier, or a text or name too long.
    pub fn saved(&self) -> Result<Saved, Unsavable> {
        written(self.track())
    }

    /// A conversation that goes on where it was saved.
    ///
    /// # Errors
    ///
    /// [`Unreplayable`] where a decision does not start where the ones before it lead, its route does not exist, is not
    /// allowed there, or does not lead where it ended, or all of them do not lead to the saved state. What was said and
    /// answered is not compared with anything.
    pub fn resume(conversation: Conversation, saved: &Saved) -> Result<Self, Unreplayable> {
        let base = saved.base_state().map_or(conversation.initial(), |state| state.as_str()).to_string();
        if !conversation.machine().states().any(|state| state.as_str() == base) {
            return Err(Unreplayable);
        }
        let mut track = Track::new(conversation, base);
        saved.decisions().iter().map(read).for_each(|decision| track.keep(decision));
        track.forget_changes();
        let state = saved.state().as_str();
        if !track.leads_to(state) {
            return Err(Unreplayable);
        }
        track.stand_in(state);
        Ok(Self::of(track))
    }
}

/// A conversation as it is saved.
pub(crate) fn written(track: &Track) -> Result<Saved, Unsavable> {
    let mut base = track.base();
    let mut state = base;
    let folded = track.decisions().len().saturating_sub(MAX_DECISIONS);
    let mut kept = Vec::with_capacity(track.decisions().len() - folded);
    for (number, decision) in track.decisions().enumerate() {
        state = &decision.to;
        if number < folded {
            base = state;
        } else {
            kept.push(check_savable(decision)?);
        }
    }
    let name = |state: &str| state.parse().map_err(|_| Unsavable::State);
    let is_folded = base != track.conversation().initial();
    let base = if is_folded { Some(name(base)?) } else { None };
    let kept = List::new(kept).ok_or(Unsavable::Text)?;
    Saved::new(name(state)?, base, kept).ok_or(Unsavable::Id)
}

/// A decision as it is saved.
pub(crate) fn check_savable(decision: &Decision) -> Result<SavedDecision, Unsavable> {
    let id = |id: &str| id.parse().map_err(|_| Unsavable::Id);
    let state = |state: &str| state.parse().map_err(|_| Unsavable::State);
    Ok(SavedDecision::new(
        (id(&decision.message_id)?, decision.input.parse().map_err(|_| Unsavable::Text)?),
        (id(&decision.route_id)?, decision.kind),
        decision.content.parse().map_err(|_| Unsavable::Text)?,
        (state(&decision.from)?, state(&decision.to)?),
    ))
}

fn read(decision: &SavedDecision) -> Decision {
    Decision {
        message_id: decision.message_id().as_str().to_string(),
        input: decision.input().as_str().to_string(),
        route_id: decision.route_id().as_str().to_string(),
        kind: *decision.kind(),
        content: decision.content().as_str().to_string(),
        from: decision.from_state().as_str().to_string(),
        to: decision.to_state().as_str().to_string(),
    }
}
