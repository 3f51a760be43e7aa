//! A session with a site, turn by turn.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use answerplane_protocol::{
    AnswerEnvelope, Content, ContentPart, Identifier, Outcome, RenderFrame, Timestamp,
};
use answerplane_session::{
    AnswerPlane, ChunkKind, Clock, Definition, IdSource, Role, Session, SessionError, SessionOptions,
    SessionView, Start, StateView, SystemClock, TurnEnd,
};
use answerplane_store::MemoryStore;
use serde::Serialize;

use crate::moment;

/// A session that lasts as long as the program runs.
pub(super) struct Talk {
    session: Session,
    definition: Definition,
    state: Option<StateView>,
    turns: usize,
}

/// What is asked of a session.
#[derive(Clone, Debug)]
pub(super) enum Asked {
    /// Something is said.
    Said(String),
    /// A choice is taken: the frame that it was offered in, its id, and what is said for it.
    Choice(Box<RenderFrame>, String, String),
    /// What was said last says something else.
    Edit(String),
    /// What was said last is answered once more.
    Retry,
    /// The last answer is made anew.
    Regenerate,
}

/// What came of it.
#[derive(Debug)]
pub(super) struct Turned {
    /// The turn.
    pub(super) turn: Identifier,
    /// What was said.
    pub(super) said: String,
    /// How the turn ended; nothing where that could not be recorded.
    pub(super) end: Option<TurnEnd>,
    /// What was answered, as it travels.
    pub(super) text: String,
    /// What vouches for it, where it is no route's.
    pub(super) answer: Option<AnswerEnvelope>,
    /// Why it did not end well.
    pub(super) failure: Option<Failure>,
    /// The route of the conversation that answered.
    pub(super) route: Option<String>,
    /// Whether the conversation has come to another state.
    pub(super) has_moved: bool,
}

/// Why a turn did not end well.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Failure {
    /// A stable code, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) code: Option<&'static str>,
    /// What a person is told.
    pub(super) message: String,
}

impl Talk {
    /// Begins a session in front of a plane, at a moment or at whatever time it is.
    pub(super) async fn open(
        definition: Definition,
        plane: AnswerPlane,
        at: Option<Timestamp>,
    ) -> Result<Self, SessionError> {
        let id = "chat".parse().map_err(|_| SessionError::InvalidKey)?;
        let options = SessionOptions::default().clock(Moment(at)).ids(Counted::default());
        let (plane, store) = (Arc::new(plane.clock(Moment(at))), Arc::new(MemoryStore::new()));
        let session = Session::open_with(id, &definition, plane, store, options).await?;
        let state = session.state().await;
        Ok(Self { session, definition, state, turns: 0 })
    }

    /// What it is a session of.
    pub(super) fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Where its conversation stands; nothing without one.
    pub(super) fn state(&self) -> Option<&StateView> {
        self.state.as_ref()
    }

    /// Everything that was said and answered.
    pub(super) async fn view(&self) -> SessionView {
        self.session.view().await
    }

    /// A turn, to its end.
    pub(super) async fn turn(&mut self, asked: Asked) -> Result<Turned, SessionError> {
        let (start, said) = self.start(asked).await?;
        let turn = format!("turn-{}", self.turns + 1).parse().map_err(|_| SessionError::NoId)?;
        let mut turn = self.session.start(start.turn(turn)).await?;
        self.turns += 1;
        let mut turned = Turned {
            turn: turn.id().clone(),
            said,
            end: None,
            text: String::new(),
            answer: None,
            failure: None,
            route: None,
            has_moved: false,
        };
        // Its failures are the last that it gives, but for a record that could not be written: that one stays one.
        while let Some(next) = turn.next().await {
            match next {
                Ok(chunk) => {
                    match chunk.kind() {
                        ChunkKind::Text(text) => turned.text.push_str(text),
                        ChunkKind::Error(message) => {
                            turned.failure = Some(Failure { code: None, message: message.to_owned() });
                        }
                        ChunkKind::Done | ChunkKind::Other => {}
                    }
                    if let Some(answer) = chunk.answer() {
                        turned.answer = Some(answer.clone());
                    }
                }
                Err(error) => {
                    turned.failure = Some(Failure { code: Some(error.code()), message: error.to_string() });
                    break;
                }
            }
        }
        turned.end = turn.end();
        turned.route = turn.trace().and_then(|trace| trace.route_id.clone());
        let state = self.session.state().await;
        turned.has_moved = state != self.state;
        self.state = state;
        Ok(turned)
    }

    /// What begins a turn, and what is said in it.
    async fn start(&self, asked: Asked) -> Result<(Start, String), SessionError> {
        Ok(match asked {
            Asked::Said(said) => (Start::send(said.as_str()), said),
            Asked::Choice(frame, choice, said) => (Start::choose(&frame, choice), said),
            Asked::Edit(said) => {
                let (last, _) = self.said_last().await.ok_or(SessionError::UnknownMessage)?;
                (Start::edit(last, said.as_str()), said)
            }
            Asked::Retry => {
                let (_, said) = self.said_last().await.ok_or(SessionError::NothingToRetry)?;
                (Start::retry(None), said)
            }
            Asked::Regenerate => {
                let (_, said) = self.said_last().await.ok_or(SessionError::UnknownMessage)?;
                (Start::regenerate(None), said)
            }
        })
    }

    /// Id and text of what was said last.
    async fn said_last(&self) -> Option<(String, String)> {
        self.session.latest(Role::User).await.map(|last| (last.id, last.text))
    }

    /// The commands that the conversation answers where it stands, in its order.
    pub(super) fn commands(&self) -> Vec<&str> {
        let conversation = self.definition.conversation.as_ref().zip(self.state.as_ref());
        conversation.map_or(Vec::new(), |(conversation, state)| conversation.commands(&state.state))
    }

    /// Whether the conversation answers this where it stands, and not because it answers everything.
    pub(super) fn has_command(&self, text: &str) -> bool {
        self.commands().contains(&text)
    }
}

impl Turned {
    /// Whether nobody could answer.
    pub(super) fn is_escalated(&self) -> bool {
        self.answer.as_ref().is_some_and(|answer| matches!(answer.outcome(), Outcome::Escalation(_)))
    }

    /// The frame that offers the choices of the answer.
    pub(super) fn choices_frame(&self) -> Option<RenderFrame> {
        matches!(self.answer.as_ref()?.outcome(), Outcome::Choices(_)).then_some(())?;
        let parts = Content::decode(&self.text).ok()?.into_parts().into_iter();
        parts
            .filter_map(|part| if let ContentPart::Component(part) = part { Some(part) } else { None })
            .find_map(|part| {
                Some(part.frame()).filter(|frame| frame.component_key().as_str() == "choice-list").cloned()
            })
    }
}

/// The text of an answer, without the components that stand beside it.
pub(super) fn plain(text: &str) -> String {
    match Content::decode(text) {
        Ok(content) if Content::is_ordered(text) => {
            let text = |part: &ContentPart| match part {
                ContentPart::Text(part) => part.text().to_owned(),
                ContentPart::Component(_) => String::new(),
            };
            content.parts().iter().map(text).collect()
        }
        _ => text.to_owned(),
    }
}

/// The word that an end is written as.
pub(super) fn word(end: TurnEnd) -> &'static str {
    match end {
        TurnEnd::Done => "done",
        TurnEnd::Stopped => "stopped",
        TurnEnd::Failed => "failed",
        TurnEnd::Indeterminate => "indeterminate",
    }
}

/// A moment that stays, or the system's clock.
struct Moment(Option<Timestamp>);

impl Clock for Moment {
    fn now(&self) -> Timestamp {
        self.0.unwrap_or_else(moment::now)
    }

    fn elapsed(&self) -> Duration {
        SystemClock.elapsed()
    }

    fn until(&self, elapsed: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        SystemClock.until(elapsed)
    }
}

/// Ids that are counted: nobody else knows this session, and what is said once is said the same way again.
#[derive(Default)]
struct Counted(AtomicU64);

impl IdSource for Counted {
    fn draw(&self) -> Option<u128> {
        Some((self.0.fetch_add(1, Ordering::Relaxed) + 1).into())
    }
}
