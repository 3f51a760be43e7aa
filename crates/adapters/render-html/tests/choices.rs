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
use answerplane_render_html::Html;
use answerplane_session::testing::{CountingIds, ManualClock};
use answerplane_session::{
    AnswerPlane, ChunkKind, Definition, Message, Session, SessionError, SessionOptions, Submission,
    TurnRequest,
};
use answerplane_store::MemoryStore;
use futures_util::StreamExt;
use scraper::{Html as Document, Selector};
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

/// What the buttons carry: the id of the choice, and what a person reads beneath its label.
fn shown(text: &str) -> Vec<(String, String)> {
    let mut html = Html::new();
    match render_parts(Content::decode(text).unwrap().parts(), &Manifest::standard(), &mut html) {
        Ok(()) => {}
    }
    let document = Document::parse_fragment(&html.into_string());
    let buttons = Selector::parse("[data-ap-component=choice-list] button[data-ap-event=select]").unwrap();
    let description = Selector::parse(".ap-description").unwrap();
    let buttons = document.select(&buttons).map(|button| {
        let alias: String = button.select(&description).next().unwrap().text().collect();
        (button.value().attr("data-ap-value").unwrap().to_string(), alias)
    });
    buttons.collect()
}

/// What the buttons of an envelope say.
fn said(envelope: &AnswerEnvelope) -> Vec<String> {
    let mut html = Html::new();
    match render_answer(envelope, &mut html) {
        Ok(()) => {}
    }
    let document = Document::parse_fragment(&html.into_string());
    let buttons = Selector::parse("button[data-ap-say]").unwrap();
    let said =
        document.select(&buttons).map(|button| button.value().attr("data-ap-say").unwrap().to_string());
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
