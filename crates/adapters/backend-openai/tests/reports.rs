//! What users of neighbouring systems ran into, in tests that are named after it.
#![allow(clippy::unwrap_used, clippy::panic)]

mod server;

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use answerplane_backend_openai::{OpenAiBackend, OpenAiFailed};
use answerplane_resolver::Resolver;
use answerplane_session::{
    AnswerPlane, Backend, ChunkKind, Definition, Format, Session, TurnEnd, TurnRequest,
};
use answerplane_store::MemoryStore;
use futures_util::StreamExt;
use serde_json::{Value, json};

use server::{ends, gone, head, said, serve, serve_bytes, whole, write};

fn event(event: &Value) -> String {
    format!("data: {event}\n\n")
}

fn delta(text: &str) -> String {
    event(&json!({ "choices": [{ "delta": { "content": text } }] }))
}

fn finish(reason: &str) -> String {
    event(&json!({ "choices": [{ "delta": {}, "finish_reason": reason }] })) + "data: [DONE]\n\n"
}

fn backend(address: &str) -> OpenAiBackend {
    OpenAiBackend::new(address, "a-model").unwrap()
}

async fn session(address: &str) -> Session {
    let plane = AnswerPlane::new(Resolver::without_artifact()).fallback(backend(address));
    let idle = "id = \"x\"\ninitial = \"idle\"\n[states.idle]\non = {}\n";
    let definition = Definition::parse(idle, Format::Toml).unwrap();
    let store = Arc::new(MemoryStore::new());
    Session::open("visitor-17".parse().unwrap(), &definition, plane, store).await.unwrap()
}

/// B6-01: what was said before a stop is kept, and the turn has one end.
#[tokio::test]
async fn a_stop_keeps_the_part_that_came() {
    let address = serve(|_, mut stream| async move {
        write(&mut stream, (head("text/event-stream") + &delta("half an ")).as_bytes()).await;
        gone(&mut stream).await;
    });
    let session = session(&address.await).await;
    let mut turn = session.send("How many beds?").await.unwrap();
    turn.next().await.unwrap().unwrap();
    assert_eq!(turn.stop().await.unwrap(), TurnEnd::Stopped);
    assert!(turn.next().await.is_none());
    let view = session.view().await;
    assert_eq!(view.messages.last().unwrap().text, "half an ");
}

/// B6-02: a drop is no failure of anything, in whatever state the answer is.
#[tokio::test]
async fn a_drop_is_no_error() {
    for sent in [String::new(), head("text/event-stream"), head("text/event-stream") + &delta("one")] {
        let address = serve_bytes(sent).await;
        let mut answer = backend(&address).answer(TurnRequest::of_query("x"));
        let _ = tokio::time::timeout(Duration::from_millis(20), answer.next()).await;
        drop(answer);
    }
}

/// B6-04, B6-05: a turn can be stopped while a model still reads the question, and the next one is answered.
#[tokio::test]
async fn a_stop_before_the_first_byte_frees_the_server_and_the_next_turn_works() {
    let (say, mut left) = tokio::sync::mpsc::unbounded_channel();
    let address = serve(move |asked, mut stream| {
        let say = say.clone();
        async move {
            if asked.body.contains("slow") {
                gone(&mut stream).await;
                say.send(()).unwrap();
            } else {
                let answer = head("text/event-stream") + &delta("quick") + &finish("stop");
                write(&mut stream, answer.as_bytes()).await;
            }
        }
    });
    let session = session(&address.await).await;
    let mut turn = session.send("slow").await.unwrap();
    assert!(tokio::time::timeout(Duration::from_millis(100), turn.next()).await.is_err());
    turn.stop().await.unwrap();
    left.recv().await.unwrap();
    // The history holds what was stopped too.
    session.clear().await.unwrap();
    assert_eq!(session.send("now").await.unwrap().text().await.unwrap(), "quick");
}

/// B6-07: half a character is never sent and never taken.
#[tokio::test]
async fn half_a_character_is_refused() {
    let half = r#"data: {"choices":[{"delta":{"content":"\ud83d"}}]}"#.to_string() + "\n\n";
    let address = serve_bytes(head("text/event-stream") + &delta("before") + &half + &finish("stop")).await;
    let (chunks, failure) = whole(backend(&address).answer(TurnRequest::of_query("x"))).await;
    assert_eq!((said(&chunks).as_str(), ends(&chunks).1), ("before", 0));
    let failure = failure.unwrap();
    assert_eq!(failure.source().unwrap().downcast_ref(), Some(&OpenAiFailed::Malformed));
}

/// B6-10: arguments of a tool that were cut off are not mended, and nothing is run, whatever reason the stream gives.
#[tokio::test]
async fn a_tool_call_is_neither_mended_nor_made() {
    for arguments in [r#"{"path":"/tmp/a"#, r#"{"commands":["npm install","npm test""#, r#"{"commands":[]}"#]
    {
        for reason in ["tool_calls", "length", "stop"] {
            let call =
                json!([{ "index": 0, "id": "c", "function": { "name": "run", "arguments": arguments } }]);
            let calls = event(&json!({ "choices": [{ "delta": { "tool_calls": call } }] }));
            let answer = head("text/event-stream") + &delta("I will. ") + &calls + &finish(reason);
            let address = serve_bytes(answer).await;
            let plane = AnswerPlane::new(Resolver::without_artifact()).fallback(backend(&address));
            let (chunks, failure) = whole(plane.answer(TurnRequest::of_query("x"))).await;
            assert!(failure.is_none());
            assert_eq!(said(&chunks), "I will. ");
            assert_eq!(ends(&chunks), (vec!["The model asked for a tool, and has none here."], 1));
            // And nobody vouches for it.
            assert!(chunks.iter().all(|chunk| chunk.answer().is_none()));
        }
    }
}

/// Half an answer is never vouched for; a whole one is.
#[tokio::test]
async fn only_a_whole_answer_is_vouched_for() {
    for (reason, is_whole) in [("stop", true), ("length", false), ("content_filter", false), ("abort", false)]
    {
        let address = serve_bytes(head("text/event-stream") + &delta("Twelve.") + &finish(reason)).await;
        let plane = AnswerPlane::new(Resolver::without_artifact()).fallback(backend(&address));
        let (chunks, _) = whole(plane.answer(TurnRequest::of_query("x"))).await;
        let done = chunks.last().unwrap();
        assert_eq!((done.kind(), done.answer().is_some()), (ChunkKind::Done, is_whole), "{reason}");
    }
}

/// B10-07: fields and events that nobody knows change nothing.
#[tokio::test]
async fn what_a_newer_server_adds_changes_nothing() {
    let newer =
        event(&json!({ "choices": [{ "delta": { "content": "x", "new": [{}] }, "new": 1 }], "new": null }))
            + &event(&json!({ "object": "something.new" }));
    let address =
        serve_bytes(head("text/event-stream") + "event: new\nid: 7\n" + &newer + &finish("stop")).await;
    let (chunks, failure) = whole(backend(&address).answer(TurnRequest::of_query("x"))).await;
    assert!(failure.is_none());
    assert_eq!((said(&chunks).as_str(), ends(&chunks)), ("x", (vec![], 1)));
}
