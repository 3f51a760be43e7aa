//! The messages of a turn.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize as _;
use serde::de::{Deserialize, Deserializer, Error};
use serde_json::{Map, Value};

use crate::scalar::{BoundedText, FreeText, UtcTime};
use crate::wire::{
    Limits, List, Number, TextRule as _, foreign_json, wire_constant, wire_enum, wire_record, wire_union,
};

/// The greatest number of values in a record of messages, and of members in one object or list.
const MAX_NODES: usize = 10_000;
/// How deep the deepest value of the record may lie; the record itself lies at 0.
const MAX_DEPTH: usize = 32;
/// The greatest length of a key in UTF-16 code units.
const MAX_KEY: usize = 256;

/// The limits of what messages carry. They are those of the whole record, so what exceeds them is refused early.
const CARRIED: Limits = Limits {
    nodes: MAX_NODES,
    depth: MAX_DEPTH,
    levels: Limits::NONE.levels,
    text: usize::MAX,
    outer_key: MAX_KEY,
    key: MAX_KEY,
    object: true,
};

foreign_json! {
    /// What goes with a message: a JSON object that is never interpreted.
    pub struct Metadata: CARRIED
}

foreign_json! {
    /// What a tool is given: a JSON object that is never interpreted.
    pub struct ToolArguments: CARRIED
}

wire_record! {
    /// A message of a turn.
    pub struct TurnMessage {
        /// The message.
        required id: BoundedText<1, { usize::MAX }> = "id",
        /// Who speaks.
        required role: Role = "role",
        /// What is said.
        required content: FreeText = "content",
        /// How far it has come.
        required status: MessageStatus = "status",
        /// When it was made.
        required created_at: UtcTime = "createdAt",
        /// What it consists of beside its content.
        optional parts: List<MessagePart, 0, MAX_NODES> = "parts",
        /// The tools that it uses.
        optional tool_calls: List<ToolCall, 0, MAX_NODES> = "toolCalls",
        /// The use of a tool that it answers.
        optional tool_call_id: FreeText = "toolCallId",
        /// What goes with it.
        optional metadata: Metadata = "metadata",
    }
}

wire_enum! {
    /// Who speaks.
    pub enum Role {
        /// The person.
        User = "user",
        /// The assistant.
        Assistant = "assistant",
        /// The host.
        System = "system",
        /// A tool.
        Tool = "tool",
    }
}

wire_enum! {
    /// How far a message has come.
    pub enum MessageStatus {
        /// It has not begun.
        Pending = "pending",
        /// It is being written.
        Streaming = "streaming",
        /// It is done.
        Complete = "complete",
        /// It has failed.
        Error = "error",
    }
}

wire_constant! {
    TextWord = "text";
    ImageWord = "image";
    FileWord = "file";
}

wire_union! {
    /// What a message consists of beside its content.
    #[derive(Clone, Debug, PartialEq)]
    pub enum MessagePart by "type" {
        /// A text.
        "text" => Text(MessageText),
        /// A picture.
        "image" => Image(MessageImage),
        /// Something to listen to or to watch.
        "audio" | "video" => Media(MessageMedia),
        /// A file.
        "file" => File(MessageFile),
    }
}

impl Eq for MessagePart {}

wire_record! {
    /// A text in a message.
    pub struct MessageText {
        /// What the part is.
        fixed word: TextWord = "type",
        /// The text.
        required text: FreeText = "text",
    }
}

wire_record! {
    /// A picture in a message.
    pub struct MessageImage {
        /// What the part is.
        fixed word: ImageWord = "type",
        /// Where it is, or what it is.
        required source: FreeText = "source",
        /// The type of its content.
        optional mime_type: FreeText = "mimeType",
        /// How closely it is to be looked at.
        optional detail: ImageDetail = "detail",
    }
}

wire_enum! {
    /// How closely a picture is to be looked at.
    pub enum ImageDetail {
        /// Not closely.
        Low = "low",
        /// Closely.
        High = "high",
        /// As closely as seems right.
        Auto = "auto",
    }
}

wire_record! {
    /// Something in a message to listen to or to watch.
    pub struct MessageMedia {
        /// Whether it is to be listened to or to be watched.
        required kind: MediaKind = "type",
        /// Where it is, or what it is.
        required source: FreeText = "source",
        /// The type of its content.
        optional mime_type: FreeText = "mimeType",
        /// How long it lasts, in seconds.
        optional duration_sec: Number<0, { i64::MAX }> = "durationSec",
    }
}

wire_enum! {
    /// Whether something is to be listened to or to be watched.
    pub enum MediaKind {
        /// To be listened to.
        Audio = "audio",
        /// To be watched.
        Video = "video",
    }
}

wire_record! {
    /// A file in a message.
    pub struct MessageFile {
        /// What the part is.
        fixed word: FileWord = "type",
        /// Where it is, or what it is.
        required source: FreeText = "source",
        /// The type of its content.
        optional mime_type: FreeText = "mimeType",
        /// Its name.
        optional filename: FreeText = "filename",
    }
}

wire_record! {
    /// The use of a tool.
    pub struct ToolCall {
        /// The use of the tool.
        required id: BoundedText<1, { usize::MAX }> = "id",
        /// The tool.
        required name: BoundedText<1, { usize::MAX }> = "name",
        /// What the tool is given.
        required args: ToolArguments = "args",
        /// How far it has come.
        required status: ToolCallStatus = "status",
        /// What came of it.
        optional result: FreeText = "result",
        /// What went wrong.
        optional error: FreeText = "error",
    }
}

wire_enum! {
    /// How far the use of a tool has come.
    pub enum ToolCallStatus {
        /// It has not begun.
        Pending = "pending",
        /// It is running.
        Running = "running",
        /// It is done.
        Complete = "complete",
        /// It has failed.
        Error = "error",
        /// A person has to confirm it first.
        RequiresConfirmation = "requires_confirmation",
    }
}

/// The messages of a turn: the record `{ version: 1, messages }` that holds them has at most 10,000 values, none
/// deeper than 32 (the record lies at 0), no object or list with more than 10,000 members, no key of more than
/// 256 UTF-16 code units.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript(Vec<TurnMessage>);

impl Transcript {
    /// The messages, or `None` where together they exceed the limits.
    #[must_use]
    pub fn new(messages: Vec<TurnMessage>) -> Option<Self> {
        // The record, its version and the list.
        let mut nodes = 3;
        for message in &messages {
            nodes += message.nodes()?;
            if nodes > MAX_NODES {
                return None;
            }
        }
        Some(Self(messages))
    }

    /// The messages.
    #[must_use]
    pub fn messages(&self) -> &[TurnMessage] {
        &self.0
    }
}

impl TurnMessage {
    /// A message without anything optional.
    #[must_use]
    pub fn new(
        id: BoundedText<1, { usize::MAX }>,
        role: Role,
        content: FreeText,
        status: MessageStatus,
        created_at: UtcTime,
    ) -> Self {
        Self {
            id,
            role,
            content,
            status,
            created_at,
            parts: None,
            tool_calls: None,
            tool_call_id: None,
            metadata: None,
        }
    }

    /// The same with what it consists of beside its content.
    #[must_use]
    pub fn with_parts(self, parts: List<MessagePart, 0, MAX_NODES>) -> Self {
        Self { parts: Some(parts), ..self }
    }

    /// The same with the tools that it uses.
    #[must_use]
    pub fn with_tool_calls(self, tool_calls: List<ToolCall, 0, MAX_NODES>) -> Self {
        Self { tool_calls: Some(tool_calls), ..self }
    }

    /// The same with the use of a tool that it answers.
    #[must_use]
    pub fn with_tool_call_id(self, tool_call_id: FreeText) -> Self {
        Self { tool_call_id: Some(tool_call_id), ..self }
    }

    /// The same with what goes with it.
    #[must_use]
    pub fn with_metadata(self, metadata: Metadata) -> Self {
        Self { metadata: Some(metadata), ..self }
    }

    /// How many values the message consists of, or `None` where one lies too deep or a key is too long.
    fn nodes(&self) -> Option<usize> {
        nodes(&self.serialize(serde_json::value::Serializer).ok()?, 2)
    }
}

impl ToolCall {
    /// The use of a tool, without a result.
    #[must_use]
    pub fn new(
        id: BoundedText<1, { usize::MAX }>,
        name: BoundedText<1, { usize::MAX }>,
        args: ToolArguments,
        status: ToolCallStatus,
    ) -> Self {
        Self { id, name, args, status, result: None, error: None }
    }

    /// The same with what came of it.
    #[must_use]
    pub fn with_result(self, result: FreeText) -> Self {
        Self { result: Some(result), ..self }
    }

    /// The same with what went wrong.
    #[must_use]
    pub fn with_error(self, error: FreeText) -> Self {
        Self { error: Some(error), ..self }
    }
}

impl MessagePart {
    /// A text.
    #[must_use]
    pub fn text(text: FreeText) -> Self {
        Self::Text(MessageText { word: TextWord, text })
    }

    /// A picture.
    #[must_use]
    pub fn image(source: FreeText, mime_type: Option<FreeText>, detail: Option<ImageDetail>) -> Self {
        Self::Image(MessageImage { word: ImageWord, source, mime_type, detail })
    }

    /// Something to listen to or to watch, and how many seconds it lasts.
    #[must_use]
    pub fn media(
        kind: MediaKind,
        source: FreeText,
        mime_type: Option<FreeText>,
        duration: Option<Number<0, { i64::MAX }>>,
    ) -> Self {
        Self::Media(MessageMedia { kind, source, mime_type, duration_sec: duration })
    }

    /// A file.
    #[must_use]
    pub fn file(source: FreeText, mime_type: Option<FreeText>, filename: Option<FreeText>) -> Self {
        Self::File(MessageFile { word: FileWord, source, mime_type, filename })
    }
}

fn nodes(value: &Value, depth: usize) -> Option<usize> {
    if depth > MAX_DEPTH {
        return None;
    }
    let members = |mut nodes: usize, value: &Value| {
        nodes += self::nodes(value, depth + 1)?;
        Some(nodes)
    };
    match value {
        Value::Array(items) => items.iter().try_fold(1, members),
        Value::Object(object) => has_short_keys(object).then(|| object.values().try_fold(1, members))?,
        _ => Some(1),
    }
}

fn has_short_keys(object: &Map<String, Value>) -> bool {
    object.keys().all(|key| BoundedText::<0, MAX_KEY>::accept(key).is_some())
}

impl<'de> Deserialize<'de> for Transcript {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let messages = List::<TurnMessage, 0, MAX_NODES>::deserialize(deserializer)?;
        Self::new(messages.into_vec()).ok_or_else(|| D::Error::custom("the messages exceed their limits"))
    }
}

impl serde::Serialize for Transcript {
    fn serialize<Z: serde::Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        self.0.serialize(serializer)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Transcript {
    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "Transcript".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Beyond this schema: the record of these messages has at most 10,000 values, none deeper than 32, no key longer than 256.",
            "type": "array",
            "items": generator.subschema_for::<TurnMessage>(),
            "maxItems": MAX_NODES,
        })
    }
}
