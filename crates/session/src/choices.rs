//! Who may take which choice: what a plane has offered, and what became of it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use answerplane_protocol::RenderFrame;

use crate::chunk::Offer;
use crate::local::CHOICES_INSTANCE;

/// The greatest number of sessions whose offers are remembered.
pub const MAX_SESSIONS: usize = 256;

/// The greatest number of offers that are remembered of a session.
pub const MAX_OFFERS: usize = 256;

/// What became of a choice that somebody took.
#[derive(Debug)]
pub enum Submission {
    /// The frame is none that a plane offers choices in: somebody else deals with it.
    NotOurs,
    /// It was not offered here, not like this, or somebody has taken one already.
    Unavailable,
    /// It is taken. What it stands for is to be sent as if it had been typed, and then settled.
    Reserved(Reservation),
}

/// A choice that is taken and not yet settled. Dropped, it is [released](Self::release).
#[derive(Debug)]
pub struct Reservation {
    value: String,
    claim: Claim,
    offers: Arc<Offers>,
}

/// Which authorization is claimed, and in which life of its session.
#[derive(Debug)]
struct Claim {
    session: String,
    life: u64,
    instance: String,
    number: u64,
}

impl Reservation {
    /// What is sent: a declared question that leads to the chosen answer alone.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }

    /// It was sent: the offer is used up.
    pub fn commit(self) {
        self.offers.locked().consume(&self.claim);
    }

    /// It was not sent: the offer stands again.
    pub fn release(self) {}
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.offers.locked().reopen(&self.claim);
    }
}

/// What a plane has offered, in memory.
#[derive(Debug, Default)]
pub(crate) struct Offers(Mutex<Table>);

#[derive(Debug, Default)]
struct Table {
    /// Grows with every offer and claim.
    moment: u64,
    sessions: HashMap<String, Session>,
}

#[derive(Debug)]
struct Session {
    /// The moment at which it was made: a session that was released and came back is another.
    life: u64,
    /// The moment of the last offer or claim.
    used: u64,
    offers: HashMap<String, Authorization>,
}

/// What may be taken, and whether somebody has.
#[derive(Debug)]
struct Authorization {
    offered: u64,
    offer: Offer,
    /// The number of the claim that holds it.
    claimed: Option<u64>,
}

impl Offers {
    fn locked(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers what was offered. Where there is no room that may be made, it is shown and cannot be taken.
    pub(crate) fn offer(&self, session: &str, offer: Offer) {
        self.locked().offer(session, offer);
    }

    pub(crate) fn reserve(self: &Arc<Self>, session: &str, frame: &RenderFrame, choice: &str) -> Submission {
        if !frame.instance_id().as_str().starts_with(CHOICES_INSTANCE) {
            return Submission::NotOurs;
        }
        match self.locked().claim(session, frame, choice) {
            Some((value, claim)) => Submission::Reserved(Reservation { value, claim, offers: self.clone() }),
            None => Submission::Unavailable,
        }
    }

    pub(crate) fn release_session(&self, session: &str) {
        self.locked().sessions.remove(session);
    }
}

impl Table {
    fn next_moment(&mut self) -> u64 {
        self.moment += 1;
        self.moment
    }

    fn offer(&mut self, session: &str, offer: Offer) {
        let moment = self.next_moment();
        if !self.sessions.contains_key(session) {
            if self.sessions.len() >= MAX_SESSIONS && !self.evict_session() {
                return;
            }
            let fresh = Session { life: moment, used: moment, offers: HashMap::new() };
            self.sessions.insert(session.to_string(), fresh);
        }
        let Some(kept) = self.sessions.get_mut(session) else { return };
        kept.used = moment;
        let is_claimed = kept.offers.get(&offer.instance).map(|offer| offer.claimed.is_some());
        if is_claimed == Some(true) {
            return;
        }
        if is_claimed.is_none() && kept.offers.len() >= MAX_OFFERS && !kept.evict_offer() {
            return;
        }
        let instance = offer.instance.clone();
        kept.offers.insert(instance, Authorization { offered: moment, offer, claimed: None });
    }

    /// Forgets the session that was used longest ago and holds no claim.
    fn evict_session(&mut self) -> bool {
        let free =
            self.sessions.iter().filter(|(_, kept)| kept.offers.values().all(|it| it.claimed.is_none()));
        let oldest = free.min_by_key(|(_, kept)| kept.used).map(|(name, _)| name.clone());
        oldest.is_some_and(|name| self.sessions.remove(&name).is_some())
    }

    fn claim(&mut self, session: &str, frame: &RenderFrame, choice: &str) -> Option<(String, Claim)> {
        let moment = self.next_moment();
        let kept = self.sessions.get_mut(session)?;
        let instance = frame.instance_id().as_str();
        let held = kept.offers.get_mut(instance)?;
        if held.claimed.is_some() || held.offer.props != *frame.props() {
            return None;
        }
        let value = held.offer.value(choice)?.to_string();
        held.claimed = Some(moment);
        kept.used = moment;
        let claim = Claim {
            session: session.to_string(),
            life: kept.life,
            instance: instance.to_string(),
            number: moment,
        };
        Some((value, claim))
    }

    /// The offers of the claim's session, where the claim still holds one.
    fn held(&mut self, claim: &Claim) -> Option<&mut HashMap<String, Authorization>> {
        let kept = self.sessions.get_mut(&claim.session).filter(|kept| kept.life == claim.life)?;
        let holds = kept.offers.get(&claim.instance)?.claimed == Some(claim.number);
        holds.then_some(&mut kept.offers)
    }

    fn consume(&mut self, claim: &Claim) {
        if let Some(offers) = self.held(claim) {
            offers.remove(&claim.instance);
        }
    }

    fn reopen(&mut self, claim: &Claim) {
        if let Some(offer) = self.held(claim).and_then(|offers| offers.get_mut(&claim.instance)) {
            offer.claimed = None;
        }
    }
}

impl Session {
    /// Forgets the oldest offer that nobody holds.
    fn evict_offer(&mut self) -> bool {
        let free = self.offers.iter().filter(|(_, offer)| offer.claimed.is_none());
        let oldest = free.min_by_key(|(_, offer)| offer.offered).map(|(instance, _)| instance.clone());
        oldest.is_some_and(|instance| self.offers.remove(&instance).is_some())
    }
}
