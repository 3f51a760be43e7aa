//! A turn: asking, then reading, until the answer is over.

use std::mem;
use std::time::Duration;

use answerplane_session::{BackendFailed, Chunk, ChunkStream};
use futures_util::stream;
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE};
use reqwest::{Client, Request, Response};
use tokio::task::yield_now;

use crate::answer::Answer;
use crate::body::Body;
use crate::error::AskFailed;
use crate::transport::send;

/// The answer of a turn while it comes in. Everything that runs for it is held by it, so that dropping it ends all.
pub(crate) struct Turn {
    stage: Stage,
    answer: Answer,
}

enum Stage {
    Refused(AskFailed),
    Asking(Client, Request, Duration),
    Reading(Response, Body),
    Over,
}

impl Turn {
    pub(crate) fn new(client: Client, request: Request, time: Duration, answer: Answer) -> Self {
        Self { stage: Stage::Asking(client, request, time), answer }
    }

    pub(crate) fn refused(reason: AskFailed, answer: Answer) -> Self {
        Self { stage: Stage::Refused(reason), answer }
    }

    pub(crate) fn into_stream(self) -> ChunkStream {
        Box::pin(stream::unfold(self, |mut turn| async move { Some((turn.next().await?, turn)) }))
    }

    async fn next(&mut self) -> Option<Result<Chunk, BackendFailed>> {
        loop {
            if let Some(chunk) = self.answer.next() {
                return Some(Ok(chunk));
            }
            if self.answer.is_over() {
                return None;
            }
            match mem::replace(&mut self.stage, Stage::Over) {
                Stage::Refused(reason) => return Some(Err(BackendFailed::new(reason))),
                Stage::Asking(client, request, time) => match send(&client, request, time).await {
                    Ok(response) if is_encoded(&response) => {
                        return Some(Err(BackendFailed::new(AskFailed::Encoded)));
                    }
                    Ok(response) if response.status().is_success() => {
                        let content_type = response.headers().get(CONTENT_TYPE);
                        let body = Body::new(content_type.map(|name| name.as_bytes()));
                        self.stage = Stage::Reading(response, body);
                    }
                    Ok(response) => {
                        let status = response.status().as_u16();
                        return Some(Ok(Chunk::error(format!("Ask request failed ({status})."))));
                    }
                    Err(reason) => return Some(Err(BackendFailed::new(reason))),
                },
                Stage::Reading(mut response, mut body) => match response.chunk().await {
                    Ok(Some(piece)) => {
                        body.push(&piece, &mut self.answer);
                        if !self.answer.is_over() {
                            self.stage = Stage::Reading(response, body);
                        }
                        if self.answer.is_silent() {
                            // What says nothing for long may always be ready: whoever waits for the turn gets a word in.
                            yield_now().await;
                        }
                    }
                    Ok(None) => {
                        if !body.finish(&mut self.answer) {
                            self.stage = Stage::Refused(AskFailed::Unfinished);
                        }
                    }
                    Err(_) => {
                        self.answer.flush();
                        self.stage = Stage::Refused(AskFailed::BrokeOff);
                    }
                },
                Stage::Over => return None,
            }
        }
    }
}

/// Whether the body of an answer is still encoded, in a way that was not asked for.
fn is_encoded(response: &Response) -> bool {
    let is_plain =
        |name: &[u8]| name.trim_ascii().is_empty() || name.trim_ascii().eq_ignore_ascii_case(b"identity");
    response.status().is_success()
        && response.headers().get_all(CONTENT_ENCODING).iter().any(|name| !is_plain(name.as_bytes()))
}
