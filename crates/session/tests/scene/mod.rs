//! A session with everything in it: declared answers, an ambiguous one, a conversation, an action, and a backend that counts.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

pub(crate) mod stores;

use std::collections::BTreeMap;
use std::fs::File;
use std::future::{pending, ready};
use std::io::Write as _;
use std::sync::{Arc, Mutex};

use answerplane_artifact::{VerifiedArtifact, content_hash};
use answerplane_protocol::{
    ArtifactContent, Content, ContentPart, ForeignValue, Identifier, Integer, RenderFrame, Timestamp, Trust,
};
use answerplane_session::testing::{CountingIds, ManualClock};
use answerplane_session::{
    Action, ActionFailed, Actions, AnswerPlane, Backend, Chunk, ChunkStream, Confirmed, Conversation,
    ConversationState, Definition, Denial, Role, Route, Session, SessionError, SessionOptions,
    TrustedContext, TurnRequest,
};
use answerplane_store::{Key, Store};
use futures_util::stream::{self, StreamExt};
use serde_json::{Value, json};

pub(crate) use stores::store;

pub(crate) const NOW: Timestamp = Timestamp::from_millis(1_790_000_000_000);
/// What is asked to be offered choices, and what the first stands for.
pub(crate) const AMBIGUOUS: &str = "hours";
pub(crate) const CHOICE: (&str, &str) = ("water", "water hours");

pub(crate) fn id(text: &str) -> Identifier {
    text.parse().unwrap()
}

pub(crate) fn artifact() -> VerifiedArtifact {
    let entry = |id: &str, aliases: &[&str]| {
        json!({
            "id": id, "kind": "document", "label": format!("Label of {id}"),
            "match": { "type": "exact", "values": aliases },
            "answer": { "markdown": format!("Answer of {id}."), "citations": [] },
        })
    };
    let mut artifact = json!({
        "protocol": "agentskit.chat.knowledge", "version": 1, "artifactId": "garden", "siteId": "garden",
        "generatedAt": "2026-01-01T00:00:00Z",
        "entries": [
            entry("plot", &["plot"]),
            entry("water", &["hours", "water hours"]),
            entry("shed", &["hours", "shed hours"]),
        ],
    });
    let hash = content_hash(&ArtifactContent::decode_value(&artifact).unwrap());
    artifact["contentHash"] = json!(hash);
    let trust = Trust { content_hash: hash, site_id: id("garden") };
    VerifiedArtifact::verify(artifact.to_string(), &trust).unwrap()
}

pub(crate) fn conversation() -> Conversation {
    Conversation::builder("idle")
        .state(ConversationState::new("idle").on("begin", "reserving"))
        .state(ConversationState::new("reserving").on("cancel", "idle").on("begin", "reserving"))
        .route(Route::command("start", "/reserve", "begin", "Which plot?"))
        .route(Route::command("cancel", "/cancel", "cancel", "Never mind."))
        .build()
        .unwrap()
}

pub(crate) fn definition() -> Definition {
    Definition { id: id("garden"), revision: Integer::new(1).unwrap(), conversation: Some(conversation()) }
}

/// What was asked and done in the world, by whom: the operation's name is in the request's context.
#[derive(Clone, Default)]
pub(crate) struct Counts {
    counted: Arc<Mutex<BTreeMap<String, usize>>>,
    file: Option<Arc<File>>,
}

impl Counts {
    /// Counts that outlive the process: each is a line of a file.
    pub(crate) fn in_file(file: File) -> Self {
        Self { counted: Arc::default(), file: Some(Arc::new(file)) }
    }

    pub(crate) fn count(&self, what: &str) {
        *self.counted.lock().unwrap().entry(what.to_string()).or_default() += 1;
        if let Some(mut file) = self.file.as_deref() {
            file.write_all(format!("{what}\n").as_bytes()).unwrap();
        }
    }

    pub(crate) fn of(&self, what: &str) -> usize {
        self.counted.lock().unwrap().get(what).copied().unwrap_or_default()
    }

    pub(crate) fn all(&self) -> BTreeMap<String, usize> {
        self.counted.lock().unwrap().clone()
    }
}

/// Says one piece, and ends, unless it is told to hang.
struct CountingBackend(Counts);

impl Backend for CountingBackend {
    fn answer(&self, request: TurnRequest) -> ChunkStream {
        let name = request.context.get("op").and_then(Value::as_str).unwrap_or("unnamed");
        self.0.count(&format!("asked {name}"));
        let latest = request.messages.iter().rfind(|message| message.role == Role::User).unwrap();
        let first = stream::iter([Ok(Chunk::text(format!("answer to {}", latest.content)))]);
        if request.context.contains_key("hang") {
            Box::pin(first.chain(stream::once(pending())))
        } else {
            Box::pin(first.chain(stream::once(ready(Ok(Chunk::done())))))
        }
    }
}

/// An action that counts.
struct Refund(Counts);

#[async_trait::async_trait]
impl Action for Refund {
    async fn run(&self, confirmed: &Confirmed) -> Result<ForeignValue, ActionFailed> {
        self.0.count(&format!("ran {}", confirmed.token.as_str()));
        if confirmed.input.contains_key("fails") {
            return Err(ActionFailed);
        }
        Ok(ForeignValue::new(&json!({ "paid": true })).unwrap())
    }

    async fn deny(&self, confirmed: &Confirmed, _: Denial) -> Result<(), ActionFailed> {
        self.0.count(&format!("denied {}", confirmed.token.as_str()));
        Ok(())
    }

    fn is_offered(&self, input: &serde_json::Map<String, Value>) -> bool {
        !input.contains_key("unasked")
    }
}

/// Processes that share a store, a clock, and whoever answers.
pub(crate) struct Scene {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: ManualClock,
    pub(crate) counts: Counts,
    pub(crate) definition: Definition,
    pub(crate) retention: Option<std::time::Duration>,
}

impl Scene {
    pub(crate) fn new() -> Self {
        Self {
            store: store(),
            clock: ManualClock::at(NOW),
            counts: Counts::default(),
            definition: definition(),
            retention: None,
        }
    }

    pub(crate) async fn open(&self, process: u64) -> Session {
        self.open_on(self.store.clone(), process).await.unwrap()
    }

    pub(crate) async fn open_on(&self, store: Arc<dyn Store>, process: u64) -> Result<Session, SessionError> {
        let plane = AnswerPlane::new(artifact())
            .fallback(CountingBackend(self.counts.clone()))
            .clock(self.clock.clone());
        Session::open_with(id("visitor-17"), &self.definition, Arc::new(plane), store, self.options(process))
            .await
    }

    pub(crate) fn options(&self, process: u64) -> SessionOptions {
        let actions = Actions::default()
            .action(id("refund"), ["refunds"], Refund(self.counts.clone()))
            .trust(|session| {
                Some(TrustedContext {
                    session: session.clone(),
                    capabilities: ["refunds".to_string()].into_iter().collect(),
                })
            });
        let options = SessionOptions::default()
            .clock(self.clock.clone())
            .ids(CountingIds::of_process(process))
            .actions(actions);
        match self.retention {
            Some(retention) => options.retention(retention),
            None => options,
        }
    }

    /// The stored head, and the nodes that are kept with their numbers.
    pub(crate) async fn raw(&self) -> Option<(Value, Vec<(u64, Value)>)> {
        let key = Key::new(["session", "garden", "visitor-17"]).unwrap();
        let now = 0;
        let document = self.store.load(&key, now).await.unwrap()?;
        let extent = document.extent("nodes");
        let range = extent.first..extent.length;
        let nodes = if range.is_empty() {
            Vec::new()
        } else {
            self.store.read(&key, document.birth, "nodes", range.clone(), now).await.unwrap()
        };
        let nodes = range.zip(nodes).map(|(number, node)| (number, serde_json::from_slice(&node).unwrap()));
        let head = serde_json::from_slice(&document.body).unwrap();
        Some((head, nodes.collect()))
    }
}

/// The choices of the last message.
pub(crate) async fn frame(session: &Session) -> RenderFrame {
    let view = session.view().await;
    frame_in(&view.messages.last().unwrap().text)
}

pub(crate) fn frame_in(text: &str) -> RenderFrame {
    let content = Content::decode(text).unwrap();
    let frame = content.parts().iter().find_map(|part| match part {
        ContentPart::Component(component) => Some(component.frame().clone()),
        ContentPart::Text(_) => None,
    });
    frame.unwrap()
}

pub(crate) async fn said(session: &Session, text: &str) -> String {
    session.send(text).await.unwrap().text().await.unwrap()
}

/// What is said and answered on the active path.
pub(crate) async fn texts(session: &Session) -> Vec<String> {
    session.view().await.messages.into_iter().map(|message| message.text).collect()
}
