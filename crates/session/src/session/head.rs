//! The head of a session's document: what every operation reads, and writes anew.

use std::collections::VecDeque;

use answerplane_protocol::Integer;
use answerplane_protocol::session_snapshot::ConfirmationStatus;
use answerplane_store::Version;
use serde::{Deserialize, Serialize};

use crate::session::turn::TurnEnd;
use crate::snapshot_session::Definition;

/// The body of a document in which nothing has happened yet.
pub(super) const EMPTY: &[u8] = br#"{"format":1}"#;
/// How long such a document lives, in milliseconds.
pub(super) const EMPTY_LIFE: i64 = 3_600_000;

const FORMAT: u32 = 1;
/// How many ids of path writes are remembered.
pub(super) const PATH_WRITES: usize = 8;
/// How many turns that ended are remembered.
const TERMINAL: usize = 64;
/// How many of them are completed: the history knows those, so that a head need not grow with them.
const COMPLETED: usize = 8;
/// How many choices are authorized.
pub(super) const MAX_CHOICES: usize = 256;
/// How many confirmations are kept.
pub(super) const MAX_CONFIRMATIONS: usize = 1_000;

/// The id of a write: 128 random bits as hexadecimal digits. The one of a claim is its nonce.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct WriteId(Box<str>);

impl WriteId {
    pub(super) fn new(bits: u128) -> Self {
        Self(format!("{bits:032x}").into())
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Head {
    format: u32,
    /// The id of the write that made it.
    pub(super) write: WriteId,
    /// One more with every write. It begins with the birth, so that no later life of the session has a cursor of this one.
    pub(super) cursor: u64,
    definition: DefinitionName,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) token_hash: Option<String>,
    /// The state of the conversation after the last turn, and the one that its decisions start from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) states: Option<States>,
    /// The last node of the active path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tip: Option<u64>,
    /// The number of path writes, and the ids of the last ones.
    pub(super) path_count: u64,
    pub(super) path_writes: VecDeque<WriteId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) active: Option<Active>,
    pub(super) terminal: VecDeque<Terminal>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) choices: Vec<ChoiceEntry>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) confirmations: Vec<ConfirmationEntry>,
    pub(super) usage: Usage,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DefinitionName {
    id: String,
    revision: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct States {
    pub(super) current: String,
    pub(super) base: String,
}

/// A claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Active {
    pub(super) turn: String,
    pub(super) nonce: WriteId,
    pub(super) lease_end: i64,
    pub(super) user_node: u64,
    /// The instance of the choice that it claims.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) choice: Option<String>,
}

/// A turn that ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Terminal {
    pub(super) turn: String,
    pub(super) nonce: WriteId,
    pub(super) user_node: u64,
    pub(super) end: TurnEnd,
}

/// What may be taken once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ChoiceEntry {
    pub(super) instance: String,
    pub(super) status: ChoiceStatus,
    /// The nonce of the claim that holds it or has used it up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) owner: Option<WriteId>,
    /// Where among the payloads its props stand.
    pub(super) payload: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum ChoiceStatus {
    Open,
    Claimed,
    Consumed,
}

/// An action that was put up for confirmation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConfirmationEntry {
    /// What its token and its tool call are made of.
    pub(super) id: String,
    pub(super) status: ConfirmationStatus,
    /// The id of the write that proposed it.
    pub(super) proposal: WriteId,
    /// The nonce of who decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) owner: Option<WriteId>,
    pub(super) expires_at: i64,
    /// Where among the payloads its action and input stand, and what came of it.
    pub(super) payload: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) receipt: Option<u64>,
    /// The turn that it was proposed in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) turn: Option<String>,
}

/// What backends said that answers have cost, in tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// The tokens of what was asked.
    pub prompt_tokens: u64,
    /// The tokens of what was answered.
    pub completion_tokens: u64,
    /// Both together.
    pub total_tokens: u64,
}

impl Usage {
    /// What a chunk's metadata say, if they do.
    pub(super) fn of_metadata(metadata: &serde_json::Value) -> Option<Self> {
        serde_json::from_value(metadata.get("usage")?.clone()).ok()
    }

    pub(super) fn add(&mut self, other: Self) {
        self.prompt_tokens = self.prompt_tokens.saturating_add(other.prompt_tokens);
        self.completion_tokens = self.completion_tokens.saturating_add(other.completion_tokens);
        self.total_tokens = self.total_tokens.saturating_add(other.total_tokens);
    }
}

impl DefinitionName {
    fn of(definition: &Definition) -> Self {
        Self { id: definition.id.as_str().to_string(), revision: Integer::get(definition.revision) }
    }
}

impl Head {
    /// The head of a session in which nothing has happened.
    pub(super) fn fresh(definition: &Definition, birth: Version) -> Self {
        let initial = definition.conversation.as_ref().map(|conversation| conversation.initial().to_string());
        Self {
            format: FORMAT,
            write: WriteId::new(0),
            cursor: birth.get(),
            definition: DefinitionName::of(definition),
            token_hash: None,
            states: initial.map(|initial| States { current: initial.clone(), base: initial }),
            tip: None,
            path_count: 0,
            path_writes: VecDeque::new(),
            active: None,
            terminal: VecDeque::new(),
            choices: Vec::new(),
            confirmations: Vec::new(),
            usage: Usage::default(),
        }
    }

    /// A head as it was written; nothing where it is none of this format.
    pub(super) fn decode(body: &[u8]) -> Option<Self> {
        serde_json::from_slice(body).ok().filter(|head: &Self| head.format == FORMAT)
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    pub(super) fn is_of(&self, definition: &Definition) -> bool {
        self.definition == DefinitionName::of(definition)
    }

    /// The claim with this nonce, where it stands.
    pub(super) fn claim(&self, nonce: &WriteId) -> Option<&Active> {
        self.active.as_ref().filter(|active| active.nonce == *nonce)
    }

    /// Ends the claim that stands, whoever's it is: with a record, and its choice settled.
    pub(super) fn end_claim(&mut self, end: TurnEnd) {
        let Some(Active { turn, nonce, user_node, choice, .. }) = self.active.take() else { return };
        if let Some(entry) =
            choice.and_then(|choice| self.choices.iter_mut().find(|entry| entry.instance == choice))
            && entry.owner.as_ref() == Some(&nonce)
        {
            match end {
                TurnEnd::Done | TurnEnd::Stopped => entry.status = ChoiceStatus::Consumed,
                TurnEnd::Failed | TurnEnd::Indeterminate => {
                    entry.status = ChoiceStatus::Open;
                    entry.owner = None;
                }
            }
        }
        self.terminal.push_back(Terminal { turn, nonce, user_node, end });
        let is_completed = |terminal: &Terminal| terminal.end != TurnEnd::Indeterminate;
        while self.terminal.iter().filter(|terminal| is_completed(terminal)).count() > COMPLETED
            || self.terminal.len() > TERMINAL
        {
            let oldest = self.terminal.iter().position(is_completed).unwrap_or(0);
            self.terminal.remove(oldest);
        }
    }

    /// Authorizes what is offered: it replaces an offer of the same name that nobody holds. Where no room can be made it is
    /// not authorized.
    pub(super) fn offer(&mut self, instance: &str, payload: u64) {
        let same = self.choices.iter().position(|entry| entry.instance == instance);
        if let Some(same) = same {
            if self.choices[same].status == ChoiceStatus::Claimed {
                return;
            }
            self.choices.remove(same);
        } else if self.choices.len() >= MAX_CHOICES {
            let is = |status| move |entry: &ChoiceEntry| entry.status == status;
            let consumed = self.choices.iter().position(is(ChoiceStatus::Consumed));
            let Some(oldest) = consumed.or_else(|| self.choices.iter().position(is(ChoiceStatus::Open)))
            else {
                return;
            };
            self.choices.remove(oldest);
        }
        let status = ChoiceStatus::Open;
        self.choices.push(ChoiceEntry { instance: instance.to_string(), status, owner: None, payload });
    }

    /// The first payload that is still needed; nothing where none is.
    pub(super) fn first_payload(&self) -> Option<u64> {
        let choices = self.choices.iter().filter(|entry| entry.status != ChoiceStatus::Consumed);
        let choices = choices.map(|entry| entry.payload);
        let confirmations = self.confirmations.iter().flat_map(|entry| [Some(entry.payload), entry.receipt]);
        choices.chain(confirmations.flatten()).min()
    }
}
