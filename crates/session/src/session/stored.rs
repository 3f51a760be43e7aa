//! A session's document as this process knows it, and how it is read and written: rules 1 to 3 of `docs/turns.md`.

use std::collections::{HashSet, VecDeque};

use answerplane_store::{
    Document, Expected, Extent, Fault, ReadError, ReplaceError, StoreError, Version, Write,
};

use crate::conversation::{Change, Track};
use crate::session::context::Context;
use crate::session::error::SessionError;
use crate::session::existing::erase;
use crate::session::head::{Active, EMPTY, Head, States, WriteId};
use crate::session::journal::{
    DECISIONS, NODES, Node, PAYLOADS, Payload, SELECTIONS, Selection, decode, encode,
};
use crate::session::tree::Tree;
use crate::snapshot_session::NotResumable;

/// How often a call whose outcome is unknown is made in all before the caller is told so.
pub(super) const ATTEMPTS: usize = 4;

/// How often a document is loaded again in one go, where others cut its journals meanwhile.
const LOADS: usize = 16;

/// A session's document, as it stood when it was loaded or written last.
pub(super) struct Stored {
    birth: Version,
    version: Version,
    decisions: Extent,
    payloads: Extent,
    selections: Extent,
    pub(super) head: Head,
    pub(super) tree: Tree,
    /// The conversation's decisions; nothing where the definition has none.
    pub(super) track: Option<Track>,
    /// The claim whose turn was dispatched here: tree and track are ahead of the head until it is committed.
    pub(super) dispatched: Option<WriteId>,
    /// A write whose outcome is unknown.
    in_flight: Option<InFlight>,
    /// Whether it was loaded or written since the present operation began.
    pub(super) is_fresh: bool,
    /// Whether tree and track are to be built anew.
    pub(super) is_stale: bool,
    /// Whether the path has changed since the track was compared with it.
    has_diverged: bool,
    is_erased: bool,
    /// Whether an erase may have happened.
    is_erase_unknown: bool,
}

/// A write that may have happened and may still happen.
#[derive(Clone)]
struct InFlight {
    expected: Version,
    write: Write,
    now: i64,
}

impl InFlight {
    async fn call(&self, context: &Context) -> Result<Version, ReplaceError> {
        let Self { expected, write, now } = self.clone();
        context.store.replace(&context.key, Expected::At(expected), write, now).await
    }
}

/// What is written beside the head.
#[derive(Default)]
pub(super) struct Additions {
    pub(super) nodes: Vec<Node>,
    pub(super) payloads: Vec<Payload>,
    pub(super) selection: Option<Selection>,
    /// Whether what changed in the track belongs to it. While a turn runs, it belongs to that turn's commit alone.
    pub(super) decisions: bool,
    /// Keeps no node before this one.
    pub(super) first_node: Option<u64>,
}

/// What became of a write. It is definite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    Done,
    /// The document had moved on: it is to be loaded. Where an earlier copy of the call was unknown, that one may have
    /// happened.
    Conflict {
        after_unknown: bool,
    },
}

/// The records that were added since a document was known last.
struct Tail {
    nodes: Vec<Node>,
    decisions: Vec<Change>,
    selections: Vec<Selection>,
}

impl Stored {
    /// A document that was just found. Its journals are still to be read.
    pub(super) fn found(context: &Context, document: &Document) -> Self {
        Self::unread(Head::fresh(&context.definition, document.birth), document.birth, document.version)
    }

    /// The same document, to be read again from its beginning.
    pub(super) fn anew(&self) -> Self {
        Self::unread(self.head.clone(), self.birth, self.version)
    }

    fn unread(head: Head, birth: Version, version: Version) -> Self {
        Self {
            birth,
            version,
            decisions: Extent::default(),
            payloads: Extent::default(),
            selections: Extent::default(),
            head,
            tree: Tree::default(),
            track: None,
            dispatched: None,
            in_flight: None,
            is_fresh: false,
            is_stale: true,
            has_diverged: true,
            is_erased: false,
            is_erase_unknown: false,
        }
    }

    /// Where the next node and the next payload will stand.
    pub(super) fn next_payload(&self) -> u64 {
        self.payloads.length
    }

    /// Begins an operation: finds out what became of a write whose outcome is unknown, and loads what that needs.
    pub(super) async fn settle(&mut self, context: &Context) -> Result<(), SessionError> {
        self.is_fresh = false;
        if self.is_erased {
            return Err(SessionError::Erased);
        }
        let Some(in_flight) = self.in_flight.clone() else {
            return if self.is_stale { self.load(context).await } else { Ok(()) };
        };
        for _ in 0..ATTEMPTS {
            if matches!(in_flight.call(context).await, Ok(_) | Err(ReplaceError::Conflict)) {
                self.in_flight = None;
                self.is_stale |= self.dispatched.is_none();
                return self.load_after(context, true).await;
            }
        }
        Err(SessionError::OutcomeUnknown)
    }

    /// Loads what has changed.
    pub(super) async fn load(&mut self, context: &Context) -> Result<(), SessionError> {
        for _ in 0..LOADS {
            let document = context.store.load(&context.key, context.now()).await?;
            let Some(document) = document.filter(|document| document.birth == self.birth) else {
                self.is_erased = true;
                return Err(SessionError::Erased);
            };
            if document.version == self.version && !self.is_stale {
                self.is_fresh = true;
                return Ok(());
            }
            let head = head_of(&document, context)?;
            let keeps_claim = self.dispatched.as_ref().is_some_and(|nonce| head.claim(nonce).is_some());
            if self.dispatched.is_some() && !keeps_claim {
                self.dispatched = None;
                self.is_stale = true;
            }
            if keeps_claim {
                // Nobody else moves nodes or decisions while the claim stands.
                self.head = head;
                self.stand_at(&document);
                return Ok(());
            }
            match self.tail(context, &document).await {
                Ok(tail) if self.fits(&document, &head, &tail) => {
                    let taken = self.take(context, &document, head, tail);
                    self.is_stale |= taken.is_err();
                    return taken;
                }
                Ok(_) => self.is_stale = true,
                Err(ReadError::Gone) => {}
                Err(ReadError::Failed(error)) => return Err(error.into()),
            }
        }
        Err(Fault::Unavailable.into())
    }

    /// The records that are not known yet.
    async fn tail(&self, context: &Context, document: &Document) -> Result<Tail, ReadError> {
        let known = |length: u64| if self.is_stale { 0 } else { length };
        Ok(Tail {
            nodes: records(context, document, NODES, known(self.tree.length())).await?,
            decisions: records(context, document, DECISIONS, known(self.decisions.length)).await?,
            selections: records(context, document, SELECTIONS, known(self.selections.length)).await?,
        })
    }

    /// Whether the new records follow on the known ones; else everything is to be read.
    fn fits(&self, document: &Document, head: &Head, tail: &Tail) -> bool {
        let base = head.states.as_ref().map(|states| states.base.as_str());
        // A decision about a message that is known here was made or dropped on another branch, or made anew.
        let is_news = |change: &Change| match change {
            Change::Made(decision) => !self.tree.has_message(&decision.message_id),
            Change::Dropped(message) => !self.tree.has_message(message),
        };
        let is_next = document.extent(NODES).first == self.tree.first()
            && document.extent(SELECTIONS).first == self.selections.first;
        let track_goes_on = self.track.is_none()
            || self.track.as_ref().map(Track::base) == base
                && document.extent(DECISIONS).first == self.decisions.first
                && tail.decisions.iter().all(is_news);
        self.is_stale || is_next && track_goes_on
    }

    fn take(
        &mut self,
        context: &Context,
        document: &Document,
        head: Head,
        tail: Tail,
    ) -> Result<(), SessionError> {
        let first = document.extent(NODES).first;
        if self.is_stale {
            self.tree.begin_at(first);
            self.track = track_of(context, head.states.as_ref())?;
            self.has_diverged = true;
        }
        for node in tail.nodes {
            if node.parent.is_some_and(|parent| parent >= self.tree.length()) {
                return Err(SessionError::Damaged);
            }
            self.tree.push(node);
        }
        self.tree.cut(first);
        let has_tip = head.tip.is_none_or(|tip| self.tree.node(tip).is_some());
        if !has_tip || self.tree.length() != document.extent(NODES).length {
            return Err(SessionError::Damaged);
        }
        tail.selections.into_iter().for_each(|selection| self.tree.select(selection));
        if let Some(track) = &mut self.track {
            let length = document.extent(DECISIONS).length;
            // A decision about a message that is not on the path is dropped with the next turn.
            self.has_diverged |= !tail.decisions.is_empty();
            let from = length - tail.decisions.len() as u64;
            for (number, change) in (from..).zip(tail.decisions) {
                track.take_recorded(number, change);
            }
            track.continue_at(length);
            let state = head.states.as_ref().map_or(track.base(), |states| &states.current);
            if self.is_stale && !track.leads_to(state) {
                return Err(NotResumable::Conversation.into());
            }
        }
        self.head = head;
        self.stand_at(document);
        self.is_stale = false;
        self.move_to(self.head.tip);
        Ok(())
    }

    fn stand_at(&mut self, document: &Document) {
        self.version = document.version;
        self.decisions = document.extent(DECISIONS);
        self.payloads = document.extent(PAYLOADS);
        self.selections = document.extent(SELECTIONS);
        self.is_fresh = true;
    }

    /// Makes the path to a node the active one, here.
    pub(super) fn move_to(&mut self, tip: Option<u64>) {
        let moved = self.tree.move_to(tip);
        if moved.diverged {
            self.has_diverged = true;
            if let Some(track) = &mut self.track {
                track.rewind(moved.said);
            }
        }
    }

    /// Goes through all messages of a person on the path but the last `left`, from where the last turn was; drops what was
    /// decided about messages that are no longer there.
    pub(super) fn walk(&mut self, left: usize) {
        let Self { tree, track: Some(track), has_diverged, .. } = self else { return };
        let texts =
            |number: u64| tree.node(number).map(|node| (node.message.as_str(), node.content.as_str()));
        let said: &VecDeque<u64> = tree.said();
        let upto = said.len().saturating_sub(left);
        let passed = track.passed().len();
        if *has_diverged {
            let there = said.iter().filter_map(|number| texts(*number)).map(|(id, _)| id);
            let there: HashSet<&str> = there.collect();
            track.retain(|id| there.contains(id));
            *has_diverged = false;
        }
        track.rewind(upto);
        for (id, text) in said.iter().take(upto).skip(passed.min(upto)).filter_map(|number| texts(*number)) {
            track.pass(id, text);
        }
    }

    /// A copy of the head, to be changed and written as the next one.
    pub(super) fn next_head(&self, write: WriteId) -> Head {
        let mut head = self.head.clone();
        head.write = write;
        head.cursor = head.cursor.saturating_add(1);
        head
    }

    /// Writes the next head with what belongs to it, as one step, until it is definite.
    pub(super) async fn replace(
        &mut self,
        context: &Context,
        head: Head,
        additions: Additions,
    ) -> Result<Written, SessionError> {
        let Additions { nodes, payloads, selection, decisions: with_decisions, first_node } = additions;
        let track = self.track.as_ref().filter(|_| with_decisions);
        let changes = track.map(Track::changes).unwrap_or_default();
        let now = context.now();
        let mut write = Write::new(head.encode());
        write.expires_at = context.expires_at(now, head.active.as_ref().map(|active| active.lease_end));
        let mut lengths = [self.decisions, self.payloads, self.selections];
        let added = [
            (DECISIONS, changes.iter().map(encode).collect::<Vec<_>>()),
            (PAYLOADS, payloads.iter().map(encode).collect()),
            (SELECTIONS, selection.iter().map(encode).collect()),
        ];
        for ((journal, records), extent) in added.into_iter().zip(&mut lengths) {
            extent.length += records.len() as u64;
            if !records.is_empty() {
                write = write.append(journal, records);
            }
        }
        let [decisions, payloads, selections] = &mut lengths;
        let first_selection =
            selections.first + first_node.map_or(0, |first| self.tree.selections_below(first));
        let needed = [
            (DECISIONS, decisions, track.map_or(0, Track::first_needed)),
            (PAYLOADS, payloads, head.first_payload().unwrap_or(u64::MAX)),
            (SELECTIONS, selections, first_selection),
        ];
        for (journal, extent, needed) in needed {
            let needed = needed.min(extent.length);
            if needed > extent.first {
                extent.first = needed;
                write = write.cut(journal, needed);
            }
        }
        if !nodes.is_empty() {
            write = write.append(NODES, nodes.iter().map(encode));
        }
        if let Some(first) = first_node.filter(|first| *first > self.tree.first()) {
            write = write.cut(NODES, first);
        }
        let write = InFlight { expected: self.version, write, now };
        self.version = match self.write(context, write).await? {
            Ok(version) => version,
            Err(after_unknown) => return Ok(Written::Conflict { after_unknown }),
        };
        [self.decisions, self.payloads, self.selections] = lengths;
        self.head = head;
        nodes.into_iter().for_each(|node| self.tree.push(node));
        selection.into_iter().for_each(|selection| self.tree.select(selection));
        if let Some(track) = self.track.as_mut().filter(|_| with_decisions) {
            track.forget_changes();
            track.continue_at(self.decisions.length);
        }
        if let Some(first) = first_node {
            self.tree.cut(first);
        }
        Ok(Written::Done)
    }

    /// Deletes the document.
    pub(super) async fn erase(&mut self, context: &Context) -> Result<(), SessionError> {
        let known = (self.birth, self.version);
        erase(&*context.store, &context.key, known, &context.options, &mut self.is_erase_unknown).await?;
        self.is_erased = true;
        Ok(())
    }

    /// Makes a write until it is definite: the new version, or a conflict and whether it followed an unknown outcome. While it
    /// runs it is kept as one whose outcome is unknown, in case nobody waits for its end.
    async fn write(
        &mut self,
        context: &Context,
        write: InFlight,
    ) -> Result<Result<Version, bool>, SessionError> {
        self.is_fresh = false;
        self.in_flight = Some(write.clone());
        let mut was_unknown = false;
        for _ in 0..ATTEMPTS {
            let error = match write.call(context).await {
                Ok(version) => {
                    self.in_flight = None;
                    self.is_fresh = true;
                    return Ok(Ok(version));
                }
                Err(error) => error,
            };
            match error {
                ReplaceError::Conflict => {
                    self.in_flight = None;
                    return Ok(Err(was_unknown));
                }
                ReplaceError::Failed(error) if !was_unknown => {
                    self.in_flight = None;
                    return Err(error.into());
                }
                ReplaceError::Failed(_) => {}
                ReplaceError::Unknown(_) => was_unknown = true,
            }
        }
        Err(SessionError::OutcomeUnknown)
    }

    /// Loads after a conflict. Where an unknown outcome came before it, what cannot be loaded is unknown.
    pub(super) async fn load_after(
        &mut self,
        context: &Context,
        after_unknown: bool,
    ) -> Result<(), SessionError> {
        self.load(context).await.map_err(|error| match error {
            SessionError::Store(_) if after_unknown => SessionError::OutcomeUnknown,
            error => error,
        })
    }

    /// The payload that the head names. Where it is cut, what is known here is old.
    pub(super) async fn read_payload(
        &mut self,
        context: &Context,
        named: impl Fn(&Self) -> Option<u64>,
    ) -> Result<Option<Payload>, SessionError> {
        for _ in 0..LOADS {
            let Some(number) = named(self) else { return Ok(None) };
            let range = number..number.saturating_add(1);
            let read = context.store.read(&context.key, self.birth, PAYLOADS, range, context.now()).await;
            match read {
                Ok(records) => {
                    return records
                        .first()
                        .map(|record| decode(record))
                        .ok_or(SessionError::Damaged)?
                        .map(Some);
                }
                Err(ReadError::Gone) => self.load(context).await?,
                Err(ReadError::Failed(error)) => return Err(error.into()),
            }
        }
        Err(SessionError::Damaged)
    }

    /// The claim that stands, where its lease has not ended.
    pub(super) fn running(&self, now: i64) -> Option<&Active> {
        self.head.active.as_ref().filter(|active| active.lease_end > now)
    }
}

fn head_of(document: &Document, context: &Context) -> Result<Head, SessionError> {
    if document.version == document.birth {
        let is_empty = document.body == EMPTY;
        return if is_empty {
            Ok(Head::fresh(&context.definition, document.birth))
        } else {
            Err(SessionError::Damaged)
        };
    }
    let head = Head::decode(&document.body).ok_or(SessionError::Damaged)?;
    if !head.is_of(&context.definition) {
        return Err(NotResumable::OtherDefinition.into());
    }
    if head.states.is_some() && context.definition.conversation.is_none() {
        return Err(NotResumable::Conversation.into());
    }
    Ok(head)
}

fn track_of(context: &Context, states: Option<&States>) -> Result<Option<Track>, SessionError> {
    let Some(conversation) = context.definition.conversation.clone() else { return Ok(None) };
    let base = states.map_or(conversation.initial(), |states| &states.base).to_string();
    if !conversation.machine().states().any(|state| state.as_str() == base) {
        return Err(NotResumable::Conversation.into());
    }
    Ok(Some(Track::new(conversation, base)))
}

/// The records of a journal from a number on.
async fn records<T: serde::de::DeserializeOwned>(
    context: &Context,
    document: &Document,
    journal: &str,
    known: u64,
) -> Result<Vec<T>, ReadError> {
    let Extent { first, length } = document.extent(journal);
    let from = known.max(first);
    if from >= length {
        return Ok(Vec::new());
    }
    let read = context.store.read(&context.key, document.birth, journal, from..length, context.now()).await?;
    let damaged = || ReadError::Failed(StoreError::from(Fault::Damaged));
    if read.len() as u64 != length - from {
        return Err(damaged());
    }
    read.iter().map(|record| decode(record).map_err(|_| damaged())).collect()
}
