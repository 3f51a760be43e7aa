//! How a turn begins: its claim, and then the route or the backend that answers.

use std::sync::Arc;

use answerplane_normalize::{trim, utf16_len};
use answerplane_protocol::turn::Role;
use answerplane_protocol::{Identifier, RenderFrame};
use futures_util::stream;
use serde_json::{Map, Value};

use crate::backend::ChunkStream;
use crate::chunk::{Chunk, Offer};
use crate::conversation::{Trace, Turned};
use crate::local::CHOICES_INSTANCE;
use crate::plane::ask;
use crate::request::TurnRequest;
use crate::session::error::{SessionError, TurnError};
use crate::session::head::{Active, ChoiceStatus, WriteId};
use crate::session::journal::{Node, Payload};
use crate::session::stored::{Additions, Stored, Written};
use crate::session::turn::{Running, Turn, TurnEnd};
use crate::session::{Inner, Status, Update};

/// The greatest length of what is said, in UTF-16 units.
const MAX_SAID: usize = 16_384;
/// What a person is told of a route that failed.
const ROUTE_FAILED: &str = "Deterministic route failed.";

/// What begins a turn, and with which ids.
///
/// ```
/// use answerplane_session::Start;
///
/// let start = Start::send("Where is the shed?").turn("turn-7".parse()?).message("message-7".parse()?).at_cursor(12);
/// # let _ = start;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Start {
    what: What,
    turn: Option<Identifier>,
    cursor: Option<u64>,
    context: Map<String, Value>,
}

#[derive(Clone, Debug)]
enum What {
    Send { message: Option<Identifier>, text: String },
    Edit { message: String, text: String },
    Regenerate { message: Option<String> },
    Retry { turn: Option<Identifier> },
    Choose { frame: Box<RenderFrame>, choice: String },
}

impl Start {
    fn of(what: What) -> Self {
        Self { what, turn: None, cursor: None, context: Map::new() }
    }

    /// Something is said.
    #[must_use]
    pub fn send(text: impl Into<String>) -> Self {
        Self::of(What::Send { message: None, text: text.into() })
    }

    /// A message of a person says something else, and is answered.
    #[must_use]
    pub fn edit(message: impl Into<String>, text: impl Into<String>) -> Self {
        Self::of(What::Edit { message: message.into(), text: text.into() })
    }

    /// An answer is made anew: this one, or the last.
    #[must_use]
    pub fn regenerate(message: Option<&str>) -> Self {
        Self::of(What::Regenerate { message: message.map(str::to_string) })
    }

    /// What was said in a turn is answered once more: in this turn, or what the path ends with. What was said in an
    /// indeterminate turn is put back on the path.
    #[must_use]
    pub fn retry(turn: Option<&Identifier>) -> Self {
        Self::of(What::Retry { turn: turn.cloned() })
    }

    /// A choice is taken.
    #[must_use]
    pub fn choose(frame: &RenderFrame, choice: impl Into<String>) -> Self {
        Self::of(What::Choose { frame: Box::new(frame.clone()), choice: choice.into() })
    }

    /// The same under an id of the caller's: whoever asks with it again is given what became of the turn.
    #[must_use]
    pub fn turn(mut self, turn: Identifier) -> Self {
        self.turn = Some(turn);
        self
    }

    /// The same with an id of the caller's for the message. Only what is [sent](Self::send) has a new message.
    #[must_use]
    pub fn message(mut self, id: Identifier) -> Self {
        if let What::Send { message, .. } = &mut self.what {
            *message = Some(id);
        }
        self
    }

    /// The same, only if the session still stands at this cursor.
    #[must_use]
    pub fn at_cursor(mut self, cursor: u64) -> Self {
        self.cursor = Some(cursor);
        self
    }

    /// The same with what a backend is told beside the history.
    #[must_use]
    pub fn context(mut self, context: Map<String, Value>) -> Self {
        self.context = context;
        self
    }

    fn check(&self) -> Result<(), SessionError> {
        let (What::Send { text, .. } | What::Edit { text, .. }) = &self.what else { return Ok(()) };
        check_said(text)
    }
}

impl<T: Into<String>> From<T> for Start {
    fn from(text: T) -> Self {
        Self::send(text)
    }
}

/// What is said is not blank, and short enough to be saved.
pub(super) fn check_said(text: &str) -> Result<(), SessionError> {
    if trim(text).is_empty() {
        Err(SessionError::Blank)
    } else if text.len() > MAX_SAID && utf16_len(text) > MAX_SAID {
        Err(SessionError::TooLong)
    } else {
        Ok(())
    }
}

/// What a start comes to on a document.
enum Plan {
    Claim {
        /// The new node of what is said, or the one that is answered.
        said: Result<Box<Node>, u64>,
        answer_message: String,
        choice: Option<String>,
    },
    /// The turn has ended before.
    Recorded(TurnEnd),
    /// The turn's own claim still stands, and its lease has ended.
    Lapsed,
}

impl Inner {
    /// Claims a turn and lets it be answered.
    pub(super) async fn start(self: &Arc<Self>, start: Start) -> Result<Turn, SessionError> {
        start.check()?;
        let context = &self.context;
        let turn = match &start.turn {
            Some(turn) => turn.clone(),
            None => context.name("turn")?,
        };
        // What has ended before is only read: it stops nothing.
        let has_ended = start.turn.is_some() && self.stored.lock().await.has_ended(&turn);
        if !has_ended {
            self.supersede(Some(&turn))?;
        }
        let stored = &mut *self.stored.lock().await;
        if has_ended {
            self.settle(stored).await?;
        } else {
            self.end_own(stored, Some(&turn)).await?;
        }
        let begun = context.clock().elapsed();
        loop {
            let offer = self.offer(stored, &start).await?;
            let now = context.now();
            let plan = self.plan(stored, &start, &turn, offer.as_ref(), now);
            if !stored.is_fresh && !matches!(plan, Ok(Plan::Claim { .. })) {
                stored.load(context).await?;
                continue;
            }
            let nonce = context.write_id()?;
            let mut head = stored.next_head(nonce.clone());
            let (said, answer_message, choice) = match plan? {
                Plan::Claim { said, answer_message, choice } => (said, answer_message, choice),
                Plan::Recorded(end) => return Ok(self.recorded(stored, turn, end)),
                Plan::Lapsed => {
                    head.end_claim(TurnEnd::Indeterminate);
                    match stored.replace(context, head, Additions::default()).await? {
                        Written::Done => self.tell(Update::Changed(stored.head.cursor)),
                        Written::Conflict { after_unknown } => {
                            stored.load_after(context, after_unknown).await?
                        }
                    }
                    continue;
                }
            };
            head.end_claim(TurnEnd::Indeterminate);
            let user_node = *said.as_ref().err().unwrap_or(&stored.tree.length());
            if let Some(entry) = choice
                .as_ref()
                .and_then(|choice| head.choices.iter_mut().find(|entry| entry.instance == *choice))
            {
                entry.status = ChoiceStatus::Claimed;
                entry.owner = Some(nonce.clone());
            }
            head.active = Some(Active {
                turn: turn.as_str().to_string(),
                nonce: nonce.clone(),
                lease_end: context.lease_end(now),
                user_node,
                choice,
            });
            let mut nodes: Vec<Node> = said.into_iter().map(|node| *node).collect();
            if let Some(node) = nodes.first_mut() {
                node.turn = Some((turn.as_str().to_string(), nonce.clone()));
            }
            let deadline = begun.saturating_add(context.deadline());
            let running =
                Arc::new(Running::new(turn.clone(), nonce.clone(), user_node, answer_message, deadline));
            self.run(Some(running.clone()));
            // Where nobody waits for the claim any more, the turn is stopped; the next operation finds out about it.
            let mut claiming = Claiming(Some(running.clone()));
            let written = stored.replace(context, head, Additions { nodes, ..Additions::default() }).await;
            match written {
                Ok(Written::Done) => {}
                Ok(Written::Conflict { after_unknown }) => {
                    if !after_unknown {
                        self.run(None);
                    }
                    stored.load_after(context, after_unknown).await?;
                    if let Some(end) = stored.record(turn.as_str(), &nonce) {
                        self.run(None);
                        return Ok(self.recorded(stored, turn, end));
                    }
                    if stored.head.claim(&nonce).is_none() {
                        claiming.0 = None;
                        self.run(None);
                        continue;
                    }
                }
                Err(SessionError::OutcomeUnknown) => return Err(SessionError::OutcomeUnknown),
                Err(error) => {
                    self.run(None);
                    return Err(error);
                }
            }
            claiming.0 = None;
            self.tell(Update::Changed(stored.head.cursor));
            self.dispatch(stored, &running, start.context);
            return Ok(Turn::running(self.clone(), running));
        }
    }

    /// What is sent for a choice; nothing where none is taken, or it is not offered.
    async fn offer(&self, stored: &mut Stored, start: &Start) -> Result<Option<Offer>, SessionError> {
        let What::Choose { frame, .. } = &start.what else { return Ok(None) };
        let instance = frame.instance_id().as_str();
        if !instance.starts_with(CHOICES_INSTANCE) {
            return Err(SessionError::NotOurs);
        }
        let offered = |stored: &Stored| {
            let entry = stored.head.choices.iter().find(|entry| entry.instance == instance);
            entry.filter(|entry| entry.status != ChoiceStatus::Consumed).map(|entry| entry.payload)
        };
        match stored.read_payload(&self.context, offered).await? {
            Some(Payload::Choices(offer)) => Ok(Some(offer).filter(|offer| offer.props == *frame.props())),
            Some(_) => Err(SessionError::Damaged),
            None => Ok(None),
        }
    }

    fn plan(
        &self,
        stored: &Stored,
        start: &Start,
        turn: &Identifier,
        offer: Option<&Offer>,
        now: i64,
    ) -> Result<Plan, SessionError> {
        let context = &self.context;
        let tree = &stored.tree;
        if let Some(plan) = stored.known(turn, now)? {
            return if stored.is_turn_of(turn, &start.what) {
                Ok(plan)
            } else {
                Err(SessionError::TurnIdUsed)
            };
        }
        if stored.running(now).is_some() {
            return Err(SessionError::Busy);
        }
        if start.cursor.is_some_and(|cursor| cursor != stored.head.cursor) {
            return Err(SessionError::CursorStale);
        }
        let node = |parent, message: String, text: &str| {
            Box::new(Node {
                parent,
                message,
                role: Role::User,
                content: text.to_string(),
                at: now,
                turn: None,
                end: None,
                answer: None,
                failure: None,
            })
        };
        let new_answer = || context.name("answer").map(|id| id.as_str().to_string());
        let claim = |said, answer_message| Plan::Claim { said, answer_message, choice: None };
        match &start.what {
            What::Send { message, text } => {
                let message = match message {
                    Some(message) => message.as_str().to_string(),
                    None => context.name("message")?.as_str().to_string(),
                };
                if tree.has_message(&message) {
                    return Err(SessionError::MessageIdUsed);
                }
                Ok(claim(Ok(node(tree.tip(), message, text)), new_answer()?))
            }
            What::Edit { message, text } => {
                let edited = stored.said(message)?;
                Ok(claim(Ok(node(tree.parent(edited), message.clone(), text)), new_answer()?))
            }
            What::Regenerate { message } => {
                let number = match message {
                    Some(message) => tree.on_path(message),
                    None => tree.tip(),
                };
                stored.again(number.ok_or(SessionError::UnknownMessage)?, new_answer)
            }
            What::Retry { turn } => match stored.given_up(turn.as_ref()) {
                Some(said) => {
                    if tree.node(said).is_none() || tree.is_on_path(said) {
                        return Err(SessionError::NothingToRetry);
                    }
                    Ok(claim(Err(said), new_answer()?))
                }
                _ => {
                    let number = match turn {
                        Some(turn) => tree.turn(turn.as_str()).filter(|number| tree.is_on_path(*number)),
                        None => tree.tip(),
                    };
                    stored.again(number.ok_or(SessionError::NothingToRetry)?, new_answer)
                }
            },
            What::Choose { frame, choice } => {
                let instance = frame.instance_id().as_str();
                let is_free = stored
                    .head
                    .choices
                    .iter()
                    .any(|entry| entry.instance == instance && entry.status != ChoiceStatus::Consumed);
                let value = offer.filter(|_| is_free).and_then(|offer| offer.value(choice));
                let value = value.ok_or(SessionError::ChoiceUnavailable)?;
                let message = context.name("message")?.as_str().to_string();
                Ok(Plan::Claim {
                    said: Ok(node(tree.tip(), message, value)),
                    answer_message: new_answer()?,
                    choice: Some(instance.to_string()),
                })
            }
        }
    }

    /// Lets the claimed turn be answered: by a route, or by the backend.
    fn dispatch(&self, stored: &mut Stored, running: &Running, context: Map<String, Value>) {
        if running.has_ended() {
            return;
        }
        stored.dispatched = Some(running.nonce.clone());
        stored.move_to(Some(running.user_node));
        self.set_status(Status::Streaming);
        stored.walk(1);
        let Stored { tree, track, .. } = stored;
        let Some(node) = tree.node(running.user_node) else { return };
        let turned = track.as_mut().map(|track| {
            let turned = track.dispatch(self.context.id.as_str(), Some((&node.message, &node.content)));
            track.check_latest(&node.message).map(|()| turned)
        });
        let stream: ChunkStream = match turned {
            Some(Err(unsavable)) => return running.fail(TurnError::Unsavable(unsavable)),
            Some(Ok(Turned::Answered { content, trace })) => {
                self.trace(running, trace);
                Box::pin(stream::iter([Ok(Chunk::text(content)), Ok(Chunk::done())]))
            }
            Some(Ok(Turned::Failed)) => Box::pin(stream::iter([Ok(Chunk::error(ROUTE_FAILED))])),
            turned => {
                if let Some(Ok(Turned::Delegated(trace))) = turned {
                    self.trace(running, trace);
                }
                let request = TurnRequest {
                    messages: tree.history().clone(),
                    session: Some(self.context.id.clone()),
                    context,
                    is_kept: true,
                };
                ask(self.context.backend.as_ref(), request)
            }
        };
        running.begin(stream);
    }

    fn trace(&self, running: &Running, trace: Trace) {
        let _ = running.trace.set(trace.clone());
        // Nobody is left to be told where it fails.
        let _ = self.traces.send(trace);
    }

    fn recorded(self: &Arc<Self>, stored: &Stored, turn: Identifier, end: TurnEnd) -> Turn {
        let answer = stored.tree.turn(turn.as_str()).and_then(|number| stored.tree.node(number));
        Turn::recorded(self.clone(), turn, answer.filter(|node| node.end.is_some()), end)
    }
}

impl Stored {
    /// What is known of a turn: it ended, or its own claim stands.
    fn known(&self, turn: &Identifier, now: i64) -> Result<Option<Plan>, SessionError> {
        let turn = turn.as_str();
        if let Some(active) = self.head.active.as_ref().filter(|active| active.turn == turn) {
            return if active.lease_end > now { Err(SessionError::Busy) } else { Ok(Some(Plan::Lapsed)) };
        }
        let listed = self.head.terminal.iter().find(|ended| ended.turn == turn).map(|ended| ended.end);
        let in_history = || {
            let node = self.tree.node(self.tree.turn(turn)?)?;
            Some(node.end.unwrap_or(TurnEnd::Indeterminate))
        };
        Ok(listed.or_else(in_history).map(Plan::Recorded))
    }

    /// What was said in a turn, or the last, where that is indeterminate: it is recorded so, or its claim still stands and the
    /// lease has ended.
    fn given_up(&self, turn: Option<&Identifier>) -> Option<u64> {
        let is_it = |other: &str| turn.is_none_or(|turn| turn.as_str() == other);
        if let Some(lapsed) = self.head.active.as_ref().filter(|active| is_it(&active.turn)) {
            return Some(lapsed.user_node);
        }
        let ended = self.head.terminal.iter().rfind(|ended| is_it(&ended.turn))?;
        (ended.end == TurnEnd::Indeterminate).then_some(ended.user_node)
    }

    /// Whether the record of a turn is known here.
    fn has_ended(&self, turn: &Identifier) -> bool {
        let is_active = self.head.active.as_ref().is_some_and(|active| active.turn == turn.as_str());
        !is_active && (self.tree.turn(turn.as_str()).is_some() || self.given_up(Some(turn)).is_some())
    }

    /// How the turn of a claim ended, where its record stands.
    pub(super) fn record(&self, turn: &str, nonce: &WriteId) -> Option<TurnEnd> {
        let listed = self.head.terminal.iter().find(|ended| ended.nonce == *nonce).map(|ended| ended.end);
        let in_history = || {
            let node = self.tree.node(self.tree.turn(turn)?)?;
            let (_, writer) = node.turn.as_ref()?;
            node.end.filter(|_| writer == nonce)
        };
        listed.or_else(in_history)
    }

    /// Whether a turn that is known is one that is begun like this.
    fn is_turn_of(&self, turn: &Identifier, what: &What) -> bool {
        let Some(node) = self.said_in(turn) else { return true };
        let is_new = node.turn.as_ref().is_some_and(|(writer, _)| writer == turn.as_str());
        match what {
            What::Send { text, .. } => is_new && node.content == *text,
            What::Edit { message, text } => is_new && node.content == *text && node.message == *message,
            What::Choose { .. } => is_new,
            What::Regenerate { .. } | What::Retry { .. } => !is_new,
        }
    }

    /// What was said in a turn, or what it answered again.
    fn said_in(&self, turn: &Identifier) -> Option<&Node> {
        let number = self.tree.turn(turn.as_str())?;
        let node = self.tree.node(number)?;
        if node.end.is_some() { self.tree.node(self.tree.parent(number)?) } else { Some(node) }
    }

    /// The node of a message of a person on the path.
    pub(super) fn said(&self, message: &str) -> Result<u64, SessionError> {
        let number = self.tree.on_path(message).ok_or(SessionError::UnknownMessage)?;
        let is_said = self.tree.node(number).is_some_and(|node| node.role == Role::User);
        if is_said { Ok(number) } else { Err(SessionError::UnknownMessage) }
    }

    /// Answers again: what an answer on the path answers, or a message of a person.
    fn again(
        &self,
        number: u64,
        new_answer: impl Fn() -> Result<String, SessionError>,
    ) -> Result<Plan, SessionError> {
        let node = self.tree.node(number).ok_or(SessionError::UnknownMessage)?;
        if node.role == Role::User {
            // The answer that stands behind it on the path, or behind it at all, keeps its id.
            let behind = (number + 1..self.tree.length()).rev().find_map(|other| {
                self.tree.node(other).filter(|node| node.parent == Some(number) && node.end.is_some())
            });
            let answer = behind.map_or_else(new_answer, |node| Ok(node.message.clone()))?;
            return Ok(Plan::Claim { said: Err(number), answer_message: answer, choice: None });
        }
        let said = self.tree.parent(number).ok_or(SessionError::UnknownMessage)?;
        Ok(Plan::Claim { said: Err(said), answer_message: node.message.clone(), choice: None })
    }
}

/// A claim whose outcome somebody waits for.
struct Claiming(Option<Arc<Running>>);

impl Drop for Claiming {
    fn drop(&mut self) {
        if let Some(running) = &self.0 {
            running.stop();
        }
    }
}
