//! An answer as ordered content, within its limits.

use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;

use answerplane_normalize::truncate_utf16;
use answerplane_protocol::ask::{AskError, AskRecord, AskTool};
use answerplane_protocol::{Content, ContentEncoder, ContentPart, RenderFrame};
use answerplane_session::Chunk;
use serde_json::{Value, json};

use crate::cite::{instance, source_list};

/// The greatest length of a text record, in UTF-16 code units.
const PIECE_UNITS: usize = 16_384;
/// What a person is told of an answer that is too long.
const TOO_LONG: &str = "Ask answer exceeded the ordered content limits.";

/// Makes a component of a tool that an answer used.
pub(crate) type Projector = Arc<dyn Fn(&AskTool) -> Option<RenderFrame> + Send + Sync>;

/// Turns what comes into chunks of ordered content.
pub(crate) struct Answer {
    encoder: ContentEncoder,
    records: usize,
    bytes: usize,
    /// Text that is not given out yet.
    pending: String,
    /// What is to be given out.
    ready: VecDeque<Chunk>,
    is_over: bool,
    /// What the instances of components are named after.
    message_id: String,
    components: usize,
    projector: Option<Projector>,
}

impl Answer {
    pub(crate) fn new(message_id: String, projector: Option<Projector>) -> Self {
        Self {
            encoder: ContentEncoder::new(),
            records: 0,
            bytes: 0,
            pending: String::new(),
            ready: VecDeque::new(),
            is_over: false,
            message_id,
            components: 0,
            projector,
        }
    }

    /// The next chunk that is ready.
    pub(crate) fn next(&mut self) -> Option<Chunk> {
        self.ready.pop_front()
    }

    /// Whether nothing is ready.
    pub(crate) fn is_silent(&self) -> bool {
        self.ready.is_empty()
    }

    /// Whether nothing that still comes is looked at.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    pub(crate) fn record(&mut self, record: AskRecord) {
        if self.is_over {
            return;
        }
        match record {
            AskRecord::Text(text) => self.text(text.delta().as_str()),
            AskRecord::Tool(tool) => self.tool(&tool),
            AskRecord::Done(done) => self.done(done.model().map(|model| model.as_str())),
            AskRecord::Error(error) => self.error(&error),
        }
    }

    /// More text. It is given out at once, unless so many records are used up that small ones have to be put together.
    pub(crate) fn text(&mut self, text: &str) {
        if self.is_over {
            return;
        }
        self.pending.push_str(text);
        while !self.is_over && self.pending.len() >= least(self.records) {
            self.give_out();
        }
    }

    /// Everything that came is given out.
    pub(crate) fn flush(&mut self) {
        while !self.is_over && !self.pending.is_empty() {
            self.give_out();
        }
    }

    /// The end of the answer.
    pub(crate) fn done(&mut self, model: Option<&str>) {
        self.flush();
        let model = model.filter(|model| !model.is_empty());
        let done = model
            .and_then(|model| Chunk::from_value(json!({ "type": "done", "metadata": { "model": model } })));
        self.end(done.unwrap_or_else(Chunk::done));
    }

    /// What the service says went wrong, to the person who asked.
    fn error(&mut self, error: &AskError) {
        self.flush();
        let mut metadata = json!({});
        if let Some(code) = error.code() {
            metadata["code"] = json!(code.as_str());
        }
        if let Some(is_retryable) = error.retryable() {
            metadata["retryable"] = json!(is_retryable);
        }
        let chunk = json!({ "type": "error", "content": error.message().as_str(), "metadata": metadata });
        self.end(Chunk::from_value(chunk).unwrap_or_else(|| Chunk::error(error.message().as_str())));
    }

    fn tool(&mut self, tool: &AskTool) {
        let args = tool.args().as_value();
        match tool.name().as_str() {
            "answer" => {
                if let Some(markdown) = args.get("markdown").and_then(Value::as_str) {
                    self.text(markdown);
                }
            }
            "cite" => self.cite(args),
            _ => {
                if let Some(frame) = self.projector.as_ref().and_then(|projector| projector(tool)) {
                    self.flush();
                    let record = self.encoder.encode(&ContentPart::component(frame));
                    self.put(record);
                }
            }
        }
    }

    fn cite(&mut self, args: &Value) {
        let Some((component, fallback)) = source_list(args) else { return };
        let Some(instance) = instance(&self.message_id, self.components + 1) else { return };
        self.components += 1;
        self.flush();
        let record = self.encoder.encode_component(&instance, &component, &fallback);
        self.put(record);
    }

    /// Gives out as much of the pending text as fits into a record.
    fn give_out(&mut self) {
        let piece = truncate_utf16(&self.pending, PIECE_UNITS);
        let length = piece.len();
        if let Ok(part) = ContentPart::text(piece) {
            let record = self.encoder.encode(&part);
            self.put(record);
        }
        self.pending.drain(..length);
    }

    /// Gives out a record, unless it is one too many.
    fn put(&mut self, record: String) {
        if self.is_over {
            return;
        }
        self.records += 1;
        self.bytes += record.len();
        if self.records > Content::MAX_RECORDS || self.bytes > Content::MAX_BYTES {
            self.end(Chunk::error(TOO_LONG));
        } else {
            self.ready.push_back(Chunk::text(record));
        }
    }

    fn end(&mut self, chunk: Chunk) {
        if !mem::replace(&mut self.is_over, true) {
            self.ready.push_back(chunk);
        }
    }
}

/// How many bytes of text a record has at least, when so many records are there already. Services send a record for
/// each word, and there are 512 records in a message: with this, text alone never runs out of records before it runs out
/// of bytes, and the first 20,000 bytes still come in small pieces.
const fn least(records: usize) -> usize {
    match records {
        0..128 => 1,
        128..256 => 32,
        256..384 => 128,
        _ => 2_048,
    }
}
