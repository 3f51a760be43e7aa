//! Backends that speak HTTP, against reading the same bytes with reqwest and one parse of each record; and how soon a server
//! knows that nobody listens any more.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use answerplane_backend_ask::AskBackend;
use answerplane_backend_openai::OpenAiBackend;
use answerplane_resolver::Resolver;
use answerplane_session::{AnswerPlane, Backend, TurnRequest};
use futures_util::StreamExt;
use reqwest::Client;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use crate::measure::{Measurement, nanos};

/// The greatest allowed ratio of the plane in front of a backend to that backend alone.
const PLANE: f64 = 1.1;
/// The greatest allowed ratio of a backend to reading and parsing what it reads.
const READER: f64 = 2.0;
/// A server has to know within so many nanoseconds.
const DISCONNECT: f64 = 100e6;
/// How many bytes of text a model says, and in what pieces.
const SAID: usize = 100_000_000;
const PIECE: usize = 16_384;
/// How many responses of an Ask service a round reads.
const RESPONSES: usize = 32;
/// How many bytes such a response has at most.
const RESPONSE: usize = 190_000;

pub(crate) fn run(rounds: usize) -> Vec<Measurement> {
    let Ok(runtime) = Builder::new_current_thread().enable_all().build() else { return Vec::new() };
    let (Some(models), Some(sentences), Some(words)) = (
        Served::new("text/event-stream", events()),
        Served::new("application/x-ndjson", records(500)),
        Served::new("application/x-ndjson", records(40)),
    ) else {
        return Vec::new();
    };
    let mut all = openai(&runtime, &models, rounds.min(30));
    all.extend(ask(&runtime, "sentences", &sentences, rounds));
    all.extend(ask(&runtime, "words", &words, rounds));
    all.extend(disconnects(&runtime, rounds));
    all
}

/// The body of an answer: what is written again and again, how often, and what ends it.
struct Body {
    part: Vec<u8>,
    times: usize,
    end: &'static [u8],
}

/// The answer of a model in pieces.
fn events() -> Body {
    let sentence = "Water the beds at dawn, before the sun stands high. \"Little and often\" is wrong.\n";
    let text: String = sentence.chars().cycle().take(PIECE).collect();
    let event = json!({ "id": "x", "object": "chat.completion.chunk", "choices": [{ "index": 0, "delta": { "content": text } }] });
    let end =
        b"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    Body { part: format!("data: {event}\n\n").into_bytes(), times: SAID / PIECE, end }
}

/// The answer of an Ask service in records of so many bytes of text.
fn records(bytes: usize) -> Body {
    let text: String =
        "Water the beds at dawn, \"before\" the sun stands high. ".chars().cycle().take(bytes).collect();
    // As writers of records write them: what a record is comes first.
    let record = format!("{{\"type\":\"text\",\"delta\":{}}}\n", json!(text));
    let times = RESPONSE / (bytes + 40);
    Body { part: record.into_bytes().repeat(times), times: 1, end: b"{\"type\":\"done\"}\n" }
}

/// A server in a thread of its own that answers everything with one body.
struct Served {
    address: String,
}

impl Served {
    fn new(content_type: &'static str, body: Body) -> Option<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").ok()?;
        let address = format!("http://{}", listener.local_addr().ok()?);
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                if asked(&mut stream).is_some() {
                    let _ = answer(&mut stream, content_type, &body);
                }
            }
        });
        Some(Self { address })
    }
}

/// Reads a request to its end.
fn asked(stream: &mut TcpStream) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut bytes = Vec::new();
    let mut piece = [0; 4_096];
    loop {
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            if body.len() >= length.and_then(|length| length.parse().ok()).unwrap_or(0) {
                return Some(());
            }
        }
        let read = stream.read(&mut piece).ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&piece[..read]);
    }
}

fn answer(stream: &mut TcpStream, content_type: &str, body: &Body) -> std::io::Result<()> {
    let length = body.part.len() * body.times + body.end.len();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    )?;
    for _ in 0..body.times {
        stream.write_all(&body.part)?;
    }
    stream.write_all(body.end)
}

/// Reads an answer to its end. Gives how many chunks it had.
async fn drain(backend: &dyn Backend) -> usize {
    let answer = backend.answer(TurnRequest::of_query("How many beds are there?"));
    answer.filter(|chunk| std::future::ready(chunk.is_ok())).count().await
}

/// Reads the same with reqwest, and parses each line behind `prefix`. Gives how many there were.
async fn parse(client: &Client, address: &str, prefix: &[u8]) -> Option<usize> {
    let mut response = client.post(address).send().await.ok()?;
    let mut pending: Vec<u8> = Vec::new();
    let mut records = 0;
    let mut record = |line: &[u8]| {
        if let Some(record) = line.strip_prefix(prefix).filter(|record| record.starts_with(b"{")) {
            records += usize::from(serde_json::from_slice::<Value>(record).is_ok());
        }
    };
    while let Some(piece) = response.chunk().await.ok()? {
        let mut rest: &[u8] = &piece;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            if pending.is_empty() {
                record(&rest[..end]);
            } else {
                pending.extend_from_slice(&rest[..end]);
                record(&pending);
                pending.clear();
            }
            rest = &rest[end + 1..];
        }
        pending.extend_from_slice(rest);
    }
    Some(records)
}

fn client() -> Option<Client> {
    // Installed once; a second time changes nothing.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder().http1_only().pool_max_idle_per_host(0).build().ok()
}

fn openai(runtime: &Runtime, served: &Served, rounds: usize) -> Vec<Measurement> {
    let (Ok(backend), Some(client)) = (OpenAiBackend::new(&served.address, "a-model"), client()) else {
        return Vec::new();
    };
    let plane = AnswerPlane::new(Resolver::without_artifact()).fallback(backend.clone());
    let (mut reader, mut planes) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
    for _ in 0..rounds {
        let parsed = nanos(|| runtime.block_on(parse(&client, &served.address, b"data: ")));
        let alone = nanos(|| runtime.block_on(drain(&backend)));
        let behind = nanos(|| runtime.block_on(drain(&plane)));
        reader.0.push(alone / parsed);
        reader.1.push(alone);
        planes.0.push(behind / alone);
        planes.1.push(behind);
    }
    vec![
        Measurement::new("openai, 100 MB, against a parse".into(), READER, reader.0, reader.1),
        Measurement::new("openai behind a plane, 100 MB".into(), PLANE, planes.0, planes.1),
    ]
}

fn ask(runtime: &Runtime, name: &str, served: &Served, rounds: usize) -> Option<Measurement> {
    let (backend, client) = (AskBackend::new(&served.address).ok()?, client()?);
    let (mut ratios, mut times) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let parsed = nanos(|| {
            runtime.block_on(async {
                for _ in 0..RESPONSES {
                    parse(&client, &served.address, b"").await?;
                }
                Some(())
            })
        });
        let alone = nanos(|| {
            runtime.block_on(async {
                for _ in 0..RESPONSES {
                    drain(&backend).await;
                }
            })
        });
        ratios.push(alone / parsed);
        times.push(alone);
    }
    Some(Measurement::new(
        format!("ask, {RESPONSES} answers in {name}, against a parse"),
        READER,
        ratios,
        times,
    ))
}

/// How soon a server knows that an answer was dropped, as a part of the time that it may take.
fn disconnects(runtime: &Runtime, rounds: usize) -> Vec<Measurement> {
    let begun = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\ndata: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n";
    let stages: [(&str, &'static [u8]); 2] = [("before the first byte", b""), ("in the middle", begun)];
    let mut all = Vec::new();
    for (name, sent) in stages {
        let (say, heard) = channel();
        let Some(address) = listening(sent, say) else { continue };
        let backends: [(&str, Option<Box<dyn Backend>>); 2] = [
            ("ask", AskBackend::new(&address).ok().map(|it| Box::new(it) as Box<dyn Backend>)),
            ("openai", OpenAiBackend::new(&address, "m").ok().map(|it| Box::new(it) as Box<dyn Backend>)),
        ];
        for (backend_name, backend) in backends {
            let Some(backend) = backend else { continue };
            let times: Vec<f64> =
                (0..rounds).filter_map(|_| disconnect(runtime, backend.as_ref(), &heard)).collect();
            let ratios = times.iter().map(|time| time / DISCONNECT).collect();
            let name = format!("{backend_name} dropped {name}, of 100 ms");
            all.push(Measurement::new(name, 1.0, ratios, times));
        }
    }
    all
}

/// A server that says this, and tells when it was asked and when the client went.
fn listening(sent: &'static [u8], say: Sender<Instant>) -> Option<String> {
    let listener = TcpListener::bind("127.0.0.1:0").ok()?;
    let address = format!("http://{}", listener.local_addr().ok()?);
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            if asked(&mut stream).is_some() && stream.write_all(sent).is_ok() {
                let _ = say.send(Instant::now());
                while stream.read(&mut [0; 64]).is_ok_and(|read| read > 0) {}
                let _ = say.send(Instant::now());
            }
        }
    });
    Some(address)
}

/// The nanoseconds between a drop and when the server knew.
fn disconnect(runtime: &Runtime, backend: &dyn Backend, heard: &Receiver<Instant>) -> Option<f64> {
    runtime.block_on(async {
        let mut answer = backend.answer(TurnRequest::of_query("x"));
        while heard.try_recv().is_err() {
            let _ = tokio::time::timeout(Duration::from_millis(1), answer.next()).await;
        }
        let dropped = Instant::now();
        drop(answer);
        loop {
            match heard.try_recv() {
                Ok(left) => return Some(left.saturating_duration_since(dropped).as_nanos() as f64),
                Err(_) if dropped.elapsed() > Duration::from_secs(10) => return None,
                // The connection is closed by a task of the runtime.
                Err(_) => tokio::time::sleep(Duration::from_micros(100)).await,
            }
        }
    })
}
