//! A server whose every byte the test decides, and a reader of whole answers.
#![allow(dead_code)] // each test uses its part

use std::future::Future;
use std::time::Duration;

use answerplane_session::{BackendFailed, Chunk, ChunkKind, ChunkStream};
use futures_util::StreamExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

/// What a client sent.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) head: String,
    pub(crate) body: String,
}

/// Answers each connection with what `answer` writes. Gives the address.
pub(crate) async fn serve<A, F>(answer: A) -> String
where
    A: Fn(Asked, TcpStream) -> F + Send + 'static,
    F: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            stream.set_nodelay(true).unwrap();
            if let Some(asked) = asked(&mut stream).await {
                tokio::spawn(answer(asked, stream));
            }
        }
    });
    format!("http://{address}")
}

/// Answers each connection with these bytes, and closes it.
pub(crate) async fn serve_bytes(answer: impl Into<Vec<u8>>) -> String {
    let answer = answer.into();
    serve(move |_, mut stream| {
        let answer = answer.clone();
        async move { write(&mut stream, &answer).await }
    })
    .await
}

/// Answers each connection with a head and a body, which is cut into pieces of so many bytes.
pub(crate) async fn serve_cut(head: String, body: Vec<u8>, length: usize) -> String {
    serve(move |_, mut stream| {
        let (head, body) = (head.clone(), body.clone());
        async move {
            write(&mut stream, head.as_bytes()).await;
            for piece in body.chunks(length) {
                write(&mut stream, piece).await;
                tokio::task::yield_now().await;
            }
        }
    })
    .await
}

async fn asked(stream: &mut TcpStream) -> Option<Asked> {
    let mut bytes = Vec::new();
    loop {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.to_lowercase().lines().find_map(|line| {
            line.strip_prefix("content-length: ").and_then(|length| length.parse::<usize>().ok())
        });
        if body.len() >= length.unwrap_or(0) {
            return Some(Asked { head: head.to_string(), body: body.to_string() });
        }
    }
}

/// Writes, as long as somebody reads.
pub(crate) async fn write(stream: &mut TcpStream, bytes: &[u8]) {
    let _ = stream.write_all(bytes).await;
}

/// The head of a good answer whose body ends with the connection.
pub(crate) fn head(content_type: &str) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\nconnection: close\r\n\r\n")
}

/// Waits until the client has gone.
pub(crate) async fn gone(stream: &mut TcpStream) {
    let mut byte = [0];
    while stream.read(&mut byte).await.is_ok_and(|read| read > 0) {}
}

/// A server that writes these bytes, waits until the client has gone, and says so.
pub(crate) async fn serve_and_wait(answer: impl Into<Vec<u8>>) -> (String, mpsc::UnboundedReceiver<()>) {
    let answer = answer.into();
    let (say, heard) = mpsc::unbounded_channel();
    let address = serve(move |_, mut stream| {
        let (answer, say) = (answer.clone(), say.clone());
        async move {
            write(&mut stream, &answer).await;
            gone(&mut stream).await;
            let _ = say.send(());
        }
    });
    (address.await, heard)
}

/// All that an answer gives, and how it failed, if it did.
pub(crate) async fn whole(mut answer: ChunkStream) -> (Vec<Chunk>, Option<BackendFailed>) {
    let mut chunks = Vec::new();
    loop {
        match tokio::time::timeout(Duration::from_secs(60), answer.next()).await.unwrap() {
            Some(Ok(chunk)) => chunks.push(chunk),
            Some(Err(failed)) => {
                assert!(answer.next().await.is_none());
                return (chunks, Some(failed));
            }
            None => return (chunks, None),
        }
    }
}

/// The text of an answer as it was sent on.
pub(crate) fn said(chunks: &[Chunk]) -> String {
    let texts = chunks.iter().filter_map(|chunk| match chunk.kind() {
        ChunkKind::Text(text) => Some(text),
        _ => None,
    });
    texts.collect()
}

/// What a person is told of a failure, and how often the answer ended.
pub(crate) fn ends(chunks: &[Chunk]) -> (Vec<&str>, usize) {
    let errors = chunks.iter().filter_map(|chunk| match chunk.kind() {
        ChunkKind::Error(told) => Some(told),
        _ => None,
    });
    (errors.collect(), chunks.iter().filter(|chunk| chunk.kind() == ChunkKind::Done).count())
}
