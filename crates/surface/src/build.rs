//! The checks, in the order of `docs/surface.md`.

use alloc::vec;
use alloc::vec::Vec;

use crate::citations::gather;
use crate::dag::{Claim, ReasoningDag};
use crate::graph::Graph;
use crate::integrity::IntegrityError;
use crate::nav::{NavResult, RouterDecision};
use crate::surface::Surface;
use crate::verdicts::ClaimVerdict;
use crate::vocabulary::{OUTDATED_DISCLOSURE, Verdict};

/// The surface of a result whose router says that it may be answered; `None` for every other verdict.
///
/// Deterministic: the same input gives the same bytes. The cost is linear in claims, premises and citations, but for
/// putting in order what comes out in order; nothing recurses.
///
/// # Errors
///
/// The first of the 17 checks of `docs/surface.md` that fails. There is no partial surface.
pub fn build(nav: &NavResult) -> Result<Option<Surface>, IntegrityError> {
    let decision = &nav.decision;
    if decision.verdict != Verdict::Answer {
        return Ok(None);
    }
    let status = decision.status.ok_or(IntegrityError::StatusMissing)?;
    let dag = nav.output.as_ref().ok_or(IntegrityError::DagMissing)?;
    let envelope = nav.envelope.as_ref().ok_or(IntegrityError::EnvelopeMissing)?;
    let graph = Graph::new(dag)?;

    let agreed = decision.conclusion.as_ref().is_some_and(|id| !id.is_empty() && *id == dag.conclusion);
    if !agreed {
        return Err(IntegrityError::ConclusionDiffers);
    }
    let conclusion = &dag.claims[graph.conclusion()];
    if conclusion.text.is_empty() {
        return Err(IntegrityError::ConclusionWithoutText);
    }
    let form = conclusion.form.ok_or(IntegrityError::ConclusionWithoutForm)?;
    let verdict = decision.claim_verdicts.get(&conclusion.id);
    let verdict = verdict.ok_or(IntegrityError::ConclusionVerdictMissing)?;
    if verdict.status != status {
        return Err(IntegrityError::ConclusionStatusDiffers);
    }
    if verdict.outdated != decision.outdated {
        return Err(IntegrityError::ConclusionOutdatedDiffers);
    }
    if decision.outdated && !discloses(&decision.detail) {
        return Err(IntegrityError::DisclosureMissing);
    }

    let closure = graph.closure();
    let verdicts = verdicts(decision, &graph, dag);
    if let Some(claim) = closure.iter().copied().find(|claim| verdicts[*claim].is_none()) {
        return Err(IntegrityError::PremiseVerdictMissing { claim });
    }
    let text = text(decision, dag, &graph, &closure)?;

    let inside = closure.iter().copied().chain([graph.conclusion()]);
    let inside: Vec<(usize, &Claim)> = inside.map(|at| (at, &dag.claims[at])).collect();
    let citations = gather(envelope, &nav.node_verdicts, &inside)?;
    if citations.is_empty() {
        return Err(IntegrityError::CitationMissing);
    }
    if decision.outdated != citations.iter().any(|citation| citation.outdated) {
        return Err(IntegrityError::OutdatedDiffers);
    }
    Ok(Some(Surface {
        text: text.into(),
        conclusion_claim_id: conclusion.id.clone(),
        inference_form: form,
        status,
        premise_claim_ids: closure.iter().map(|claim| dag.claims[*claim].id.clone()).collect(),
        citations,
        outdated: decision.outdated,
    }))
}

/// Whether a detail ends with a semicolon, a space and the disclosure.
fn discloses(detail: &str) -> bool {
    detail.strip_suffix(OUTDATED_DISCLOSURE).is_some_and(|before| before.ends_with("; "))
}

/// The verdict of each claim, by position.
fn verdicts(decision: &RouterDecision, graph: &Graph, dag: &ReasoningDag) -> Vec<Option<ClaimVerdict>> {
    let mut verdicts = vec![None; dag.claims.len()];
    let claims = graph.index().find_all(decision.claim_verdicts.iter().map(|(id, _)| id));
    for (claim, (_, verdict)) in claims.into_iter().zip(decision.claim_verdicts.iter()) {
        if let Some(claim) = claim {
            verdicts[claim] = Some(verdict);
        }
    }
    verdicts
}

/// Check 12: the prose, where there is some and it is licensed; the text of the conclusion where there is none.
fn text<'d>(
    decision: &RouterDecision,
    dag: &'d ReasoningDag,
    graph: &Graph,
    closure: &[usize],
) -> Result<&'d str, IntegrityError> {
    let Some(prose) = dag.prose.as_deref().filter(|prose| !prose.is_empty()) else {
        return Ok(&dag.claims[graph.conclusion()].text);
    };
    if !decision.traceability.is_some_and(|traceability| traceability.ok) {
        return Err(IntegrityError::ProseNotApproved);
    }
    let mut is_inside = vec![false; dag.claims.len()];
    for claim in closure.iter().copied().chain([graph.conclusion()]) {
        is_inside[claim] = true;
    }
    let mut ids = dag.prose_citations.iter().flat_map(|citation| &citation.claim_ids).peekable();
    if ids.peek().is_none() {
        return Err(IntegrityError::ProseWithoutClaim);
    }
    if ids.all(|id| graph.index().find(id).is_some_and(|claim| is_inside[claim])) {
        Ok(prose)
    } else {
        Err(IntegrityError::ProseClaimOutside)
    }
}
