//! `error-notice`: what went wrong, and perhaps another try.

use alloc::string::String;

use serde_json::Value;

use crate::component::catalog::{StandardComponent, write_line};
use crate::component::semantics::{Capability, Keyboard, Live, Role, Semantics};
use crate::scalar::BoundedText;
use crate::wire::wire_record;

wire_record! {
    /// What went wrong, and perhaps another try.
    pub struct ErrorNotice strict {
        /// What went wrong.
        required title: BoundedText<1, 4_096> = "title",
        /// What it means.
        required message: BoundedText<1, 4_096> = "message",
        /// The code of the error.
        optional code: BoundedText<1, 128> = "code",
        /// What stands on the button that tries again; without it nobody can.
        optional retry_label: BoundedText<1, 256> = "retryLabel",
    }
}

impl ErrorNotice {
    /// What went wrong, and what it means. Nobody can try again.
    #[must_use]
    pub fn new(title: BoundedText<1, 4_096>, message: BoundedText<1, 4_096>) -> Self {
        Self { title, message, code: None, retry_label: None }
    }

    /// The same with the code of the error.
    #[must_use]
    pub fn with_code(self, code: BoundedText<1, 128>) -> Self {
        Self { code: Some(code), ..self }
    }

    /// The same with what stands on the button that tries again.
    #[must_use]
    pub fn with_retry_label(self, retry_label: BoundedText<1, 256>) -> Self {
        Self { retry_label: Some(retry_label), ..self }
    }
}

impl StandardComponent for ErrorNotice {
    const SEMANTICS: Semantics = Semantics {
        role: Role::Alert,
        live: Live::Assertive,
        keyboard: Keyboard::Buttons,
        capabilities: &[Capability::Display, Capability::Select],
        events: &["retry"],
    };

    fn declares(&self, _: &str) -> bool {
        self.retry_label.is_some()
    }

    fn takes(&self, _: &str, value: Option<&Value>) -> bool {
        value.is_none()
    }

    fn write_text(&self, out: &mut String) {
        match &self.code {
            Some(code) => write_line(out, &["Error: ", self.title.as_str(), " (", code.as_str(), ")"]),
            None => write_line(out, &["Error: ", self.title.as_str()]),
        }
        write_line(out, &[self.message.as_str()]);
        if let Some(label) = &self.retry_label {
            write_line(out, &["[", label.as_str(), "]"]);
        }
    }
}
