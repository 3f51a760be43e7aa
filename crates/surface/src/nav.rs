//! What a reasoning engine ends with: decision, graph and envelope, and what the router found about nodes.

use alloc::string::String;
use alloc::vec::Vec;

use answerplane_protocol::declare::wire_open_object;

use crate::address::Address;
use crate::dag::ReasoningDag;
use crate::verdicts::Verdicts;
use crate::vocabulary::{EpistemicStatus, Verdict};

wire_open_object! {
    /// The result of a reasoning engine that answers from a knowledge graph: what the surface is made of. Contract:
    /// `docs/surface.md`. Every field is what somebody says; whether they agree is what `build` finds out.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct NavResult {
        /// What the router decided.
        required decision: RouterDecision = "decision",
        /// The reasoning, where it could be parsed.
        optional output: ReasoningDag = "output",
        /// The nodes that may be cited.
        optional envelope: Envelope = "envelope",
        /// What the router found about each node, by the citation as it stands in `cites`.
        required node_verdicts: Verdicts = "node_verdicts",
    }
}

wire_open_object! {
    /// Whether a question may be answered, and how well the answer is known.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct RouterDecision {
        /// What is to be done about the question.
        required verdict: Verdict = "verdict",
        /// How well the answer is known.
        optional status: EpistemicStatus = "status",
        /// The claim that is the answer.
        optional conclusion: String = "conclusion",
        /// Whether the answer rests on sources that are marked as outdated.
        required outdated: bool = "outdated",
        /// The decision in words; of an outdated answer it ends with a semicolon, a space and the disclosure.
        required detail: String = "detail",
        /// What the router found about each claim, by its id.
        required claim_verdicts: Verdicts = "claim_verdicts",
        /// Whether the prose says no more than the claims do.
        optional traceability: Traceability = "traceability",
    }
}

wire_open_object! {
    /// Whether the prose of an answer says no more than its claims do.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Traceability {
        /// Whether it was approved.
        required ok: bool = "ok",
    }
}

wire_open_object! {
    /// The nodes that an answer may cite.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct Envelope {
        /// The nodes; neither refs nor addresses repeat.
        required nodes: Vec<EnvelopeNode> = "nodes",
    }
}

wire_open_object! {
    /// A node that an answer may cite.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct EnvelopeNode {
        /// The name of the node in this answer.
        required name: String = "ref",
        /// Where the node is.
        required address: Address = "address",
    }
}
