//! `confirmation`: a question that is confirmed or cancelled.

use alloc::string::String;

use serde_json::Value;

use crate::component::catalog::{StandardComponent, write_line};
use crate::component::semantics::{Capability, Keyboard, Live, Role, Semantics};
use crate::scalar::BoundedText;
use crate::wire::wire_record;

wire_record! {
    /// A question that is confirmed or cancelled.
    pub struct ConfirmationCard strict {
        /// What it is about.
        required title: BoundedText<1, 4_096> = "title",
        /// What is asked.
        required message: BoundedText<1, 4_096> = "message",
        /// What stands on the button that confirms.
        required confirm_label: BoundedText<1, 256> = "confirmLabel",
        /// What stands on the button that cancels.
        required cancel_label: BoundedText<1, 256> = "cancelLabel",
    }
}

impl ConfirmationCard {
    /// A question, with what stands on the buttons that confirm and cancel.
    #[must_use]
    pub fn new(
        title: BoundedText<1, 4_096>,
        message: BoundedText<1, 4_096>,
        (confirm_label, cancel_label): (BoundedText<1, 256>, BoundedText<1, 256>),
    ) -> Self {
        Self { title, message, confirm_label, cancel_label }
    }
}

impl StandardComponent for ConfirmationCard {
    const SEMANTICS: Semantics = Semantics {
        role: Role::Group,
        live: Live::Off,
        keyboard: Keyboard::Buttons,
        capabilities: &[Capability::Display, Capability::Decide],
        events: &["confirm", "cancel"],
    };

    fn takes(&self, _: &str, value: Option<&Value>) -> bool {
        value.is_none()
    }

    fn write_text(&self, out: &mut String) {
        write_line(out, &[self.title.as_str()]);
        write_line(out, &[self.message.as_str()]);
        write_line(out, &["[", self.confirm_label.as_str(), "] [", self.cancel_label.as_str(), "]"]);
    }
}
