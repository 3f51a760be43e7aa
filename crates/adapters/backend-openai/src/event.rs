//! The chunks of a chat completion, and what comes of them.

use std::borrow::Cow;
use std::collections::VecDeque;

use answerplane_session::Chunk;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::error::OpenAiFailed;
use crate::finish::Finish;
use crate::sse::SseReader;

/// What ends a stream.
const DONE: &[u8] = b"[DONE]";

#[derive(Deserialize)]
struct Completion<'e> {
    #[serde(default, borrow)]
    choices: Option<Vec<Choice<'e>>>,
    #[serde(default, borrow)]
    usage: Option<&'e RawValue>,
    #[serde(default)]
    error: Option<IgnoredAny>,
    #[serde(default)]
    message: Option<IgnoredAny>,
    #[serde(default)]
    object: Option<Object>,
}

/// What an event calls itself.
#[derive(Deserialize)]
enum Object {
    #[serde(rename = "error")]
    Error,
    #[serde(other)]
    Another,
}

#[derive(Deserialize)]
struct Choice<'e> {
    #[serde(default)]
    index: Option<u64>,
    #[serde(default, borrow)]
    delta: Option<Delta<'e>>,
    #[serde(default, borrow)]
    finish_reason: Option<Cow<'e, str>>,
}

#[derive(Deserialize)]
struct Delta<'e> {
    #[serde(default)]
    content: Option<String>,
    /// What the model says instead of an answer.
    #[serde(default)]
    refusal: Option<String>,
    #[serde(default)]
    tool_calls: Option<Vec<IgnoredAny>>,
    #[serde(default, borrow)]
    function_call: Option<&'e RawValue>,
}

#[derive(Deserialize)]
struct Tokens {
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
    #[serde(default)]
    total_tokens: Option<u64>,
}

/// Reads a stream of completion chunks as chunks of a turn.
#[derive(Default)]
pub(crate) struct Answer {
    events: SseReader,
    told: Told,
}

/// What the events have told so far.
#[derive(Default)]
struct Told {
    ready: VecDeque<Chunk>,
    /// Whether there was text.
    has_begun: bool,
    finish: Option<Finish>,
    usage: Option<Value>,
    is_over: bool,
    failed: Option<OpenAiFailed>,
}

impl Answer {
    /// The next chunk that is ready.
    pub(crate) fn next(&mut self) -> Option<Chunk> {
        self.told.ready.pop_front()
    }

    /// Whether nothing is ready.
    pub(crate) fn is_silent(&self) -> bool {
        self.told.ready.is_empty()
    }

    /// Whether nothing that still comes is looked at.
    pub(crate) fn is_over(&self) -> bool {
        self.told.is_over
    }

    /// Takes the next piece of the body. An error stands behind everything that came before it.
    pub(crate) fn push(&mut self, piece: &[u8]) -> Result<(), OpenAiFailed> {
        let told = &mut self.told;
        let read = self.events.push(piece, |event| told.event(event));
        match self.told.failed.take() {
            Some(failed) => Err(failed),
            None if self.told.is_over => Ok(()),
            None => read.map_err(|_| OpenAiFailed::EventTooLong),
        }
    }

    /// The body is over. It may end without the event that ends a stream, when it has said why the answer ended.
    pub(crate) fn finish(&mut self) -> Result<(), OpenAiFailed> {
        if self.told.finish.is_none() {
            return Err(OpenAiFailed::Unfinished);
        }
        self.told.end();
        Ok(())
    }
}

impl Told {
    fn event(&mut self, event: &[u8]) {
        if self.is_over || self.failed.is_some() {
            return;
        }
        match event.trim_ascii() {
            // Some servers keep a connection alive like this.
            [] => return,
            // Nothing was said, and no reason given.
            DONE if !self.has_begun && self.finish.is_none() => {
                self.failed = Some(OpenAiFailed::Unfinished);
                return;
            }
            DONE => return self.end(),
            _ => {}
        }
        // What is derived would take a list for an object.
        if !event.trim_ascii_start().starts_with(b"{") {
            self.failed = Some(OpenAiFailed::Malformed);
            return;
        }
        match serde_json::from_slice::<Completion<'_>>(event) {
            Ok(Completion { error: Some(_), .. }) => self.failed = Some(OpenAiFailed::Reported),
            // Some servers write the error itself where others write an object around it.
            Ok(Completion { choices: None, message: Some(_), .. }) => {
                self.failed = Some(OpenAiFailed::Reported)
            }
            Ok(Completion { choices: None, object: Some(Object::Error), .. }) => {
                self.failed = Some(OpenAiFailed::Reported);
            }
            Ok(completion) => self.completion(completion),
            Err(_) => self.failed = Some(OpenAiFailed::Malformed),
        }
    }

    fn completion(&mut self, completion: Completion<'_>) {
        for choice in completion.choices.into_iter().flatten().filter(|choice| choice.index.unwrap_or(0) == 0)
        {
            if let Some(delta) = choice.delta {
                self.text(delta.content);
                self.text(delta.refusal);
                if delta.tool_calls.is_some_and(|calls| !calls.is_empty()) || delta.function_call.is_some() {
                    self.finish = Some(Finish::ToolCalls);
                }
            }
            // An answer that is not whole does not become so by a further reason.
            if let Some(reason) = choice.finish_reason
                && self.finish.is_none_or(|finish| finish.told().is_none())
            {
                self.finish = Some(Finish::of(&reason));
            }
        }
        let tokens = completion.usage.and_then(|usage| serde_json::from_str::<Tokens>(usage.get()).ok());
        if let Some(tokens) = tokens {
            let both = tokens.prompt_tokens.saturating_add(tokens.completion_tokens);
            self.usage = Some(json!({
                "promptTokens": tokens.prompt_tokens,
                "completionTokens": tokens.completion_tokens,
                "totalTokens": tokens.total_tokens.unwrap_or(both),
            }));
        }
    }

    /// More text. What a model says is ordinary text: it cannot begin as ordered content does.
    fn text(&mut self, text: Option<String>) {
        let Some(mut text) = text else { return };
        if !self.has_begun {
            text.drain(..text.len() - text.trim_start_matches('\u{1e}').len());
        }
        if !text.is_empty() {
            self.has_begun = true;
            self.ready.push_back(Chunk::text(text));
        }
    }

    fn end(&mut self) {
        self.is_over = true;
        let mut metadata = json!({});
        if let Some(finish) = self.finish {
            self.ready.extend(finish.told().map(Chunk::error));
            metadata["finishReason"] = json!(finish.word());
        }
        if let Some(usage) = self.usage.take() {
            metadata["usage"] = usage;
        }
        let done = Chunk::from_value(json!({ "type": "done", "metadata": metadata }));
        self.ready.push_back(done.unwrap_or_else(Chunk::done));
    }
}
