//! The reasoning: claims, what they follow from and what they cite.

use alloc::string::String;
use alloc::vec::Vec;

use answerplane_protocol::declare::wire_open_object;

use crate::graph::{DagError, Graph};
use crate::vocabulary::InferenceForm;

wire_open_object! {
    /// Claims that follow from each other, and the one that is the answer.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct ReasoningDag {
        /// The claims. Their ids are not empty and do not repeat, and none follows from itself.
        required claims: Vec<Claim> = "claims",
        /// The claim that is the answer.
        required conclusion: String = "conclusion",
        /// The answer in flowing text; an empty one is none.
        optional prose: String = "prose",
        /// The claims that the prose rests on.
        required prose_citations: Vec<ProseCitation> = "prose_citations",
    }
}

wire_open_object! {
    /// One step of the reasoning.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct Claim {
        /// The claim.
        required id: String = "id",
        /// What it says.
        required text: String = "text",
        /// How it follows.
        optional form: InferenceForm = "form",
        /// The claims that it follows from.
        required premises: Vec<String> = "premises",
        /// The nodes that it cites, each by its ref or its address.
        required cites: Vec<String> = "cites",
    }
}

wire_open_object! {
    /// The claims that a part of the prose rests on.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct ProseCitation {
        /// The claims.
        required claim_ids: Vec<String> = "claim_ids",
    }
}

impl ReasoningDag {
    /// Finds out whether this is a graph of claims without a cycle, with its conclusion in it.
    ///
    /// In this order: no id is empty, no id repeats, every premise is a claim, no claim follows from itself, the
    /// conclusion is a claim.
    ///
    /// # Errors
    ///
    /// The first of these that does not hold.
    pub fn validate(&self) -> Result<(), DagError> {
        Graph::new(self).map(drop)
    }

    /// The claims that the conclusion rests on, directly or not, each once and without the conclusion: what a
    /// claim rests on before the claim itself, and where that leaves a choice, the claim declared first.
    ///
    /// ```
    /// use answerplane_surface::{Claim, ReasoningDag};
    ///
    /// let claim = |id: &str, premises: &[&str]| Claim {
    ///     id: id.into(),
    ///     premises: premises.iter().map(|id| id.to_string()).collect(),
    ///     ..Claim::default()
    /// };
    /// let claims = vec![claim("end", &["b", "c"]), claim("b", &["d"]), claim("c", &[]), claim("d", &[])];
    /// let dag = ReasoningDag { claims, conclusion: "end".into(), ..ReasoningDag::default() };
    /// let ids: Vec<&str> = dag.premise_closure()?.iter().map(|claim| claim.id.as_str()).collect();
    /// assert_eq!(ids, ["c", "d", "b"]);
    /// # Ok::<(), answerplane_surface::DagError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`validate`](Self::validate).
    pub fn premise_closure(&self) -> Result<Vec<&Claim>, DagError> {
        let closure = Graph::new(self)?.closure();
        Ok(closure.into_iter().filter_map(|at| self.claims.get(at)).collect())
    }
}
