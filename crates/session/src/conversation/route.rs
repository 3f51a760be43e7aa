//! Routes: what is answered without asking anybody.

use std::sync::Arc;

use answerplane_protocol::session_snapshot::DecisionKind;
use answerplane_statechart::Failed;

use crate::panics::caught;

type Matcher = dyn Fn(&str) -> Result<bool, Failed> + Send + Sync;
type Response = dyn Fn(&str, Said<'_>) -> Result<String, Failed> + Send + Sync;

/// Where something was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Said<'a> {
    /// The session.
    pub session_id: &'a str,
    /// The message; nothing where a turn has none.
    pub message_id: Option<&'a str>,
}

/// A route: what it matches, what it answers, and the event that it makes of it.
///
/// Its closures may fail and may panic; either is a failed turn, and nothing else.
#[derive(Clone)]
pub struct Route {
    pub(super) id: String,
    pub(super) event: String,
    /// The states in which it may be taken; nothing: all.
    pub(super) states: Option<Vec<String>>,
    pub(super) kind: DecisionKind,
    /// The command that it matches, where it is one.
    pub(super) command: Option<String>,
    /// Whether it is known to match whatever is said.
    pub(super) takes_all: bool,
    matches: Arc<Matcher>,
    answer: Arc<Response>,
}

impl Route {
    /// A route for whatever a closure accepts.
    pub fn new<M, R>(id: impl Into<String>, event: impl Into<String>, matches: M, answer: R) -> Self
    where
        M: Fn(&str) -> Result<bool, Failed> + Send + Sync + 'static,
        R: Fn(&str, Said<'_>) -> Result<String, Failed> + Send + Sync + 'static,
    {
        Self {
            id: id.into(),
            event: event.into(),
            states: None,
            kind: DecisionKind::Deterministic,
            command: None,
            takes_all: false,
            matches: Arc::new(matches),
            answer: Arc::new(answer),
        }
    }

    /// A route for exactly this text, which answers with another.
    #[must_use]
    pub fn command(
        id: impl Into<String>,
        command: impl Into<String>,
        event: impl Into<String>,
        answer: impl Into<String>,
    ) -> Self {
        let (command, answer) = (command.into(), answer.into());
        let expected = command.clone();
        let mut route =
            Self::new(id, event, move |said| Ok(said == expected), move |_, _| Ok(answer.clone()));
        route.command = Some(command);
        route
    }

    /// The same, taken in these states only.
    #[must_use]
    pub fn only_in<S: Into<String>>(mut self, states: impl IntoIterator<Item = S>) -> Self {
        self.states = Some(states.into_iter().map(Into::into).collect());
        self
    }

    /// The same, traced as another kind than deterministic.
    #[must_use]
    pub fn traced_as(mut self, kind: DecisionKind) -> Self {
        self.kind = kind;
        self
    }

    pub(super) fn is_allowed_in(&self, state: &str) -> bool {
        self.states.as_ref().is_none_or(|states| states.iter().any(|allowed| allowed == state))
    }

    pub(super) fn matches(&self, said: &str) -> Result<bool, Failed> {
        caught(|| (self.matches)(said)).unwrap_or(Err(Failed))
    }

    pub(super) fn answer(&self, said: &str, place: Said<'_>) -> Result<String, Failed> {
        caught(|| (self.answer)(said, place)).unwrap_or(Err(Failed))
    }
}

impl std::fmt::Debug for Route {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Route").field("id", &self.id).field("event", &self.event).finish_non_exhaustive()
    }
}
