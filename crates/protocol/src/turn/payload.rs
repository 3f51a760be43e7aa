//! What the events of a turn say.

use crate::scalar::{BoundedText, DiagnosticCode, FreeText, Identifier, NotBlank};
use crate::turn::message::Transcript;
use crate::wire::{Integer, List, Number, Version1, wire_constant, wire_enum, wire_record, wire_union};

wire_record! {
    /// What a person says.
    pub struct Submission {
        /// The text, which is not blank.
        required input: NotBlank = "input",
    }
}

wire_record! {
    /// What a person decides about an action that waits for it.
    pub struct Decision {
        /// The token under which the action waits.
        required token: Identifier = "token",
        /// What is decided.
        required decision: Verdict = "decision",
        /// Why.
        optional reason: FreeText = "reason",
    }
}

wire_enum! {
    /// What is decided about an action.
    pub enum Verdict {
        /// It may be done.
        Approve = "approve",
        /// It may not.
        Deny = "deny",
    }
}

wire_record! {
    /// How a turn stands.
    pub struct Snapshot {
        /// The messages so far.
        required messages: Transcript = "messages",
        /// How far the turn has come.
        required status: TurnStatus = "status",
        /// What it has cost so far.
        required usage: Usage = "usage",
        /// What went wrong.
        optional error: TurnError = "error",
        /// What the turn came from.
        optional lineage: Lineage = "lineage",
        /// What the server can do, in the first snapshot of a turn.
        optional capabilities: List<Identifier, 0, 64> = "capabilities",
        /// How much of what it may use the session has used.
        optional quota: Quota = "quota",
    }
}

wire_enum! {
    /// How far a turn has come.
    pub enum TurnStatus {
        /// Nothing is going on.
        Idle = "idle",
        /// An answer is coming.
        Streaming = "streaming",
        /// The answer is there.
        Complete = "complete",
        /// There is no answer.
        Error = "error",
    }
}

wire_record! {
    /// What a turn has cost.
    pub struct Usage {
        /// Tokens that were read.
        required prompt_tokens: Integer = "promptTokens",
        /// Tokens that were written.
        required completion_tokens: Integer = "completionTokens",
        /// Tokens together.
        required total_tokens: Integer = "totalTokens",
    }
}

wire_record! {
    /// How much of what it may use a session has used.
    pub struct Quota {
        /// The part that is used.
        required utilization: Number<0, 1> = "utilization",
        /// Whether little is left.
        required warning: bool = "warning",
    }
}

wire_record! {
    /// What went wrong.
    pub struct TurnError {
        /// The version of the diagnostic.
        fixed version: Version1 = "version",
        /// The code.
        required code: DiagnosticCode<{ usize::MAX }> = "code",
        /// What a person is told.
        required message: BoundedText<1, { usize::MAX }> = "message",
        /// Whether another try may succeed.
        required retryable: bool = "retryable",
    }
}

wire_constant! {
    SubmitOperation = "submit";
}

wire_union! {
    /// What a turn came from.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Lineage by "operation" {
        /// From something said for the first time.
        "submit" => Submit(SubmitLineage),
        /// From another turn.
        "retry" | "edit" | "regenerate" => Derived(DerivedLineage),
    }
}

wire_record! {
    /// A turn that came from something said for the first time.
    pub struct SubmitLineage {
        /// What was done.
        fixed word: SubmitOperation = "operation",
    }
}

wire_record! {
    /// A turn that came from another one.
    pub struct DerivedLineage {
        /// What was done.
        required operation: DerivedOperation = "operation",
        /// The turn that it came from.
        required parent_turn_id: Identifier = "parentTurnId",
        /// The message that it came from.
        required source_message_id: Identifier = "sourceMessageId",
    }
}

wire_enum! {
    /// How a turn can come from another one.
    pub enum DerivedOperation {
        /// The same once more, after it failed.
        Retry = "retry",
        /// Something else said instead.
        Edit = "edit",
        /// Another answer to the same.
        Regenerate = "regenerate",
    }
}

impl Submission {
    /// What a person says.
    #[must_use]
    pub fn new(input: NotBlank) -> Self {
        Self { input }
    }
}

impl Decision {
    /// What a person decides.
    #[must_use]
    pub fn new(token: Identifier, decision: Verdict, reason: Option<FreeText>) -> Self {
        Self { token, decision, reason }
    }
}

impl Usage {
    /// What a turn has cost; both numbers together.
    #[must_use]
    pub fn new(prompt_tokens: Integer, completion_tokens: Integer) -> Option<Self> {
        let total_tokens = Integer::new(prompt_tokens.get() + completion_tokens.get())?;
        Some(Self { prompt_tokens, completion_tokens, total_tokens })
    }
}

impl Quota {
    /// The part that is used, and whether little is left.
    #[must_use]
    pub fn new(utilization: Number<0, 1>, warning: bool) -> Self {
        Self { utilization, warning }
    }
}

impl TurnError {
    /// What went wrong.
    #[must_use]
    pub fn new(
        code: DiagnosticCode<{ usize::MAX }>,
        message: BoundedText<1, { usize::MAX }>,
        retryable: bool,
    ) -> Self {
        Self { version: Version1, code, message, retryable }
    }
}

impl Lineage {
    /// From something said for the first time.
    #[must_use]
    pub fn submit() -> Self {
        Self::Submit(SubmitLineage { word: SubmitOperation })
    }

    /// From a message of another turn.
    #[must_use]
    pub fn derived(operation: DerivedOperation, parent_turn: Identifier, source_message: Identifier) -> Self {
        Self::Derived(DerivedLineage {
            operation,
            parent_turn_id: parent_turn,
            source_message_id: source_message,
        })
    }
}

impl Snapshot {
    /// The capability that a server names when it accepts decisions about actions.
    pub const ACTION_DECIDE: &'static str = "action-decide-v1";

    /// How a turn stands, without anything optional.
    #[must_use]
    pub fn new(messages: Transcript, status: TurnStatus, usage: Usage) -> Self {
        Self { messages, status, usage, error: None, lineage: None, capabilities: None, quota: None }
    }

    /// The same with what went wrong.
    #[must_use]
    pub fn with_error(self, error: TurnError) -> Self {
        Self { error: Some(error), ..self }
    }

    /// The same with what the turn came from.
    #[must_use]
    pub fn with_lineage(self, lineage: Lineage) -> Self {
        Self { lineage: Some(lineage), ..self }
    }

    /// The same with what the server can do.
    #[must_use]
    pub fn with_capabilities(self, capabilities: List<Identifier, 0, 64>) -> Self {
        Self { capabilities: Some(capabilities), ..self }
    }

    /// The same with how much the session has used.
    #[must_use]
    pub fn with_quota(self, quota: Quota) -> Self {
        Self { quota: Some(quota), ..self }
    }

    /// Whether the server can do this.
    #[must_use]
    pub fn has_capability(&self, name: &str) -> bool {
        self.capabilities.iter().flat_map(|names| names.iter()).any(|known| known.as_str() == name)
    }
}
