//! The pieces that the answer of a turn comes in.

use answerplane_protocol::AnswerEnvelope;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::quota::QuotaNotice;

const TYPE: &str = "type";
const CONTENT: &str = "content";
const METADATA: &str = "metadata";
/// The name under which a chunk's metadata holds the envelope on the wire.
const ANSWER: &str = "answer";

/// A piece of an answer: a JSON object with a `type`.
///
/// What vouches for an answer travels in [`answer`](Self::answer) and nowhere else: whatever a backend claims under that
/// name in its metadata is dropped when the chunk is made.
///
/// ```
/// use answerplane_session::{Chunk, ChunkKind};
/// use serde_json::json;
///
/// let claim = json!({ "type": "text", "content": "Hi", "metadata": { "answer": { "outcome": "answer" }, "n": 1 } });
/// let chunk = Chunk::from_value(claim).unwrap();
/// assert_eq!(chunk.kind(), ChunkKind::Text("Hi"));
/// assert!(chunk.answer().is_none());
/// assert_eq!(json!(chunk), json!({ "type": "text", "content": "Hi", "metadata": { "n": 1 } }));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Chunk {
    /// Its fields, in which no metadata holds an envelope.
    fields: Map<String, Value>,
    answer: Option<Box<AnswerEnvelope>>,
    /// The choices that it offers, where whoever keeps the session authorizes them.
    offer: Option<Box<Offer>>,
}

/// Choices as they are shown: under which name, with which props, and what each stands for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Offer {
    pub(crate) instance: String,
    pub(crate) props: Value,
    /// Of each choice its id and what is sent for it.
    pub(crate) values: Vec<(String, String)>,
}

impl Offer {
    /// What is sent for a choice.
    pub(crate) fn value(&self, choice: &str) -> Option<&str> {
        self.values.iter().find(|(id, _)| id == choice).map(|(_, value)| value.as_str())
    }
}

/// What a chunk is, by its `type`, whatever else it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChunkKind<'c> {
    /// More text.
    Text(&'c str),
    /// The end of the answer.
    Done,
    /// The answer failed; what a person is told, if anything.
    Error(&'c str),
    /// Anything else that a backend says. It passes through.
    Other,
}

impl Chunk {
    /// More text.
    #[must_use]
    pub fn text(content: impl Into<String>) -> Self {
        Self::of("text", Some(content.into()))
    }

    /// The end of the answer.
    #[must_use]
    pub fn done() -> Self {
        Self::of("done", None)
    }

    /// A failure, as a person is told of it.
    #[must_use]
    pub fn error(content: impl Into<String>) -> Self {
        Self::of("error", Some(content.into()))
    }

    fn of(kind: &str, content: Option<String>) -> Self {
        let content = content.map(|content| (CONTENT.to_string(), Value::from(content)));
        let fields = [(TYPE.to_string(), Value::from(kind))].into_iter().chain(content).collect();
        Self { fields, answer: None, offer: None }
    }

    /// How much of a quota is used up.
    pub(crate) fn of_quota(notice: &QuotaNotice) -> Option<Self> {
        let mut fields = Map::from_iter([(TYPE.to_string(), Value::from("quota"))]);
        let Value::Object(notice) = json!(notice) else { return None };
        fields.extend(notice);
        Some(Self { fields, answer: None, offer: None })
    }

    /// A chunk from its JSON, without a claim under `metadata.answer`; `None` where it is no object.
    #[must_use]
    pub fn from_value(chunk: Value) -> Option<Self> {
        let Value::Object(mut fields) = chunk else { return None };
        if let Some(Value::Object(metadata)) = fields.get_mut(METADATA) {
            metadata.remove(ANSWER);
        }
        Some(Self { fields, answer: None, offer: None })
    }

    /// What it is.
    #[must_use]
    pub fn kind(&self) -> ChunkKind<'_> {
        let content = self.fields.get(CONTENT).and_then(Value::as_str);
        match (self.fields.get(TYPE).and_then(Value::as_str), content) {
            (Some("text"), Some(content)) => ChunkKind::Text(content),
            (Some("done"), _) => ChunkKind::Done,
            (Some("error"), content) => ChunkKind::Error(content.unwrap_or_default()),
            _ => ChunkKind::Other,
        }
    }

    /// Its fields, but for the envelope.
    #[must_use]
    pub fn fields(&self) -> &Map<String, Value> {
        &self.fields
    }

    /// The envelope that the answer plane vouches with.
    #[must_use]
    pub fn answer(&self) -> Option<&AnswerEnvelope> {
        self.answer.as_deref()
    }

    pub(crate) fn offer(&self) -> Option<&Offer> {
        self.offer.as_deref()
    }

    pub(crate) fn with_offer(mut self, offer: Option<Offer>) -> Self {
        self.offer = offer.map(Box::new);
        self
    }

    pub(crate) fn with_answer(mut self, answer: Option<AnswerEnvelope>) -> Self {
        self.answer = answer.map(Box::new);
        self
    }
}

impl Serialize for Chunk {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(answer) = &self.answer else { return self.fields.serialize(serializer) };
        let mut fields = self.fields.clone();
        let metadata = fields.entry(METADATA).or_insert_with(|| Map::new().into());
        if !metadata.is_object() {
            *metadata = Map::new().into();
        }
        metadata[ANSWER] = json!(answer);
        fields.serialize(serializer)
    }
}
