//! What a conversation is made of.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use answerplane_statechart::{Definition, InvalidDefinition, State};

use crate::conversation::route::Route;

/// A conversation: states, what may be done in each, and routes in the order in which they are tried. Contract:
/// `docs/conversation.md`. Cloning shares it.
///
/// ```
/// use answerplane_session::{Conversation, ConversationState, Route};
///
/// let desk = Conversation::builder("idle")
///     .state(ConversationState::new("idle").on("begin", "reserving").actions(["begin"]))
///     .state(ConversationState::new("reserving").on("cancel", "idle"))
///     .route(Route::command("start", "/reserve", "begin", "Which plot?"))
///     .route(Route::command("cancel", "/cancel", "cancel", "Never mind."))
///     .build()?;
/// assert_eq!(desk.initial(), "idle");
/// # Ok::<(), answerplane_session::InvalidConversation>(())
/// ```
#[derive(Clone, Debug)]
pub struct Conversation(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    machine: Definition,
    actions: HashMap<String, Vec<String>>,
    routes: Vec<Route>,
}

/// A state: the events that it accepts and where they lead, and what a person may be offered in it.
#[derive(Clone, Debug)]
pub struct ConversationState {
    name: String,
    events: Vec<(String, String)>,
    actions: Vec<String>,
}

impl ConversationState {
    /// A state that accepts nothing.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), events: Vec::new(), actions: Vec::new() }
    }

    /// The same, with an event and the state that it leads to.
    #[must_use]
    pub fn on(mut self, event: impl Into<String>, target: impl Into<String>) -> Self {
        self.events.push((event.into(), target.into()));
        self
    }

    /// The same, with what a person may be offered.
    #[must_use]
    pub fn actions<A: Into<String>>(mut self, actions: impl IntoIterator<Item = A>) -> Self {
        self.actions = actions.into_iter().map(Into::into).collect();
        self
    }
}

/// A conversation that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidConversation {
    /// Its states are no statechart.
    #[error("{0}")]
    Machine(#[from] InvalidDefinition),
    /// A route has no id.
    #[error("route {0} has no id")]
    RouteWithoutId(usize),
    /// Two routes have one id: the later one.
    #[error("route {0} has the id of an earlier one")]
    RouteRepeated(usize),
    /// A route is restricted to a state that there is not.
    #[error("route {0} is restricted to a state that there is not")]
    UnknownState(usize),
    /// A route is for the empty command.
    #[error("route {0} is for the empty command")]
    EmptyCommand(usize),
    /// A route has no event.
    #[error("route {0} has no event")]
    RouteWithoutEvent(usize),
}

impl InvalidConversation {
    /// A stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Machine(invalid) => invalid.code().as_str(),
            Self::RouteWithoutId(_) => "CONVERSATION_ROUTE_WITHOUT_ID",
            Self::RouteRepeated(_) => "CONVERSATION_ROUTE_REPEATED",
            Self::UnknownState(_) => "CONVERSATION_UNKNOWN_STATE",
            Self::EmptyCommand(_) => "CONVERSATION_EMPTY_COMMAND",
            Self::RouteWithoutEvent(_) => "CONVERSATION_ROUTE_WITHOUT_EVENT",
        }
    }
}

/// Collects the parts of a conversation.
#[derive(Clone, Debug)]
pub struct ConversationBuilder {
    initial: String,
    states: Vec<ConversationState>,
    routes: Vec<Route>,
}

impl Conversation {
    /// Begins a conversation in this state.
    #[must_use]
    pub fn builder(initial: impl Into<String>) -> ConversationBuilder {
        ConversationBuilder { initial: initial.into(), states: Vec::new(), routes: Vec::new() }
    }

    /// The state that it begins in.
    #[must_use]
    pub fn initial(&self) -> &str {
        self.0.machine.initial().as_str()
    }

    /// The states as a statechart: for a diagram, say.
    #[must_use]
    pub fn machine(&self) -> &Definition {
        &self.0.machine
    }

    /// The events that a state accepts, in the order of their declaration.
    pub(crate) fn events(&self, state: &str) -> impl Iterator<Item = &str> {
        self.0.machine.events(state).map(|(event, _)| event.as_str())
    }

    /// What a person may be offered in a state, in the order of its declaration.
    pub(crate) fn actions(&self, state: &str) -> &[String] {
        self.0.actions.get(state).map_or(&[], Vec::as_slice)
    }

    /// The commands that routes answer in a state, in the order of the routes: what a person may type there. Each is matched
    /// exactly. Of routes that match by a closure nothing is known; they are passed over.
    ///
    /// ```
    /// use answerplane_session::{Conversation, ConversationState, Route};
    ///
    /// let desk = Conversation::builder("idle")
    ///     .state(ConversationState::new("idle").on("begin", "reserving"))
    ///     .state(ConversationState::new("reserving").on("cancel", "idle"))
    ///     .route(Route::command("start", "/reserve", "begin", "Which plot?"))
    ///     .route(Route::command("cancel", "/cancel", "cancel", "Never mind."))
    ///     .build()?;
    /// assert_eq!(desk.commands("idle"), ["/reserve"]);
    /// assert_eq!(desk.commands("reserving"), ["/cancel"]);
    /// # Ok::<(), answerplane_session::InvalidConversation>(())
    /// ```
    #[must_use]
    pub fn commands(&self, state: &str) -> Vec<&str> {
        let routes = self.routes().iter();
        let routes =
            routes.filter(|route| route.is_allowed_in(state) && self.target(state, &route.event).is_some());
        let mut seen = HashSet::new();
        // Behind one that takes everything no other is taken.
        let routes = routes.take_while(|route| !route.takes_all);
        let commands = routes.filter_map(|route| route.command.as_deref());
        commands.filter(|command| seen.insert(*command)).collect()
    }

    pub(crate) fn target(&self, state: &str, event: &str) -> Option<&str> {
        self.0.machine.target(state, event).map(|target| target.as_str())
    }

    pub(crate) fn routes(&self) -> &[Route] {
        &self.0.routes
    }
}

impl ConversationBuilder {
    /// Adds a state.
    #[must_use]
    pub fn state(mut self, state: ConversationState) -> Self {
        self.states.push(state);
        self
    }

    /// Adds a route behind those that are there.
    #[must_use]
    pub fn route(mut self, route: Route) -> Self {
        self.routes.push(route);
        self
    }

    /// The conversation.
    ///
    /// # Errors
    ///
    /// [`InvalidConversation`]: the states are no statechart, a route has no id or that of another, is restricted to a
    /// state that there is not, is for the empty command, or has no event. The number is that of the route, from 0.
    pub fn build(self) -> Result<Conversation, InvalidConversation> {
        let names: HashSet<&str> = self.states.iter().map(|state| state.name.as_str()).collect();
        let mut ids = HashSet::new();
        for (number, route) in self.routes.iter().enumerate() {
            if route.id.is_empty() {
                return Err(InvalidConversation::RouteWithoutId(number));
            }
            if !ids.insert(route.id.as_str()) {
                return Err(InvalidConversation::RouteRepeated(number));
            }
            if !route.states.iter().flatten().all(|state| names.contains(state.as_str())) {
                return Err(InvalidConversation::UnknownState(number));
            }
            if route.command.as_deref() == Some("") {
                return Err(InvalidConversation::EmptyCommand(number));
            }
            if route.event.is_empty() {
                return Err(InvalidConversation::RouteWithoutEvent(number));
            }
        }
        let mut machine = Definition::builder("conversation", "1", self.initial);
        let mut actions = HashMap::new();
        for ConversationState { name, events, actions: offered } in self.states {
            let state = State::new(name.clone());
            machine = machine
                .state(events.into_iter().fold(state, |state, (event, target)| state.on(event, target)));
            actions.insert(name, offered);
        }
        Ok(Conversation(Arc::new(Parts { machine: machine.build()?, actions, routes: self.routes })))
    }
}
