//! What users of neighbouring systems ran into, in tests that are named after it.
#![allow(clippy::unwrap_used, clippy::panic)]

mod server;

use std::time::Duration;

use answerplane_backend_ask::AskBackend;
use answerplane_protocol::{Content, ContentPart};
use answerplane_session::{Backend, ChunkKind, Message, Role, TurnRequest};
use futures_util::StreamExt;
use serde_json::Value;

use server::{ends, gone, head, said, serve, serve_cut, whole, write};

const ANSWER: &str = "{\"type\":\"text\",\"delta\":\"Twelve.\"}\n{\"type\":\"done\"}\n";

fn ask(address: &str, turn: TurnRequest) -> answerplane_session::ChunkStream {
    AskBackend::new(address).unwrap().answer(turn)
}

/// B6-04, B6-05: a turn can be left while a service still thinks, and the next one over the same backend is answered.
#[tokio::test]
async fn a_drop_before_the_first_byte_frees_the_service_and_the_next_turn_works() {
    let (say, mut left) = tokio::sync::mpsc::unbounded_channel();
    let address = serve(move |asked, mut stream| {
        let say = say.clone();
        async move {
            if asked.body.contains("slow") {
                gone(&mut stream).await;
                say.send(()).unwrap();
            } else {
                write(&mut stream, (head("application/x-ndjson") + ANSWER).as_bytes()).await;
            }
        }
    });
    let backend = AskBackend::new(&address.await).unwrap();
    let mut answer = backend.answer(TurnRequest::of_query("slow"));
    assert!(tokio::time::timeout(Duration::from_millis(100), answer.next()).await.is_err());
    drop(answer);
    left.recv().await.unwrap();
    assert_eq!(ends(&whole(backend.answer(TurnRequest::of_query("now"))).await.0), (vec![], 1));
}

/// B6-07: what is cut is cut between characters.
#[tokio::test]
async fn a_long_message_of_a_history_is_cut_between_characters() {
    let (say, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let address = serve(move |asked, mut stream| {
        say.send(asked.body).unwrap();
        async move { write(&mut stream, (head("application/x-ndjson") + ANSWER).as_bytes()).await }
    });
    let long = "x".repeat(16_383) + "🌱";
    let answered = Message { id: "a".into(), role: Role::Assistant, content: long };
    let turn = TurnRequest::new(vec![answered, Message::of_user("u", "And now?")]);
    whole(ask(&address.await, turn)).await;
    let sent: Value = serde_json::from_str(&heard.recv().await.unwrap()).unwrap();
    assert_eq!(sent["messages"][0]["content"], "x".repeat(16_383));
}

/// B6-08: records that a proxy labelled as something else are records.
#[tokio::test]
async fn records_under_another_label_are_records() {
    for content_type in ["text/plain", "text/html; charset=utf-8", "application/json", "x"] {
        for length in [1, 5, 1_000] {
            let address = serve_cut(head(content_type), ANSWER.into(), length).await;
            let (chunks, failure) = whole(ask(&address, TurnRequest::of_query("x"))).await;
            assert!(failure.is_none());
            let content = Content::decode(&said(&chunks)).unwrap();
            assert_eq!(content.parts(), [ContentPart::text("Twelve.").unwrap()]);
            assert_eq!(chunks.last().unwrap().kind(), ChunkKind::Done);
        }
    }
}

/// B6-10: a tool whose arguments were cut off is no record, and none is ever run.
#[tokio::test]
async fn a_tool_record_that_was_cut_off_is_inert() {
    let cut = "{\"type\":\"tool\",\"id\":\"t\",\"name\":\"run\",\"args\":{\"commands\":[\"npm install\"\n";
    let address = serve_cut(head("application/x-ndjson"), (cut.to_string() + ANSWER).into(), 1_000).await;
    let backend = AskBackend::new(&address).unwrap().projector(|_| panic!("nothing was asked for"));
    let (chunks, _) = whole(backend.answer(TurnRequest::of_query("x"))).await;
    assert_eq!(ends(&chunks), (vec![], 1));
}
