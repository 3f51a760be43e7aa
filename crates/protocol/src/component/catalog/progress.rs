//! `progress`: how far something has come.

use alloc::format;
use alloc::string::String;

use serde_json::Value;

use crate::component::catalog::{StandardComponent, write_line};
use crate::component::semantics::{Capability, Keyboard, Live, Role, Semantics};
use crate::scalar::BoundedText;
use crate::wire::{Number, wire_record};

wire_record! {
    /// How far something has come.
    pub struct Progress strict {
        /// What it is.
        required label: BoundedText<1, 256> = "label",
        /// How far, in percent.
        required value: Number<0, 100> = "value",
        /// What is going on.
        optional status: BoundedText<1, 4_096> = "status",
    }
}

impl Progress {
    /// What it is, and how far it has come in percent.
    #[must_use]
    pub fn new(label: BoundedText<1, 256>, value: Number<0, 100>) -> Self {
        Self { label, value, status: None }
    }

    /// The same with what is going on.
    #[must_use]
    pub fn with_status(self, status: BoundedText<1, 4_096>) -> Self {
        Self { status: Some(status), ..self }
    }
}

impl StandardComponent for Progress {
    const SEMANTICS: Semantics = Semantics {
        role: Role::Progressbar,
        live: Live::Polite,
        keyboard: Keyboard::None,
        capabilities: &[Capability::Display, Capability::Update],
        events: &[],
    };

    fn takes(&self, _: &str, _: Option<&Value>) -> bool {
        false
    }

    fn write_text(&self, out: &mut String) {
        let value = format!("{}", self.value.get());
        match &self.status {
            Some(status) => {
                write_line(out, &[self.label.as_str(), ": ", &value, " % (", status.as_str(), ")"]);
            }
            None => write_line(out, &[self.label.as_str(), ": ", &value, " %"]),
        }
    }
}
