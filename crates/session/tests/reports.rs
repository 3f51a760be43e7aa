//! What users of neighbouring systems ran into, in tests that are named after it.
#![allow(clippy::unwrap_used, clippy::panic)]

mod scene;

use std::sync::Arc;
use std::time::Duration;

use answerplane_protocol::session_snapshot::{ConfirmationStatus, SessionSnapshot};
use answerplane_session::testing::{FaultyStore, ScriptedBackend, Step, Trouble};
use answerplane_session::{
    Chunk, Definition, NotResumable, Proposal, Session, SessionError, SnapshotSession, Start, Status, Turn,
    TurnEnd, TurnError, Update,
};
use answerplane_statechart::Failed;
use answerplane_store::{Expected, Key, Write};
use serde_json::{Map, json};

use scene::{AMBIGUOUS, CHOICE, NOW, Scene, frame, id, said, texts};

fn op(name: &str) -> Map<String, serde_json::Value> {
    json!({ "op": name }).as_object().unwrap().clone()
}

fn hanging() -> Map<String, serde_json::Value> {
    json!({ "op": "hang", "hang": true }).as_object().unwrap().clone()
}

async fn scripted(scene: &Scene, process: u64, script: Vec<Step>) -> Session {
    let backend = Arc::new(ScriptedBackend::new(script));
    let (store, options) = (scene.store.clone(), scene.options(process));
    Session::open_with(id("visitor-17"), &scene.definition, backend, store, options).await.unwrap()
}

async fn read(mut turn: Turn) -> String {
    turn.text().await.unwrap()
}

#[tokio::test]
async fn a_choice_is_taken_by_its_id_and_never_by_what_its_label_begins_with() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    said(&session, AMBIGUOUS).await;
    let frame = frame(&session).await;
    for near in ["wate", "waters", "Water", " water", "Label of water", "1", ""] {
        let refused = session.choose(&frame, near).await;
        assert!(matches!(refused, Err(SessionError::ChoiceUnavailable)), "{near}");
    }
    assert!(read(session.choose(&frame, CHOICE.0).await.unwrap()).await.contains("Answer of water."));
}

#[tokio::test]
async fn a_text_that_looks_like_a_token_is_an_ordinary_question() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    said(&session, AMBIGUOUS).await;
    let token = session.propose(Proposal::new(id("refund"), Map::new()).id("r-1")).await.unwrap().token;
    for text in [token.as_str(), "water", frame(&session).await.instance_id().as_str()] {
        assert_eq!(said(&session, text).await, format!("answer to {text}"));
    }
    assert_eq!(session.confirmations().await.unwrap()[0].status, ConfirmationStatus::Pending);
}

#[tokio::test]
async fn a_restart_between_choices_and_click_changes_nothing() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    said(&session, AMBIGUOUS).await;
    let frame = frame(&session).await;
    drop(session);
    let session = scene.open(2).await;
    assert!(read(session.choose(&frame, CHOICE.0).await.unwrap()).await.contains("Answer of water."));
}

#[tokio::test]
async fn made_anew_five_times_there_are_six_versions() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    said(&session, "a").await;
    for _ in 0..5 {
        read(session.regenerate(None).await.unwrap()).await;
    }
    let view = scene.open(2).await.view().await;
    assert_eq!(view.messages[1].versions.len(), 6);
    assert_eq!(view.messages[1].node, view.messages[1].versions[5]);
}

#[tokio::test]
async fn a_branch_goes_on_as_it_did_when_it_was_active_last() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    // r { a { x }, b { y } }, and beside r another.
    said(&session, "r").await;
    let r = session.view().await.messages[0].clone();
    said(&session, "x").await;
    read(session.regenerate(Some(&session.view().await.messages[1].id)).await.unwrap()).await;
    said(&session, "y").await;
    let a = session.view().await.messages[1].versions[0];
    session.select(a).await.unwrap();
    assert_eq!(texts(&session).await[2], "x");
    // Chosen again where it is active, nothing changes.
    session.select(r.node).await.unwrap();
    assert_eq!(texts(&session).await[2], "x");
    read(session.edit(&r.id, "other").await.unwrap()).await;
    session.select(r.node).await.unwrap();
    assert_eq!(texts(&session).await[2], "x", "not the branch that is newest");
    assert_eq!(texts(&scene.open(2).await).await[2], "x");
}

#[tokio::test]
async fn a_sent_message_keeps_its_id_and_is_one_branch() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    read(session.start(Start::send("a").message(id("client-1"))).await.unwrap()).await;
    let messages = session.view().await.messages;
    assert_eq!(messages[0].id, "client-1");
    assert!(messages.iter().all(|message| message.versions.len() == 1));
    let twice = session.start(Start::send("b").message(id("client-1"))).await;
    assert!(matches!(twice, Err(SessionError::MessageIdUsed)));
}

#[tokio::test]
async fn a_parent_is_named_and_never_inferred() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    for text in ["a", "b", "c"] {
        said(&session, text).await;
    }
    let (_, nodes) = scene.raw().await.unwrap();
    for (number, node) in &nodes[1..] {
        assert_eq!(node["parent"], number - 1);
    }
    // One that loses its parent stands alone, whatever was written before it.
    let key = Key::new(["session", "garden", "visitor-17"]).unwrap();
    let document = scene.store.load(&key, 0).await.unwrap().unwrap();
    scene.store.delete(&key, document.version, 0).await.unwrap();
    let birth = scene.store.replace(&key, Expected::Absent, Write::new("{}"), 0).await.unwrap();
    let orphaned = nodes.iter().map(|(number, node)| {
        let mut node = node.clone();
        if *number == 2 {
            node.as_object_mut().unwrap().remove("parent");
        }
        node.to_string()
    });
    let write = Write::new(document.body).append("nodes", orphaned.collect::<Vec<_>>());
    scene.store.replace(&key, Expected::At(birth), write, 0).await.unwrap();
    assert_eq!(texts(&scene.open(2).await).await.len(), 4);
}

#[tokio::test]
async fn resumed_twice_nothing_is_there_twice() {
    let scene = Scene::new();
    said(&scene.open(1).await, "a").await;
    for process in 2..4 {
        let session = scene.open(process).await;
        session.refresh().await.unwrap();
        session.refresh().await.unwrap();
        assert_eq!(texts(&session).await, ["a", "answer to a"]);
    }
}

#[tokio::test]
async fn the_message_that_is_named_is_made_anew_and_not_the_last() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    for text in ["a", "b", "c", "d"] {
        said(&session, text).await;
    }
    let second = session.view().await.messages[3].id.clone();
    read(session.start(Start::regenerate(Some(&second)).context(op("anew"))).await.unwrap()).await;
    assert_eq!(scene.counts.of("asked anew"), 1);
    assert_eq!(texts(&session).await, ["a", "answer to a", "b", "answer to b"]);
    let view = session.view().await;
    assert_eq!((view.messages[3].id.as_str(), view.messages[3].versions.len()), (second.as_str(), 2));
}

#[tokio::test]
async fn edited_and_then_retried_the_edit_is_answered() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    said(&session, "a").await;
    let message = session.view().await.messages[0].id.clone();
    read(session.edit(&message, "b").await.unwrap()).await;
    assert_eq!(read(session.retry().await.unwrap()).await, "answer to b");
    session.edit_only(&message, "c").await.unwrap();
    assert_eq!(read(session.retry().await.unwrap()).await, "answer to c");
}

#[tokio::test]
async fn an_early_message_is_edited_and_the_rest_is_kept_in_its_order() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    for text in ["a", "b", "c", "d", "e", "f"] {
        said(&session, text).await;
    }
    let before = texts(&session).await;
    let first = session.view().await.messages[0].clone();
    read(session.edit(&first.id, "A").await.unwrap()).await;
    assert_eq!(texts(&session).await, ["A", "answer to A"]);
    session.select(first.node).await.unwrap();
    assert_eq!(texts(&session).await, before);
}

#[tokio::test]
async fn two_turns_at_once_ask_one_backend() {
    let scene = Scene::new();
    let (one, two) = (scene.open(1).await, scene.open(2).await);
    let (first, second) = tokio::join!(
        one.start(Start::send("a").context(op("one"))),
        two.start(Start::send("b").context(op("two")))
    );
    assert!(first.is_ok() != second.is_ok());
    let lost = first.err().or(second.err());
    assert!(matches!(lost, Some(SessionError::Busy)));
    assert_eq!(scene.counts.all().len(), 1);
}

#[tokio::test]
async fn opened_twice_it_is_one_session_and_empty_it_is_none() {
    let scene = Scene::new();
    let (one, two) = (scene.open(1).await, scene.open(2).await);
    assert_eq!(one.view().await.cursor, two.view().await.cursor);
    said(&one, "a").await;
    two.refresh().await.unwrap();
    assert_eq!(texts(&two).await, texts(&one).await);
}

#[tokio::test]
async fn a_holder_that_crashed_holds_nobody_up_beyond_its_lease_and_is_refused_when_it_comes_late() {
    let scene = Scene::new();
    let (one, two) = (scene.open(1).await, scene.open(2).await);
    let mut late = one.start(Start::send("a").turn(id("turn-1")).context(op("late"))).await.unwrap();
    assert!(matches!(two.send("b").await, Err(SessionError::Busy)));
    scene.clock.advance(Duration::from_secs(310));
    assert_eq!(said(&two, "b").await, "answer to b");
    assert!(late.text().await.is_err());
    assert_eq!(late.end(), Some(TurnEnd::Indeterminate));
    assert_eq!(texts(&scene.open(3).await).await, ["b", "answer to b"]);
}

#[tokio::test]
async fn a_button_that_is_pressed_twice_has_one_effect_and_the_same_answer() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    said(&session, AMBIGUOUS).await;
    let frame = frame(&session).await;
    let press = || session.start(Start::choose(&frame, CHOICE.0).turn(id("press")));
    let first = read(press().await.unwrap()).await;
    let again = press().await.unwrap();
    assert!(again.is_recorded());
    assert_eq!(read(again).await, first);
    assert_eq!(texts(&session).await.len(), 4);
    assert!(matches!(session.choose(&frame, CHOICE.0).await, Err(SessionError::ChoiceUnavailable)));
}

#[tokio::test]
async fn a_button_that_is_pressed_after_256_newer_ones_is_no_longer_offered() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    said(&session, AMBIGUOUS).await;
    let first = frame(&session).await;
    for _ in 0..256 {
        said(&session, AMBIGUOUS).await;
    }
    assert!(matches!(session.choose(&first, CHOICE.0).await, Err(SessionError::ChoiceUnavailable)));
    read(session.choose(&frame(&session).await, CHOICE.0).await.unwrap()).await;
}

#[tokio::test]
async fn sent_again_while_it_runs_it_is_in_progress_and_afterwards_its_answer() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    let start = || Start::send("a").turn(id("turn-1")).context(op("once"));
    let turn = session.start(start()).await.unwrap();
    assert!(matches!(session.start(start()).await, Err(SessionError::Busy)));
    assert_eq!(read(turn).await, "answer to a");
    let again = session.start(start()).await.unwrap();
    assert!(again.is_recorded());
    assert_eq!(read(again).await, "answer to a");
    assert_eq!(scene.counts.of("asked once"), 1);
    let other = session.start(Start::send("b").turn(id("turn-1"))).await;
    assert!(matches!(other, Err(SessionError::TurnIdUsed)));
}

#[tokio::test]
async fn stopped_after_the_first_piece_it_is_kept_and_has_one_record() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    let mut turn = session.start(Start::send("a").context(hanging())).await.unwrap();
    turn.next().await.unwrap().unwrap();
    assert_eq!(session.status(), Status::Streaming);
    assert_eq!(turn.stop().await.unwrap(), TurnEnd::Stopped);
    assert_eq!(turn.stop().await.unwrap(), TurnEnd::Stopped);
    assert!(turn.next().await.is_none());
    assert_eq!(session.stop().await.unwrap(), None);
    let view = scene.open(2).await.view().await;
    assert_eq!(view.messages[1].text, "answer to a");
    assert_eq!(view.messages[1].end, Some(TurnEnd::Stopped));
    assert!(view.messages[1].answer.is_none());
    assert_eq!(view.ended.len(), 1);
}

#[tokio::test]
async fn dropped_it_is_cancelled_at_once_and_recorded_by_whatever_comes_next() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    let mut turn = session.start(Start::send("a").context(hanging())).await.unwrap();
    turn.next().await.unwrap().unwrap();
    drop(turn);
    said(&session, "b").await;
    assert_eq!(texts(&session).await, ["a", "answer to a", "b", "answer to b"]);
    assert_eq!(session.view().await.messages[1].end, Some(TurnEnd::Stopped));
}

#[tokio::test]
async fn stopped_before_the_first_piece_nothing_is_waited_for() {
    let scene = Scene::new();
    let session = scripted(&scene, 1, vec![Step::Hang]).await;
    let mut turn = session.send("a").await.unwrap();
    let (next, stopped) = tokio::join!(turn.next(), session.stop());
    assert!(next.is_none());
    assert_eq!(stopped.unwrap(), Some(TurnEnd::Stopped));
}

#[tokio::test]
async fn after_a_stop_the_next_turn_runs() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    let turn = session.start(Start::send("a").context(hanging())).await.unwrap();
    session.stop().await.unwrap();
    assert_eq!(said(&session, "b").await, "answer to b");
    drop(turn);
    assert_eq!(said(&session, "c").await, "answer to c");
}

#[tokio::test]
async fn a_turn_that_takes_too_long_fails_by_the_clock_that_never_jumps() {
    let scene = Scene::new();
    let session = scripted(&scene, 1, vec![Step::Chunk(Chunk::text("half")), Step::Hang]).await;
    let mut turn = session.send("a").await.unwrap();
    turn.next().await.unwrap().unwrap();
    // Somebody sets the clock: no time has gone by.
    scene.clock.set(answerplane_protocol::Timestamp::from_millis(NOW.as_millis() + 3_600_000));
    let clock = scene.clock.clone();
    let wait = tokio::spawn(async move { (turn.next().await.map(|next| next.map(|_| ())), turn) });
    tokio::task::yield_now().await;
    assert!(!wait.is_finished());
    clock.advance(Duration::from_secs(300));
    let (next, turn) = wait.await.unwrap();
    assert!(matches!(next, Some(Err(TurnError::DeadlinePassed))));
    assert_eq!(turn.end(), Some(TurnEnd::Failed));
    assert_eq!(texts(&session).await, ["a", "half"]);
}

#[tokio::test]
async fn whatever_panics_is_an_error_and_the_session_goes_on() {
    let scene = Scene::new();
    let session = scripted(&scene, 1, vec![Step::Chunk(Chunk::text("half")), Step::Panic]).await;
    let mut turn = session.send("a").await.unwrap();
    turn.next().await.unwrap().unwrap();
    assert!(matches!(turn.next().await, Some(Err(TurnError::Backend(_)))));
    assert!(turn.next().await.is_none());
    assert_eq!(turn.end(), Some(TurnEnd::Failed));
    assert_eq!(session.status(), Status::Error);

    let mut broken = scene::definition();
    broken.conversation = Some(
        answerplane_session::Conversation::builder("idle")
            .state(answerplane_session::ConversationState::new("idle").on("begin", "idle"))
            .route(answerplane_session::Route::new(
                "panics",
                "begin",
                |said| if said == "match" { panic!("canary") } else { Ok(said != "else") },
                |said, _| if said == "answer" { panic!("canary") } else { Err(Failed) },
            ))
            .build()
            .unwrap(),
    );
    let scene = Scene { definition: broken, ..Scene::new() };
    let session = scene.open(1).await;
    for text in ["match", "answer", "fails"] {
        let mut turn = session.start(Start::send(text).context(op("never"))).await.unwrap();
        let mut chunks = Vec::new();
        while let Some(chunk) = turn.next().await {
            chunks.push(chunk.unwrap());
        }
        assert_eq!(json!(chunks), json!([{ "type": "error", "content": "Deterministic route failed." }]));
        assert_eq!(turn.end(), Some(TurnEnd::Failed));
    }
    assert_eq!(scene.counts.of("asked never"), 0);
    assert_eq!(said(&session, "else").await, "answer to else");
    assert_eq!(session.status(), Status::Idle);
}

#[tokio::test]
async fn an_observer_that_stalls_or_is_gone_changes_nothing() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    let (mut slow, traces, gone) = (session.subscribe(), session.traces(), session.subscribe());
    drop(gone);
    for _ in 0..300 {
        said(&session, "a").await;
    }
    drop(traces);
    assert!(slow.recv().await.is_err(), "it has missed some");
    let mut ended = 0;
    while let Ok(update) = slow.try_recv() {
        ended += usize::from(matches!(update, Update::Ended(_, TurnEnd::Done)));
    }
    assert!(ended > 0);
}

#[tokio::test]
async fn what_is_restored_can_be_saved_and_restored_again() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    for text in ["/reserve", "a", "/cancel"] {
        said(&session, text).await;
    }
    let first = session.snapshot().await.unwrap();
    let decoded = SessionSnapshot::decode(json!(first).to_string()).unwrap();
    assert_eq!(decoded, first);
    let resumed = SnapshotSession::resume(id("visitor-17"), &scene.definition, &decoded).unwrap();
    let again = resumed.snapshot(NOW).unwrap();
    assert_eq!(again.conversation(), first.conversation());
    assert_eq!(scene.open(2).await.snapshot().await.unwrap(), first);
}

#[tokio::test]
async fn a_deadline_that_passed_while_nothing_ran_has_passed() {
    let scene = Scene::new();
    let token = scene.open(1).await.propose(Proposal::new(id("refund"), Map::new())).await.unwrap().token;
    scene.clock.advance(Duration::from_secs(3_600));
    let restored = scene.open(2).await;
    assert_eq!(restored.approve(&token).await.unwrap().status, ConfirmationStatus::Expired);
}

#[tokio::test]
async fn a_snapshot_in_the_middle_of_a_turn_is_the_one_before_it() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    said(&session, "/reserve").await;
    let turn = session.send("/cancel").await.unwrap();
    let other = scene.open(2).await;
    let snapshot = other.snapshot().await.unwrap();
    assert_eq!(snapshot.conversation().unwrap().state().as_str(), "reserving");
    assert!(snapshot.active_turn().is_some());
    assert!(SnapshotSession::resume(id("visitor-17"), &scene.definition, &snapshot).is_ok());
    let own = session.snapshot().await.unwrap();
    assert_eq!(own.conversation(), snapshot.conversation());
    drop(turn);
}

#[tokio::test]
async fn another_revision_is_refused_by_name() {
    let scene = Scene::new();
    said(&scene.open(1).await, "/reserve").await;
    let backend = || Arc::new(ScriptedBackend::saying("x"));
    let reopen = |definition: Definition| {
        let (store, options) = (scene.store.clone(), scene.options(2));
        async move { Session::open_with(id("visitor-17"), &definition, backend(), store, options).await.err() }
    };
    let mut newer = scene::definition();
    newer.revision = answerplane_protocol::Integer::new(2).unwrap();
    let refused = reopen(newer).await;
    assert!(matches!(refused, Some(SessionError::NotResumable(NotResumable::OtherDefinition))));
    let mut without = scene::definition();
    without.conversation = None;
    let refused = reopen(without).await;
    assert!(matches!(refused, Some(SessionError::NotResumable(NotResumable::Conversation))));
}

#[tokio::test]
async fn missing_unreadable_and_damaged_are_three_things() {
    let scene = Scene::new();
    said(&scene.open(1).await, "a").await;
    let key = Key::new(["session", "garden", "visitor-17"]).unwrap();
    let document = scene.store.load(&key, 0).await.unwrap().unwrap();
    let damaged = document.body[..document.body.len() / 2].to_vec();
    scene.store.replace(&key, Expected::At(document.version), Write::new(damaged), 0).await.unwrap();
    let refused = scene.open_on(scene.store.clone(), 2).await;
    assert!(matches!(refused, Err(SessionError::Damaged)));
    let faulty = Arc::new(answerplane_session::testing::FaultyStore::new(scene.store.clone()));
    faulty.plan(0, answerplane_session::testing::Trouble::Fails);
    assert!(matches!(scene.open_on(faulty, 3).await, Err(SessionError::Store(_))));
}

#[tokio::test]
async fn bad_input_is_refused_before_anything_is_written() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    assert!(matches!(session.send("").await, Err(SessionError::Blank)));
    assert!(matches!(session.send(" \u{3000}\n").await, Err(SessionError::Blank)));
    assert!(matches!(session.send("😀".repeat(8_193)).await, Err(SessionError::TooLong)));
    said(&session, &"😀".repeat(8_192)).await;
    assert!(matches!(session.regenerate(Some("nothing")).await, Err(SessionError::UnknownMessage)));
    assert!(matches!(session.edit("nothing", "x").await, Err(SessionError::UnknownMessage)));
    let answer = session.view().await.messages[1].id.clone();
    assert!(matches!(session.edit(&answer, "x").await, Err(SessionError::UnknownMessage)));
    assert!(matches!(session.select(99).await, Err(SessionError::UnknownNode)));
    assert!(matches!(session.trim_front("nothing").await, Err(SessionError::UnknownMessage)));
    assert!(matches!(session.edit_only("nothing", "x").await, Err(SessionError::UnknownMessage)));
    let unknown = session.start(Start::retry(Some(&id("nothing")))).await;
    assert!(matches!(unknown, Err(SessionError::NothingToRetry)));
    let cursor = session.view().await.cursor;
    let stale = session.start(Start::send("x").at_cursor(cursor - 1)).await;
    assert!(matches!(stale, Err(SessionError::CursorStale)));
    assert_eq!(session.view().await.cursor, cursor);
}

#[tokio::test]
async fn an_answer_without_end_fails_and_what_fits_is_kept() {
    let scene = Scene::new();
    let piece = Step::Chunk(Chunk::text("x".repeat(400_000)));
    let session = scripted(&scene, 1, vec![piece.clone(), piece.clone(), piece]).await;
    let mut turn = session.send("a").await.unwrap();
    assert!(matches!(turn.text().await, Err(TurnError::AnswerTooLong)));
    assert_eq!(texts(&session).await[1].len(), 800_000);
}

#[tokio::test]
async fn asked_again_on_the_same_handle_after_it_was_dropped_it_is_recorded() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    let start = || Start::send("a").turn(id("turn-1")).context(hanging());
    let mut turn = session.start(start()).await.unwrap();
    turn.next().await.unwrap().unwrap();
    drop(turn);
    let again = session.start(start()).await.unwrap();
    assert!(again.is_recorded());
    assert_eq!(again.end(), Some(TurnEnd::Stopped));
    assert_eq!(scene.counts.of("asked hang"), 1);
}

#[tokio::test]
async fn asked_again_after_an_unknown_outcome_it_runs_once() {
    for trouble in [Trouble::LosesRequest, Trouble::LosesAcknowledgement] {
        let scene = Scene::new();
        let faulty = Arc::new(FaultyStore::new(scene.store.clone()));
        let session = scene.open_on(faulty.clone(), 1).await.unwrap();
        (0..4).for_each(|call| faulty.plan(call, trouble));
        let start = || Start::send("a").turn(id("turn-1")).context(op("once"));
        let unknown = session.start(start()).await;
        let is_told = matches!(unknown, Err(SessionError::OutcomeUnknown) | Ok(_));
        assert!(is_told, "{unknown:?}");
        drop(unknown);
        let mut again = session.start(start()).await.unwrap();
        let _ = again.text().await;
        assert!(again.end().is_some());
        assert!(scene.counts.of("asked once") <= 1);
        assert_eq!(texts(&scene.open(2).await).await.len(), 2);
    }
}

#[tokio::test]
async fn whatever_uses_the_store_next_writes_the_record_of_a_dropped_turn() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    drop(session.start(Start::send("a").context(hanging())).await.unwrap());
    session.refresh().await.unwrap();
    assert_eq!(said(&scene.open(2).await, "b").await, "answer to b");
    session.refresh().await.unwrap();
    drop(session.start(Start::send("c").context(hanging())).await.unwrap());
    session.propose(Proposal::new(id("refund"), Map::new())).await.unwrap();
    assert_eq!(said(&scene.open(3).await, "d").await, "answer to d");
}

#[tokio::test]
async fn a_turn_id_stands_for_what_was_begun_with_it() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    read(session.start(Start::send("a").turn(id("sent"))).await.unwrap()).await;
    read(session.start(Start::regenerate(None).turn(id("anew"))).await.unwrap()).await;
    let message = session.view().await.messages[0].id.clone();
    read(session.start(Start::edit(&message, "b").turn(id("edited"))).await.unwrap()).await;
    let others = [
        ("sent", Start::regenerate(None)),
        ("sent", Start::edit(&message, "a2")),
        ("anew", Start::send("a")),
        ("edited", Start::edit(&message, "c")),
        ("edited", Start::retry(None)),
    ];
    for (turn, start) in others {
        assert!(matches!(session.start(start.turn(id(turn))).await, Err(SessionError::TurnIdUsed)), "{turn}");
    }
    for (turn, start) in [("anew", Start::regenerate(None)), ("edited", Start::edit(&message, "b"))] {
        assert!(session.start(start.turn(id(turn))).await.unwrap().is_recorded());
    }
}

#[tokio::test]
async fn while_an_answer_is_made_anew_its_versions_are_counted() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    said(&session, "a").await;
    let mut turn = session.start(Start::regenerate(None).context(hanging())).await.unwrap();
    turn.next().await.unwrap().unwrap();
    let shown = session.view().await.messages[1].clone();
    assert_eq!((shown.text.as_str(), shown.versions.len(), shown.end), ("answer to a", 2, None));
    turn.stop().await.unwrap();
    let kept = session.view().await.messages[1].clone();
    assert_eq!((kept.versions.clone(), kept.node), (shown.versions, shown.node));
    let first = session.version(kept.versions[0]).await.unwrap();
    assert_eq!((first.end, first.versions), (Some(TurnEnd::Done), kept.versions));
}

#[tokio::test]
async fn an_effect_whose_process_ended_is_shown_as_begun() {
    let scene = Scene::new();
    let faulty = Arc::new(FaultyStore::new(scene.store.clone()));
    let session = scene.open_on(faulty.clone(), 1).await.unwrap();
    let token = session.propose(Proposal::new(id("refund"), Map::new())).await.unwrap().token;
    faulty.plan(3, Trouble::CrashesBefore);
    tokio::select! {
        _ = session.approve(&token) => panic!("its process ended"),
        () = faulty.crashed() => {}
    }
    let restored = scene.open(2).await;
    let shown = restored.confirmations().await.unwrap();
    assert_eq!(shown[0].status, ConfirmationStatus::Approving);
    assert_eq!(restored.approve(&token).await.unwrap().status, ConfirmationStatus::Approving);
    assert_eq!(scene.counts.of(&format!("ran {}", token.as_str())), 1);
}

#[tokio::test]
async fn a_session_that_can_no_longer_be_opened_can_be_erased() {
    let scene = Scene::new();
    said(&scene.open(1).await, "a").await;
    let (options, name) = (scene.options(2), id("visitor-17"));
    Session::erase_unopened(&name, &scene.definition, &*scene.store, &options).await.unwrap();
    assert!(scene.raw().await.is_none());
    Session::erase_unopened(&name, &scene.definition, &*scene.store, &options).await.unwrap();
    for trouble in Trouble::ALL {
        said(&scene.open(3).await, "a").await;
        let faulty = FaultyStore::new(scene.store.clone());
        faulty.plan(1, trouble);
        let erase = Session::erase_unopened(&name, &scene.definition, &faulty, &options);
        let erased = tokio::select! {
            erased = erase => erased.is_ok(),
            () = faulty.crashed() => trouble == Trouble::CrashesAfter,
            () = async { faulty.delayed().await; faulty.resume(); std::future::pending().await } => false,
        };
        faulty.land().await;
        assert_eq!(scene.raw().await.is_none(), erased, "{trouble:?}");
    }
}

#[tokio::test]
async fn a_message_shows_its_text_and_its_choices() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    said(&session, AMBIGUOUS).await;
    let message = session.latest(answerplane_session::Role::Assistant).await.unwrap();
    assert_eq!(message.plain(), "More than one exact local answer matches. Choose one to continue.");
    assert_eq!(message.choices(), Some(frame(&session).await));
    said(&session, "else").await;
    let message = session.latest(answerplane_session::Role::Assistant).await.unwrap();
    assert_eq!((message.plain().as_str(), message.choices()), ("answer to else", None));
}
