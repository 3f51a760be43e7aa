//! What of a turn is sent.

use answerplane_normalize::is_blank;
use answerplane_protocol::Content;
use answerplane_session::{Role, TurnRequest};
use serde_json::{Map, Value, json};

use crate::error::{OpenAiFailed, OpenAiRefused};

/// The greatest number of messages of a history that are sent, the latest.
const MAX_MESSAGES: usize = 64;

/// What the backend sets itself, and what would bring answers that it does not read.
const OWN: [&str; 9] =
    ["model", "messages", "stream", "n", "tools", "tool_choice", "functions", "function_call", "modalities"];

/// What every request of a backend says.
#[derive(Clone)]
pub(crate) struct Template {
    parameters: Map<String, Value>,
    system: Option<String>,
}

impl Template {
    pub(crate) fn new(model: &str) -> Self {
        let own = [
            ("model", json!(model)),
            ("stream", json!(true)),
            ("stream_options", json!({ "include_usage": true })),
        ];
        Self {
            parameters: own.map(|(name, value)| (name.to_string(), value)).into_iter().collect(),
            system: None,
        }
    }

    pub(crate) fn set(&mut self, name: &str, value: Value) -> Result<(), OpenAiRefused> {
        if OWN.contains(&name) {
            return Err(OpenAiRefused::Parameter);
        }
        if value.is_null() {
            self.parameters.remove(name);
        } else {
            self.parameters.insert(name.to_string(), value);
        }
        Ok(())
    }

    pub(crate) fn set_system(&mut self, prompt: String) {
        self.system = Some(prompt);
    }

    /// The request of a turn, as JSON.
    pub(crate) fn request(&self, turn: &TurnRequest) -> Result<Vec<u8>, OpenAiFailed> {
        let asked = turn.messages.iter().rfind(|message| message.role == Role::User);
        if asked.is_none_or(|message| is_blank(&Content::as_text(&message.content))) {
            return Err(OpenAiFailed::NothingAsked);
        }
        let said = turn.messages.iter().rev().filter_map(|message| {
            let role = match message.role {
                Role::User => "user",
                Role::Assistant => "assistant",
                Role::System => "system",
                // Without the call that it answers no server takes it.
                Role::Tool => return None,
            };
            let text = Content::as_text(&message.content);
            (!is_blank(&text)).then(|| json!({ "role": role, "content": text }))
        });
        let mut messages: Vec<Value> = said.take(MAX_MESSAGES).collect();
        if messages.is_empty() {
            return Err(OpenAiFailed::NothingAsked);
        }
        messages.extend(self.system.as_ref().map(|prompt| json!({ "role": "system", "content": prompt })));
        messages.reverse();
        let mut request = self.parameters.clone();
        request.insert("messages".to_string(), messages.into());
        // What has text keys and finite numbers only cannot fail to be written.
        Ok(serde_json::to_vec(&request).unwrap_or_default())
    }
}
