//! Declaring a definition, and checking it.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use serde_json::{Map, Value};

use crate::context::Failed;
use crate::definition::{Arrow, ContextRule, Definition, Guard, Machine, Named, Node, Reducer};
use crate::event::Event;
use crate::invalid::{Fault, InvalidDefinition, Place};
use crate::text::NonBlank;

/// A definition that is being declared. Nothing is checked before [`build`](Self::build).
pub struct Builder {
    pub(crate) id: String,
    pub(crate) version: String,
    pub(crate) initial: String,
    pub(crate) states: Vec<State>,
    rule: Option<ContextRule>,
}

/// A state that is being declared: its name, and the events that it accepts.
#[derive(Debug)]
pub struct State {
    name: String,
    edges: Vec<(String, Edge)>,
}

/// What an event does: the state it leads to, who may refuse it, and what becomes of the context.
pub struct Edge {
    target: String,
    guard: Option<Guard>,
    reducer: Option<Reducer>,
}

impl Definition {
    /// Begins a definition.
    #[must_use]
    pub fn builder(id: impl Into<String>, version: impl Into<String>, initial: impl Into<String>) -> Builder {
        Builder {
            id: id.into(),
            version: version.into(),
            initial: initial.into(),
            states: Vec::new(),
            rule: None,
        }
    }
}

impl Builder {
    /// Adds a state.
    #[must_use]
    pub fn state(mut self, state: State) -> Self {
        self.states.push(state);
        self
    }

    /// Sets the rule of every context: at the start, after a reducer, and in a snapshot. A context that it does
    /// not allow is refused. Without a rule every JSON object is allowed.
    #[must_use]
    pub fn context_rule(
        mut self,
        rule: impl Fn(&Map<String, Value>) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.rule = Some(Arc::new(rule));
        self
    }

    /// Checks the definition.
    ///
    /// # Errors
    ///
    /// The first fault and its place: a blank id, version or name, no states at all, a name that stands there
    /// twice, an initial state or a target that there is not.
    pub fn build(self) -> Result<Definition, InvalidDefinition> {
        let id = name(&self.id, || Place::of_definition().at("id"))?;
        let version = name(&self.version, || Place::of_definition().at("version"))?;
        let initial = name(&self.initial, || Place::of_definition().at("initial"))?;
        let mut states = Named::new();
        for State { name: declared, edges } in self.states {
            let state = name(&declared, || Place::of_state(&declared))?;
            let node = node(&state, edges)?;
            if !states.push(state, node) {
                return Err(Place::of_state(&declared).is(Fault::Repeated));
            }
        }
        if states.is_empty() {
            return Err(Place::of_definition().at("states").is(Fault::NoStates));
        }
        let Some((initial, _)) = states.get(&initial) else {
            return Err(Place::of_definition().at("initial").is(Fault::UnknownState));
        };
        for (state, node) in states.iter() {
            for (event, edge) in node.edges.iter() {
                if states.get(&edge.target).is_none() {
                    return Err(Place::of_event(state, event).at("target").is(Fault::UnknownState));
                }
            }
        }
        let initial = initial.clone();
        Ok(Definition::new(Machine { id, version, initial, rule: self.rule, states }))
    }
}

fn node(state: &str, declared: Vec<(String, Edge)>) -> Result<Node, InvalidDefinition> {
    let mut edges = Named::new();
    for (event, Edge { target, guard, reducer }) in declared {
        let place = || Place::of_event(state, &event);
        let target = name(&target, || place().at("target"))?;
        if !edges.push(name(&event, place)?, Arrow { target, guard, reducer }) {
            return Err(place().is(Fault::Repeated));
        }
    }
    Ok(Node { edges })
}

fn name(text: &str, place: impl FnOnce() -> Place) -> Result<NonBlank, InvalidDefinition> {
    NonBlank::new(text).map_err(|_| place().is(Fault::Blank))
}

impl State {
    /// A state that accepts nothing yet.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), edges: Vec::new() }
    }

    /// Accepts an event. A bare text is the state that it leads to.
    #[must_use]
    pub fn on(mut self, event: impl Into<String>, edge: impl Into<Edge>) -> Self {
        self.edges.push((event.into(), edge.into()));
        self
    }
}

impl Edge {
    /// Leads to a state.
    #[must_use]
    pub fn to(target: impl Into<String>) -> Self {
        Self { target: target.into(), guard: None, reducer: None }
    }

    /// Asks `guard` first: `Ok(false)` refuses the event, and a failure refuses it with another diagnostic.
    #[must_use]
    pub fn guard(
        mut self,
        guard: impl Fn(&Map<String, Value>, &Event) -> Result<bool, Failed> + Send + Sync + 'static,
    ) -> Self {
        self.guard = Some(Arc::new(guard));
        self
    }

    /// Lets `reducer` make the next context. Without one the context stays as it is.
    #[must_use]
    pub fn reduce(
        mut self,
        reducer: impl Fn(&Map<String, Value>, &Event) -> Result<Map<String, Value>, Failed>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.reducer = Some(Arc::new(reducer));
        self
    }
}

impl From<&str> for Edge {
    fn from(target: &str) -> Self {
        Self::to(target)
    }
}

impl From<String> for Edge {
    fn from(target: String) -> Self {
        Self::to(target)
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("id", &self.id)
            .field("version", &self.version)
            .field("initial", &self.initial)
            .field("states", &self.states)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Edge").field("target", &self.target).finish_non_exhaustive()
    }
}
