//! The records of a session's journals.

use answerplane_protocol::session_snapshot::ConfirmationInput;
use answerplane_protocol::turn::Role;
use answerplane_protocol::{ForeignValue, Identifier};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::chunk::Offer;
use crate::session::error::SessionError;
use crate::session::head::WriteId;
use crate::session::turn::TurnEnd;

/// Messages, each by the number that is its node's id.
pub(super) const NODES: &str = "nodes";
/// What happened to the conversation's decisions.
pub(super) const DECISIONS: &str = "decisions";
/// Props of choices, inputs and receipts of confirmations.
pub(super) const PAYLOADS: &str = "payloads";
/// Which branch was made the active one, and when.
pub(super) const SELECTIONS: &str = "selections";

/// A message in one of its versions.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Node {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) parent: Option<u64>,
    pub(super) message: String,
    pub(super) role: Role,
    pub(super) content: String,
    /// When it was written, in milliseconds since 1970.
    pub(super) at: i64,
    /// The turn that it belongs to, and the nonce of its claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) turn: Option<(String, WriteId)>,
    /// Of an answer, how its turn ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) end: Option<TurnEnd>,
    /// Of an answer, the envelope that vouches for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) answer: Option<Box<RawValue>>,
    /// Of an answer that failed, what a person is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) failure: Option<String>,
}

/// What is too large for the head.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Payload {
    Choices(Offer),
    Proposal { action: Identifier, input: ConfirmationInput },
    Receipt(ForeignValue),
}

/// The path to this node was made the active one when there were so many nodes.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Selection {
    pub(super) tip: u64,
    pub(super) nodes: u64,
}

pub(super) fn encode(record: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(record).unwrap_or_default()
}

pub(super) fn decode<T: DeserializeOwned>(record: &[u8]) -> Result<T, SessionError> {
    serde_json::from_slice(record).map_err(|_| SessionError::Damaged)
}
