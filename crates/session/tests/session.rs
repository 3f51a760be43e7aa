//! Sessions on a store: what a visitor can do, and what is kept of it.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::Arc;

use answerplane_protocol::{Identifier, Integer, Timestamp};
use answerplane_session::testing::{CountingIds, ManualClock, ScriptedBackend, Step};
use answerplane_session::{
    Chunk, Conversation, ConversationState, Definition, Role, Route, Session, SessionError, SessionOptions,
    Start, TurnEnd, TurnError,
};
use answerplane_store::MemoryStore;

const NOW: Timestamp = Timestamp::from_millis(1_790_000_000_000);

fn id(text: &str) -> Identifier {
    text.parse().unwrap()
}

fn definition(conversation: Option<Conversation>) -> Definition {
    Definition { id: id("garden"), revision: Integer::new(1).unwrap(), conversation }
}

fn garden() -> Conversation {
    Conversation::builder("idle")
        .state(ConversationState::new("idle").on("begin", "reserving"))
        .state(ConversationState::new("reserving").on("cancel", "idle").on("begin", "reserving"))
        .route(Route::command("start", "/reserve", "begin", "Which plot?"))
        .route(Route::command("cancel", "/cancel", "cancel", "Never mind."))
        .build()
        .unwrap()
}

/// Processes that share a store and a clock.
struct Scene {
    store: Arc<MemoryStore>,
    clock: ManualClock,
    backend: ScriptedBackend,
    definition: Definition,
}

impl Scene {
    fn new(backend: ScriptedBackend, conversation: Option<Conversation>) -> Self {
        let store = Arc::new(MemoryStore::new());
        Self { store, clock: ManualClock::at(NOW), backend, definition: definition(conversation) }
    }

    async fn open(&self, process: u64) -> Session {
        let options =
            SessionOptions::default().clock(self.clock.clone()).ids(CountingIds::of_process(process));
        let backend = Arc::new(self.backend.clone());
        Session::open_with(id("visitor-17"), &self.definition, backend, self.store.clone(), options)
            .await
            .unwrap()
    }
}

/// What is said and answered on the active path.
async fn texts(session: &Session) -> Vec<String> {
    session.view().await.messages.into_iter().map(|message| message.text).collect()
}

async fn said(session: &Session, text: &str) -> String {
    session.send(text).await.unwrap().text().await.unwrap()
}

#[tokio::test]
async fn a_turn_is_answered_and_kept() {
    let scene = Scene::new(ScriptedBackend::saying("It is behind the shed."), None);
    let session = scene.open(1).await;
    assert_eq!(said(&session, "Where is the tap?").await, "It is behind the shed.");

    let again = scene.open(2).await;
    assert_eq!(texts(&again).await, ["Where is the tap?", "It is behind the shed."]);
    let view = again.view().await;
    assert_eq!(view.messages[1].end, Some(TurnEnd::Done));
    assert_eq!(view, session.view().await);
    assert_eq!(view.cursor, 2);
}

#[tokio::test]
async fn a_known_path_moves_the_state_and_is_replayed() {
    let scene = Scene::new(ScriptedBackend::saying("?"), Some(garden()));
    let session = scene.open(1).await;
    let mut traces = session.traces();
    assert_eq!(said(&session, "/reserve").await, "Which plot?");
    assert_eq!(said(&session, "the sunny one").await, "?");
    assert_eq!(said(&session, "/cancel").await, "Never mind.");
    assert_eq!(session.view().await.state.unwrap().state, "idle");
    assert_eq!(traces.try_recv().unwrap().to_state, "reserving");

    let again = scene.open(2).await;
    assert_eq!(again.view().await, session.view().await);
    assert_eq!(again.snapshot().await.unwrap(), session.snapshot().await.unwrap());
    let first = session.view().await.messages[0].id.clone();
    again.edit(&first, "/nothing").await.unwrap().text().await.unwrap();
    assert_eq!(again.view().await.state.unwrap().state, "idle");
    assert_eq!(texts(&again).await, ["/nothing", "?"]);
    let old = session.view().await.messages[0].node;
    again.select(old).await.unwrap();
    assert_eq!(texts(&again).await.len(), 6);
    // What was decided on the other branch is gone for good.
    assert_eq!(said(&again, "/reserve").await, "Which plot?");
    assert_eq!(again.view().await.state.unwrap().state, "reserving");
}

#[tokio::test]
async fn another_process_is_told_at_once_that_a_turn_runs() {
    let scene = Scene::new(ScriptedBackend::new([Step::Chunk(Chunk::text("well")), Step::Hang]), None);
    let (one, two) = (scene.open(1).await, scene.open(2).await);
    let mut turn = one.send("A question").await.unwrap();
    assert!(turn.next().await.unwrap().is_ok());
    assert!(matches!(two.send("Another").await, Err(SessionError::Busy)));
    assert!(matches!(two.stop().await, Err(SessionError::Busy)));
    assert!(matches!(two.clear().await, Err(SessionError::Busy)));
    assert_eq!(scene.backend.asked().len(), 1);
    assert_eq!(one.stop().await.unwrap(), Some(TurnEnd::Stopped));
    assert!(turn.next().await.is_none());
    two.refresh().await.unwrap();
    assert_eq!(texts(&two).await, ["A question", "well"]);
}

#[tokio::test]
async fn a_claim_whose_lease_has_ended_is_taken_over() {
    let scene = Scene::new(ScriptedBackend::new([Step::Chunk(Chunk::text("well")), Step::Hang]), None);
    let (one, two) = (scene.open(1).await, scene.open(2).await);
    let mut turn = one.start(Start::send("A question").turn(id("turn-1"))).await.unwrap();
    turn.next().await.unwrap().unwrap();
    scene.clock.advance(std::time::Duration::from_secs(311));
    drop(two.send("Another").await.unwrap());
    assert!(matches!(turn.next().await, Some(Err(TurnError::Indeterminate))));
    assert!(turn.next().await.is_none());
    assert_eq!(turn.end(), Some(TurnEnd::Indeterminate));
    two.stop().await.unwrap();
    assert_eq!(texts(&two).await, ["Another", ""]);
    let mut known = two.start(Start::send("A question").turn(id("turn-1"))).await.unwrap();
    assert!(known.is_recorded());
    assert!(matches!(known.next().await, Some(Err(TurnError::Indeterminate))));
    let retried = two.start(Start::retry(Some(&id("turn-1")))).await.unwrap();
    drop(retried);
    two.stop().await.unwrap();
    assert_eq!(texts(&two).await, ["A question", ""]);
}

#[tokio::test]
async fn versions_are_siblings_and_nothing_is_overwritten() {
    let scene = Scene::new(ScriptedBackend::saying("yes"), None);
    let session = scene.open(1).await;
    said(&session, "one").await;
    for _ in 0..5 {
        session.regenerate(None).await.unwrap().text().await.unwrap();
    }
    let view = session.view().await;
    assert_eq!(view.messages[1].versions.len(), 6);
    assert_eq!(view.messages.len(), 2);
    assert_eq!(view.messages[0].role, Role::User);
    assert_eq!(view.messages[0].versions.len(), 1);
}

#[tokio::test]
async fn what_is_erased_is_gone() {
    let scene = Scene::new(ScriptedBackend::saying("yes"), None);
    let (one, two) = (scene.open(1).await, scene.open(2).await);
    said(&one, "one").await;
    two.erase().await.unwrap();
    two.erase().await.unwrap();
    assert!(matches!(one.send("two").await, Err(SessionError::Erased)));
    let three = scene.open(3).await;
    assert!(texts(&three).await.is_empty());
    assert!(matches!(one.send("two").await, Err(SessionError::Erased)));
}

#[tokio::test]
async fn the_front_is_trimmed() {
    let scene = Scene::new(ScriptedBackend::saying("yes"), Some(garden()));
    let session = scene.open(1).await;
    for text in ["/reserve", "a", "/cancel", "/reserve", "b"] {
        said(&session, text).await;
    }
    let before = session.view().await.messages[6].id.clone();
    session.trim_front(&before).await.unwrap();
    assert_eq!(texts(&session).await, ["/reserve", "Which plot?", "b", "yes"]);
    let again = scene.open(2).await;
    assert_eq!(again.view().await, session.view().await);
    assert_eq!(said(&again, "/cancel").await, "Never mind.");
    assert_eq!(again.view().await.state.unwrap().state, "idle");
    again.clear().await.unwrap();
    assert!(texts(&again).await.is_empty());
    assert_eq!(said(&again, "/reserve").await, "Which plot?");
}
