//! Sessions on a store: what a visitor can do, and what is kept of it.
#![allow(clippy::unwrap_used, clippy::panic)]

mod scene;

use std::sync::Arc;
use std::time::Duration;

use answerplane_protocol::{Integer, Timestamp};
use answerplane_session::testing::{CountingIds, ManualClock, ScriptedBackend, Step};
use answerplane_session::{
    Chunk, Conversation, ConversationState, Definition, Proposal, Role, Route, Session, SessionError,
    SessionOptions, Start, TurnEnd, TurnError, Update,
};
use answerplane_store::Store;
use serde_json::Map;

use scene::{id, said, texts};

const NOW: Timestamp = Timestamp::from_millis(1_790_000_000_000);

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
    store: Arc<dyn Store>,
    clock: ManualClock,
    backend: ScriptedBackend,
    definition: Definition,
}

impl Scene {
    fn new(backend: ScriptedBackend, conversation: Option<Conversation>) -> Self {
        let store = scene::store();
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

#[tokio::test]
async fn a_turn_is_answered_and_kept() {
    let scene = Scene::new(ScriptedBackend::saying("It is behind the shed."), None);
    let session = scene.open(1).await;
    let opened_at = session.view().await.cursor;
    assert_eq!(said(&session, "Where is the tap?").await, "It is behind the shed.");

    let again = scene.open(2).await;
    assert_eq!(texts(&again).await, ["Where is the tap?", "It is behind the shed."]);
    let view = again.view().await;
    assert_eq!(view.messages[1].end, Some(TurnEnd::Done));
    assert_eq!(view, session.view().await);
    assert_eq!(view.cursor, opened_at + 2);
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

#[tokio::test]
async fn sessions_are_listed_and_bound_to_a_token() {
    let scene = Scene::new(ScriptedBackend::saying("yes"), None);
    let options = SessionOptions::default().clock(scene.clock.clone());
    let open = async |name: &str| {
        let backend = Arc::new(scene.backend.clone());
        let (store, options) = (scene.store.clone(), options.clone());
        Session::open_with(id(name), &scene.definition, backend, store, options).await.unwrap()
    };
    for name in ["c", "a", "b", "d"] {
        let session = open(name).await;
        if name != "b" {
            said(&session, "hello").await;
        }
    }
    let list = async |after: Option<&str>, limit| {
        let after = after.map(id);
        Session::list(&scene.definition, &*scene.store, &options, after.as_ref(), limit).await.unwrap()
    };
    assert_eq!(list(None, 10).await, ["a", "c", "d"].map(id));
    assert_eq!(list(None, 2).await, ["a", "c"].map(id));
    assert_eq!(list(Some("a"), 10).await, ["c", "d"].map(id));
    let exists = async |name: &str| {
        Session::exists(&id(name), &scene.definition, &*scene.store, &options).await.unwrap()
    };
    assert!(exists("a").await && !exists("b").await && !exists("e").await);

    let (one, two) = (open("a").await, open("a").await);
    assert!(one.bind_token("hash-1").await.unwrap());
    assert!(!two.bind_token("hash-2").await.unwrap());
    assert!(two.bind_token("hash-1").await.unwrap());
    said(&two, "hello").await;
    assert_eq!(open("a").await.token_hash().await.unwrap().as_deref(), Some("hash-1"));
}

#[tokio::test]
async fn what_is_retained_is_forgotten_and_never_while_a_turn_holds_it() {
    let scene = Scene::new(ScriptedBackend::saying("yes"), None);
    let hour = std::time::Duration::from_secs(3_600);
    let open = async |retention| {
        let options = SessionOptions::default().clock(scene.clock.clone()).retention(retention);
        let backend = Arc::new(scene.backend.clone());
        Session::open_with(id("a"), &scene.definition, backend, scene.store.clone(), options).await.unwrap()
    };
    let session = open(hour).await;
    said(&session, "hello").await;
    scene.clock.advance(hour / 2);
    session.save().await.unwrap();
    scene.clock.advance(hour / 2);
    assert_eq!(texts(&open(hour).await).await.len(), 2);
    scene.clock.advance(hour);
    assert!(texts(&open(hour).await).await.is_empty());
    assert!(matches!(session.send("again").await, Err(SessionError::Erased)));

    let short = std::time::Duration::from_secs(1);
    let session = open(short).await;
    let mut turn = session.send("hello").await.unwrap();
    scene.clock.advance(std::time::Duration::from_secs(299));
    assert_eq!(turn.text().await.unwrap(), "yes");
}

/// Lets so many through.
struct Left(std::sync::atomic::AtomicUsize);

#[async_trait::async_trait]
impl answerplane_session::Quota for Left {
    async fn admit(
        &self,
        request: &answerplane_session::TurnRequest,
    ) -> Result<Option<answerplane_session::QuotaNotice>, answerplane_session::BackendFailed> {
        use std::sync::atomic::Ordering;
        if request.messages.last().is_some_and(|message| message.content == "panic") {
            panic!("canary");
        }
        let left = self.0.load(Ordering::SeqCst);
        if left == 0 {
            return Err(answerplane_session::BackendFailed::QuotaExceeded);
        }
        self.0.store(left - 1, Ordering::SeqCst);
        let notice = answerplane_session::QuotaNotice { utilization: 0.5, warning: left == 1 };
        Ok(Some(notice).filter(|notice| notice.warning))
    }
}

#[tokio::test]
async fn a_quota_is_asked_before_the_backend_and_for_nothing_that_is_answered_here() {
    let backend = ScriptedBackend::saying("yes");
    let plane = answerplane_session::AnswerPlane::new(scene::artifact())
        .fallback(backend.clone())
        .quota(Left(std::sync::atomic::AtomicUsize::new(2)));
    let scene = Scene::new(ScriptedBackend::saying("never"), None);
    let store = scene.store.clone();
    let session = Session::open(id("a"), &scene.definition, plane, store).await.unwrap();
    for _ in 0..3 {
        assert!(said(&session, "plot").await.contains("Answer of plot."));
    }
    assert_eq!(said(&session, "first").await, "yes");
    let mut turn = session.send("second").await.unwrap();
    let notice = turn.next().await.unwrap().unwrap();
    let expected = serde_json::json!({ "type": "quota", "utilization": 0.5, "warning": true });
    assert_eq!(serde_json::json!(notice), expected);
    assert_eq!(turn.text().await.unwrap(), "yes");
    for text in ["third", "panic"] {
        let mut turn = session.send(text).await.unwrap();
        let refused = turn.next().await.unwrap();
        let code = if text == "panic" { "BACKEND_PANICKED" } else { "QUOTA_EXCEEDED" };
        assert!(matches!(&refused, Err(error) if error.code() == code), "{refused:?}");
        assert_eq!(turn.end(), Some(TurnEnd::Failed));
    }
    assert_eq!(backend.asked().len(), 2);
}

#[tokio::test]
async fn usage_is_added_up_and_kept() {
    let usage = serde_json::json!({
        "type": "done",
        "metadata": { "usage": { "promptTokens": 7, "completionTokens": 3, "totalTokens": 10 } },
    });
    let script = [Step::Chunk(Chunk::text("yes")), Step::Chunk(Chunk::from_value(usage).unwrap())];
    let scene = Scene::new(ScriptedBackend::new(script), None);
    let session = scene.open(1).await;
    said(&session, "one").await;
    said(&session, "two").await;
    let usage = scene.open(2).await.view().await.usage;
    assert_eq!((usage.prompt_tokens, usage.completion_tokens, usage.total_tokens), (14, 6, 20));
}

#[tokio::test]
async fn every_write_of_this_process_is_told_with_its_cursor() {
    let scene = scene::Scene::new();
    let session = scene.open(1).await;
    let mut updates = session.subscribe();
    said(&session, "first").await;
    let token = session.propose(Proposal::new(id("refund"), Map::new())).await.unwrap().token;
    session.approve(&token).await.unwrap();
    session.save().await.unwrap();
    let lost = scene.open(2).await;
    std::mem::forget(lost.start(Start::send("lost").turn(id("lost"))).await.unwrap());
    scene.clock.advance(Duration::from_secs(400));
    session.start(Start::send("lost").turn(id("lost"))).await.unwrap();
    let mut told = Vec::new();
    while let Ok(update) = updates.try_recv() {
        if let Update::Changed(cursor) = update {
            told.push(cursor);
        }
    }
    // The sixth write of these was the other process's.
    let first = told[0];
    assert_eq!(told, [0, 1, 2, 3, 4, 5, 7].map(|write| first + write));
}
