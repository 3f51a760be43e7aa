//! Whoever drops an answer closes its connection.
#![allow(clippy::unwrap_used, clippy::panic)]

mod server;

use std::time::{Duration, Instant};

use answerplane_backend_openai::OpenAiBackend;
use answerplane_session::{AnswerPlane, Backend, TurnRequest};
use futures_util::StreamExt;

use server::{head, serve_and_wait};

const TEXT: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"one\"}}]}\n\n";

/// How long a server may take to hear of it on a machine that does a lot else. `cargo xtask bench backends` measures it.
const GENEROUS: Duration = Duration::from_secs(1);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_server_hears_of_a_drop_whenever_it_comes() {
    let head = head("text/event-stream");
    // Nothing yet; half a head; a head; a piece, taken or not.
    for (sent, taken) in [
        (String::new(), 0),
        ("HTTP/1.1 200 O".into(), 0),
        (head.clone(), 0),
        (head.clone() + TEXT, 0),
        (head + TEXT, 1),
    ] {
        let (address, mut left) = serve_and_wait(sent).await;
        let backend = OpenAiBackend::new(&address, "a-model").unwrap();
        let plane = AnswerPlane::new(answerplane_resolver::Resolver::without_artifact()).fallback(backend);
        let mut answer = plane.answer(TurnRequest::of_query("x"));
        for _ in 0..taken {
            answer.next().await.unwrap().unwrap();
        }
        let waits = tokio::time::timeout(Duration::from_millis(100), answer.next()).await;
        assert!(waits.is_err() || taken == 0);
        let dropped = Instant::now();
        drop(answer);
        tokio::time::timeout(GENEROUS, left.recv()).await.unwrap().unwrap();
        println!("the server knew after {:?}", dropped.elapsed());
    }
}

#[tokio::test]
async fn an_answer_that_nobody_reads_is_not_asked_for() {
    let (address, mut left) = serve_and_wait("").await;
    drop(OpenAiBackend::new(&address, "a-model").unwrap().answer(TurnRequest::of_query("x")));
    assert!(tokio::time::timeout(Duration::from_millis(100), left.recv()).await.is_err());
}
