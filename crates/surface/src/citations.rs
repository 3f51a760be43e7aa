//! Gathering the citations of an answer by the node that they name.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::dag::Claim;
use crate::index::Index;
use crate::integrity::IntegrityError;
use crate::nav::Envelope;
use crate::surface::SurfaceCitation;
use crate::verdicts::{ClaimVerdict, Verdicts};

/// The nodes of an envelope, what the router found about them, and which of them were cited by whom.
pub(crate) struct Citations<'n> {
    envelope: &'n Envelope,
    by_ref: Names<'n>,
    by_address: Names<'n>,
    cited: Vec<Option<Cited<'n>>>,
}

/// One of the two ways to name nodes, and the verdict under each name.
struct Names<'n> {
    index: Index<'n>,
    verdicts: Vec<Option<ClaimVerdict>>,
}

/// A node that was cited.
struct Cited<'n> {
    verdict: ClaimVerdict,
    claims: Vec<&'n Claim>,
}

impl<'n> Citations<'n> {
    /// Check 13: refs and addresses are each unique.
    pub(crate) fn new(envelope: &'n Envelope, verdicts: &Verdicts) -> Result<Self, IntegrityError> {
        let nodes = &envelope.nodes;
        let by_ref = Index::new(nodes.iter().map(|node| node.name.as_str()));
        if by_ref.first_repeated().is_some() {
            return Err(IntegrityError::RefRepeated);
        }
        let by_address = Index::new(nodes.iter().map(|node| node.address.as_str()));
        if by_address.first_repeated().is_some() {
            return Err(IntegrityError::AddressRepeated);
        }
        let (by_ref, by_address) =
            (Names::new(by_ref, verdicts, nodes), Names::new(by_address, verdicts, nodes));
        let cited = nodes.iter().map(|_| None).collect();
        Ok(Self { envelope, by_ref, by_address, cited })
    }

    /// Checks 14 and 15 for each citation of a claim, sorted: it names a node that has a verdict, and the verdict
    /// is the one that the node has so far. `at` is the position of the claim.
    pub(crate) fn add(&mut self, at: usize, claim: &'n Claim) -> Result<(), IntegrityError> {
        let mut cites: Vec<&str> = claim.cites.iter().map(String::as_str).collect();
        cites.sort_unstable();
        for cite in cites {
            // A ref goes before an address of the same text. Every address of the envelope is a token, so what is
            // found among them needs no parsing.
            let named = self.by_ref.find(cite).or_else(|| self.by_address.find(cite));
            let (node, verdict) = named.ok_or(IntegrityError::CitationOutside { claim: at })?;
            let verdict = verdict.ok_or(IntegrityError::NodeVerdictMissing { claim: at })?;
            let cited = self.cited[node].get_or_insert_with(|| Cited { verdict, claims: Vec::new() });
            if cited.verdict != verdict {
                return Err(IntegrityError::NodeVerdictsDiffer { claim: at });
            }
            // Claims come one after the other, so a repetition is the last one.
            if cited.claims.last().is_none_or(|last| !core::ptr::eq(*last, claim)) {
                cited.claims.push(claim);
            }
        }
        Ok(())
    }

    /// The nodes that were cited, sorted by address.
    pub(crate) fn finish(self) -> Vec<SurfaceCitation> {
        let nodes = self.envelope.nodes.iter().zip(self.cited);
        let cited = nodes.filter_map(|(node, cited)| {
            let Cited { verdict, claims } = cited?;
            Some(SurfaceCitation {
                address: node.address.clone(),
                claim_ids: claims.into_iter().map(|claim| claim.id.clone()).collect(),
                status: verdict.status,
                outdated: verdict.outdated,
            })
        });
        let mut citations: Vec<SurfaceCitation> = cited.collect();
        citations.sort_unstable_by(|a, b| a.address.cmp(&b.address));
        citations
    }
}

impl<'n> Names<'n> {
    fn new<T>(index: Index<'n>, all: &Verdicts, nodes: &[T]) -> Self {
        let mut verdicts = vec![None; nodes.len()];
        for (name, verdict) in all.iter() {
            if let Some(node) = index.find(name) {
                verdicts[node] = Some(verdict);
            }
        }
        Self { index, verdicts }
    }

    /// The node that `name` names, and the verdict under this name.
    fn find(&self, name: &str) -> Option<(usize, Option<ClaimVerdict>)> {
        let node = self.index.find(name)?;
        Some((node, self.verdicts[node]))
    }
}
