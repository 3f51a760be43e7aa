//! Several processes have one session open: what one does, the others find out, however far they are behind.
#![allow(clippy::unwrap_used, clippy::panic)]

mod scene;

use std::sync::Arc;
use std::time::Duration;

use answerplane_protocol::session_snapshot::ConfirmationStatus;
use answerplane_session::testing::{FaultyStore, ScriptedBackend, Step, Trouble};
use answerplane_session::{
    Backend, Chunk, ChunkKind, ChunkStream, ConfirmError, Proposal, Session, SessionError, Start, Status,
    TurnEnd, TurnError, TurnRequest,
};
use answerplane_store::{Expected, Key, Write};
use futures_util::{FutureExt, StreamExt, stream};
use serde_json::{Map, json};

use scene::{AMBIGUOUS, CHOICE, Scene, id, said, texts};

fn hanging() -> Map<String, serde_json::Value> {
    json!({ "hang": true }).as_object().unwrap().clone()
}

fn refund(name: &str) -> Proposal {
    Proposal::new(id("refund"), Map::new()).id(name)
}

#[tokio::test]
async fn behind_a_trim_or_a_clear_nothing_is_misplaced() {
    for clears in [false, true] {
        for ahead in 0..4 {
            for refreshes in [false, true] {
                let scene = Scene::new();
                let (one, two) = (scene.open(1).await, scene.open(2).await);
                said(&two, "one").await;
                two.start(Start::send("two").message(id("m2"))).await.unwrap().text().await.unwrap();
                if clears {
                    two.clear().await.unwrap();
                } else {
                    two.trim_front("m2").await.unwrap();
                }
                for number in 0..ahead {
                    said(&two, &format!("ahead {number}")).await;
                }
                if refreshes {
                    one.refresh().await.unwrap();
                    said(&two, "again").await;
                    one.refresh().await.unwrap();
                }
                said(&one, "three").await;
                let kept = scene.open(3).await.view().await;
                assert_eq!(kept, one.view().await);
                assert_eq!(kept.messages.last().unwrap().text, "answer to three");
                let others = if clears { 0 } else { 2 };
                assert_eq!(kept.messages.len(), others + 2 * (ahead + usize::from(refreshes)) + 2);
            }
        }
    }
}

#[tokio::test]
async fn a_decision_that_another_made_about_a_known_message_is_heard_of() {
    let scene = Scene::new();
    let (one, two) = (scene.open(1).await, scene.open(2).await);
    one.start(Start::send("hello").message(id("m0"))).await.unwrap().text().await.unwrap();
    two.refresh().await.unwrap();
    two.edit("m0", "/reserve").await.unwrap().text().await.unwrap();
    two.select(1).await.unwrap();
    said(&one, "/cancel").await;
    assert_eq!(scene.open(3).await.view().await, one.view().await);
}

#[tokio::test]
async fn a_crashed_turn_is_retried_when_its_lease_has_ended() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    said(&session, "first").await;
    std::mem::forget(session.start(Start::send("second").turn(id("lost"))).await.unwrap());
    let other = scene.open(2).await;
    assert!(matches!(other.retry().await, Err(SessionError::Busy)));
    scene.clock.advance(Duration::from_secs(3_600));
    let mut retried = other.retry().await.unwrap();
    assert_eq!(retried.text().await.unwrap(), "answer to second");
    assert_eq!(texts(&other).await, ["first", "answer to first", "second", "answer to second"]);
    let again = other.start(Start::retry(Some(&id("lost")))).await;
    assert!(matches!(again, Err(SessionError::NothingToRetry)));

    let scene = Scene::new();
    std::mem::forget(scene.open(1).await.start(Start::send("only").turn(id("lost"))).await.unwrap());
    scene.clock.advance(Duration::from_secs(3_600));
    let mut retried = scene.open(2).await.start(Start::retry(Some(&id("lost")))).await.unwrap();
    assert_eq!(retried.text().await.unwrap(), "answer to only");
}

#[tokio::test]
async fn an_erase_that_fails_changes_nothing_and_one_that_succeeds_ends_the_turn() {
    let scene = Scene::new();
    let faulty = Arc::new(FaultyStore::new(scene.store.clone()));
    let session = scene.open_on(faulty.clone(), 1).await.unwrap();
    let turn = session.start(Start::send("hi").context(hanging())).await.unwrap();
    faulty.plan(0, Trouble::Fails);
    assert!(session.erase().await.is_err());
    drop(turn);
    assert_eq!(session.stop().await.unwrap(), Some(TurnEnd::Stopped));
    let turn = session.start(Start::send("hi").context(hanging())).await.unwrap();
    session.erase().await.unwrap();
    assert_eq!(session.status(), Status::Error);
    assert_eq!(turn.end(), Some(TurnEnd::Indeterminate));
}

#[tokio::test]
async fn what_became_of_an_unknown_erase_is_never_said_to_have_failed() {
    let scene = Scene::new();
    let faulty = Arc::new(FaultyStore::new(scene.store.clone()));
    let session = scene.open_on(faulty.clone(), 1).await.unwrap();
    (0..4).for_each(|call| faulty.plan(call, Trouble::LosesAcknowledgement));
    assert!(matches!(session.erase().await, Err(SessionError::OutcomeUnknown)));
    faulty.plan(1, Trouble::Fails);
    assert!(matches!(session.erase().await, Err(SessionError::OutcomeUnknown)));
    session.erase().await.unwrap();
}

#[tokio::test]
async fn more_than_eight_path_writes_after_an_unknown_one_hide_it() {
    for (others, is_hidden) in [(7, false), (8, true)] {
        let scene = Scene::new();
        let faulty = Arc::new(FaultyStore::new(scene.store.clone()));
        let (one, two) = (scene.open_on(faulty.clone(), 1).await.unwrap(), scene.open(2).await);
        faulty.plan(0, Trouble::LosesAcknowledgement);
        faulty.plan(1, Trouble::Delays);
        let (saved, ()) = tokio::join!(one.save(), async {
            faulty.delayed().await;
            for _ in 0..others {
                two.save().await.unwrap();
            }
            faulty.resume();
        });
        assert_eq!(matches!(saved, Err(SessionError::OutcomeUnknown)), is_hidden, "{others}: {saved:?}");
        assert_eq!(saved.is_ok(), !is_hidden);
    }
}

#[tokio::test]
async fn neither_the_end_nor_choices_are_given_out_before_the_commit() {
    for text in ["anything", AMBIGUOUS, "/reserve"] {
        let scene = Scene::new();
        let faulty = Arc::new(FaultyStore::new(scene.store.clone()));
        let session = scene.open_on(faulty.clone(), 1).await.unwrap();
        faulty.plan(1, Trouble::Delays);
        let mut turn = session.send(text).await.unwrap();
        let mut before = Vec::new();
        while let Some(next) = turn.next().now_or_never() {
            before.push(next.unwrap().unwrap());
        }
        assert!(before.iter().all(|chunk| chunk.kind() != ChunkKind::Done), "{text}");
        assert_eq!(before.is_empty(), text == AMBIGUOUS, "{text}");
        faulty.resume();
        let mut last = None;
        while let Some(next) = turn.next().await {
            last = Some(next.unwrap());
        }
        assert_eq!(last.unwrap().kind(), ChunkKind::Done);
    }
}

#[tokio::test]
async fn a_turn_that_failed_is_not_acknowledged() {
    let scene = Scene::new();
    let script = [Step::Chunk(Chunk::text("x")), Step::Chunk(Chunk::done()), Step::Fail];
    let backend = Arc::new(ScriptedBackend::new(script));
    let (store, options) = (scene.store.clone(), scene.options(1));
    let session =
        Session::open_with(id("visitor-17"), &scene.definition, backend, store, options).await.unwrap();
    let mut turn = session.send("hi").await.unwrap();
    assert_eq!(turn.next().await.unwrap().unwrap().kind(), ChunkKind::Text("x"));
    assert!(matches!(turn.next().await, Some(Err(TurnError::Backend(_)))));
    assert!(turn.next().await.is_none());
}

/// A backend that uses its own session, and one that goes on after its end.
struct Reentrant(Arc<std::sync::OnceLock<Session>>);

impl Backend for Reentrant {
    fn answer(&self, _: TurnRequest) -> ChunkStream {
        let session = self.0.clone();
        let first = stream::once(async move {
            let session = session.get().unwrap();
            let count = session.view().await.messages.len();
            let _ = session.status();
            Ok(Chunk::text(format!("{count} messages")))
        });
        let pings = stream::repeat_with(|| Ok(Chunk::from_value(json!({ "type": "ping" })).unwrap()));
        Box::pin(first.chain(stream::iter([Ok(Chunk::done())])).chain(pings))
    }
}

#[tokio::test]
async fn a_backend_may_use_its_session_and_may_not_hold_it_up() {
    let scene = Scene::new();
    let own = Arc::new(std::sync::OnceLock::new());
    let backend = Arc::new(Reentrant(own.clone()));
    let (store, options) = (scene.store.clone(), scene.options(1));
    let session =
        Session::open_with(id("visitor-17"), &scene.definition, backend, store, options).await.unwrap();
    own.set(session.clone()).unwrap();
    let mut turn = session.send("hi").await.unwrap();
    assert_eq!(turn.next().await.unwrap().unwrap().kind(), ChunkKind::Text("2 messages"));
    for _ in 0..1_000 {
        turn.next().await.unwrap().unwrap();
    }
    scene.clock.advance(Duration::from_secs(301));
    let mut next = turn.next().await;
    while matches!(next, Some(Ok(_))) {
        next = turn.next().await;
    }
    assert!(matches!(next, Some(Err(TurnError::DeadlinePassed))), "{next:?}");
    assert_eq!(texts(&session).await[1], "2 messages");
}

#[tokio::test]
async fn a_proposal_whose_acknowledgement_is_lost_is_known_as_ones_own() {
    let scene = Scene::new();
    let faulty = Arc::new(FaultyStore::new(scene.store.clone()));
    let (one, two) = (scene.open_on(faulty.clone(), 1).await.unwrap(), scene.open(2).await);
    faulty.plan(0, Trouble::LosesAcknowledgement);
    faulty.plan(1, Trouble::Delays);
    let (proposed, ()) = tokio::join!(one.propose(refund("x")), async {
        faulty.delayed().await;
        two.approve(&id("confirm-x")).await.unwrap();
        faulty.resume();
    });
    assert_eq!(proposed.unwrap().status, ConfirmationStatus::Approved);
}

#[tokio::test]
async fn what_is_behind_is_loaded_before_anything_is_said_of_a_confirmation() {
    let scene = Scene::new();
    let (one, two) = (scene.open(1).await, scene.open(2).await);
    one.propose(refund("x")).await.unwrap();
    two.refresh().await.unwrap();
    one.reject(&id("confirm-x")).await.unwrap();
    assert_eq!(two.approve(&id("confirm-x")).await.unwrap().status, ConfirmationStatus::Rejected);
    for number in 0..1_000 {
        one.propose(refund(&format!("n-{number}"))).await.unwrap();
    }
    assert!(matches!(two.approve(&id("confirm-x")).await, Err(ConfirmError::UnknownToken)));
    assert_eq!(two.confirmations().await.unwrap().len(), 1_000);
}

#[tokio::test]
async fn what_was_done_and_could_not_be_written_is_written_by_the_next_operation() {
    let scene = Scene::new();
    let faulty = Arc::new(FaultyStore::new(scene.store.clone()));
    let session = scene.open_on(faulty.clone(), 1).await.unwrap();
    let token = session.propose(refund("x")).await.unwrap().token;
    // A load, the payload, the claim, and then what came of it.
    faulty.plan(3, Trouble::Fails);
    assert!(matches!(session.approve(&token).await, Err(ConfirmError::Session(SessionError::Store(_)))));
    assert_eq!(scene.counts.of("ran confirm-x"), 1);
    let approved = session.approve(&token).await.unwrap();
    assert_eq!(
        (approved.status, approved.receipt),
        (ConfirmationStatus::Approved, Some(json!({ "paid": true })))
    );
    assert_eq!(scene.counts.of("ran confirm-x"), 1);
}

#[tokio::test]
async fn what_is_stored_and_cannot_be_ours_is_damaged() {
    let key = Key::new(["session", "garden", "visitor-17"]).unwrap();
    let scene = Scene::new();
    said(&scene.open(1).await, AMBIGUOUS).await;
    let (head, nodes) = scene.raw().await.unwrap();
    let put = async |body: String, nodes: Vec<String>| {
        if let Some(document) = scene.store.load(&key, 0).await.unwrap() {
            scene.store.delete(&key, document.version, 0).await.unwrap();
        }
        let birth = scene.store.replace(&key, Expected::Absent, Write::new("{}"), 0).await.unwrap();
        let write = Write::new(body).append("nodes", nodes);
        scene.store.replace(&key, Expected::At(birth), write, 0).await.unwrap();
        scene.open_on(scene.store.clone(), 2).await
    };
    let texts: Vec<String> = nodes.iter().map(|(_, node)| node.to_string()).collect();
    assert!(put(head.to_string(), texts.clone()).await.is_ok());
    // The props of its choices are not there.
    let session = put(head.to_string(), texts.clone()).await.unwrap();
    let frame = session.view().await.messages[1].choices().unwrap();
    assert!(matches!(session.choose(&frame, CHOICE.0).await, Err(SessionError::Damaged)));
    for (number, parent) in [(0, 0), (0, 1), (1, 1), (1, 9)] {
        let mut looped = nodes.clone();
        looped[number].1["parent"] = json!(parent);
        let looped = looped.iter().map(|(_, node)| node.to_string()).collect();
        assert!(
            matches!(put(head.to_string(), looped).await, Err(SessionError::Damaged)),
            "{number} {parent}"
        );
    }
    let mut beyond = head.clone();
    beyond["tip"] = json!(7);
    assert!(matches!(put(beyond.to_string(), texts.clone()).await, Err(SessionError::Damaged)));
    let mut counted = head.clone();
    for field in ["cursor", "pathCount"] {
        counted[field] = json!(u64::MAX);
    }
    let session = put(counted.to_string(), texts).await.unwrap();
    session.save().await.unwrap();
    said(&session, "on").await;
    scene.store.delete(&key, scene.store.load(&key, 0).await.unwrap().unwrap().version, 0).await.unwrap();
    let newer = Write::new(r#"{"format":2}"#);
    scene.store.replace(&key, Expected::Absent, newer, 0).await.unwrap();
    assert!(matches!(scene.open_on(scene.store.clone(), 2).await, Err(SessionError::Damaged)));
}

#[tokio::test]
async fn a_lease_is_the_deadline_the_cleanup_and_five_seconds() {
    let scene = Scene::new();
    let (one, two) = (scene.open(1).await, scene.open(2).await);
    let _turn = one.start(Start::send("hi").context(hanging())).await.unwrap();
    let (head, _) = scene.raw().await.unwrap();
    assert_eq!(head["active"]["leaseEnd"], scene::NOW.as_millis() + 310_000);
    scene.clock.advance(Duration::from_millis(309_999));
    assert!(matches!(two.save().await, Err(SessionError::Busy)));
    scene.clock.advance(Duration::from_millis(1));
    two.save().await.unwrap();
    let endless = scene.options(3).deadline(Duration::MAX, Duration::MAX);
    let backend = Arc::new(ScriptedBackend::saying("yes"));
    let session = Session::open_with(id("other"), &scene.definition, backend, scene.store.clone(), endless);
    assert_eq!(said(&session.await.unwrap(), "hi").await, "yes");
}

#[tokio::test]
async fn a_turn_has_until_its_deadline_from_before_its_claim() {
    let scene = Scene::new();
    let faulty = Arc::new(FaultyStore::new(scene.store.clone()));
    let session = scene.open_on(faulty.clone(), 1).await.unwrap();
    faulty.plan(0, Trouble::Delays);
    let (turn, ()) = tokio::join!(session.start(Start::send("hi").context(hanging())), async {
        faulty.delayed().await;
        scene.clock.advance(Duration::from_secs(200));
        faulty.resume();
    });
    let mut turn = turn.unwrap();
    turn.next().await.unwrap().unwrap();
    scene.clock.advance(Duration::from_secs(100));
    assert!(matches!(turn.next().await, Some(Err(TurnError::DeadlinePassed))));
}

#[tokio::test]
async fn an_empty_session_lives_an_hour_and_an_unknown_opening_does_no_harm() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    scene.clock.advance(Duration::from_secs(3_599));
    assert!(session.refresh().await.is_ok());
    scene.clock.advance(Duration::from_secs(1));
    assert!(matches!(session.refresh().await, Err(SessionError::Erased)));

    for second in [Trouble::Fails, Trouble::LosesRequest, Trouble::LosesAcknowledgement] {
        let scene = Scene::new();
        let faulty = Arc::new(FaultyStore::new(scene.store.clone()));
        faulty.plan(1, Trouble::LosesRequest);
        faulty.plan(3, second);
        let session = scene.open_on(faulty, 1).await.unwrap();
        assert_eq!(said(&session, "hi").await, "answer to hi");
    }
}

#[tokio::test]
async fn of_turns_that_were_given_up_64_are_remembered() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    for number in 0..70 {
        let turn = session.start(Start::send("lost").turn(id(&format!("t{number}"))).context(hanging()));
        std::mem::forget(turn.await.unwrap());
        scene.clock.advance(Duration::from_secs(311));
        said(&scene.open(100 + number).await, "kept").await;
    }
    let (head, _) = scene.raw().await.unwrap();
    let ended = head["terminal"].as_array().unwrap();
    let given_up = ended.iter().filter(|ended| ended["end"] == "indeterminate").count();
    // What is completed leaves first: the history knows it.
    assert_eq!((ended.len(), given_up), (64, 64));
    let oldest = session.start(Start::send("lost").turn(id("t0"))).await.unwrap();
    assert!(oldest.is_recorded());
}

#[tokio::test]
async fn a_cursor_of_an_earlier_life_is_never_one_of_a_later() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    for _ in 0..5 {
        said(&session, "hi").await;
    }
    let cursor = session.view().await.cursor;
    session.erase().await.unwrap();
    let again = scene.open(2).await;
    for _ in 0..8 {
        let refused = again.start(Start::send("hi").at_cursor(cursor)).await;
        assert!(matches!(refused, Err(SessionError::CursorStale)));
        assert!(again.view().await.cursor > cursor);
        said(&again, "hi").await;
    }
}

#[tokio::test]
async fn a_decision_that_another_dropped_is_heard_of_where_the_path_comes_back() {
    let scene = Scene::new();
    let (one, two) = (scene.open(1).await, scene.open(2).await);
    one.start(Start::send("/reserve").message(id("m0"))).await.unwrap().text().await.unwrap();
    one.start(Start::send("/cancel").message(id("m1"))).await.unwrap().text().await.unwrap();
    two.refresh().await.unwrap();
    let old = two.view().await.messages[2].node;
    two.edit("m1", "hello").await.unwrap().text().await.unwrap();
    two.select(old).await.unwrap();
    said(&one, "anything").await;
    let kept = scene.open(3).await;
    assert_eq!(kept.view().await, one.view().await);
    assert_eq!(kept.state().await.unwrap().state, "reserving");
}

#[tokio::test]
async fn what_was_done_is_written_later_where_nobody_waited_for_it() {
    let scene = Scene::new();
    let faulty = Arc::new(FaultyStore::new(scene.store.clone()));
    let session = scene.open_on(faulty.clone(), 1).await.unwrap();
    let token = session.propose(refund("x")).await.unwrap().token;
    faulty.plan(3, Trouble::Delays);
    let mut approve = Box::pin(session.approve(&token));
    tokio::select! {
        _ = &mut approve => panic!("it waits for the store"),
        () = faulty.delayed() => {}
    }
    assert_eq!(scene.counts.of("ran confirm-x"), 1);
    drop(approve);
    scene.open(2).await.save().await.unwrap();
    session.refresh().await.unwrap();
    let shown = scene.open(3).await.confirmations().await.unwrap();
    assert_eq!(
        (shown[0].status, &shown[0].receipt),
        (ConfirmationStatus::Approved, &Some(json!({ "paid": true })))
    );
}

#[tokio::test]
async fn a_late_duplicate_of_a_turn_that_ended_stops_nothing() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    session.start(Start::send("a").turn(id("t1"))).await.unwrap().text().await.unwrap();
    let mut running = session.start(Start::send("b").context(hanging())).await.unwrap();
    running.next().await.unwrap().unwrap();
    let again = session.start(Start::send("a").turn(id("t1"))).await.unwrap();
    assert!(again.is_recorded());
    assert_eq!(session.status(), Status::Streaming);
    assert_eq!(running.stop().await.unwrap(), TurnEnd::Stopped);
    assert_eq!(texts(&session).await, ["a", "answer to a", "b", "answer to b"]);
}

#[tokio::test]
async fn a_turn_that_nobody_reads_holds_its_own_id_until_its_deadline() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    let start = || Start::send("a").turn(id("t1"));
    let _kept = session.start(start()).await.unwrap();
    assert!(matches!(session.start(start()).await, Err(SessionError::Busy)));
    scene.clock.advance(Duration::from_secs(300));
    assert_eq!(session.start(start()).await.unwrap().end(), Some(TurnEnd::Failed));
}
