//! The claims of a reasoning as a graph of positions, checked and in order.
//!
//! Nothing here calls itself: a chain of a hundred thousand claims is a loop, not a stack.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::dag::{Claim, ReasoningDag};
use crate::index::Index;
use crate::ready::Ready;

/// Why claims are not a graph without a cycle, with its conclusion in it. It holds none of their text; a claim is
/// named by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum DagError {
    /// A claim has an empty id.
    #[error("claims[{claim}] has no id.")]
    UnnamedClaim {
        /// The claim.
        claim: usize,
    },
    /// An earlier claim has the same id.
    #[error("claims[{claim}] has the id of an earlier claim.")]
    RepeatedClaim {
        /// The claim.
        claim: usize,
    },
    /// A claim follows from one that does not exist.
    #[error("claims[{claim}] has a premise that is no claim.")]
    UnknownPremise {
        /// The claim.
        claim: usize,
    },
    /// A claim follows from itself, directly or not.
    #[error("A claim follows from itself.")]
    Cycle,
    /// The conclusion is none of the claims.
    #[error("The conclusion is no claim.")]
    UnknownConclusion,
}

impl DagError {
    /// One value for each reason, in the order in which they are looked for.
    pub const ALL: &'static [Self] = &[
        Self::UnnamedClaim { claim: 0 },
        Self::RepeatedClaim { claim: 0 },
        Self::UnknownPremise { claim: 0 },
        Self::Cycle,
        Self::UnknownConclusion,
    ];

    /// The stable code of the reason.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::UnnamedClaim { .. } => "SURFACE_DAG_UNNAMED_CLAIM",
            Self::RepeatedClaim { .. } => "SURFACE_DAG_REPEATED_CLAIM",
            Self::UnknownPremise { .. } => "SURFACE_DAG_UNKNOWN_PREMISE",
            Self::Cycle => "SURFACE_DAG_CYCLE",
            Self::UnknownConclusion => "SURFACE_DAG_UNKNOWN_CONCLUSION",
        }
    }
}

/// The claims of a reasoning by position.
pub(crate) struct Graph {
    index: Index,
    premises: Edges,
    /// Every claim after all of its premises; of several that could be next, the one declared first.
    order: Vec<usize>,
    conclusion: usize,
}

impl Graph {
    pub(crate) fn new(dag: &ReasoningDag) -> Result<Self, DagError> {
        let claims = &dag.claims;
        if let Some(claim) = claims.iter().position(|claim| claim.id.is_empty()) {
            return Err(DagError::UnnamedClaim { claim });
        }
        let index = Index::new(claims.iter().map(|claim| claim.id.as_str()));
        if let Some(claim) = index.first_repeated() {
            return Err(DagError::RepeatedClaim { claim });
        }
        let premises = Edges::of(claims, &index)?;
        let order = order(&premises).ok_or(DagError::Cycle)?;
        let conclusion = index.find(&dag.conclusion).ok_or(DagError::UnknownConclusion)?;
        Ok(Self { index, premises, order, conclusion })
    }

    /// The position of the conclusion.
    pub(crate) fn conclusion(&self) -> usize {
        self.conclusion
    }

    /// The positions of claims by their ids.
    pub(crate) fn index(&self) -> &Index {
        &self.index
    }

    /// The positions of the claims that the conclusion rests on, in order, without itself.
    pub(crate) fn closure(&self) -> Vec<usize> {
        let mut is_reached = vec![false; self.order.len()];
        let mut to_visit = vec![self.conclusion];
        while let Some(claim) = to_visit.pop() {
            for premise in self.premises.from(claim) {
                if !is_reached[*premise] {
                    is_reached[*premise] = true;
                    to_visit.push(*premise);
                }
            }
        }
        self.order.iter().copied().filter(|claim| is_reached[*claim]).collect()
    }
}

/// For each claim the positions of others, one list after the other.
struct Edges {
    targets: Vec<usize>,
    /// For each claim where its list begins, and at the end where the last one ends.
    starts: Vec<usize>,
}

impl Edges {
    /// From each claim to its premises.
    fn of(claims: &[Claim], index: &Index) -> Result<Self, DagError> {
        let found = index.find_all(claims.iter().flat_map(|claim| &claim.premises).map(String::as_str));
        let mut found = found.into_iter();
        let mut targets = Vec::with_capacity(found.len());
        let mut starts = Vec::with_capacity(claims.len() + 1);
        for (at, claim) in claims.iter().enumerate() {
            starts.push(targets.len());
            for premise in found.by_ref().take(claim.premises.len()) {
                targets.push(premise.ok_or(DagError::UnknownPremise { claim: at })?);
            }
        }
        starts.push(targets.len());
        Ok(Self { targets, starts })
    }

    /// The same edges the other way.
    fn reversed(&self) -> Self {
        let mut starts = vec![0; self.starts.len()];
        for target in &self.targets {
            starts[target + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut targets = vec![0; self.targets.len()];
        for claim in 0..self.len() {
            for target in self.from(claim) {
                targets[next[*target]] = claim;
                next[*target] += 1;
            }
        }
        Self { targets, starts }
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn from(&self, claim: usize) -> &[usize] {
        &self.targets[self.starts[claim]..self.starts[claim + 1]]
    }
}

/// Every claim after its premises, always the first declared of those that could be next; `None` where there is a
/// cycle.
fn order(premises: &Edges) -> Option<Vec<usize>> {
    let followers = premises.reversed();
    let mut waits_for: Vec<usize> = (0..premises.len()).map(|claim| premises.from(claim).len()).collect();
    let mut ready = Ready::new(premises.len());
    (0..premises.len()).filter(|claim| waits_for[*claim] == 0).for_each(|claim| ready.insert(claim));
    let mut order = Vec::with_capacity(premises.len());
    while let Some(claim) = ready.take_first() {
        order.push(claim);
        for follower in followers.from(claim) {
            waits_for[*follower] -= 1;
            if waits_for[*follower] == 0 {
                ready.insert(*follower);
            }
        }
    }
    (order.len() == premises.len()).then_some(order)
}
