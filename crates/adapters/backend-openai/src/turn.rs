//! A turn: asking, then reading, until the answer is over.

use std::mem;
use std::time::Duration;

use answerplane_session::{BackendFailed, Chunk, ChunkStream};
use futures_util::stream;
use reqwest::{Client, Request, Response};
use tokio::task::yield_now;

use crate::error::OpenAiFailed;
use crate::event::Answer;
use crate::transport::send;

/// The answer of a turn while it comes in. Everything that runs for it is held by it, so that dropping it ends all.
pub(crate) struct Turn {
    stage: Stage,
    answer: Answer,
}

enum Stage {
    Asking(Client, Request, Duration),
    Reading(Response),
    Failed(OpenAiFailed),
    Over,
}

impl Turn {
    pub(crate) fn new(client: Client, request: Result<Request, OpenAiFailed>, time: Duration) -> Self {
        let stage = match request {
            Ok(request) => Stage::Asking(client, request, time),
            Err(reason) => Stage::Failed(reason),
        };
        Self { stage, answer: Answer::default() }
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
            self.stage = match mem::replace(&mut self.stage, Stage::Over) {
                Stage::Asking(client, request, time) => match send(&client, request, time).await {
                    Ok(response) => Stage::Reading(response),
                    Err(reason) => Stage::Failed(reason),
                },
                Stage::Reading(mut response) => {
                    let read = match response.chunk().await {
                        Ok(Some(piece)) => self.answer.push(&piece),
                        Ok(None) => self.answer.finish(),
                        Err(_) => Err(OpenAiFailed::BrokeOff),
                    };
                    match read {
                        Ok(()) if self.answer.is_over() => Stage::Over,
                        Ok(()) => {
                            if self.answer.is_silent() {
                                // What says nothing for long may always be ready: whoever waits for the turn gets a word in.
                                yield_now().await;
                            }
                            Stage::Reading(response)
                        }
                        Err(reason) => Stage::Failed(reason),
                    }
                }
                Stage::Failed(reason) => return Some(Err(BackendFailed::new(reason))),
                Stage::Over => return None,
            };
        }
    }
}
