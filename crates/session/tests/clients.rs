//! Many clients on one session: one wins each cursor, and the others are told before anything is asked.
#![allow(clippy::unwrap_used, clippy::panic)]

mod scene;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use answerplane_session::{SessionError, Start, TurnEnd};
use serde_json::{Map, json};

use scene::{Scene, id};

const CLIENTS: u64 = 64;
const TURNS: usize = 1_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_64_clients_one_wins_each_cursor_and_nothing_is_lost() {
    let scene = Arc::new(Scene::new());
    let won = Arc::new(AtomicUsize::new(0));
    let opened_at = scene.open(999).await.view().await.cursor;
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let (scene, won) = (scene.clone(), won.clone());
            tokio::spawn(async move {
                let session = scene.open(client).await;
                let (mut cursors, mut lost) = (Vec::new(), 0);
                for number in 0.. {
                    if won.load(Ordering::SeqCst) >= TURNS {
                        break;
                    }
                    session.refresh().await.unwrap();
                    let cursor = session.view().await.cursor;
                    let text = format!("{client} says {number}");
                    let mut context = Map::new();
                    context.insert("op".into(), json!(text));
                    match session.start(Start::send(text).at_cursor(cursor).context(context)).await {
                        Ok(mut turn) => {
                            turn.text().await.unwrap();
                            assert_eq!(turn.end(), Some(TurnEnd::Done));
                            cursors.push(cursor);
                            won.fetch_add(1, Ordering::SeqCst);
                        }
                        Err(SessionError::Busy | SessionError::CursorStale) => lost += 1,
                        Err(error) => panic!("{error}"),
                    }
                    tokio::task::yield_now().await;
                }
                (client, cursors, lost)
            })
        })
        .collect();
    let (mut cursors, mut turns, mut lost) = (BTreeSet::new(), 0, 0);
    for client in clients {
        let (_, won, missed) = client.await.unwrap();
        turns += won.len();
        lost += missed;
        for cursor in won {
            assert!(cursors.insert(cursor), "two won {cursor}");
        }
    }
    assert!(turns >= TURNS);
    assert!(lost > 0, "nobody ever lost");
    // The backend was asked once for each that won, and never for one that lost.
    assert_eq!(scene.counts.all().values().sum::<usize>(), turns);
    assert!(scene.counts.all().values().all(|count| *count == 1));
    let session = scene.open(1_000).await;
    let view = session.view().await;
    assert_eq!(view.messages.len(), 2 * turns);
    assert_eq!(view.cursor, opened_at + 2 * turns as u64);
    assert!(view.messages.chunks(2).all(|turn| turn[1].text == format!("answer to {}", turn[0].text)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_message_delivered_25_times_at_once_is_answered_once() {
    let scene = Arc::new(Scene::new());
    let deliveries: Vec<_> = (0..25)
        .map(|client| {
            let scene = scene.clone();
            tokio::spawn(async move {
                let session = scene.open(client).await;
                let start = || {
                    Start::send("pay")
                        .turn(id("turn-1"))
                        .message(id("message-1"))
                        .context(json!({ "op": "pay" }).as_object().unwrap().clone())
                };
                loop {
                    match session.start(start()).await {
                        Ok(mut turn) => return (turn.text().await.unwrap(), turn.is_recorded()),
                        Err(SessionError::Busy) => tokio::task::yield_now().await,
                        Err(error) => panic!("{error}"),
                    }
                }
            })
        })
        .collect();
    let mut ran = 0;
    for delivery in deliveries {
        let (text, is_recorded) = delivery.await.unwrap();
        assert_eq!(text, "answer to pay");
        ran += usize::from(!is_recorded);
    }
    assert_eq!(ran, 1);
    assert_eq!(scene.counts.of("asked pay"), 1);
}
