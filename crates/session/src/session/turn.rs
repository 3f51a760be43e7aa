//! A turn: the answer while it comes in, and its end.

use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context as Task, Poll, Waker};
use std::time::Duration;

use answerplane_protocol::{AnswerEnvelope, Identifier};
use serde::{Deserialize, Serialize};

use crate::backend::{BackendFailed, ChunkStream};
use crate::chunk::{Chunk, ChunkKind, Offer};
use crate::conversation::Trace;
use crate::panics::caught;
use crate::session::error::{SessionError, TurnError};
use crate::session::head::{Usage, WriteId};
use crate::session::journal::Node;
use crate::session::{Inner, Update};

/// How often a backend is polled in one go, and how many chunks are held behind choices.
const POLLS: usize = 64;
const MAX_HELD: usize = 1_024;
/// The greatest length of an answer that is kept, in bytes.
const MAX_ANSWER: usize = 1 << 20;

/// How a turn ended. There is one record of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TurnEnd {
    /// The answer came to its end.
    Done,
    /// Somebody stopped it. What was streamed is kept.
    Stopped,
    /// The route or the backend failed. What was streamed is kept.
    Failed,
    /// Its lease ended without a record. What was said in it is kept, and can be retried.
    Indeterminate,
}

/// A turn that runs, or one that ran before and is read from its record.
///
/// Reading it runs it. Dropped, it is stopped: the backend is cancelled at once, and the record is written by the
/// session's next operation here that uses the store. Where none may come soon, [`stop`](Self::stop) it instead: until
/// the record is written or the lease ends, other processes are told that the session is busy.
#[derive(Debug)]
pub struct Turn {
    id: Identifier,
    is_recorded: bool,
    session: Arc<Inner>,
    running: Option<Arc<Running>>,
    /// What is still to be given out.
    queue: VecDeque<Result<Chunk, TurnError>>,
    deadline: Option<Deadline>,
}

struct Deadline(Pin<Box<dyn Future<Output = ()> + Send>>);

impl std::fmt::Debug for Deadline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Deadline")
    }
}

/// A turn that this process has claimed.
pub(super) struct Running {
    pub(super) turn: Identifier,
    pub(super) nonce: WriteId,
    pub(super) user_node: u64,
    /// The id that the answer's message has.
    pub(super) answer_message: String,
    /// When it has to be over, in time elapsed.
    deadline: Duration,
    flow: Mutex<Flow>,
    /// The end that its record says.
    recorded: Mutex<Option<TurnEnd>>,
    /// Which way it took through the conversation.
    pub(super) trace: OnceLock<Trace>,
}

/// The answer while it comes in.
#[derive(Default)]
struct Flow {
    stream: Option<ChunkStream>,
    waker: Option<Waker>,
    text: String,
    answer: Option<AnswerEnvelope>,
    usage: Usage,
    offers: Vec<Offer>,
    /// What is given out at once.
    ready: VecDeque<Chunk>,
    /// What is given out after the record is written: the end, where nothing comes after it, and choices with what follows
    /// them.
    held: Vec<Chunk>,
    holds_choices: bool,
    is_released: bool,
    /// What a person is told, where the backend says that it failed.
    failure: Option<String>,
    /// Why it did not end well.
    error: Option<TurnError>,
    /// The end, once there is one: the first that comes stands.
    end: Option<TurnEnd>,
}

/// What of an answer is kept.
pub(super) struct Kept {
    pub(super) end: TurnEnd,
    pub(super) text: String,
    pub(super) answer: Option<AnswerEnvelope>,
    pub(super) usage: Usage,
    pub(super) offers: Vec<Offer>,
    pub(super) failure: Option<String>,
}

impl Running {
    pub(super) fn new(
        turn: Identifier,
        nonce: WriteId,
        user_node: u64,
        answer_message: String,
        deadline: Duration,
    ) -> Self {
        Self {
            turn,
            nonce,
            user_node,
            answer_message,
            deadline,
            flow: Mutex::default(),
            recorded: Mutex::default(),
            trace: OnceLock::new(),
        }
    }

    fn flow(&self) -> MutexGuard<'_, Flow> {
        self.flow.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins to read the answer. Where it was stopped already, the answer is cancelled.
    pub(super) fn begin(&self, stream: ChunkStream) {
        let mut flow = self.flow();
        if flow.end.is_none() {
            flow.stream = Some(stream);
        } else {
            drop(flow);
            cancel(Some(stream));
        }
    }

    /// Fails before there is an answer, or in its middle.
    pub(super) fn fail(&self, error: TurnError) {
        let mut flow = self.flow();
        if flow.end.is_none() {
            flow.error = Some(error);
            let stream = flow.finish(TurnEnd::Failed);
            drop(flow);
            cancel(stream);
        }
    }

    /// Stops it in memory, and with it the backend. What has ended stays as it is.
    pub(super) fn stop(&self) {
        let mut flow = self.flow();
        let stream = flow.finish(TurnEnd::Stopped);
        let waker = flow.waker.take();
        drop(flow);
        cancel(stream);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Fails where its time is over, also where nobody reads it.
    pub(super) fn expire(&self, elapsed: Duration) {
        if elapsed >= self.deadline {
            self.fail(TurnError::DeadlinePassed);
        }
    }

    /// Whether it has ended, recorded or not.
    pub(super) fn has_ended(&self) -> bool {
        self.flow().end.is_some()
    }

    /// What is to be recorded. A turn that has not ended is stopped by this.
    pub(super) fn kept(&self) -> Kept {
        self.stop();
        let flow = self.flow();
        let end = flow.end.unwrap_or(TurnEnd::Stopped);
        let is_whole = end == TurnEnd::Done;
        Kept {
            end,
            text: flow.text.clone(),
            answer: flow.answer.clone().filter(|_| is_whole),
            usage: flow.usage,
            offers: if is_whole { flow.offers.clone() } else { Vec::new() },
            failure: flow.failure.clone().filter(|_| end == TurnEnd::Failed),
        }
    }

    /// What was streamed so far.
    pub(super) fn text(&self) -> String {
        self.flow().text.clone()
    }

    pub(super) fn recorded(&self) -> Option<TurnEnd> {
        *self.recorded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The record is written: with this end, which is another than its own where somebody else wrote it.
    pub(super) fn record(&self, end: TurnEnd) {
        *self.recorded.lock().unwrap_or_else(PoisonError::into_inner) = Some(end);
    }

    /// What is given out once the record is written.
    fn release(&self, recorded: TurnEnd) -> (Vec<Chunk>, Option<TurnError>) {
        let mut flow = self.flow();
        if std::mem::replace(&mut flow.is_released, true) {
            return (Vec::new(), None);
        }
        if flow.end != Some(recorded) {
            return (
                Vec::new(),
                Some(TurnError::Indeterminate).filter(|_| recorded == TurnEnd::Indeterminate),
            );
        }
        let mut held = std::mem::take(&mut flow.held);
        match recorded {
            TurnEnd::Done => {}
            TurnEnd::Failed => {
                held.retain(|chunk| chunk.kind() != ChunkKind::Done && chunk.offer().is_none())
            }
            TurnEnd::Stopped | TurnEnd::Indeterminate => held.clear(),
        }
        (held, flow.error.take())
    }

    /// The next chunk to be given out; nothing where the answer has ended. Nothing is locked while the backend is polled, which
    /// may use its own session.
    fn poll(&self, task: &mut Task<'_>) -> Poll<Option<Chunk>> {
        for _ in 0..POLLS {
            let mut flow = self.flow();
            if let Some(chunk) = flow.ready.pop_front() {
                return Poll::Ready(Some(chunk));
            }
            if flow.end.is_some() {
                return Poll::Ready(None);
            }
            flow.waker = Some(task.waker().clone());
            let Some(mut stream) = flow.stream.take() else { return Poll::Pending };
            drop(flow);
            let next = caught(|| stream.as_mut().poll_next(task));
            let mut flow = self.flow();
            if flow.end.is_some() {
                // It was stopped meanwhile.
                drop(flow);
                cancel(Some(stream));
                continue;
            }
            flow.stream = Some(stream);
            let over = match next {
                Some(Poll::Pending) => return Poll::Pending,
                Some(Poll::Ready(next)) => flow.take(next),
                None => flow.take(Some(Err(BackendFailed::Panicked))),
            };
            drop(flow);
            cancel(over);
        }
        // Others have their turn.
        task.waker().wake_by_ref();
        Poll::Pending
    }
}

impl std::fmt::Debug for Running {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Running").field("turn", &self.turn).finish_non_exhaustive()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        cancel(self.flow().stream.take());
    }
}

impl Flow {
    /// Ends it, if nothing has. Gives what is to be cancelled, when nothing is locked.
    #[must_use]
    fn finish(&mut self, end: TurnEnd) -> Option<ChunkStream> {
        if self.end.is_some() {
            return None;
        }
        self.end = Some(end);
        self.stream.take()
    }

    /// Takes what the backend gives. Where that is the end, it gives what is to be cancelled.
    fn take(&mut self, next: Option<Result<Chunk, BackendFailed>>) -> Option<ChunkStream> {
        let chunk = match next {
            Some(Ok(chunk)) => chunk,
            Some(Err(failed)) => return self.break_off(failed.into()),
            None if self.failure.is_some() => return self.finish(TurnEnd::Failed),
            None => {
                if !self.held.iter().any(|chunk| chunk.kind() == ChunkKind::Done) {
                    self.held.push(Chunk::done());
                }
                return self.finish(TurnEnd::Done);
            }
        };
        // What was held for the end, was none.
        if !self.holds_choices {
            self.ready.extend(self.held.drain(..));
        }
        let is_end = chunk.kind() == ChunkKind::Done;
        match chunk.kind() {
            ChunkKind::Text(text) if self.text.len() + text.len() > MAX_ANSWER => {
                return self.break_off(TurnError::AnswerTooLong);
            }
            ChunkKind::Text(text) => self.text.push_str(text),
            ChunkKind::Error(told) => self.failure = Some(told.to_string()),
            ChunkKind::Done | ChunkKind::Other => {}
        }
        if is_end && let Some(usage) = chunk.fields().get("metadata").and_then(Usage::of_metadata) {
            self.usage = usage;
        }
        if let Some(answer) = chunk.answer() {
            self.answer = Some(answer.clone());
        }
        self.offers.extend(chunk.offer().cloned());
        self.holds_choices |= chunk.offer().is_some();
        if self.held.len() >= MAX_HELD {
            return self.break_off(TurnError::AnswerTooLong);
        }
        if is_end || self.holds_choices {
            self.held.push(chunk);
        } else {
            self.ready.push_back(chunk);
        }
        None
    }

    #[must_use]
    fn break_off(&mut self, error: TurnError) -> Option<ChunkStream> {
        self.error = Some(error);
        self.finish(TurnEnd::Failed)
    }
}

/// Drops an answer, whatever its own code does about that.
fn cancel(stream: Option<ChunkStream>) {
    let _ = caught(|| drop(stream));
}

impl Turn {
    pub(super) fn running(session: Arc<Inner>, running: Arc<Running>) -> Self {
        let deadline = session.context.clock().until(running.deadline);
        Self {
            id: running.turn.clone(),
            is_recorded: false,
            session,
            running: Some(running),
            queue: VecDeque::new(),
            deadline: Some(Deadline(deadline)),
        }
    }

    /// A turn that ran before: what it answered, and how it ended.
    pub(super) fn recorded(session: Arc<Inner>, id: Identifier, answer: Option<&Node>, end: TurnEnd) -> Self {
        let mut queue = VecDeque::new();
        if let Some(node) = answer.filter(|node| !node.content.is_empty()) {
            let envelope = node.answer.as_ref().and_then(|text| AnswerEnvelope::decode(text.get()).ok());
            queue.push_back(Ok(Chunk::text(node.content.clone()).with_answer(envelope)));
        }
        match end {
            TurnEnd::Done => queue.push_back(Ok(Chunk::done())),
            TurnEnd::Indeterminate => queue.push_back(Err(TurnError::Indeterminate)),
            TurnEnd::Stopped | TurnEnd::Failed => {}
        }
        let running = Running::new(id.clone(), WriteId::new(0), 0, String::new(), Duration::MAX);
        running.record(end);
        Self { id, is_recorded: true, session, running: Some(Arc::new(running)), queue, deadline: None }
    }

    /// The turn's id.
    #[must_use]
    pub fn id(&self) -> &Identifier {
        &self.id
    }

    /// Whether it ran before, and only its record is read.
    #[must_use]
    pub fn is_recorded(&self) -> bool {
        self.is_recorded
    }

    /// How it ended; nothing as long as no record is written.
    #[must_use]
    pub fn end(&self) -> Option<TurnEnd> {
        self.running.as_ref().and_then(|running| running.recorded())
    }

    /// Which way it took through the conversation. Nothing without one, where its route failed, and for a turn that ran
    /// before.
    #[must_use]
    pub fn trace(&self) -> Option<&Trace> {
        self.running.as_ref()?.trace.get()
    }

    /// The next piece of the answer; nothing after its end. The last `done` is given out only when the turn's record is
    /// certainly written: that is its acknowledgement. Choices come then as well, since only then they may be taken.
    ///
    /// # Errors
    ///
    /// [`TurnError`]. After [`TurnError::Record`] the next call tries again; after any other there is nothing more.
    pub async fn next(&mut self) -> Option<Result<Chunk, TurnError>> {
        loop {
            if let Some(next) = self.queue.pop_front() {
                return Some(next);
            }
            let running = self.running.clone()?;
            if self.is_recorded {
                return None;
            }
            if let Some(end) = running.recorded() {
                let (held, error) = running.release(end);
                if held.is_empty() && error.is_none() {
                    return None;
                }
                for chunk in &held {
                    self.session.tell(Update::Chunk(running.turn.clone(), Arc::new(chunk.clone())));
                }
                self.queue.extend(held.into_iter().map(Ok).chain(error.map(Err)));
                continue;
            }
            let deadline = &mut self.deadline;
            let chunk = poll_fn(|task| {
                let is_late = deadline.as_mut().is_some_and(|it| it.0.as_mut().poll(task).is_ready());
                if is_late {
                    *deadline = None;
                    running.fail(TurnError::DeadlinePassed);
                }
                running.poll(task)
            });
            if let Some(chunk) = chunk.await {
                self.session.tell(Update::Chunk(running.turn.clone(), Arc::new(chunk.clone())));
                return Some(Ok(chunk));
            }
            if let Err(error) = self.session.finish(&running).await {
                return Some(Err(error.into()));
            }
        }
    }

    /// Stops it, with the backend, and writes its record. What had ended already stays as it is. Gives the end that the
    /// record says.
    ///
    /// # Errors
    ///
    /// As of every operation of the session that writes.
    pub async fn stop(&mut self) -> Result<TurnEnd, SessionError> {
        let Some(running) = self.running.clone() else { return Ok(TurnEnd::Stopped) };
        if let Some(end) = running.recorded() {
            return Ok(end);
        }
        running.stop();
        self.session.finish(&running).await
    }

    /// Reads the answer to its end, and gives all of its text: [ordered content](answerplane_protocol::Content) where
    /// components stand beside it. Of a turn that was stopped it is what had come.
    ///
    /// # Errors
    ///
    /// The first [`TurnError`] that comes, and [`TurnError::Failed`] for a turn that failed without one.
    pub async fn text(&mut self) -> Result<String, TurnError> {
        let mut text = String::new();
        while let Some(chunk) = self.next().await {
            if let ChunkKind::Text(more) = chunk?.kind() {
                text.push_str(more);
            }
        }
        if self.end() == Some(TurnEnd::Failed) { Err(TurnError::Failed) } else { Ok(text) }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(running) = self.running.as_ref().filter(|running| running.recorded().is_none()) {
            running.stop();
        }
    }
}
