//! A choice that is shown is a choice that can be taken: through a reservation that is committed or released, in memory and
//! on a store; and typing what stands beside it does the same.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::Arc;

use answerplane_artifact::{VerifiedArtifact, content_hash};
use answerplane_protocol::render::{render_answer, render_parts};
use answerplane_protocol::{
    AnswerEnvelope, ArtifactContent, Content, ContentPart, Identifier, Integer, Manifest, RenderFrame,
    SelectFrame, Timestamp, Trust,
};
use answerplane_render_terminal::{Effect, Terminal};
use answerplane_session::testing::{CountingIds, ManualClock};
use answerplane_session::{
    AnswerPlane, ChunkKind, Definition, Message, Session, SessionError, SessionOptions, Submission,
    TurnRequest,
};
use answerplane_store::MemoryStore;
use futures_util::StreamExt;
use serde_json::json;

const NOW: Timestamp = Timestamp::from_millis(1_790_000_000_000);
const AMBIGUOUS: &str = "hours";

fn id(text: &str) -> Identifier {
    text.parse().unwrap()
}

fn artifact() -> VerifiedArtifact {
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
        "entries": [entry("water", &["hours", "water hours"]), entry("shed", &["hours", "shed hours"])],
    });
    let hash = content_hash(&ArtifactContent::decode_value(&artifact).unwrap());
    artifact["contentHash"] = json!(hash);
    VerifiedArtifact::verify(artifact.to_string(), &Trust { content_hash: hash, site_id: id("garden") })
        .unwrap()
}

fn plane() -> AnswerPlane {
    AnswerPlane::new(artifact()).clock(ManualClock::at(NOW))
}

fn frame_in(text: &str) -> RenderFrame {
    let content = Content::decode(text).unwrap();
    let frame = content.parts().iter().find_map(|part| match part {
        ContentPart::Component(component) => Some(component.frame().clone()),
        ContentPart::Text(_) => None,
    });
    frame.unwrap()
}

/// What the numbers stand for: the id of the choice, and what stands beneath its label.
fn shown(text: &str) -> Vec<(String, String)> {
    let mut terminal = Terminal::plain(80);
    match render_parts(Content::decode(text).unwrap().parts(), &Manifest::standard(), &mut terminal) {
        Ok(()) => {}
    }
    let controls = terminal.controls().to_vec();
    let page = terminal.into_string();
    let choices = controls.iter().map(|control| {
        let Effect::Event { event: "select", value: Some(value), .. } = &control.effect else {
            panic!("a choice")
        };
        let (_, behind) = page.split_once(&format!("[{}] ", control.number)).unwrap();
        (value.as_str().unwrap().to_string(), behind.lines().nth(1).unwrap().trim().to_string())
    });
    choices.collect()
}

/// What the numbers of an envelope say.
fn said(envelope: &AnswerEnvelope) -> Vec<String> {
    let mut terminal = Terminal::plain(80);
    match render_answer(envelope, &mut terminal) {
        Ok(()) => {}
    }
    let said = terminal.controls().iter().map(|control| match &control.effect {
        Effect::Say(alias) => alias.clone(),
        Effect::Event { .. } => panic!("nothing but choices"),
    });
    said.collect()
}

/// What stands on the page is what the manifest takes.
fn taken(text: &str, at: usize) -> (RenderFrame, String) {
    let frame = frame_in(text);
    let choices = shown(text);
    assert_eq!(choices.len(), 2);
    let (choice, _) = choices[at].clone();
    let selected = SelectFrame::new(frame.component_key().clone(), frame.instance_id().clone(), id(&choice));
    assert_eq!(Manifest::standard().check_selection(&frame, &selected), Ok(()));
    (frame, choice)
}

#[tokio::test]
async fn what_is_shown_is_reserved_sent_and_committed_or_released() {
    let plane = plane();
    let ask = async || {
        let mut request = TurnRequest::new(vec![Message::of_user("m-1", AMBIGUOUS)]);
        request.session = Some(id("visitor-17"));
        let chunk = plane.dispatch(request).next().await.unwrap().unwrap();
        let ChunkKind::Text(text) = chunk.kind() else { panic!("a text") };
        text.to_string()
    };
    let text = ask().await;
    let (frame, choice) = taken(&text, 1);
    let (_, alias) = shown(&text)[1].clone();
    let Submission::Reserved(reservation) = plane.reserve("visitor-17", &frame, &choice) else {
        panic!("offered")
    };
    assert_eq!(reservation.value(), alias);
    assert!(matches!(plane.reserve("visitor-17", &frame, &choice), Submission::Unavailable));
    // Sending failed: it can be taken again.
    reservation.release();
    let Submission::Reserved(reservation) = plane.reserve("visitor-17", &frame, &choice) else {
        panic!("released")
    };
    reservation.commit();
    assert!(matches!(plane.reserve("visitor-17", &frame, &choice), Submission::Unavailable));
    assert!(matches!(plane.reserve("visitor-18", &frame, &choice), Submission::Unavailable));
}

async fn session() -> Session {
    let definition = Definition { id: id("garden"), revision: Integer::new(1).unwrap(), conversation: None };
    let clock = ManualClock::at(NOW);
    let store = Arc::new(MemoryStore::new());
    let options = SessionOptions::default().clock(clock).ids(CountingIds::of_process(1));
    Session::open_with(id("visitor-17"), &definition, Arc::new(plane()), store, options).await.unwrap()
}

#[tokio::test]
async fn through_a_session_taking_and_typing_come_to_the_same() {
    let mut answers = Vec::new();
    for is_typed in [false, true] {
        let session = session().await;
        let offered = session.send(AMBIGUOUS).await.unwrap().text().await.unwrap();
        let (frame, choice) = taken(&offered, 0);
        let (_, alias) = shown(&offered)[0].clone();
        let mut turn = if is_typed {
            session.send(alias).await.unwrap()
        } else {
            session.choose(&frame, &choice).await.unwrap()
        };
        let answer = turn.text().await.unwrap();
        if !is_typed {
            // It was consumed.
            let again = session.choose(&frame, &choice).await;
            assert!(matches!(again, Err(SessionError::ChoiceUnavailable)));
        }
        let view = session.view().await;
        answers.push((
            answer,
            view.messages.iter().map(|message| message.text.clone()).skip(2).collect::<Vec<_>>(),
        ));
    }
    assert_eq!(answers[0], answers[1]);
    assert!(answers[0].0.contains("Answer of water."), "{}", answers[0].0);
}

/// An envelope that is shown by itself, as `ask` does, says what to type.
#[tokio::test]
async fn what_an_envelope_says_to_type_is_answered() {
    let envelope =
        answerplane_session::AnswerPlane::resolver(&plane()).resolve(AMBIGUOUS, NOW).to_envelope(AMBIGUOUS);
    for alias in said(&envelope) {
        let session = session().await;
        let answer = session.send(alias).await.unwrap().text().await.unwrap();
        assert!(answer.contains("Answer of "), "{answer}");
    }
}
