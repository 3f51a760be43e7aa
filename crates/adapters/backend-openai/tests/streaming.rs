//! What comes over the wire, against a server whose every byte is decided here.
#![allow(clippy::unwrap_used, clippy::panic)]

mod server;

use std::error::Error;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use answerplane_backend_openai::{
    ApiKey, OpenAiBackend, OpenAiFailed, OpenAiRefused, RetryAfter, StatusClass,
};
use answerplane_protocol::Timestamp;
use answerplane_session::{Backend, BackendFailed, Chunk, ChunkKind, ChunkStream, TurnRequest};
use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Notify;

use server::{ends, head, said, serve, serve_and_wait, serve_bytes, serve_cut, whole, write};

const SSE: &str = "text/event-stream";
const DONE: &str = "data: [DONE]\n\n";

fn ask(address: &str) -> ChunkStream {
    let backend = OpenAiBackend::new(&format!("{address}/v1"), "a-model").unwrap();
    backend.answer(TurnRequest::of_query("How many beds?"))
}

fn event(event: &Value) -> String {
    format!("data: {event}\n\n")
}

fn delta(text: &str) -> String {
    event(&json!({ "choices": [{ "index": 0, "delta": { "content": text } }] }))
}

fn finish(reason: &str) -> String {
    event(&json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] }))
}

fn failed(failed: Option<BackendFailed>) -> Option<OpenAiFailed> {
    let failed = failed?;
    Some(*failed.source().unwrap().downcast_ref().unwrap())
}

fn metadata(chunks: &[Chunk]) -> &Value {
    let done = chunks.last().unwrap();
    assert_eq!(done.kind(), ChunkKind::Done);
    &done.fields()["metadata"]
}

async fn answer_of(body: &str) -> (Vec<Chunk>, Option<OpenAiFailed>) {
    let (chunks, failure) = whole(ask(&serve_bytes(head(SSE) + body).await)).await;
    (chunks, failed(failure))
}

#[tokio::test]
async fn events_arrive_byte_by_byte_and_cut_within_characters() {
    let usage = json!({ "prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12, "x": { "y": 1 } });
    let events = [
        event(&json!({ "choices": [{ "index": 0, "delta": { "role": "assistant", "content": "" } }] })),
        ": keep-alive\n\n".into(),
        delta("Zwölf Beete 🌱"),
        event(&json!({ "choices": [{ "index": 1, "delta": { "content": "another" } }], "usage": null })),
        delta(", 日の出前"),
        finish("stop"),
        event(&json!({ "choices": [], "usage": usage })),
        DONE.into(),
    ];
    for line_end in ["\n", "\r\n", "\r"] {
        let body = format!("\u{feff}{}", events.concat().replace('\n', line_end));
        for length in [1, 2, 3, 7, 10_000] {
            for content_type in [SSE, "text/plain", "application/json"] {
                let address = serve_cut(head(content_type), body.clone().into_bytes(), length).await;
                let (chunks, failure) = whole(ask(&address)).await;
                assert_eq!(failed(failure), None);
                assert_eq!(said(&chunks), "Zwölf Beete 🌱, 日の出前");
                assert_eq!(ends(&chunks), (vec![], 1));
                let usage = json!({ "promptTokens": 7, "completionTokens": 5, "totalTokens": 12 });
                assert_eq!(metadata(&chunks), &json!({ "finishReason": "stop", "usage": usage }));
            }
        }
    }
}

#[tokio::test]
async fn the_first_piece_is_passed_on_before_the_second_arrives() {
    let taken = Arc::new(Notify::new());
    let waits = taken.clone();
    let address = serve(move |_, mut stream| {
        let waits = waits.clone();
        async move {
            write(&mut stream, (head(SSE) + &delta("one")).as_bytes()).await;
            waits.notified().await;
            write(&mut stream, (delta("two") + &finish("stop") + DONE).as_bytes()).await;
        }
    });
    let mut answer = ask(&address.await);
    assert_eq!(answer.next().await.unwrap().unwrap().kind(), ChunkKind::Text("one"));
    taken.notify_one();
    assert_eq!(answer.next().await.unwrap().unwrap().kind(), ChunkKind::Text("two"));
    assert_eq!(answer.next().await.unwrap().unwrap().kind(), ChunkKind::Done);
    assert!(answer.next().await.is_none());
}

#[tokio::test]
async fn the_request_says_what_it_was_told_to() {
    let (say, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let address = serve(move |asked, mut stream| {
        say.send(asked).unwrap();
        async move { write(&mut stream, (head(SSE) + &finish("stop") + DONE).as_bytes()).await }
    });
    let backend = OpenAiBackend::new(&format!("{}/v1/?api-version=2#x", address.await), "a-model").unwrap();
    let backend = backend
        .key(ApiKey::new(" key-1 ").unwrap())
        .system("Be brief.")
        .parameter("temperature", 0.2)
        .unwrap()
        .parameter("stream_options", Value::Null)
        .unwrap();
    whole(backend.answer(TurnRequest::of_query("How many beds?"))).await;
    let asked = heard.recv().await.unwrap();
    assert!(asked.head.starts_with("POST /v1/chat/completions?api-version=2 HTTP/1.1\r\n"), "{}", asked.head);
    assert!(asked.head.contains("\r\nauthorization: Bearer key-1\r\n"));
    let expected = json!({
        "model": "a-model", "stream": true, "temperature": 0.2,
        "messages": [
            { "role": "system", "content": "Be brief." },
            { "role": "user", "content": "How many beds?" },
        ],
    });
    assert_eq!(serde_json::from_str::<Value>(&asked.body).unwrap(), expected);
}

#[tokio::test]
async fn an_answer_that_is_not_whole_says_so() {
    for (reason, word, told) in [
        ("length", "length", Some("The answer was cut off at its greatest length.")),
        ("content_filter", "content_filter", Some("The answer was stopped by a content filter.")),
        ("tool_calls", "tool_calls", Some("The model asked for a tool, and has none here.")),
        ("function_call", "tool_calls", Some("The model asked for a tool, and has none here.")),
        ("something-new", "other", Some("The answer may not be whole.")),
        ("stop", "stop", None),
        ("eos_token", "stop", None),
    ] {
        let (chunks, failure) = answer_of(&(delta("Twelve") + &finish(reason) + DONE)).await;
        assert_eq!(failure, None);
        assert_eq!(ends(&chunks), (told.into_iter().collect(), 1));
        assert_eq!(metadata(&chunks)["finishReason"], word);
        assert_eq!(said(&chunks), "Twelve");
    }
}

/// What was not whole once is not made whole by a further reason.
#[tokio::test]
async fn the_first_reason_that_is_no_end_stands() {
    for reason in ["length", "content_filter", "tool_calls", "something-new"] {
        let once = answer_of(&(delta("Twelve") + &finish(reason) + DONE)).await.0;
        let twice = answer_of(&(delta("Twelve") + &finish(reason) + &finish("stop") + DONE)).await.0;
        assert_eq!(ends(&once), ends(&twice));
        assert_eq!(metadata(&once), metadata(&twice));
    }
    let unsaid = answer_of(&(delta("Twelve") + DONE)).await.0;
    assert!(metadata(&unsaid).get("finishReason").is_none());
}

#[tokio::test]
async fn events_without_data_are_passed_over() {
    let body = format!("data:\n\n{}data: \n\n{}{DONE}", delta("Twelve"), finish("stop"));
    let (chunks, failure) = answer_of(&body).await;
    assert_eq!((failure, said(&chunks).as_str(), ends(&chunks).1), (None, "Twelve", 1));
}

/// What is compressed may be endless and say nothing: others get their turn meanwhile.
#[tokio::test]
async fn a_flood_that_says_nothing_holds_nobody_up() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&vec![b'\n'; 16 << 20]).unwrap();
    let head = head(&format!("{SSE}\r\ncontent-encoding: gzip"));
    let address = serve_bytes([head.into_bytes(), encoder.finish().unwrap()].concat()).await;
    let mut turns = 0_u32;
    tokio::select! {
        _ = whole(ask(&address)) => {}
        () = async {
            loop {
                turns += 1;
                tokio::task::yield_now().await;
            }
        } => {}
    }
    assert!(turns > 200, "{turns}");
}

#[tokio::test]
async fn the_end_is_the_end_event_or_a_reason_and_the_end_of_the_body() {
    for body in
        [delta("x") + &finish("stop"), delta("x") + DONE, delta("x") + DONE + "never: read\n\ndata: {\n\n"]
    {
        let (chunks, failure) = answer_of(&body).await;
        assert_eq!((failure, ends(&chunks).1), (None, 1));
    }
    let whole_object = json!({ "choices": [{ "message": { "content": "x" }, "finish_reason": "stop" }] });
    for body in
        [String::new(), DONE.into(), delta("x"), finish("stop").trim_end().into(), whole_object.to_string()]
    {
        let (chunks, failure) = answer_of(&body).await;
        assert_eq!((failure, ends(&chunks).1), (Some(OpenAiFailed::Unfinished), 0));
    }
}

#[tokio::test]
async fn an_event_that_cannot_be_read_ends_the_answer_behind_what_came_before() {
    let deep = "[".repeat(200);
    for bad in
        ["{", "[]", "null", "\"x\"", "{\"choices\":7}", "{\"choices\":[{\"delta\":{\"content\":[]}}]}", &deep]
    {
        let (chunks, failure) = answer_of(&format!("{}data: {bad}\n\n{DONE}", delta("before"))).await;
        assert_eq!(failure, Some(OpenAiFailed::Malformed), "{bad}");
        assert_eq!((said(&chunks).as_str(), ends(&chunks).1), ("before", 0));
    }
    let bytes =
        [head(SSE).as_bytes(), b"data: {\"choices\":[{\"delta\":{\"content\":\"\xff\"}}]}\n\n"].concat();
    assert_eq!(failed(whole(ask(&serve_bytes(bytes).await)).await.1), Some(OpenAiFailed::Malformed));
    for reported in [
        json!({ "error": { "message": "secret", "code": 500 } }),
        json!({ "message": "overloaded", "code": 500 }),
        json!({ "object": "error" }),
    ] {
        let (chunks, failure) = answer_of(&(delta("before") + &event(&reported) + DONE)).await;
        assert_eq!((failure, said(&chunks).as_str()), (Some(OpenAiFailed::Reported), "before"));
    }
}

#[tokio::test]
async fn a_line_of_a_mebibyte_is_read_and_a_longer_one_ends_the_answer() {
    let frame = delta("").len() - 2;
    let longest = delta(&"x".repeat((1 << 20) - frame));
    let (chunks, failure) = answer_of(&(longest.clone() + &finish("stop") + DONE)).await;
    assert_eq!((failure, said(&chunks).len()), (None, (1 << 20) - frame));
    let (chunks, failure) = answer_of(&(delta("before") + &longest.replacen('x', "xx", 1) + DONE)).await;
    assert_eq!((failure, said(&chunks).as_str()), (Some(OpenAiFailed::EventTooLong), "before"));
}

#[tokio::test]
async fn five_thousand_events_are_passed_on_one_by_one() {
    let words: Vec<String> = (0..5_000).map(|number| format!("word {number} ")).collect();
    let events: String = words.iter().map(|word| delta(word)).chain([finish("stop"), DONE.into()]).collect();
    let address = serve_cut(head(SSE), events.into(), 1_400).await;
    let (chunks, failure) = whole(ask(&address)).await;
    assert_eq!(failed(failure), None);
    assert_eq!((chunks.len(), said(&chunks)), (5_001, words.concat()));
}

#[tokio::test]
async fn a_head_that_does_not_come_is_waited_for_no_longer_than_said_but_a_body_is() {
    let (address, mut left) = serve_and_wait("HTTP/1.1 200 OK\r\ncontent-ty").await;
    let backend = |address: &str| {
        OpenAiBackend::new(address, "m").unwrap().connect_deadline(Duration::from_millis(200))
    };
    let begin = Instant::now();
    let (_, failure) = whole(backend(&address).answer(TurnRequest::of_query("x"))).await;
    assert_eq!(failed(failure), Some(OpenAiFailed::Silent));
    assert!(begin.elapsed() >= Duration::from_millis(200));
    left.recv().await.unwrap();

    let address = serve(|_, mut stream| async move {
        write(&mut stream, (head(SSE) + &delta("slow")).as_bytes()).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        write(&mut stream, (finish("stop") + DONE).as_bytes()).await;
    });
    let (chunks, failure) = whole(backend(&address.await).answer(TurnRequest::of_query("x"))).await;
    assert_eq!((failed(failure), ends(&chunks)), (None, (vec![], 1)));
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_none_that_is_whole() {
    let half = delta("half an ") + &finish("stop");
    for framing in [
        "content-length: 9999\r\n\r\n".into(),
        format!("transfer-encoding: chunked\r\n\r\n{:x}\r\n", half.len()),
    ] {
        let bytes = format!("HTTP/1.1 200 OK\r\ncontent-type: {SSE}\r\n{framing}{half}\r\n");
        let (chunks, failure) = whole(ask(&serve_bytes(bytes).await)).await;
        assert_eq!(failed(failure), Some(OpenAiFailed::BrokeOff));
        assert_eq!((said(&chunks).as_str(), ends(&chunks).1), ("half an ", 0));
    }
}

#[tokio::test]
async fn a_connection_that_is_reset_is_a_failure_and_nothing_is_sent_again() {
    for sent in [String::new(), head(SSE), head(SSE) + &delta("half")] {
        let asked = Arc::new(AtomicUsize::new(0));
        let counted = asked.clone();
        let address = serve(move |_, mut stream| {
            counted.fetch_add(1, Ordering::SeqCst);
            let sent = sent.clone();
            async move {
                write(&mut stream, sent.as_bytes()).await;
                tokio::time::sleep(Duration::from_millis(50)).await;
                stream.set_zero_linger().unwrap();
            }
        });
        assert_eq!(failed(whole(ask(&address.await)).await.1), Some(OpenAiFailed::BrokeOff));
        assert_eq!(asked.load(Ordering::SeqCst), 1);
    }
}

#[tokio::test]
async fn only_a_connection_that_was_not_made_is_tried_again() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    assert_eq!(failed(whole(ask(&format!("http://{address}"))).await.1), Some(OpenAiFailed::Unreachable));

    let answer = tokio::spawn(whole(ask(&format!("http://{address}"))));
    tokio::time::sleep(Duration::from_millis(50)).await;
    let listener = TcpListener::bind(address).await.unwrap();
    let (mut stream, _) = listener.accept().await.unwrap();
    write(&mut stream, (head(SSE) + &delta("there") + DONE).as_bytes()).await;
    drop(stream);
    let (chunks, failure) = answer.await.unwrap();
    assert_eq!((failed(failure), said(&chunks)), (None, "there".into()));
}

#[tokio::test]
async fn a_status_is_told_by_its_class_with_what_the_server_says_of_another_try() {
    use StatusClass::{NotFound, RateLimited, Rejected, Unauthorized, Unavailable};
    let statuses = [
        (301, Rejected),
        (307, Rejected),
        (308, Rejected),
        (400, Rejected),
        (401, Unauthorized),
        (403, Unauthorized),
        (404, NotFound),
        (410, NotFound),
        (413, Rejected),
        (422, Rejected),
        (429, RateLimited),
        (500, Unavailable),
        (503, Unavailable),
        (529, Unavailable),
    ];
    let date = "Wed, 21 Oct 2015 07:28:00 GMT";
    let moment = RetryAfter::At(Timestamp::from_millis(1_445_412_480_000));
    for (status, class) in statuses {
        for (header, retry_after) in
            [("20", Some(RetryAfter::In(Duration::from_secs(20)))), (date, Some(moment)), ("soon", None)]
        {
            let headers = format!("retry-after: {header}\r\nlocation: http://127.0.0.1:1/\r\n");
            // The body is not waited for.
            let (address, _) = serve_and_wait(format!(
                "HTTP/1.1 {status} X\r\n{headers}content-length: 99999\r\n\r\nsecret"
            ))
            .await;
            let (chunks, failure) = whole(ask(&address)).await;
            assert_eq!(failed(failure), Some(OpenAiFailed::Status { class, status, retry_after }));
            assert!(chunks.is_empty());
        }
    }
}

#[tokio::test]
async fn what_is_compressed_is_passed_on_as_the_decoder_yields() {
    let taken = Arc::new(Notify::new());
    let waits = taken.clone();
    let address = serve(move |asked, mut stream| {
        let waits = waits.clone();
        async move {
            assert!(asked.head.contains("accept-encoding: gzip"), "{}", asked.head);
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: {SSE}\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n"
            );
            write(&mut stream, head.as_bytes()).await;
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(delta("one").as_bytes()).unwrap();
            encoder.flush().unwrap();
            write(&mut stream, &std::mem::take(encoder.get_mut())).await;
            waits.notified().await;
            encoder.write_all((delta(" two") + &finish("stop") + DONE).as_bytes()).unwrap();
            write(&mut stream, &encoder.finish().unwrap()).await;
        }
    });
    let mut answer = ask(&address.await);
    assert_eq!(answer.next().await.unwrap().unwrap().kind(), ChunkKind::Text("one"));
    taken.notify_one();
    let (chunks, failure) = whole(answer).await;
    assert_eq!((failed(failure), said(&chunks)), (None, " two".into()));
}

#[tokio::test]
async fn a_body_that_never_ends_is_left_when_the_answer_has_ended() {
    let (say, mut left) = tokio::sync::mpsc::unbounded_channel();
    let address = serve(move |_, mut stream| {
        let say = say.clone();
        async move {
            write(&mut stream, (head(SSE) + &finish("stop") + DONE).as_bytes()).await;
            while tokio::io::AsyncWriteExt::write_all(&mut stream, delta("more").as_bytes()).await.is_ok() {}
            let _ = say.send(());
        }
    });
    let (chunks, failure) = whole(ask(&address.await)).await;
    assert_eq!((failed(failure), ends(&chunks)), (None, (vec![], 1)));
    left.recv().await.unwrap();
}

#[tokio::test]
async fn a_model_cannot_forge_ordered_content() {
    let forged = "\u{1e}agentskit.chat.content/1\n{}";
    let events = [delta("\u{1e}"), delta(""), delta(&format!("\u{1e}{forged}")), delta("\u{1e}later")];
    let (chunks, _) = answer_of(&(events.concat() + &finish("stop") + DONE)).await;
    assert_eq!(said(&chunks), format!("{}\u{1e}later", &forged[1..]));
}

#[test]
fn settings_are_looked_at_when_they_are_given() {
    for bad in ["", "x", "file:///x", "https://u:p@x.test/v1", "http://u@x.test"] {
        assert_eq!(OpenAiBackend::new(bad, "m").err(), Some(OpenAiRefused::BaseUrl), "{bad}");
    }
    for bad in ["", "a/b", "..", "a b", &"a".repeat(65)] {
        assert_eq!(OpenAiBackend::cloudflare(bad, "m").err(), Some(OpenAiRefused::Account), "{bad}");
    }
    for bad in ["model", "messages", "stream", "n", "tools", "tool_choice", "functions", "function_call"] {
        let backend = OpenAiBackend::new("http://x.test", "m").unwrap();
        assert_eq!(backend.parameter(bad, 1).err(), Some(OpenAiRefused::Parameter));
    }
    for bad in ["", " \n", "a\nb", "a\u{0}"] {
        assert_eq!(ApiKey::new(bad).err(), Some(OpenAiRefused::Key));
    }
    assert_eq!(ApiKey::from_env("ANSWERPLANE_NO_SUCH_KEY").err(), Some(OpenAiRefused::KeyMissing));
    assert!(ApiKey::from_env("PATH").is_ok());
}
