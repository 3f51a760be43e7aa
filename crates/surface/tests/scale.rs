//! A hundred thousand claims, one after the other and side by side, on a small stack.
#![allow(clippy::unwrap_used)]

mod scene;

use answerplane_surface::{Claim, DagError, IntegrityError, NavResult, build, validate};
use scene::{claim, large};
use serde_json::json;

const COUNT: usize = 100_000;

/// Each claim follows from the one before; every one cites a node.
fn chain() -> Vec<Claim> {
    let premises = |at: usize| at.checked_sub(1).map(|before| format!("c{before}")).into_iter().collect();
    (0..COUNT).map(|at| claim(format!("c{at}"), premises(at), vec![format!("n{at}")])).collect()
}

/// The conclusion follows from all others, each of which cites a node.
fn leaves() -> Vec<Claim> {
    let mut claims: Vec<Claim> =
        (0..COUNT).map(|at| claim(format!("c{at}"), Vec::new(), vec![format!("n{at}")])).collect();
    claims.push(claim("end".into(), claims.iter().map(|claim| claim.id.clone()).collect(), Vec::new()));
    claims
}

/// Runs on a stack on which a hundred thousand calls could not stand.
fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 * 1_024).spawn(run).unwrap().join().unwrap();
}

#[test]
fn a_chain_projects() {
    on_a_small_stack(|| {
        // Declared from the end, so that the order is not the declared one.
        let mut nav = large(chain());
        nav.output.as_mut().unwrap().claims.reverse();
        let surface = build(&nav).unwrap().unwrap();
        assert_eq!(surface.premise_claim_ids().len(), COUNT - 1);
        assert!((0..COUNT - 1).all(|at| surface.premise_claim_ids()[at] == format!("c{at}")));
        assert_eq!(surface.citations().len(), COUNT);
        assert_eq!(validate(&json!(surface)), Ok(()));

        let text = serde_json::to_string(&nav).unwrap();
        assert_eq!(NavResult::decode(text), Ok(nav));
    });
}

#[test]
fn leaves_project() {
    on_a_small_stack(|| {
        let surface = build(&large(leaves())).unwrap().unwrap();
        assert_eq!(surface.premise_claim_ids().len(), COUNT);
        assert!(surface.premise_claim_ids().iter().zip(0..).all(|(id, at)| *id == format!("c{at}")));
        assert_eq!(surface.citations().len(), COUNT);
        assert_eq!(validate(&json!(surface)), Ok(()));
    });
}

#[test]
fn one_claim_with_all_citations_projects() {
    on_a_small_stack(|| {
        let cites = (0..COUNT).map(|at| format!("n{at}")).collect();
        let surface = build(&large(vec![claim("end".into(), Vec::new(), cites)])).unwrap().unwrap();
        assert_eq!(surface.citations().len(), COUNT);
    });
}

#[test]
fn a_ring_is_a_cycle() {
    on_a_small_stack(|| {
        let mut nav = large(chain());
        nav.output.as_mut().unwrap().claims[0].premises.push(format!("c{}", COUNT - 1));
        assert_eq!(build(&nav), Err(IntegrityError::Dag(DagError::Cycle)));
    });
}
