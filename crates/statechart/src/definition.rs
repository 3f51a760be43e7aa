//! A definition: states, and what each event does in them.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use serde_json::{Map, Value};

use crate::context::{Context, Failed};
use crate::event::Event;
use crate::text::NonBlank;

pub(crate) type Guard = Arc<dyn Fn(&Map<String, Value>, &Event) -> Result<bool, Failed> + Send + Sync>;
pub(crate) type Reducer =
    Arc<dyn Fn(&Map<String, Value>, &Event) -> Result<Map<String, Value>, Failed> + Send + Sync>;
pub(crate) type ContextRule = Arc<dyn Fn(&Map<String, Value>) -> bool + Send + Sync>;

/// A checked statechart. Cloning shares it, between threads too.
///
/// It is made by a [`Builder`](crate::Builder), or decoded from JSON. Every name in it is ordinary:
/// `constructor` and `__proto__` are states and events like any other.
#[derive(Clone)]
pub struct Definition(Arc<Machine>);

pub(crate) struct Machine {
    pub(crate) id: NonBlank,
    pub(crate) version: NonBlank,
    pub(crate) initial: NonBlank,
    pub(crate) rule: Option<ContextRule>,
    pub(crate) states: Named<Node>,
}

pub(crate) struct Node {
    pub(crate) edges: Named<Arrow>,
}

pub(crate) struct Arrow {
    pub(crate) target: NonBlank,
    pub(crate) guard: Option<Guard>,
    pub(crate) reducer: Option<Reducer>,
}

/// Things by name, in the order in which they were declared.
pub(crate) struct Named<T> {
    items: Vec<(NonBlank, T)>,
    places: BTreeMap<NonBlank, usize>,
}

impl<T> Named<T> {
    pub(crate) const fn new() -> Self {
        Self { items: Vec::new(), places: BTreeMap::new() }
    }

    /// False where the name stands there already.
    pub(crate) fn push(&mut self, name: NonBlank, item: T) -> bool {
        if self.places.contains_key(&name) {
            return false;
        }
        self.places.insert(name.clone(), self.items.len());
        self.items.push((name, item));
        true
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    pub(crate) fn get(&self, name: &str) -> Option<(&NonBlank, &T)> {
        self.items.get(self.position(name)?).map(|(name, item)| (name, item))
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (&NonBlank, &T)> {
        self.items.iter().map(|(name, item)| (name, item))
    }
}

impl Node {
    pub(crate) fn edge(&self, event: &str) -> Option<&Arrow> {
        self.edges.get(event).map(|(_, edge)| edge)
    }
}

impl Definition {
    pub(crate) fn new(machine: Machine) -> Self {
        Self(Arc::new(machine))
    }

    /// The id.
    #[must_use]
    pub fn id(&self) -> &NonBlank {
        &self.0.id
    }

    /// The version. Instances of another version are another machine's.
    #[must_use]
    pub fn version(&self) -> &NonBlank {
        &self.0.version
    }

    /// The state in which an instance begins.
    #[must_use]
    pub fn initial(&self) -> &NonBlank {
        &self.0.initial
    }

    /// The names of the states, in the order in which they were declared.
    pub fn states(&self) -> impl ExactSizeIterator<Item = &NonBlank> {
        self.0.states.iter().map(|(name, _)| name)
    }

    /// The types of the events that a state accepts, in the order in which they were declared, each with the
    /// state that it leads to. Nothing for a state that there is not.
    pub fn events<'d>(&'d self, state: &str) -> impl Iterator<Item = (&'d NonBlank, &'d NonBlank)> + use<'d> {
        let edges = self.node(state).into_iter().flat_map(|node| node.edges.iter());
        edges.map(|(event, edge)| (event, &edge.target))
    }

    /// The state that an event of this type leads to, if a guard allows it; `None` where the state does not
    /// accept it.
    #[must_use]
    pub fn target(&self, state: &str, event: &str) -> Option<&NonBlank> {
        Some(&self.node(state)?.edge(event)?.target)
    }

    pub(crate) fn node(&self, state: &str) -> Option<&Node> {
        self.0.states.get(state).map(|(_, node)| node)
    }

    pub(crate) fn nodes(&self) -> &Named<Node> {
        &self.0.states
    }

    pub(crate) fn allows(&self, context: &Context) -> bool {
        self.0.rule.as_ref().is_none_or(|rule| rule(context.object()))
    }
}

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Definition")
            .field("id", self.id())
            .field("version", self.version())
            .field("initial", self.initial())
            .field("states", &self.0.states)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Named<Node> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter().map(|(name, node)| (name, &node.edges))).finish()
    }
}

impl fmt::Debug for Named<Arrow> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter().map(|(event, edge)| (event, &edge.target))).finish()
    }
}
