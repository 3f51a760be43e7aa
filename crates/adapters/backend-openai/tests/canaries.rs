//! Nothing of what is sent or said comes out in an error, in the log, or in what is shown of a type.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "server/heard.rs"]
mod heard;
mod server;

use std::error::Error;
use std::time::Duration;

use answerplane_backend_openai::{ApiKey, OpenAiBackend, OpenAiFailed};
use answerplane_session::{AnswerPlane, Backend, ChunkKind, TurnRequest};
use serde_json::json;

use server::{head, serve_and_wait, serve_bytes, whole};

/// What every secret and every foreign text holds.
const CANARY: &str = "canary";

fn backend(address: &str) -> OpenAiBackend {
    let backend =
        OpenAiBackend::new(&format!("{address}/canary-path?canary=canary-query"), "canary-model").unwrap();
    let backend = backend.key(ApiKey::new("canary-key").unwrap()).system("canary-system");
    backend.parameter("user", "canary-user").unwrap().connect_deadline(Duration::from_millis(300))
}

#[tokio::test]
async fn nothing_that_is_sent_or_said_is_told() {
    heard::listen();
    let shown = |value: &dyn std::fmt::Debug| assert!(!format!("{value:?} {value:#?}").contains(CANARY));
    shown(&backend("http://127.0.0.1:1"));
    shown(&ApiKey::new("canary-key").unwrap());
    shown(
        &AnswerPlane::new(answerplane_resolver::Resolver::without_artifact())
            .fallback(backend("http://127.0.0.1:1")),
    );
    shown(&OpenAiBackend::new("https://canary:canary@x.test", "m").err());
    shown(&ApiKey::new("canary\n-key").err());
    shown(&ApiKey::from_env("CANARY_canary").err());

    let sse = head("text/event-stream") + "x-canary: canary-header\r\n";
    let sse = sse.replacen("\r\n\r\n", "\r\n", 1) + "\r\n";
    let event = |event: serde_json::Value| format!("data: {event}\n\n");
    let answers = [
        sse.clone()
            + &event(
                json!({ "choices": [{ "delta": { "content": "canary-text" }, "finish_reason": "canary" }] }),
            )
            + "data: [DONE]\n\n",
        sse.clone() + &event(json!({ "error": { "message": "canary-text" } })),
        sse.clone() + &event(json!({ "choices": "canary-text" })),
        sse.clone() + "data: canary-text\n\n",
        sse.clone() + "data: canary-text",
        sse.clone() + "data: " + &"canary".repeat(200_000),
        "HTTP/1.1 401 canary-reason\r\nx-canary: canary\r\ncontent-length: 11\r\n\r\ncanary-text".into(),
        "HTTP/1.1 429 canary-reason\r\nretry-after: canary\r\ncontent-length: 999\r\n\r\ncanary-text".into(),
        "HTTP/1.1 302 canary-reason\r\nlocation: http://canary.test/canary\r\n\r\n".into(),
        "HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\ndata: canary-text".into(),
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\ncanary-text\r\n".into(),
        "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\ncanary-text, which is not compressed".into(),
        "canary-text is no HTTP\r\n\r\n".into(),
        "HTTP/1.1 200 OK\r\ncanary header\r\n\r\n".into(),
    ];
    let mut addresses = Vec::new();
    for answer in answers {
        addresses.push(serve_bytes(answer).await);
    }
    addresses.push(serve_and_wait("HTTP/1.1 200 OK\r\nx-canary: can").await.0);
    addresses.push("http://127.0.0.1:1".into());
    addresses.push("http://canary.invalid".into());
    addresses.push(addresses[0].replace("http:", "https:"));
    let mut failures = 0;
    for address in addresses {
        let (chunks, failure) = whole(backend(&address).answer(TurnRequest::of_query("canary-prompt"))).await;
        for chunk in chunks {
            let is_error = matches!(chunk.kind(), ChunkKind::Error(_) | ChunkKind::Done);
            assert!(!is_error || !format!("{chunk:?}").contains(CANARY));
        }
        let Some(failure) = failure else { continue };
        failures += 1;
        let mut error: Option<&(dyn Error + 'static)> = Some(&failure);
        while let Some(each) = error {
            assert!(!format!("{each} {each:?} {each:#?}").contains(CANARY), "{each:?}");
            error = each.source();
        }
        assert!(failure.source().unwrap().downcast_ref::<OpenAiFailed>().is_some());
        assert!(failure.source().unwrap().source().is_none());
    }
    assert_eq!(failures, 17);

    // Names of hosts are no secret; that is where a connection goes.
    let heard = heard::heard().replace("canary.invalid", "");
    assert!(heard.contains("reqwest::connect"), "nobody was heard");
    let told: Vec<&str> = heard.lines().filter(|line| line.contains(CANARY)).collect();
    assert!(told.is_empty(), "{told:#?}");
}
