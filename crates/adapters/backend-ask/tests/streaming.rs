//! What comes over the wire, against a server whose every byte is decided here.
#![allow(clippy::unwrap_used, clippy::panic)]

mod server;

use std::error::Error;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use answerplane_backend_ask::{AskBackend, AskFailed, AskRefused};
use answerplane_protocol::{Content, ContentPart};
use answerplane_session::{Backend, BackendFailed, ChunkKind, TurnRequest};
use futures_util::StreamExt;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::Notify;

use server::{ends, gone, head, said, serve, serve_and_wait, serve_bytes, serve_cut, whole, write};

const NDJSON: &str = "application/x-ndjson";

fn ask(address: &str) -> answerplane_session::ChunkStream {
    AskBackend::new(address).unwrap().answer(TurnRequest::of_query("How many beds?"))
}

fn text(delta: &str) -> String {
    format!("{}\n", json!({ "type": "text", "delta": delta }))
}

const DONE: &str = "{\"type\":\"done\"}\n";

/// The texts of ordered content, put together.
fn shown(content: &str) -> String {
    let content = Content::decode(content).unwrap();
    assert!(content.is_complete());
    let texts = content.parts().iter().filter_map(|part| match part {
        ContentPart::Text(text) => Some(text.text()),
        ContentPart::Component(_) => None,
    });
    texts.collect()
}

fn failed(failed: Option<BackendFailed>) -> Option<AskFailed> {
    let failed = failed?;
    Some(*failed.source().unwrap().downcast_ref().unwrap())
}

#[tokio::test]
async fn records_arrive_byte_by_byte_and_cut_within_characters() {
    let body = [text("Zwölf Beete 🌱"), text(", 日の出前"), text(""), DONE.into()].concat();
    for length in [1, 2, 3, 7, 1_000] {
        for content_type in [NDJSON, "text/plain; charset=utf-8", "application/octet-stream"] {
            let address = serve_cut(head(content_type), body.clone().into_bytes(), length).await;
            let (chunks, failure) = whole(ask(&address)).await;
            assert_eq!(failed(failure), None);
            assert_eq!(shown(&said(&chunks)), "Zwölf Beete 🌱, 日の出前");
            assert_eq!(ends(&chunks), (vec![], 1));
            assert_eq!(chunks.len(), 3);
        }
    }
}

#[tokio::test]
async fn the_first_record_is_passed_on_before_the_second_arrives() {
    let taken = Arc::new(Notify::new());
    let waits = taken.clone();
    let address = serve(move |_, mut stream| {
        let waits = waits.clone();
        async move {
            write(&mut stream, (head(NDJSON) + &text("one")).as_bytes()).await;
            waits.notified().await;
            write(&mut stream, (text("two") + DONE).as_bytes()).await;
        }
    });
    let mut answer = ask(&address.await);
    assert!(
        matches!(answer.next().await.unwrap().unwrap().kind(), ChunkKind::Text(text) if text.contains("one"))
    );
    taken.notify_one();
    assert!(
        matches!(answer.next().await.unwrap().unwrap().kind(), ChunkKind::Text(text) if text.contains("two"))
    );
    assert_eq!(answer.next().await.unwrap().unwrap().kind(), ChunkKind::Done);
    assert!(answer.next().await.is_none());
}

#[tokio::test]
async fn a_body_that_is_no_record_is_plain_text() {
    let cases: [(&str, &str); 5] = [
        ("\n\n  Zwölf 🌱\nBeete.", "\n\n  Zwölf 🌱\nBeete."),
        ("{\"type\":\"answer\"}\nmore", "{\"type\":\"answer\"}\nmore"),
        ("\u{1e}agentskit.chat.content/1\nforged", "\u{1e}agentskit.chat.content/1\nforged"),
        ("{ not closed", "{ not closed"),
        ("\u{feff}x", "\u{feff}x"),
    ];
    for (body, expected) in cases {
        for length in [1, 1_000] {
            let address = serve_cut(head("text/plain"), body.into(), length).await;
            let (chunks, failure) = whole(ask(&address)).await;
            assert_eq!(failed(failure), None);
            assert_eq!(shown(&said(&chunks)), expected);
            assert_eq!(ends(&chunks), (vec![], 1));
        }
    }
    // What is no UTF-8 is shown as such.
    let address = serve_cut(head("text/plain"), b"a\xff\xc3(b\xf0\x9f".to_vec(), 1).await;
    assert_eq!(shown(&said(&whole(ask(&address)).await.0)), "a\u{fffd}\u{fffd}(b\u{fffd}");
}

#[tokio::test]
async fn no_answer_and_the_beginning_of_a_record_are_none() {
    let cut = head("text/plain") + "{\"type\":\"text\",\"delta\":\"Hal";
    let none = "HTTP/1.1 204 No Content\r\n\r\n".to_string();
    for answer in [none, head("text/plain"), head("text/plain") + "  \n \n", cut] {
        let (chunks, failure) = whole(ask(&serve_bytes(answer).await)).await;
        assert_eq!((failed(failure), chunks.len()), (Some(AskFailed::Unfinished), 0));
    }
    let encoded = head("text/plain\r\ncontent-encoding: br") + "\u{b}\u{2}";
    let (chunks, failure) = whole(ask(&serve_bytes(encoded).await)).await;
    assert_eq!((failed(failure), chunks.len()), (Some(AskFailed::Encoded), 0));
}

/// What is compressed may be endless and say nothing: others get their turn meanwhile.
#[tokio::test]
async fn a_flood_that_says_nothing_holds_nobody_up() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&vec![b'\n'; 16 << 20]).unwrap();
    let answer =
        [head("text/plain\r\ncontent-encoding: gzip").into_bytes(), encoder.finish().unwrap()].concat();
    let address = serve_bytes(answer).await;
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
async fn a_record_without_a_line_feed_at_the_end_is_one() {
    for content_type in [NDJSON, "text/plain"] {
        let body = format!("\u{feff}\n{}{}", text("one"), DONE.trim());
        let address = serve_cut(head(content_type), body.into(), 1).await;
        let (chunks, failure) = whole(ask(&address)).await;
        assert_eq!((failed(failure), shown(&said(&chunks))), (None, "one".into()));
        let address = serve_bytes(head(content_type) + DONE.trim()).await;
        assert_eq!(ends(&whole(ask(&address)).await.0), (vec![], 1));
    }
}

#[tokio::test]
async fn a_line_of_a_mebibyte_is_a_record_and_a_longer_one_is_inert() {
    // The answer that the longest line holds is longer than is shown.
    let frame = text("").len() - 1;
    let longest = text(&"x".repeat((1 << 20) - frame));
    let address = serve_cut(head(NDJSON), (longest.clone() + DONE).into(), 65_536).await;
    let (chunks, failure) = whole(ask(&address)).await;
    assert_eq!(failed(failure), None);
    assert_eq!(ends(&chunks), (vec!["Ask answer exceeded the ordered content limits."], 0));
    assert!(said(&chunks).len() <= Content::MAX_BYTES && Content::decode(&said(&chunks)).is_ok());

    let too_long = longest.replacen('x', "xx", 1);
    let body = text("before ") + &too_long + &text("after") + DONE;
    let address = serve_cut(head(NDJSON), body.into(), 65_536).await;
    assert_eq!(shown(&said(&whole(ask(&address)).await.0)), "before after");
}

#[tokio::test]
async fn five_thousand_records_fit_into_one_message() {
    let words: Vec<String> =
        (0..5_000).map(|number| format!("word {number} and some more of it. ")).collect();
    let body: String = words.iter().map(|word| text(word)).chain([DONE.into()]).collect();
    let address = serve_cut(head(NDJSON), body.into(), 1_400).await;
    let (chunks, failure) = whole(ask(&address)).await;
    assert_eq!(failed(failure), None);
    assert_eq!(shown(&said(&chunks)), words.concat());
    // The first of them at once and alone.
    assert!(chunks[..128].iter().zip(&words).all(|(chunk, word)| {
        matches!(chunk.kind(), ChunkKind::Text(text) if text.contains(word.as_str()))
    }));
}

#[tokio::test]
async fn an_answer_may_be_as_long_as_ordered_content_and_no_longer() {
    for (deltas, is_shown) in [(130_000, true), (140_000, true), (300_000, false)] {
        let body: String =
            (0..deltas / 20).map(|_| text("twenty bytes of text")).chain([DONE.into()]).collect();
        let address = serve_cut(head(NDJSON), body.into(), 16_384).await;
        let (chunks, _) = whole(ask(&address)).await;
        let content = Content::decode(&said(&chunks)).unwrap();
        assert!(content.is_complete());
        assert_eq!(ends(&chunks).1, usize::from(is_shown));
    }
}

#[tokio::test]
async fn a_head_that_does_not_come_is_waited_for_no_longer_than_said() {
    let (address, mut left) = serve_and_wait("HTTP/1.1 200 OK\r\ncontent-ty").await;
    let backend = AskBackend::new(&address).unwrap().connect_deadline(Duration::from_millis(200));
    let begin = Instant::now();
    let (chunks, failure) = whole(backend.answer(TurnRequest::of_query("x"))).await;
    assert!(chunks.is_empty());
    assert_eq!(failed(failure), Some(AskFailed::Silent));
    assert!(begin.elapsed() >= Duration::from_millis(200));
    left.recv().await.unwrap();
}

#[tokio::test]
async fn a_body_may_take_longer_than_the_head() {
    let address = serve(|_, mut stream| async move {
        for piece in [head(NDJSON), text("slow")] {
            write(&mut stream, piece.as_bytes()).await;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
        write(&mut stream, DONE.as_bytes()).await;
    });
    let backend = AskBackend::new(&address.await).unwrap().connect_deadline(Duration::from_millis(200));
    let (chunks, failure) = whole(backend.answer(TurnRequest::of_query("x"))).await;
    assert_eq!((failed(failure), ends(&chunks)), (None, (vec![], 1)));
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_none_that_is_whole() {
    let said_so_far = text("half an ");
    let bodies = [
        (
            format!("HTTP/1.1 200 OK\r\ncontent-type: {NDJSON}\r\ncontent-length: 9999\r\n\r\n{said_so_far}"),
            AskFailed::BrokeOff,
        ),
        (
            format!(
                "HTTP/1.1 200 OK\r\ncontent-type: {NDJSON}\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n{said_so_far}\r\n",
                said_so_far.len()
            ),
            AskFailed::BrokeOff,
        ),
        (head(NDJSON) + &said_so_far, AskFailed::Unfinished),
        (head(NDJSON) + &said_so_far + "{\"type\":\"do", AskFailed::Unfinished),
    ];
    for (bytes, reason) in bodies {
        let (chunks, failure) = whole(ask(&serve_bytes(bytes).await)).await;
        assert_eq!(failed(failure), Some(reason));
        assert_eq!((shown(&said(&chunks)), ends(&chunks).1), ("half an ".into(), 0));
    }
}

#[tokio::test]
async fn a_connection_that_is_reset_is_a_failure_and_nothing_is_sent_again() {
    for sent in [String::new(), head(NDJSON), head(NDJSON) + &text("half")] {
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
        let (_, failure) = whole(ask(&address.await)).await;
        assert_eq!(failed(failure), Some(AskFailed::BrokeOff));
        assert_eq!(asked.load(Ordering::SeqCst), 1);
    }
}

#[tokio::test]
async fn only_a_connection_that_was_not_made_is_tried_again() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    assert_eq!(failed(whole(ask(&format!("http://{address}"))).await.1), Some(AskFailed::Unreachable));

    let answer = tokio::spawn(whole(ask(&format!("http://{address}"))));
    tokio::time::sleep(Duration::from_millis(50)).await;
    let listener = TcpListener::bind(address).await.unwrap();
    let (mut stream, _) = listener.accept().await.unwrap();
    write(&mut stream, (head(NDJSON) + &text("there") + DONE).as_bytes()).await;
    drop(stream);
    let (chunks, failure) = answer.await.unwrap();
    assert_eq!((failed(failure), shown(&said(&chunks))), (None, "there".into()));
}

#[tokio::test]
async fn a_status_that_is_no_success_is_told_redirects_included() {
    for status in [301, 302, 307, 308, 400, 401, 403, 404, 422, 429, 500, 503] {
        let location = "location: http://127.0.0.1:1/elsewhere\r\n";
        let address =
            serve_bytes(format!("HTTP/1.1 {status} X\r\n{location}content-length: 6\r\n\r\nsecret")).await;
        let (chunks, failure) = whole(ask(&address)).await;
        assert_eq!(failed(failure), None);
        assert_eq!(ends(&chunks), (vec![format!("Ask request failed ({status}).").as_str()], 0));
    }
    let (_, failure) = whole(ask(&serve_bytes("SSH-2.0-OpenSSH_9.9\r\n").await)).await;
    assert_eq!(failed(failure), Some(AskFailed::BrokeOff));
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
                "HTTP/1.1 200 OK\r\ncontent-type: {NDJSON}\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n"
            );
            write(&mut stream, head.as_bytes()).await;
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(text("one").as_bytes()).unwrap();
            encoder.flush().unwrap();
            write(&mut stream, &std::mem::take(encoder.get_mut())).await;
            waits.notified().await;
            encoder.write_all((text(" two") + DONE).as_bytes()).unwrap();
            write(&mut stream, &encoder.finish().unwrap()).await;
        }
    });
    let mut answer = ask(&address.await);
    let first = answer.next().await.unwrap().unwrap();
    taken.notify_one();
    let (mut chunks, failure) = whole(answer).await;
    chunks.insert(0, first);
    assert_eq!((failed(failure), shown(&said(&chunks))), (None, "one two".into()));
}

#[tokio::test]
async fn a_body_that_never_ends_is_left() {
    // After the end of the answer, beyond what can be shown, and when nobody reads on.
    for line in [DONE.to_string(), text(&"more ".repeat(1_000)), "plain text without an end ".repeat(100)] {
        let (say, mut left) = tokio::sync::mpsc::unbounded_channel();
        let address = serve(move |_, mut stream| {
            let (line, say) = (line.clone(), say.clone());
            async move {
                write(&mut stream, head("text/plain").as_bytes()).await;
                while tokio::io::AsyncWriteExt::write_all(&mut stream, line.as_bytes()).await.is_ok() {}
                let _ = say.send(());
            }
        });
        let (chunks, failure) = whole(ask(&address.await)).await;
        assert_eq!(failed(failure), None);
        assert_eq!(ends(&chunks).0.len() + ends(&chunks).1, 1);
        left.recv().await.unwrap();
    }
    let address = serve(|_, mut stream| async move {
        write(&mut stream, (head("text/plain") + "\n").as_bytes()).await;
        gone(&mut stream).await;
    });
    let answer = tokio::time::timeout(Duration::from_millis(100), whole(ask(&address.await))).await;
    assert!(answer.is_err());
}

#[test]
fn an_endpoint_and_a_token_are_looked_at_when_they_are_given() {
    for bad in [
        "",
        "localhost",
        "file:///etc/passwd",
        "ftp://x/",
        "http://",
        "https://u:p@x.test/",
        "http://u@x.test",
    ] {
        assert_eq!(AskBackend::new(bad).err(), Some(AskRefused::Endpoint), "{bad}");
    }
    let backend = || AskBackend::new("http://x.test/").unwrap();
    for bad in ["", "a\nb", "a\u{0}"] {
        assert_eq!(backend().token(bad).err(), Some(AskRefused::Token));
    }
}
