//! The decisions of a conversation and the states that they lead through, message by message.

use std::collections::{BTreeMap, HashMap, VecDeque};

use answerplane_protocol::session_snapshot::DecisionKind;
use serde::{Deserialize, Serialize};

use crate::conversation::definition::Conversation;
use crate::conversation::replay::{Trace, TraceKind, Turned};
use crate::conversation::route::Said;
use crate::conversation::saved::{Unsavable, check_savable};

/// A decision about a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Decision {
    pub(crate) message_id: String,
    pub(crate) input: String,
    pub(crate) route_id: String,
    pub(crate) kind: DecisionKind,
    pub(crate) content: String,
    pub(crate) from: String,
    pub(crate) to: String,
}

/// What happened to the decisions, in its order. What counts is the fold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Change {
    /// A decision was made.
    Made(Decision),
    /// The decision about this message no longer holds.
    Dropped(String),
}

/// A message that was gone through, and the state before it.
#[derive(Clone, Debug)]
struct Passed {
    id: String,
    input: String,
    before: String,
}

/// The way of a conversation through a history: the messages that were gone through, each with the state before it, and
/// the decisions that hold.
#[derive(Clone, Debug)]
pub(crate) struct Track {
    conversation: Conversation,
    /// The decisions by the number of the change that made them.
    decisions: BTreeMap<u64, Decision>,
    /// The number of the decision about a message.
    of_message: HashMap<String, u64>,
    /// The number of the next change.
    next: u64,
    /// The changes that nobody has taken yet.
    changes: Vec<Change>,
    /// The state that the decisions start from: the initial one, or where older decisions were folded into one.
    base: String,
    /// The state after the last message that was gone through.
    current: String,
    passed: VecDeque<Passed>,
    /// How many of the messages lie before a decision that was folded: the state before them is the base.
    folded: usize,
}

impl Track {
    pub(crate) fn new(conversation: Conversation, base: String) -> Self {
        Self {
            conversation,
            decisions: BTreeMap::new(),
            of_message: HashMap::new(),
            next: 0,
            changes: Vec::new(),
            current: base.clone(),
            base,
            passed: VecDeque::new(),
            folded: 0,
        }
    }

    pub(crate) fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    pub(crate) fn current(&self) -> &str {
        &self.current
    }

    /// The decisions that hold, in the order in which they were made.
    pub(crate) fn decisions(&self) -> impl ExactSizeIterator<Item = &Decision> {
        self.decisions.values()
    }

    /// The number of the first change that is still needed.
    pub(crate) fn first_needed(&self) -> u64 {
        self.decisions.first_key_value().map_or(self.next, |(number, _)| *number)
    }

    /// What has changed since the changes were forgotten.
    pub(crate) fn changes(&self) -> &[Change] {
        &self.changes
    }

    pub(crate) fn forget_changes(&mut self) {
        self.changes.clear();
    }

    /// The messages that were gone through: id and text.
    pub(crate) fn passed(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.passed.iter().map(|passed| (passed.id.as_str(), passed.input.as_str()))
    }

    /// Takes a change that was recorded under this number.
    pub(crate) fn take_recorded(&mut self, number: u64, change: Change) {
        self.next = number;
        match change {
            Change::Made(decision) => self.keep(decision),
            Change::Dropped(message_id) => self.drop_decision(&message_id),
        }
        self.changes.clear();
    }

    /// Lets the next change have this number.
    pub(crate) fn continue_at(&mut self, number: u64) {
        self.next = number;
    }

    /// Stands in a state, which decisions that were kept lead to.
    pub(crate) fn stand_in(&mut self, state: &str) {
        self.current = state.to_string();
    }

    /// Keeps a decision as the latest.
    pub(crate) fn keep(&mut self, decision: Decision) {
        self.of_message.insert(decision.message_id.clone(), self.next);
        self.decisions.insert(self.next, decision.clone());
        self.changes.push(Change::Made(decision));
        self.next += 1;
    }

    /// Drops the decisions about messages that are no longer there.
    pub(crate) fn retain(&mut self, is_there: impl Fn(&str) -> bool) {
        let gone = self.decisions.values().filter(|decision| !is_there(&decision.message_id));
        let gone: Vec<String> = gone.map(|decision| decision.message_id.clone()).collect();
        gone.iter().for_each(|message_id| self.drop_decision(message_id));
    }

    /// Stays where it stands, as if no message had been gone through yet.
    pub(crate) fn forget_passed(&mut self) {
        self.passed.clear();
        self.folded = 0;
    }

    /// Goes back behind the first so many messages.
    pub(crate) fn rewind(&mut self, kept: usize) {
        if kept < self.passed.len() {
            self.current = self.before(kept).to_string();
            self.passed.truncate(kept);
            self.folded = self.folded.min(kept);
        }
        if self.passed.is_empty() {
            self.current.clone_from(&self.base);
        }
    }

    fn before(&self, at: usize) -> &str {
        match self.passed.get(at) {
            Some(passed) if at >= self.folded => &passed.before,
            _ => &self.base,
        }
    }

    /// Goes through an earlier message: a decision about it moves the state where it holds, and is dropped for good where
    /// it does not.
    pub(crate) fn pass(&mut self, id: &str, input: &str) {
        let holds = self.holding(id, input).map(|decision| decision.to.clone());
        self.step(id, input);
        match holds {
            Some(to) => self.current = to,
            None => self.drop_decision(id),
        }
    }

    /// The turn of the latest message: what was decided about it is replayed, or decided now. Without a message nothing is
    /// recorded.
    pub(crate) fn dispatch(&mut self, session_id: &str, latest: Option<(&str, &str)>) -> Turned {
        let Some((id, input)) = latest else {
            return self.decide("", Said { session_id, message_id: None });
        };
        if let Some(decision) = self.holding(id, input).cloned() {
            self.step(id, input);
            self.current.clone_from(&decision.to);
            return Turned::Answered { trace: decision.trace(), content: decision.content };
        }
        self.step(id, input);
        self.drop_decision(id);
        self.decide(input, Said { session_id, message_id: Some(id) })
    }

    fn step(&mut self, id: &str, input: &str) {
        self.passed.push_back(Passed {
            id: id.to_string(),
            input: input.to_string(),
            before: self.current.clone(),
        });
    }

    /// The decision about a message, where it holds here.
    fn holding(&self, id: &str, input: &str) -> Option<&Decision> {
        let decision = self.decisions.get(self.of_message.get(id)?)?;
        let holds = decision.input == input && decision.from == self.current && self.leads(decision);
        holds.then_some(decision)
    }

    /// Whether a decision's route exists, is allowed where it started, and leads where it ended.
    pub(crate) fn leads(&self, decision: &Decision) -> bool {
        let route = self.conversation.routes().iter().find(|route| route.id == decision.route_id);
        route.is_some_and(|route| {
            route.is_allowed_in(&decision.from)
                && self.conversation.target(&decision.from, &route.event) == Some(&decision.to)
        })
    }

    /// Whether the decisions lead, one after the other, from the base to this state.
    pub(crate) fn leads_to(&self, state: &str) -> bool {
        let mut at = self.base.as_str();
        for decision in self.decisions.values() {
            if decision.from != at || !self.leads(decision) {
                return false;
            }
            at = &decision.to;
        }
        at == state
    }

    fn drop_decision(&mut self, message_id: &str) {
        if let Some(number) = self.of_message.remove(message_id) {
            self.decisions.remove(&number);
            self.changes.push(Change::Dropped(message_id.to_string()));
            self.next += 1;
        }
    }

    /// Folds the oldest decisions into the state that they lead to, until so many are left.
    pub(crate) fn fold_to(&mut self, kept: usize) {
        while self.decisions.len() > kept {
            let Some((_, oldest)) = self.decisions.pop_first() else { return };
            self.of_message.remove(&oldest.message_id);
            let rest = self.passed.iter().skip(self.folded);
            if let Some(behind) = rest.take(self.passed.len()).position(|it| it.id == oldest.message_id) {
                self.folded += behind + 1;
            }
            self.base = oldest.to;
        }
    }

    /// Forgets the first so many messages, and folds what was decided about them.
    pub(crate) fn trim_front(&mut self, count: usize) {
        let base = if count < self.passed.len() { self.before(count) } else { &self.current }.to_string();
        for passed in self.passed.drain(..count.min(self.passed.len())) {
            if let Some(number) = self.of_message.remove(&passed.id) {
                self.decisions.remove(&number);
            }
        }
        self.folded = self.folded.saturating_sub(count);
        self.base = base;
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        let mut cleared = Self::new(self.conversation.clone(), self.conversation.initial().to_string());
        cleared.next = self.next;
        *self = cleared;
    }

    /// Whether what was just decided about a message can be saved; where it cannot, it was not decided.
    pub(crate) fn check_latest(&mut self, message_id: &str) -> Result<(), Unsavable> {
        let Some((number, decision)) =
            self.of_message.get(message_id).and_then(|number| self.decisions.get_key_value(number))
        else {
            return Ok(());
        };
        let Err(unsavable) = check_savable(decision) else { return Ok(()) };
        let number = *number;
        if let Some(undone) = self.decisions.remove(&number) {
            self.current = undone.from;
        }
        self.of_message.remove(message_id);
        self.changes.pop();
        self.next -= 1;
        Err(unsavable)
    }

    /// Takes the first route that is allowed, whose event the state accepts, and which matches.
    fn decide(&mut self, input: &str, place: Said<'_>) -> Turned {
        let conversation = self.conversation.clone();
        for route in conversation.routes().iter().filter(|route| route.is_allowed_in(&self.current)) {
            let Some(to) = conversation.target(&self.current, &route.event) else { continue };
            match route.matches(input) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(_) => return Turned::Failed,
            }
            let Ok(content) = route.answer(input, place) else { return Turned::Failed };
            let decision = Decision {
                message_id: place.message_id.unwrap_or_default().to_string(),
                input: input.to_string(),
                route_id: route.id.clone(),
                kind: route.kind,
                content: content.clone(),
                from: std::mem::replace(&mut self.current, to.to_string()),
                to: to.to_string(),
            };
            let trace = decision.trace();
            if place.message_id.is_some() {
                self.keep(decision);
            }
            return Turned::Answered { content, trace };
        }
        Turned::Delegated(Trace {
            kind: TraceKind::Agentic,
            route_id: None,
            from_state: self.current.clone(),
            to_state: self.current.clone(),
        })
    }
}

impl Decision {
    pub(crate) fn trace(&self) -> Trace {
        Trace {
            kind: self.kind.into(),
            route_id: Some(self.route_id.clone()),
            from_state: self.from.clone(),
            to_state: self.to.clone(),
        }
    }
}
