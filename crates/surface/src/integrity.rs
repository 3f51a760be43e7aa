//! Why decision, reasoning and envelope do not agree.

use crate::graph::DagError;

/// What an answer lacks, or where the three that vouch for it disagree: one reason, or a few, for each check of
/// `docs/surface.md`, in the order of the checks.
///
/// It holds no text of the input; a claim is named by its position in `claims`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum IntegrityError {
    /// Check 1: the router gave no status.
    #[error("The decision has no status.")]
    StatusMissing,
    /// Check 2: there is no reasoning.
    #[error("There is no parsed reasoning.")]
    DagMissing,
    /// Check 3: there is no envelope.
    #[error("There is no envelope.")]
    EnvelopeMissing,
    /// Check 4: the reasoning is no graph of claims without a cycle.
    #[error(transparent)]
    Dag(DagError),
    /// Check 5: the decision has no conclusion, or another than the reasoning.
    #[error("The conclusion of the decision is not that of the reasoning.")]
    ConclusionDiffers,
    /// Check 6: the conclusion says nothing.
    #[error("The conclusion has no text.")]
    ConclusionWithoutText,
    /// Check 7: nobody says how the conclusion follows.
    #[error("The conclusion has no inference form.")]
    ConclusionWithoutForm,
    /// Check 8: the router found nothing about the conclusion.
    #[error("The conclusion has no verdict.")]
    ConclusionVerdictMissing,
    /// Check 8: the status of the conclusion is not that of the decision.
    #[error("The status of the conclusion is not that of the decision.")]
    ConclusionStatusDiffers,
    /// Check 9: only one of conclusion and decision is outdated.
    #[error("Only one of the conclusion and the decision is outdated.")]
    ConclusionOutdatedDiffers,
    /// Check 10: the decision is outdated, and its detail does not end with the disclosure.
    #[error("The detail of the outdated decision does not end with the disclosure.")]
    DisclosureMissing,
    /// Check 11: the router found nothing about a claim that the conclusion rests on.
    #[error("claims[{claim}] has no verdict.")]
    PremiseVerdictMissing {
        /// The claim.
        claim: usize,
    },
    /// Check 12: nobody approved the prose.
    #[error("The prose has no approving traceability verdict.")]
    ProseNotApproved,
    /// Check 12: the prose rests on no claim.
    #[error("The prose cites no claim.")]
    ProseWithoutClaim,
    /// Check 12: the prose rests on something else than the conclusion and what that rests on.
    #[error("The prose cites what the conclusion does not rest on.")]
    ProseClaimOutside,
    /// Check 13: two nodes of the envelope have one ref.
    #[error("A ref of the envelope is repeated.")]
    RefRepeated,
    /// Check 13: two nodes of the envelope have one address.
    #[error("An address of the envelope is repeated.")]
    AddressRepeated,
    /// Check 14: a citation is neither a ref nor an address of the envelope.
    #[error("claims[{claim}] cites what is not in the envelope.")]
    CitationOutside {
        /// The claim.
        claim: usize,
    },
    /// Check 14: the router found nothing about a cited node.
    #[error("claims[{claim}] cites a node without a verdict.")]
    NodeVerdictMissing {
        /// The claim.
        claim: usize,
    },
    /// Check 15: the router said otherwise about the same node under its other name.
    #[error("claims[{claim}] cites a node whose verdicts disagree.")]
    NodeVerdictsDiffer {
        /// The claim.
        claim: usize,
    },
    /// Check 16: nothing is cited.
    #[error("Neither the conclusion nor what it rests on cites anything.")]
    CitationMissing,
    /// Check 17: the decision is outdated and no cited node is, or the other way.
    #[error("The decision is outdated and no cited node is, or the other way.")]
    OutdatedDiffers,
}

impl IntegrityError {
    /// One value for each reason, in the order of the checks.
    pub const ALL: &'static [Self] = &[
        Self::StatusMissing,
        Self::DagMissing,
        Self::EnvelopeMissing,
        Self::Dag(DagError::UnnamedClaim { claim: 0 }),
        Self::Dag(DagError::RepeatedClaim { claim: 0 }),
        Self::Dag(DagError::UnknownPremise { claim: 0 }),
        Self::Dag(DagError::Cycle),
        Self::Dag(DagError::UnknownConclusion),
        Self::ConclusionDiffers,
        Self::ConclusionWithoutText,
        Self::ConclusionWithoutForm,
        Self::ConclusionVerdictMissing,
        Self::ConclusionStatusDiffers,
        Self::ConclusionOutdatedDiffers,
        Self::DisclosureMissing,
        Self::PremiseVerdictMissing { claim: 0 },
        Self::ProseNotApproved,
        Self::ProseWithoutClaim,
        Self::ProseClaimOutside,
        Self::RefRepeated,
        Self::AddressRepeated,
        Self::CitationOutside { claim: 0 },
        Self::NodeVerdictMissing { claim: 0 },
        Self::NodeVerdictsDiffer { claim: 0 },
        Self::CitationMissing,
        Self::OutdatedDiffers,
    ];

    /// The stable code of the reason.
    ///
    /// ```
    /// use answerplane_surface::IntegrityError;
    ///
    /// let error = IntegrityError::CitationOutside { claim: 3 };
    /// assert_eq!(error.code(), "SURFACE_CITATION_OUTSIDE");
    /// assert_eq!(error.to_string(), "claims[3] cites what is not in the envelope.");
    /// ```
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::StatusMissing => "SURFACE_STATUS_MISSING",
            Self::DagMissing => "SURFACE_DAG_MISSING",
            Self::EnvelopeMissing => "SURFACE_ENVELOPE_MISSING",
            Self::Dag(error) => error.code(),
            Self::ConclusionDiffers => "SURFACE_CONCLUSION_DIFFERS",
            Self::ConclusionWithoutText => "SURFACE_CONCLUSION_WITHOUT_TEXT",
            Self::ConclusionWithoutForm => "SURFACE_CONCLUSION_WITHOUT_FORM",
            Self::ConclusionVerdictMissing => "SURFACE_CONCLUSION_VERDICT_MISSING",
            Self::ConclusionStatusDiffers => "SURFACE_CONCLUSION_STATUS_DIFFERS",
            Self::ConclusionOutdatedDiffers => "SURFACE_CONCLUSION_OUTDATED_DIFFERS",
            Self::DisclosureMissing => "SURFACE_DISCLOSURE_MISSING",
            Self::PremiseVerdictMissing { .. } => "SURFACE_PREMISE_VERDICT_MISSING",
            Self::ProseNotApproved => "SURFACE_PROSE_NOT_APPROVED",
            Self::ProseWithoutClaim => "SURFACE_PROSE_WITHOUT_CLAIM",
            Self::ProseClaimOutside => "SURFACE_PROSE_CLAIM_OUTSIDE",
            Self::RefRepeated => "SURFACE_REF_REPEATED",
            Self::AddressRepeated => "SURFACE_ADDRESS_REPEATED",
            Self::CitationOutside { .. } => "SURFACE_CITATION_OUTSIDE",
            Self::NodeVerdictMissing { .. } => "SURFACE_NODE_VERDICT_MISSING",
            Self::NodeVerdictsDiffer { .. } => "SURFACE_NODE_VERDICTS_DIFFER",
            Self::CitationMissing => "SURFACE_CITATION_MISSING",
            Self::OutdatedDiffers => "SURFACE_OUTDATED_DIFFERS",
        }
    }

    /// The number of the check that failed, 1 to 17.
    #[must_use]
    pub const fn check(self) -> u8 {
        match self {
            Self::StatusMissing => 1,
            Self::DagMissing => 2,
            Self::EnvelopeMissing => 3,
            Self::Dag(_) => 4,
            Self::ConclusionDiffers => 5,
            Self::ConclusionWithoutText => 6,
            Self::ConclusionWithoutForm => 7,
            Self::ConclusionVerdictMissing | Self::ConclusionStatusDiffers => 8,
            Self::ConclusionOutdatedDiffers => 9,
            Self::DisclosureMissing => 10,
            Self::PremiseVerdictMissing { .. } => 11,
            Self::ProseNotApproved | Self::ProseWithoutClaim | Self::ProseClaimOutside => 12,
            Self::RefRepeated | Self::AddressRepeated => 13,
            Self::CitationOutside { .. } | Self::NodeVerdictMissing { .. } => 14,
            Self::NodeVerdictsDiffer { .. } => 15,
            Self::CitationMissing => 16,
            Self::OutdatedDiffers => 17,
        }
    }
}

impl From<DagError> for IntegrityError {
    fn from(error: DagError) -> Self {
        Self::Dag(error)
    }
}
