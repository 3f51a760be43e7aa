//! The projection once more, as plainly as it can be said: quadratic, from front to back, on the same types.

use std::collections::{BTreeMap, BTreeSet};

use answerplane_surface::{Claim, NavResult, OUTDATED_DISCLOSURE, Verdict};
use serde_json::{Value, json};

/// The surface as JSON, or the number of the check that fails.
pub(crate) fn project(nav: &NavResult) -> Result<Option<Value>, u8> {
    let decision = &nav.decision;
    if decision.verdict != Verdict::Answer {
        return Ok(None);
    }
    let status = decision.status.ok_or(1)?;
    let dag = nav.output.as_ref().ok_or(2)?;
    let nodes = &nav.envelope.as_ref().ok_or(3)?.nodes;

    let ids: BTreeSet<&str> = dag.claims.iter().map(|claim| claim.id.as_str()).collect();
    let known = |id: &String| ids.contains(id.as_str());
    let whole = dag.claims.iter().flat_map(|claim| &claim.premises).all(known) && known(&dag.conclusion);
    if ids.contains("") || ids.len() != dag.claims.len() || !whole {
        return Err(4);
    }
    // Always the first claim whose premises are all there.
    let mut order: Vec<&Claim> = Vec::new();
    let there = |order: &[&Claim], id: &str| order.iter().any(|claim| claim.id == id);
    while let Some(next) = dag.claims.iter().find(|claim| {
        !there(&order, &claim.id) && claim.premises.iter().all(|premise| there(&order, premise))
    }) {
        order.push(next);
    }
    if order.len() != dag.claims.len() {
        return Err(4);
    }
    if decision.conclusion.as_deref() != Some(&dag.conclusion) {
        return Err(5);
    }
    let conclusion = order.iter().find(|claim| claim.id == dag.conclusion).ok_or(0)?;
    if conclusion.text.is_empty() {
        return Err(6);
    }
    let form = conclusion.form.ok_or(7)?;
    let verdict = decision.claim_verdicts.get(&conclusion.id).ok_or(8)?;
    if verdict.status != status {
        return Err(8);
    }
    if verdict.outdated != decision.outdated {
        return Err(9);
    }
    if decision.outdated && !decision.detail.ends_with(&format!("; {OUTDATED_DISCLOSURE}")) {
        return Err(10);
    }
    let mut inside: BTreeSet<&str> = [conclusion.id.as_str()].into();
    for claim in order.iter().rev() {
        if inside.contains(claim.id.as_str()) {
            inside.extend(claim.premises.iter().map(String::as_str));
        }
    }
    let mut closure: Vec<&Claim> =
        order.iter().copied().filter(|claim| inside.contains(claim.id.as_str())).collect();
    closure.retain(|claim| claim.id != conclusion.id);
    if closure.iter().any(|claim| decision.claim_verdicts.get(&claim.id).is_none()) {
        return Err(11);
    }
    let text = match dag.prose.as_ref().filter(|prose| !prose.is_empty()) {
        None => &conclusion.text,
        Some(prose) => {
            let cited: Vec<&String> = dag.prose_citations.iter().flat_map(|cited| &cited.claim_ids).collect();
            let ok = decision.traceability.is_some_and(|traceability| traceability.ok);
            if !ok || cited.is_empty() || !cited.iter().all(|id| inside.contains(id.as_str())) {
                return Err(12);
            }
            prose
        }
    };
    let refs: BTreeSet<&str> = nodes.iter().map(|node| node.name.as_str()).collect();
    let addresses: BTreeSet<&str> = nodes.iter().map(|node| node.address.as_str()).collect();
    if refs.len() != nodes.len() || addresses.len() != nodes.len() {
        return Err(13);
    }
    let premises: Vec<&str> = closure.iter().map(|claim| claim.id.as_str()).collect();
    let mut grouped = BTreeMap::new();
    for claim in closure.iter().chain([conclusion]) {
        for cite in claim.cites.iter().collect::<BTreeSet<_>>() {
            let by_ref = nodes.iter().find(|node| node.name == *cite);
            let node =
                by_ref.or_else(|| nodes.iter().find(|node| node.address.as_str() == cite)).ok_or(14)?;
            let verdict = nav.node_verdicts.get(cite).ok_or(14)?;
            let (first, claims) = grouped.entry(&node.address).or_insert((verdict, Vec::new()));
            if *first != verdict {
                return Err(15);
            }
            if !claims.contains(&&claim.id) {
                claims.push(&claim.id);
            }
        }
    }
    if grouped.is_empty() {
        return Err(16);
    }
    if decision.outdated != grouped.values().any(|(verdict, _)| verdict.outdated) {
        return Err(17);
    }
    let citations: Vec<Value> = grouped
        .iter()
        .map(|(address, (verdict, claims))| {
            json!({ "address": address, "claim_ids": claims, "status": verdict.status, "outdated": verdict.outdated })
        })
        .collect();
    Ok(Some(json!({
        "version": 1,
        "text": text,
        "conclusion_claim_id": conclusion.id,
        "inference_form": form,
        "status": status,
        "premise_claim_ids": premises,
        "citations": citations,
        "outdated": decision.outdated,
        "disclosure": decision.outdated.then_some(OUTDATED_DISCLOSURE),
    })))
}
