//! The messages of a session in all their versions, and the path through them that is active.

use std::collections::{HashMap, VecDeque};

use answerplane_protocol::turn::Role;

use crate::request::{History, Message};
use crate::session::journal::{Node, Selection};

/// The nodes that are kept. A node's id is its number, so what it stands behind has a smaller one.
#[derive(Default)]
pub(super) struct Tree {
    /// The number of the first node that is kept.
    first: u64,
    nodes: VecDeque<Node>,
    /// The active path, from its beginning to its tip.
    path: VecDeque<u64>,
    /// The messages of a person on it.
    said: VecDeque<u64>,
    /// What a backend is told of it.
    history: History,
    /// How many nodes a message has.
    messages: HashMap<String, usize>,
    /// The last node of a turn.
    turns: HashMap<String, u64>,
    selections: VecDeque<Selection>,
}

/// What a new path has in common with the one before.
pub(super) struct Moved {
    /// How many messages of a person.
    pub(super) said: usize,
    /// Whether the one before went on differently.
    pub(super) diverged: bool,
}

impl Tree {
    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// The number that the next node will have.
    pub(super) fn length(&self) -> u64 {
        self.first + self.nodes.len() as u64
    }

    pub(super) fn node(&self, number: u64) -> Option<&Node> {
        self.nodes.get(usize::try_from(number.checked_sub(self.first)?).ok()?)
    }

    /// Begins at a node, where none is kept yet.
    pub(super) fn begin_at(&mut self, first: u64) {
        *self = Self { first, ..Self::default() };
    }

    pub(super) fn push(&mut self, node: Node) {
        let number = self.length();
        *self.messages.entry(node.message.clone()).or_default() += 1;
        if let Some((turn, _)) = &node.turn {
            self.turns.insert(turn.clone(), number);
        }
        self.nodes.push_back(node);
    }

    /// Keeps no node before this one.
    pub(super) fn cut(&mut self, first: u64) {
        while self.first < first {
            let Some(node) = self.nodes.pop_front() else { break };
            if let Some(count) = self.messages.get_mut(&node.message) {
                *count -= 1;
                if *count == 0 {
                    self.messages.remove(&node.message);
                }
            }
            if let Some((turn, _)) = &node.turn
                && self.turns.get(turn) == Some(&self.first)
            {
                self.turns.remove(turn);
            }
            self.first += 1;
        }
        self.first = self.first.max(first);
        let gone = self.path.partition_point(|number| *number < first);
        self.path.drain(..gone);
        let said_gone = self.said.partition_point(|number| *number < first);
        self.said.drain(..said_gone);
        if gone > 0 {
            let history = self.history.messages();
            history.drain(..gone);
            if is_sparse(history.capacity(), history.len()) {
                history.shrink_to_fit();
            }
        }
        for _ in 0..self.selections_below(first) {
            self.selections.pop_front();
        }
        for list in [&mut self.path, &mut self.said] {
            if is_sparse(list.capacity(), list.len()) {
                list.shrink_to_fit();
            }
        }
        if is_sparse(self.nodes.capacity(), self.nodes.len()) {
            self.nodes.shrink_to_fit();
        }
        if is_sparse(self.messages.capacity(), self.messages.len()) {
            self.messages.shrink_to_fit();
            self.turns.shrink_to_fit();
        }
    }

    /// Makes the path to a node the active one; without a node, none.
    pub(super) fn move_to(&mut self, tip: Option<u64>) -> Moved {
        let mut ahead = Vec::new();
        let mut at = tip.filter(|tip| *tip >= self.first);
        let mut common = 0;
        while let Some(number) = at {
            let found = self.path.partition_point(|on_path| *on_path < number);
            if self.path.get(found) == Some(&number) {
                common = found + 1;
                break;
            }
            ahead.push(number);
            at = self.parent(number);
        }
        let diverged = common < self.path.len();
        if diverged {
            let behind = self.path.get(common).copied().unwrap_or(u64::MAX);
            let kept = self.said.partition_point(|number| *number < behind);
            self.said.truncate(kept);
            self.path.truncate(common);
            self.history.messages().truncate(common);
        }
        let said = self.said.len();
        for number in ahead.into_iter().rev() {
            let Some(node) = self.node(number) else { continue };
            let message =
                Message { id: node.message.clone(), role: node.role, content: node.content.clone() };
            let is_said = node.role == Role::User;
            self.history.messages().push(message);
            self.path.push_back(number);
            if is_said {
                self.said.push_back(number);
            }
        }
        Moved { said, diverged }
    }

    /// The node that a node stands behind, where it is kept.
    pub(super) fn parent(&self, number: u64) -> Option<u64> {
        self.node(number)?.parent.filter(|parent| *parent >= self.first)
    }

    pub(super) fn path(&self) -> impl DoubleEndedIterator<Item = u64> + ExactSizeIterator {
        self.path.iter().copied()
    }

    pub(super) fn tip(&self) -> Option<u64> {
        self.path.back().copied()
    }

    pub(super) fn is_on_path(&self, number: u64) -> bool {
        self.path.binary_search(&number).is_ok()
    }

    /// The messages of a person on the path.
    pub(super) fn said(&self) -> &VecDeque<u64> {
        &self.said
    }

    pub(super) fn history(&self) -> &History {
        &self.history
    }

    pub(super) fn has_message(&self, id: &str) -> bool {
        self.messages.contains_key(id)
    }

    /// The node of a message on the path.
    pub(super) fn on_path(&self, message: &str) -> Option<u64> {
        self.path().rev().find(|number| self.node(*number).is_some_and(|node| node.message == message))
    }

    /// The last node of a turn.
    pub(super) fn turn(&self, turn: &str) -> Option<u64> {
        self.turns.get(turn).copied()
    }

    /// All versions of the message of a node: the nodes that stand where it does and have its id.
    pub(super) fn versions(&self, number: u64) -> Vec<u64> {
        let Some(node) = self.node(number) else { return Vec::new() };
        let parent = self.parent(number);
        let is_version = |other: &u64| {
            self.node(*other).is_some_and(|it| it.message == node.message) && self.parent(*other) == parent
        };
        (self.first..self.length()).filter(is_version).collect()
    }

    pub(super) fn select(&mut self, selection: Selection) {
        self.selections.push_back(selection);
    }

    /// How many of the first selections are of nodes that are gone where this is the first one kept.
    pub(super) fn selections_below(&self, first: u64) -> u64 {
        self.selections.iter().take_while(|selection| selection.tip < first).count() as u64
    }

    /// Where the path ends that is to be active when a node is selected: of the branches behind it, and behind those, each
    /// time the one that was active last. Nothing where the node never was on an active path.
    pub(super) fn leaf_behind(&self, node: u64) -> Option<u64> {
        if self.is_on_path(node) {
            return self.tip();
        }
        // A path was active when its last node was written and when it was selected. The latest of these says how each
        // node goes on.
        let written = (node..self.length()).filter(|number| self.was_on_path(*number));
        let written = written.map(|number| (number + 1, number));
        let selected = self.selections.iter().map(|selection| (selection.nodes, selection.tip));
        let mut moments: Vec<(u64, u64)> = written.chain(selected).collect();
        moments.sort_by_key(|(moment, _)| *moment);
        let leads_here = |tip: u64| {
            let mut at = Some(tip);
            while let Some(number) = at.filter(|number| *number > node) {
                at = self.parent(number);
            }
            at == Some(node)
        };
        moments.into_iter().rev().map(|(_, tip)| tip).find(|tip| leads_here(*tip))
    }

    /// Whether the path to a node was active when it was written: not so for what was said in a turn, until the turn ends.
    fn was_on_path(&self, number: u64) -> bool {
        self.node(number).is_some_and(|node| node.turn.is_none() || node.end.is_some())
    }
}

/// Whether so much room for so little is worth giving back.
fn is_sparse(capacity: usize, length: usize) -> bool {
    capacity > 64 && capacity > length * 4
}
