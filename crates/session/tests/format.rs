//! A stored session of format 1 is read for ever.
#![allow(clippy::unwrap_used, clippy::panic)]

mod scene;

use std::time::Duration;

use answerplane_session::{Proposal, Start, TurnEnd};
use answerplane_store::{Expected, Key, Write};
use serde_json::{Map, Value, json};

use scene::{AMBIGUOUS, CHOICE, Scene, frame, id, said};

const FIXTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/stored/session-1.json");
const JOURNALS: [&str; 4] = ["nodes", "decisions", "payloads", "selections"];

fn key() -> Key {
    Key::new(["session", "garden", "visitor-17"]).unwrap()
}

/// A session in which everything has happened.
async fn made() -> Scene {
    let scene = Scene::new();
    let session = scene.open(1).await;
    assert!(session.bind_token("a-hash").await.unwrap());
    said(&session, "/reserve").await;
    said(&session, AMBIGUOUS).await;
    let offered = frame(&session).await;
    let lost = session.start(Start::send("lost").turn(id("turn-lost"))).await.unwrap();
    std::mem::forget(lost);
    scene.clock.advance(Duration::from_secs(311));
    let session = scene.open(2).await;
    session.choose(&offered, CHOICE.0).await.unwrap().text().await.unwrap();
    said(&session, AMBIGUOUS).await;
    let first = session.view().await.messages[0].id.clone();
    let last = session.view().await.messages.last().unwrap().node;
    session.edit(&first, "/cancel").await.unwrap().text().await.unwrap();
    session.select(last).await.unwrap();
    let approved = session.propose(Proposal::new(id("refund"), Map::new()).id("r-1")).await.unwrap();
    session.approve(&approved.token).await.unwrap();
    session.propose(Proposal::new(id("refund"), Map::new()).id("r-2")).await.unwrap();
    let hanging = json!({ "hang": true }).as_object().unwrap().clone();
    let mut turn = session.start(Start::send("stopped").context(hanging)).await.unwrap();
    turn.next().await.unwrap().unwrap();
    turn.stop().await.unwrap();
    std::mem::forget(session.send("running").await.unwrap());
    scene
}

/// The document, with each record as the JSON that it is.
async fn stored(scene: &Scene) -> Value {
    let now = scene::NOW.as_millis();
    let document = scene.store.load(&key(), now).await.unwrap().unwrap();
    let json = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).unwrap();
    let mut journals = Map::new();
    for journal in JOURNALS {
        let extent = document.extent(journal);
        let range = extent.first..extent.length;
        let records = scene.store.read(&key(), document.birth, journal, range, now).await.unwrap();
        let records: Vec<Value> = records.iter().map(|record| json(record)).collect();
        journals.insert(journal.into(), json!({ "first": extent.first, "records": records }));
    }
    let mut body = json(&document.body);
    // The cursor begins with the birth, which is another in each store.
    body["cursor"] = json!(body["cursor"].as_u64().unwrap() - document.birth.get());
    json!({ "body": body, "journals": journals })
}

#[tokio::test]
async fn a_session_of_format_1_goes_on() {
    let text = std::fs::read_to_string(FIXTURE).unwrap();
    let fixture: Value = serde_json::from_str(&text).unwrap();
    let scene = Scene::new();
    let birth = scene.store.replace(&key(), Expected::Absent, Write::new("{}"), 0).await.unwrap();
    let mut body = fixture["body"].clone();
    body["cursor"] = json!(body["cursor"].as_u64().unwrap() + birth.get());
    let mut write = Write::new(body.to_string());
    for journal in JOURNALS {
        let kept = &fixture["journals"][journal];
        let first = kept["first"].as_u64().unwrap();
        let gone = (0..first).map(|_| "{}".to_string());
        let records = kept["records"].as_array().unwrap().iter().map(Value::to_string);
        write = write.append(journal, gone.chain(records).collect::<Vec<_>>()).cut(journal, first);
    }
    scene.store.replace(&key(), Expected::At(birth), write, 0).await.unwrap();
    assert_eq!(stored(&scene).await, fixture);

    scene.clock.advance(Duration::from_secs(1_000));
    let session = scene.open(9).await;
    let view = session.view().await;
    assert_eq!(view.messages.len(), 10);
    assert_eq!(view.messages[0].versions.len(), 2);
    assert_eq!(view.messages[9].end, Some(TurnEnd::Stopped));
    assert_eq!(session.token_hash().await.unwrap().as_deref(), Some("a-hash"));
    assert_eq!(session.confirmations().await.unwrap().len(), 2);
    session.snapshot().await.unwrap();
    let offered = scene::frame_in(&view.messages[7].text);
    assert!(
        session.choose(&offered, CHOICE.0).await.unwrap().text().await.unwrap().contains("Answer of water.")
    );
    let retried = session.start(Start::retry(Some(&id("turn-lost")))).await.unwrap().text().await.unwrap();
    assert_eq!(retried, "answer to lost");
}

/// What is written today is what is kept for ever; where the format grows, its fixture gets a new name.
#[tokio::test]
async fn what_is_written_is_format_1() {
    let stored = stored(&made().await).await;
    if std::env::var_os("ANSWERPLANE_WRITE").is_some() {
        std::fs::write(FIXTURE, format!("{stored:#}\n")).unwrap();
    }
    let fixture: Value = serde_json::from_str(&std::fs::read_to_string(FIXTURE).unwrap()).unwrap();
    assert_eq!(stored, fixture);
}
