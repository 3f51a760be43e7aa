//! Sessions on a store: the controller of one visitor's conversation.

mod actions;
mod confirm;
mod context;
mod error;
mod existing;
mod finish;
mod head;
mod journal;
mod path;
mod start;
mod stored;
mod tree;
mod turn;
mod view;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use answerplane_protocol::{Identifier, RenderFrame};
use answerplane_store::{Expected, ReplaceError, Store, Write};
use tokio::sync::broadcast;

pub use actions::{
    Action, ActionFailed, Actions, Confirmed, InnerPolicy, PolicyReason, PolicyTrace, Stage, TrustedContext,
};
pub use confirm::{ConfirmError, Confirmation, Denial, Proposal};
pub use context::SessionOptions;
pub use error::{SessionError, TurnError};
pub use head::Usage;
pub use start::Start;
pub use turn::{Turn, TurnEnd};
pub use view::{SessionView, TranscriptMessage};

use crate::backend::Backend;
use crate::chunk::Chunk;
use crate::conversation::Trace;
use crate::snapshot_session::Definition;
use confirm::Owed;
use context::Context;
use path::PathWrite;
use stored::Stored;
use turn::Running;

/// How many updates or traces wait for a slow receiver before it misses the oldest.
const WAITING: usize = 256;
/// How often `open` makes a document where others erase it meanwhile.
const OPENINGS: usize = 16;

/// A visitor's session on a store: its messages in all their versions, the state of its conversation, what was offered
/// and what is to be confirmed. Contract: `docs/turns.md`.
///
/// Cloning gives the same session. It belongs to what [`open`](Self::open) found: once that is erased, every operation says
/// [`Erased`](SessionError::Erased). A newer operation that begins a turn or moves the path stops the turn that runs here; a turn that
/// another `open` of the same session runs, in this process or elsewhere, is [`Busy`](SessionError::Busy).
#[derive(Clone, Debug)]
pub struct Session {
    inner: Arc<Inner>,
}

/// What happens in a session. Who is too slow to receive it misses the oldest.
#[derive(Clone, Debug)]
pub enum Update {
    /// A piece of the answer of a turn was given out.
    Chunk(Identifier, Arc<Chunk>),
    /// A turn has ended, and its record is written.
    Ended(Identifier, TurnEnd),
    /// The status has changed.
    Status(Status),
    /// The session was written, and has this cursor.
    Changed(u64),
}

/// What a session is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Status {
    /// Nothing.
    #[default]
    Idle,
    /// A turn runs here.
    Streaming,
    /// The last turn did not end well.
    Error,
}

/// What a session is made of.
struct Inner {
    context: Context,
    stored: tokio::sync::Mutex<Stored>,
    /// The turn whose record is not written yet.
    running: Mutex<Option<Arc<Running>>>,
    status: Mutex<Status>,
    /// Confirmations that this process has acted on, and whose last status is not written yet.
    owed: Mutex<Vec<Owed>>,
    updates: broadcast::Sender<Update>,
    traces: broadcast::Sender<Trace>,
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inner").finish_non_exhaustive()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Session {
    /// Opens a session, and makes it where there is none. One in which nothing happens is forgotten after an hour.
    ///
    /// # Errors
    ///
    /// [`SessionError::NotResumable`] where what is stored is of another definition or revision, or does not replay;
    /// [`Damaged`](SessionError::Damaged) where it cannot be read; [`Store`](SessionError::Store) and
    /// [`OutcomeUnknown`](SessionError::OutcomeUnknown) where the store could not do it: opening again does no harm.
    pub async fn open(
        id: Identifier,
        definition: &Definition,
        backend: impl Backend + 'static,
        store: Arc<dyn Store>,
    ) -> Result<Self, SessionError> {
        Self::open_with(id, definition, Arc::new(backend), store, SessionOptions::default()).await
    }

    /// The same with options.
    ///
    /// # Errors
    ///
    /// As for [`open`](Self::open), and [`InvalidKey`](SessionError::InvalidKey) where namespace and id make no key.
    pub async fn open_with(
        id: Identifier,
        definition: &Definition,
        backend: Arc<dyn Backend>,
        store: Arc<dyn Store>,
        options: SessionOptions,
    ) -> Result<Self, SessionError> {
        let context = Context::new(id, definition.clone(), backend, store, options)?;
        let mut was_unknown = false;
        for _ in 0..OPENINGS {
            let now = context.now();
            if let Some(document) = context.store.load(&context.key, now).await? {
                let mut stored = Stored::found(&context, &document);
                match stored.load(&context).await {
                    Err(SessionError::Erased) => continue,
                    loaded => loaded?,
                }
                return Ok(Self::of(context, stored));
            }
            let empty = Write::new(head::EMPTY).expires_at(now.saturating_add(head::EMPTY_LIFE));
            match context.store.replace(&context.key, Expected::Absent, empty, now).await {
                Err(ReplaceError::Failed(error)) if !was_unknown => return Err(error.into()),
                Err(ReplaceError::Unknown(_)) => was_unknown = true,
                // What stands there now is loaded, whoever made it.
                Ok(_) | Err(ReplaceError::Conflict | ReplaceError::Failed(_)) => {}
            }
        }
        Err(SessionError::OutcomeUnknown)
    }

    fn of(context: Context, stored: Stored) -> Self {
        let inner = Inner {
            context,
            stored: tokio::sync::Mutex::new(stored),
            running: Mutex::default(),
            status: Mutex::default(),
            owed: Mutex::default(),
            updates: broadcast::Sender::new(WAITING),
            traces: broadcast::Sender::new(WAITING),
        };
        Self { inner: Arc::new(inner) }
    }

    /// The session's id.
    #[must_use]
    pub fn id(&self) -> &Identifier {
        &self.inner.context.id
    }

    /// Begins a turn. It is claimed before any route or backend is asked; read it to run it.
    ///
    /// A turn whose id is given and that has ended before is answered from its record, and nothing runs.
    ///
    /// # Errors
    ///
    /// [`SessionError`]. But for [`OutcomeUnknown`](SessionError::OutcomeUnknown), nothing was said.
    pub async fn start(&self, start: impl Into<Start>) -> Result<Turn, SessionError> {
        self.inner.start(start.into()).await
    }

    /// Says something.
    ///
    /// # Errors
    ///
    /// As for [`start`](Self::start), notably [`Blank`](SessionError::Blank), [`TooLong`](SessionError::TooLong),
    /// [`MessageIdUsed`](SessionError::MessageIdUsed), [`TurnIdUsed`](SessionError::TurnIdUsed).
    pub async fn send(&self, text: impl Into<String>) -> Result<Turn, SessionError> {
        self.start(Start::send(text)).await
    }

    /// Answers once more what the path ends with. Where the last turn is indeterminate, what was said in it is put back on the path and
    /// answered.
    ///
    /// # Errors
    ///
    /// As for [`start`](Self::start), notably [`NothingToRetry`](SessionError::NothingToRetry).
    pub async fn retry(&self) -> Result<Turn, SessionError> {
        self.start(Start::retry(None)).await
    }

    /// Makes an answer of the active path anew, beside the versions that it has: this message, or the last. What follows it is
    /// no longer on the path, and is kept.
    ///
    /// # Errors
    ///
    /// As for [`start`](Self::start), notably [`UnknownMessage`](SessionError::UnknownMessage).
    pub async fn regenerate(&self, message: Option<&str>) -> Result<Turn, SessionError> {
        self.start(Start::regenerate(message)).await
    }

    /// Lets a message of the active path say something else, beside the versions that it has, and answers it. What follows it
    /// is no longer on the path, and is kept.
    ///
    /// # Errors
    ///
    /// As for [`start`](Self::start), notably [`UnknownMessage`](SessionError::UnknownMessage).
    pub async fn edit(&self, message: &str, text: impl Into<String>) -> Result<Turn, SessionError> {
        self.start(Start::edit(message, text)).await
    }

    /// Takes a choice that this session offered: what it stands for is sent as if it had been typed. It is claimed with the
    /// turn; a turn that is done or stopped uses the offer up, one that failed lets it stand again.
    ///
    /// # Errors
    ///
    /// As for [`start`](Self::start), notably [`ChoiceUnavailable`](SessionError::ChoiceUnavailable) and
    /// [`NotOurs`](SessionError::NotOurs).
    pub async fn choose(&self, frame: &RenderFrame, choice: &str) -> Result<Turn, SessionError> {
        self.start(Start::choose(frame, choice)).await
    }

    /// Stops the turn that runs here, with its backend, and writes its record. Gives the end that the record says; nothing
    /// where no turn runs.
    ///
    /// # Errors
    ///
    /// [`Busy`](SessionError::Busy) where another runs one; otherwise as of every operation that writes.
    pub async fn stop(&self) -> Result<Option<TurnEnd>, SessionError> {
        let first = locked(&self.inner.running).clone();
        if let Some(running) = &first {
            running.stop();
        }
        let stored = &mut *self.inner.stored.lock().await;
        // Whoever was claiming it may have begun it anew meanwhile.
        let running = locked(&self.inner.running).clone();
        if let Some(running) = running {
            running.stop();
            return self.inner.finish_on(stored, &running).await.map(Some);
        }
        if let Some(end) = first.and_then(|running| running.recorded()) {
            return Ok(Some(end));
        }
        self.inner.settle(stored).await?;
        stored.load(&self.inner.context).await?;
        match stored.running(self.inner.context.now()) {
            Some(_) => Err(SessionError::Busy),
            None => Ok(None),
        }
    }

    /// Lets a message of the active path say something else without answering it. Nothing moves until the next turn.
    ///
    /// # Errors
    ///
    /// [`SessionError`], notably [`Busy`](SessionError::Busy) and [`UnknownMessage`](SessionError::UnknownMessage).
    pub async fn edit_only(&self, message: &str, text: impl Into<String>) -> Result<(), SessionError> {
        let write = PathWrite::Edit { message: message.to_string(), text: text.into() };
        self.inner.write_path(write).await
    }

    /// Makes another version of a message the active one. Behind it the path goes on as it did when it was active last.
    ///
    /// # Errors
    ///
    /// [`SessionError`], notably [`Busy`](SessionError::Busy) and [`UnknownNode`](SessionError::UnknownNode), also for what
    /// was said in a turn that is indeterminate: retry it.
    pub async fn select(&self, node: u64) -> Result<(), SessionError> {
        self.inner.write_path(PathWrite::Select { node }).await
    }

    /// Forgets all messages, decisions and offers. Confirmations and usage stay.
    ///
    /// # Errors
    ///
    /// [`SessionError`], notably [`Busy`](SessionError::Busy).
    pub async fn clear(&self) -> Result<(), SessionError> {
        self.inner.write_path(PathWrite::Clear).await
    }

    /// Forgets the messages of the active path before this one, with everything that was written before it. What was decided
    /// about them is folded into the state that it led to.
    ///
    /// # Errors
    ///
    /// [`SessionError`], notably [`Busy`](SessionError::Busy) and [`UnknownMessage`](SessionError::UnknownMessage).
    pub async fn trim_front(&self, before: &str) -> Result<(), SessionError> {
        self.inner.write_path(PathWrite::TrimFront { before: before.to_string() }).await
    }

    /// Writes the session as it is: it lives on from now, and the store is certain to have it.
    ///
    /// # Errors
    ///
    /// [`SessionError`], notably [`Busy`](SessionError::Busy).
    pub async fn save(&self) -> Result<(), SessionError> {
        self.inner.write_path(PathWrite::Save).await
    }

    /// Erases everything of the session. A turn that runs here is stopped; one that runs elsewhere ends without a record.
    ///
    /// # Errors
    ///
    /// [`Store`](SessionError::Store) and [`OutcomeUnknown`](SessionError::OutcomeUnknown). That it is erased already is none.
    pub async fn erase(&self) -> Result<(), SessionError> {
        let context = &self.inner.context;
        self.inner.supersede(None)?;
        let stored = &mut *self.inner.stored.lock().await;
        self.inner.supersede(None)?;
        stored.erase(context).await?;
        let running = locked(&self.inner.running).clone();
        if let Some(running) = running {
            self.inner.ended(&running, TurnEnd::Indeterminate, stored.head.cursor);
        }
        Ok(())
    }

    /// What happens in the session from now on.
    #[must_use]
    pub fn subscribe(&self) -> broadcast::Receiver<Update> {
        self.inner.updates.subscribe()
    }

    /// Which way each turn takes from now on. Traces hold no text.
    #[must_use]
    pub fn traces(&self) -> broadcast::Receiver<Trace> {
        self.inner.traces.subscribe()
    }

    /// What the session is doing.
    #[must_use]
    pub fn status(&self) -> Status {
        *locked(&self.inner.status)
    }
}

impl Inner {
    fn tell(&self, update: Update) {
        // Nobody is left to be told where it fails.
        let _ = self.updates.send(update);
    }

    fn set_status(&self, status: Status) {
        *locked(&self.status) = status;
        self.tell(Update::Status(status));
    }

    /// Remembers the turn whose record is to be written.
    fn run(&self, running: Option<Arc<Running>>) {
        *locked(&self.running) = running;
    }

    /// Forgets the turn, where it is the one that is remembered.
    fn forget(&self, running: &Running) {
        locked(&self.running).take_if(|remembered| remembered.nonce == running.nonce);
    }

    /// Stops the turn that runs here, in memory, unless it is this one.
    fn supersede(&self, turn: Option<&Identifier>) -> Result<(), SessionError> {
        let running = locked(&self.running).clone();
        let Some(running) = running else { return Ok(()) };
        running.expire(self.context.clock().elapsed());
        if turn == Some(&running.turn) && !running.has_ended() {
            return Err(SessionError::Busy);
        }
        running.stop();
        Ok(())
    }

    /// Begins an operation beside the turn that runs here: where that has ended, its record is written.
    async fn settle(&self, stored: &mut Stored) -> Result<(), SessionError> {
        let running = locked(&self.running).clone();
        if let Some(running) = running.filter(|running| running.has_ended()) {
            self.finish_on(stored, &running).await?;
        }
        stored.settle(&self.context).await?;
        self.pay(stored).await;
        Ok(())
    }

    /// Ends the turn that ran here with its record.
    async fn end_own(&self, stored: &mut Stored, turn: Option<&Identifier>) -> Result<(), SessionError> {
        self.supersede(turn)?;
        let running = locked(&self.running).clone();
        if let Some(running) = running {
            self.finish_on(stored, &running).await?;
        }
        self.settle(stored).await
    }
}
