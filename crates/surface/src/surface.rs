//! The public value.

use alloc::string::String;
use alloc::vec::Vec;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::address::Address;
use crate::vocabulary::{EpistemicStatus, InferenceForm, OUTDATED_DISCLOSURE};

/// A grounded answer as the public sees it, version 1: what is said, how it follows, how well it is known, and which
/// nodes it rests on. It copies no body, title or provenance of a source.
///
/// [`build`](crate::build()) makes one only where decision, reasoning and envelope agree;
/// [`from_payload`](Self::from_payload) reads one that travelled, and then proves its shape alone.
///
/// The disclosure follows from `outdated`, so nothing here can contradict it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surface {
    pub(crate) text: String,
    pub(crate) conclusion_claim_id: String,
    pub(crate) inference_form: InferenceForm,
    pub(crate) status: EpistemicStatus,
    pub(crate) premise_claim_ids: Vec<String>,
    pub(crate) citations: Vec<SurfaceCitation>,
    pub(crate) outdated: bool,
}

/// A node that an answer rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SurfaceCitation {
    pub(crate) address: Address,
    pub(crate) claim_ids: Vec<String>,
    pub(crate) status: EpistemicStatus,
    pub(crate) outdated: bool,
}

impl Surface {
    /// The version of the value.
    pub const VERSION: u8 = 1;

    /// The answer.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The claim that is the answer.
    #[must_use]
    pub fn conclusion_claim_id(&self) -> &str {
        &self.conclusion_claim_id
    }

    /// How the conclusion follows.
    #[must_use]
    pub fn inference_form(&self) -> InferenceForm {
        self.inference_form
    }

    /// How well the answer is known.
    #[must_use]
    pub fn status(&self) -> EpistemicStatus {
        self.status
    }

    /// The claims that the conclusion rests on, each after what it rests on itself.
    #[must_use]
    pub fn premise_claim_ids(&self) -> &[String] {
        &self.premise_claim_ids
    }

    /// The nodes that the answer rests on, at least one; those of a built surface are sorted by address.
    #[must_use]
    pub fn citations(&self) -> &[SurfaceCitation] {
        &self.citations
    }

    /// Whether the answer rests on a source that is marked as outdated.
    #[must_use]
    pub fn outdated(&self) -> bool {
        self.outdated
    }

    /// What has to be said beside an outdated answer.
    #[must_use]
    pub fn disclosure(&self) -> Option<&'static str> {
        self.outdated.then_some(OUTDATED_DISCLOSURE)
    }
}

impl SurfaceCitation {
    /// Where the node is.
    #[must_use]
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// The claims that cite the node, in the order of the premises, the conclusion last.
    #[must_use]
    pub fn claim_ids(&self) -> &[String] {
        &self.claim_ids
    }

    /// How well what the node says is known.
    #[must_use]
    pub fn status(&self) -> EpistemicStatus {
        self.status
    }

    /// Whether the node is marked as outdated.
    #[must_use]
    pub fn outdated(&self) -> bool {
        self.outdated
    }
}

impl Serialize for Surface {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let mut surface = serializer.serialize_struct("Surface", 9)?;
        surface.serialize_field("version", &Self::VERSION)?;
        surface.serialize_field("text", &self.text)?;
        surface.serialize_field("conclusion_claim_id", &self.conclusion_claim_id)?;
        surface.serialize_field("inference_form", &self.inference_form)?;
        surface.serialize_field("status", &self.status)?;
        surface.serialize_field("premise_claim_ids", &self.premise_claim_ids)?;
        surface.serialize_field("citations", &self.citations)?;
        surface.serialize_field("outdated", &self.outdated)?;
        surface.serialize_field("disclosure", &self.disclosure())?;
        surface.end()
    }
}

impl Serialize for SurfaceCitation {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let mut citation = serializer.serialize_struct("SurfaceCitation", 4)?;
        citation.serialize_field("address", &self.address)?;
        citation.serialize_field("claim_ids", &self.claim_ids)?;
        citation.serialize_field("status", &self.status)?;
        citation.serialize_field("outdated", &self.outdated)?;
        citation.end()
    }
}
