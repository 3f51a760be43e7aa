//! Inputs to project: one that uses everything, generated ones, and large ones.
#![allow(dead_code)] // each test program uses some of them

use answerplane_surface::{
    Claim, ClaimVerdict, Envelope, EnvelopeNode, EpistemicStatus, InferenceForm, NavResult,
    OUTDATED_DISCLOSURE, ProseCitation, ReasoningDag, RouterDecision, Traceability, Verdict,
};
use serde_json::{Value, json};

/// An outdated answer in licensed prose: three claims in the closure and one outside, a node cited by ref and by
/// address, a node that nobody cites.
pub(crate) fn full() -> Value {
    json!({
        "decision": {
            "verdict": "answer",
            "status": "likely",
            "conclusion": "end",
            "outdated": true,
            "detail": "two of three sources; This answer rests on sources that are marked as outdated.",
            "claim_verdicts": {
                "first": { "status": "known", "outdated": false },
                "second": { "status": "contested", "outdated": true },
                "end": { "status": "likely", "outdated": true },
            },
            "traceability": { "ok": true },
        },
        "output": {
            "claims": [
                { "id": "end", "text": "The text of the conclusion.", "form": "deduction", "premises": ["second", "first"], "cites": ["kb:hours"] },
                { "id": "second", "text": "The second.", "premises": ["first"], "cites": ["n2", "n1"] },
                { "id": "aside", "text": "An aside.", "premises": ["end"], "cites": ["nowhere"] },
                { "id": "first", "text": "The first.", "form": "direct", "premises": [], "cites": ["n2"] },
            ],
            "conclusion": "end",
            "prose": "The answer in prose.",
            "prose_citations": [{ "claim_ids": ["end", "first"] }, { "claim_ids": [] }],
        },
        "envelope": {
            "nodes": [
                { "ref": "n1", "address": "kb:hours" },
                { "ref": "n2", "address": "almanac:sun/set#today" },
                { "ref": "n3", "address": "kb:nobody/cites/it" },
            ],
        },
        "node_verdicts": {
            "n1": { "status": "likely", "outdated": true },
            "kb:hours": { "status": "likely", "outdated": true },
            "n2": { "status": "known", "outdated": false },
        },
    })
}

pub(crate) fn decode(value: &Value) -> NavResult {
    NavResult::decode_value(value).unwrap()
}

/// Numbers that are the same for the same seed.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % end as u64) as usize
    }

    fn chance(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// An input whose parts agree.
pub(crate) fn generated(seed: u64) -> NavResult {
    let random = &mut Random::new(seed);
    let nodes: Vec<(EnvelopeNode, ClaimVerdict)> = (0..1 + random.below(5))
        .map(|at| {
            let token = format!(
                "{}:p/{}{at}",
                random.one_of(&["kb", "web", "a-1"]),
                random.one_of(&["", "x.", "Z~"])
            );
            let token = if random.chance(3) { format!("{token}#f") } else { token };
            let verdict =
                ClaimVerdict { status: random.one_of(EpistemicStatus::ALL), outdated: random.chance(3) };
            (EnvelopeNode { name: format!("n{at}"), address: token.parse().unwrap() }, verdict)
        })
        .collect();
    // A claim follows from claims of a lower rank; how they are declared has nothing to do with that.
    let count = 1 + random.below(7);
    let mut claims: Vec<Claim> = (0..count)
        .map(|rank| Claim {
            id: format!("c{rank}"),
            text: format!("Text {rank}."),
            form: (!random.chance(4)).then(|| random.one_of(InferenceForm::ALL)),
            premises: (0..random.below(4))
                .filter(|_| rank > 0)
                .map(|_| format!("c{}", random.below(rank.max(1))))
                .collect(),
            cites: (0..random.below(4))
                .map(|_| {
                    let (node, _) = &nodes[random.below(nodes.len())];
                    if random.chance(2) { node.name.clone() } else { node.address.to_token() }
                })
                .collect(),
        })
        .collect();
    let conclusion = random.below(count);
    claims[conclusion].form = Some(random.one_of(InferenceForm::ALL));
    if claims[conclusion].cites.is_empty() {
        claims[conclusion].cites.push(nodes[0].0.name.clone());
    }
    for at in (1..count).rev() {
        claims.swap(at, random.below(at + 1));
    }
    let conclusion = format!("c{conclusion}");
    let mut dag = ReasoningDag { claims, conclusion: conclusion.clone(), ..ReasoningDag::default() };

    let mut inside: Vec<&Claim> = dag.premise_closure().unwrap();
    inside.extend(dag.claims.iter().find(|claim| claim.id == conclusion));
    let verdict_of = |cite: &str| {
        let named = nodes.iter().find(|(node, _)| node.name == cite || node.address.as_str() == cite);
        named.unwrap().1
    };
    let cites: Vec<String> = inside.iter().flat_map(|claim| claim.cites.clone()).collect();
    let outdated = cites.iter().any(|cite| verdict_of(cite).outdated);
    let node_verdicts = cites.iter().map(|cite| (cite.clone(), verdict_of(cite))).collect();
    let status = random.one_of(EpistemicStatus::ALL);
    let ids: Vec<String> = inside.iter().map(|claim| claim.id.clone()).collect();
    let claim_verdicts = ids
        .iter()
        .map(|id| {
            let of_conclusion = ClaimVerdict { status, outdated };
            let of_another =
                ClaimVerdict { status: random.one_of(EpistemicStatus::ALL), outdated: random.chance(2) };
            (id.clone(), if *id == conclusion { of_conclusion } else { of_another })
        })
        .collect();
    let has_prose = random.chance(2);
    if has_prose {
        dag.prose = Some("Prose.".into());
        let claim_ids = (0..1 + random.below(3)).map(|_| ids[random.below(ids.len())].clone()).collect();
        dag.prose_citations = vec![ProseCitation { claim_ids }];
    }
    let detail = if outdated { format!("because; {OUTDATED_DISCLOSURE}") } else { "because".into() };
    NavResult {
        decision: RouterDecision {
            verdict: Verdict::Answer,
            status: Some(status),
            conclusion: Some(conclusion),
            outdated,
            detail,
            claim_verdicts,
            traceability: has_prose.then_some(Traceability { ok: true }),
        },
        output: Some(dag),
        envelope: Some(Envelope { nodes: nodes.into_iter().map(|(node, _)| node).collect() }),
        node_verdicts,
    }
}

/// A result over these claims, the last of them the conclusion, with a node for each claim that cites one.
pub(crate) fn large(claims: Vec<Claim>) -> NavResult {
    let known = ClaimVerdict { status: EpistemicStatus::Known, outdated: false };
    let cites = || claims.iter().flat_map(|claim| &claim.cites);
    let nodes = cites().map(|cite| EnvelopeNode {
        name: cite.clone(),
        address: format!("kb:large/{cite}").parse().unwrap(),
    });
    let conclusion = claims.last().unwrap().id.clone();
    NavResult {
        decision: RouterDecision {
            verdict: Verdict::Answer,
            status: Some(EpistemicStatus::Known),
            conclusion: Some(conclusion.clone()),
            outdated: false,
            detail: String::new(),
            claim_verdicts: claims.iter().map(|claim| (claim.id.clone(), known)).collect(),
            traceability: None,
        },
        envelope: Some(Envelope { nodes: nodes.collect() }),
        node_verdicts: cites().map(|cite| (cite.clone(), known)).collect(),
        output: Some(ReasoningDag { claims, conclusion, ..ReasoningDag::default() }),
    }
}

pub(crate) fn claim(id: String, premises: Vec<String>, cites: Vec<String>) -> Claim {
    Claim { id, text: "Text.".into(), form: Some(InferenceForm::Deduction), premises, cites }
}
