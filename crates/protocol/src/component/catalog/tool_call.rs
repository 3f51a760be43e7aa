//! `tool-call`: a tool that the assistant uses.

use alloc::string::String;

use serde_json::Value;

use crate::component::catalog::{StandardComponent, write_line};
use crate::component::frame::Props;
use crate::component::semantics::{Capability, Keyboard, Live, Role, Semantics};
use crate::scalar::BoundedText;
use crate::wire::{wire_enum, wire_record};

wire_record! {
    /// A tool that the assistant uses.
    pub struct ToolCallCard strict {
        /// The tool.
        required name: BoundedText<1, 4_096> = "name",
        /// How far it has come.
        required status: ToolCallState = "status",
        /// What it was given.
        optional arguments: Props = "arguments",
        /// What came of it.
        optional result: Props = "result",
    }
}

wire_enum! {
    /// How far the use of a tool has come.
    pub enum ToolCallState {
        /// It has not begun.
        Pending = "pending",
        /// It is running.
        Running = "running",
        /// It is done.
        Complete = "complete",
        /// It has failed.
        Error = "error",
    }
}

impl ToolCallCard {
    /// The tool, and how far it has come.
    #[must_use]
    pub fn new(name: BoundedText<1, 4_096>, status: ToolCallState) -> Self {
        Self { name, status, arguments: None, result: None }
    }

    /// The same with what it was given.
    #[must_use]
    pub fn with_arguments(self, arguments: Props) -> Self {
        Self { arguments: Some(arguments), ..self }
    }

    /// The same with what came of it.
    #[must_use]
    pub fn with_result(self, result: Props) -> Self {
        Self { result: Some(result), ..self }
    }
}

impl StandardComponent for ToolCallCard {
    const SEMANTICS: Semantics = Semantics {
        role: Role::Status,
        live: Live::Polite,
        keyboard: Keyboard::None,
        capabilities: &[Capability::Display, Capability::Update],
        events: &[],
    };

    fn takes(&self, _: &str, _: Option<&Value>) -> bool {
        false
    }

    fn write_text(&self, out: &mut String) {
        write_line(out, &["Tool ", self.name.as_str(), ": ", self.status.as_str()]);
    }
}
