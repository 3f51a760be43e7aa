//! The pieces that the answer of a turn comes in.

use answerplane_protocol::AnswerEnvelope;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

/// The name under which a chunk's metadata holds the envelope on the wire.
const ANSWER: &str = "answer";

/// A piece of an answer.
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
/// assert_eq!(chunk.kind(), &ChunkKind::Text("Hi".into()));
/// assert!(chunk.answer().is_none());
/// assert_eq!(json!(chunk), json!({ "type": "text", "content": "Hi", "metadata": { "n": 1 } }));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Chunk {
    kind: ChunkKind,
    /// What goes with it, never holding an envelope.
    metadata: Map<String, Value>,
    answer: Option<Box<AnswerEnvelope>>,
}

/// What a chunk is.
#[derive(Clone, Debug, PartialEq)]
pub enum ChunkKind {
    /// More text.
    Text(String),
    /// The end of the answer.
    Done,
    /// The answer failed; what a person is told.
    Error(String),
    /// Anything else that a backend says: its fields but the metadata. It passes through.
    Other(Map<String, Value>),
}

impl From<ChunkKind> for Chunk {
    fn from(kind: ChunkKind) -> Self {
        Self { kind, metadata: Map::new(), answer: None }
    }
}

impl Chunk {
    /// More text.
    #[must_use]
    pub fn text(content: impl Into<String>) -> Self {
        ChunkKind::Text(content.into()).into()
    }

    /// The end of the answer.
    #[must_use]
    pub fn done() -> Self {
        ChunkKind::Done.into()
    }

    /// A failure, as a person is told of it.
    #[must_use]
    pub fn error(content: impl Into<String>) -> Self {
        ChunkKind::Error(content.into()).into()
    }

    /// A chunk from its JSON, without a claim under `metadata.answer`; `None` where it is no object. What is no text, end or failure of
    /// the usual form is [other](ChunkKind::Other).
    #[must_use]
    pub fn from_value(chunk: Value) -> Option<Self> {
        let Value::Object(mut fields) = chunk else { return None };
        let metadata = match fields.remove("metadata") {
            Some(Value::Object(mut metadata)) => {
                metadata.remove(ANSWER);
                metadata
            }
            Some(other) => {
                fields.insert("metadata".into(), other);
                Map::new()
            }
            None => Map::new(),
        };
        let kind = match (fields.get("type").and_then(Value::as_str), fields.get("content"), fields.len()) {
            (Some("text"), Some(Value::String(content)), 2) => ChunkKind::Text(content.clone()),
            (Some("error"), Some(Value::String(content)), 2) => ChunkKind::Error(content.clone()),
            (Some("done"), None, 1) => ChunkKind::Done,
            _ => ChunkKind::Other(fields),
        };
        Some(Self { kind, metadata, answer: None })
    }

    /// What it is.
    #[must_use]
    pub fn kind(&self) -> &ChunkKind {
        &self.kind
    }

    /// What goes with it.
    #[must_use]
    pub fn metadata(&self) -> &Map<String, Value> {
        &self.metadata
    }

    /// The envelope that the answer plane vouches with.
    #[must_use]
    pub fn answer(&self) -> Option<&AnswerEnvelope> {
        self.answer.as_deref()
    }

    /// The same with metadata, but for a claim under `answer`.
    #[must_use]
    pub fn with_metadata(mut self, mut metadata: Map<String, Value>) -> Self {
        metadata.remove(ANSWER);
        self.metadata = metadata;
        self
    }

    pub(crate) fn with_answer(mut self, answer: Option<AnswerEnvelope>) -> Self {
        self.answer = answer.map(Box::new);
        self
    }
}

impl Serialize for Chunk {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = match &self.kind {
            ChunkKind::Text(content) => {
                Map::from_iter([("type".into(), "text".into()), ("content".into(), json!(content))])
            }
            ChunkKind::Done => Map::from_iter([("type".into(), "done".into())]),
            ChunkKind::Error(content) => {
                Map::from_iter([("type".into(), "error".into()), ("content".into(), json!(content))])
            }
            ChunkKind::Other(fields) => fields.clone(),
        };
        let mut metadata = self.metadata.clone();
        if let Some(answer) = &self.answer {
            metadata.insert(ANSWER.into(), json!(answer));
        }
        if !metadata.is_empty() {
            fields.insert("metadata".into(), metadata.into());
        }
        fields.serialize(serializer)
    }
}
