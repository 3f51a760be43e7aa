//! Projecting a reasoning result of 100,000 claims, against one of 10,000.

use answerplane_surface::{
    Claim, ClaimVerdict, Envelope, EnvelopeNode, EpistemicStatus, InferenceForm, NavResult, ReasoningDag,
    RouterDecision, Verdict, build,
};

use crate::measure::{Measurement, nanos};

const MANY: usize = 100_000;
const FEW: usize = 10_000;
/// The greatest allowed ratio of ten times as much to as much. Linear work takes 10, quadratic 100; what lies between is
/// memory that no longer fits a processor's cache.
const LIMIT: f64 = 25.0;

/// A round takes a good part of a second.
const MAX_ROUNDS: usize = 60;

/// Makes a reasoning result of so many claims.
type Shape = fn(usize) -> Option<NavResult>;

pub(crate) fn run(rounds: usize) -> Vec<Measurement> {
    let rounds = rounds.min(MAX_ROUNDS);
    let shapes: [(&str, Shape); 2] = [("chain", chain), ("leaves", leaves)];
    let measured = shapes.iter().filter_map(|(name, shape)| {
        let few: Option<Vec<NavResult>> = (0..MANY / FEW).map(|_| shape(FEW)).collect();
        growth(name, &shape(MANY)?, &few?, rounds)
    });
    measured.collect()
}

/// Each claim follows from the one before; every one cites a node.
fn chain(count: usize) -> Option<NavResult> {
    let premises = |at: usize| at.checked_sub(1).map(id).into_iter().collect();
    result((0..count).map(|at| claim(id(at), premises(at), vec![format!("n{at}")])).collect())
}

/// The last claim follows from all others, each of which cites a node.
fn leaves(count: usize) -> Option<NavResult> {
    let leaf = |at: usize| claim(id(at), Vec::new(), vec![format!("n{at}")]);
    let conclusion = claim("conclusion".into(), (0..count).map(id).collect(), Vec::new());
    result((0..count).map(leaf).chain([conclusion]).collect())
}

/// A round projects the large result and, as often as it is larger, small ones. These are different ones: over and
/// over the same would stay in the processor's cache, where the large one has no place.
fn growth(name: &str, many: &NavResult, few: &[NavResult], rounds: usize) -> Option<Measurement> {
    build(many).ok()??;
    let mut ratios = Vec::new();
    let mut times = Vec::new();
    for _ in 0..rounds {
        let subject = nanos(|| build(many));
        let reference: f64 = few.iter().map(|few| nanos(|| build(few))).sum();
        ratios.push(subject / (reference / few.len() as f64));
        times.push(subject);
    }
    Some(Measurement::new(format!("surface growth, {name} of 100,000 against 10,000"), LIMIT, ratios, times))
}

fn id(at: usize) -> String {
    format!("c{at}")
}

fn claim(id: String, premises: Vec<String>, cites: Vec<String>) -> Claim {
    Claim { id, text: "A claim.".into(), form: Some(InferenceForm::Deduction), premises, cites }
}

/// A result whose last claim is the conclusion, and whose envelope holds every node that is cited.
fn result(claims: Vec<Claim>) -> Option<NavResult> {
    let known = ClaimVerdict { status: EpistemicStatus::Known, outdated: false };
    let cites = || claims.iter().flat_map(|claim| &claim.cites);
    let nodes: Option<Vec<EnvelopeNode>> = cites()
        .map(|cite| {
            Some(EnvelopeNode { name: cite.clone(), address: format!("kb:bench/{cite}").parse().ok()? })
        })
        .collect();
    let conclusion = claims.last()?.id.clone();
    Some(NavResult {
        decision: RouterDecision {
            verdict: Verdict::Answer,
            status: Some(EpistemicStatus::Known),
            conclusion: Some(conclusion.clone()),
            outdated: false,
            detail: String::new(),
            claim_verdicts: claims.iter().map(|claim| (claim.id.clone(), known)).collect(),
            traceability: None,
        },
        envelope: Some(Envelope { nodes: nodes? }),
        node_verdicts: cites().map(|cite| (cite.clone(), known)).collect(),
        output: Some(ReasoningDag { claims, conclusion, ..ReasoningDag::default() }),
    })
}
