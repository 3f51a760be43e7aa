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

/// Checks 13, 14 and 15: the nodes that the claims of `inside` cite, sorted by address. Each claim comes with its
/// position.
pub(crate) fn gather(
    envelope: &Envelope,
    verdicts: &Verdicts,
    inside: &[(usize, &Claim)],
) -> Result<Vec<SurfaceCitation>, IntegrityError> {
    let names = Names::new(envelope, verdicts)?;
    let cites = inside.iter().flat_map(|(_, claim)| &claim.cites);
    let mut named = names.index.find_all(cites.map(String::as_str)).into_iter();
    let mut nodes: Vec<Cited> = vec![Cited::default(); envelope.nodes.len()];
    let mut sorted: Vec<(&String, Option<usize>)> = Vec::new();
    for (at, claim) in inside {
        sorted.clear();
        sorted.extend(claim.cites.iter().zip(named.by_ref()));
        sorted.sort_unstable();
        for (_, name) in &sorted {
            let name = name.ok_or(IntegrityError::CitationOutside { claim: *at })?;
            let verdict = names.verdicts[name].ok_or(IntegrityError::NodeVerdictMissing { claim: *at })?;
            let node = &mut nodes[names.node(name)];
            if *node.verdict.get_or_insert(verdict) != verdict {
                return Err(IntegrityError::NodeVerdictsDiffer { claim: *at });
            }
            // Claims come one after the other, so a repetition is the last one.
            if node.claim_ids.last() != Some(&claim.id) {
                node.claim_ids.push(claim.id.clone());
            }
        }
    }
    let cited = envelope.nodes.iter().zip(nodes).filter_map(|(node, Cited { verdict, claim_ids })| {
        let ClaimVerdict { status, outdated } = verdict?;
        Some(SurfaceCitation { address: node.address.clone(), claim_ids, status, outdated })
    });
    let mut citations: Vec<SurfaceCitation> = cited.collect();
    citations.sort_unstable_by(|a, b| a.address.cmp(&b.address));
    Ok(citations)
}

/// What is known of a node: its verdict, once it is cited, and by whom.
#[derive(Clone, Default)]
struct Cited {
    verdict: Option<ClaimVerdict>,
    claim_ids: Vec<String>,
}

/// The names of the nodes of an envelope, all refs and then all addresses, and the verdict under each name.
///
/// A ref goes before an address of the same text. Every address of an envelope is a token, so what is found among them
/// needs no parsing.
struct Names {
    index: Index,
    verdicts: Vec<Option<ClaimVerdict>>,
    nodes: usize,
}

impl Names {
    /// Check 13: refs and addresses are each unique.
    fn new(envelope: &Envelope, all: &Verdicts) -> Result<Self, IntegrityError> {
        let nodes = envelope.nodes.len();
        let refs = envelope.nodes.iter().map(|node| node.name.as_str());
        let names: Vec<&str> = refs.chain(envelope.nodes.iter().map(|node| node.address.as_str())).collect();
        let index = Index::new(names.into_iter());
        if index.is_repeated_within(0..nodes) {
            return Err(IntegrityError::RefRepeated);
        }
        if index.is_repeated_within(nodes..2 * nodes) {
            return Err(IntegrityError::AddressRepeated);
        }
        let mut verdicts = vec![None; 2 * nodes];
        let names = index.find_all(all.iter().map(|(name, _)| name));
        for (name, (_, verdict)) in names.into_iter().zip(all.iter()) {
            if let Some(name) = name {
                verdicts[name] = Some(verdict);
            }
        }
        Ok(Self { index, verdicts, nodes })
    }

    /// The position of the node that has a name.
    fn node(&self, name: usize) -> usize {
        if name < self.nodes { name } else { name - self.nodes }
    }
}
