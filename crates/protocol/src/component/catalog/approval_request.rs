//! `approval-request`: something that is done only when a person approves.

use alloc::string::String;

use serde_json::Value;

use crate::component::catalog::{StandardComponent, write_line};
use crate::component::semantics::{Capability, Keyboard, Live, Role, Semantics};
use crate::scalar::BoundedText;
use crate::wire::wire_record;

wire_record! {
    /// Something that is done only when a person approves.
    pub struct ApprovalRequest strict {
        /// What is to be done.
        required title: BoundedText<1, 4_096> = "title",
        /// What it means.
        required description: BoundedText<1, 4_096> = "description",
        /// What stands on the button that approves.
        required approve_label: BoundedText<1, 256> = "approveLabel",
        /// What stands on the button that denies.
        required deny_label: BoundedText<1, 256> = "denyLabel",
    }
}

impl ApprovalRequest {
    /// What is to be done and what it means, with what stands on the buttons that approve and deny.
    #[must_use]
    pub fn new(
        title: BoundedText<1, 4_096>,
        description: BoundedText<1, 4_096>,
        (approve_label, deny_label): (BoundedText<1, 256>, BoundedText<1, 256>),
    ) -> Self {
        Self { title, description, approve_label, deny_label }
    }
}

impl StandardComponent for ApprovalRequest {
    const SEMANTICS: Semantics = Semantics {
        role: Role::Group,
        live: Live::Off,
        keyboard: Keyboard::Buttons,
        capabilities: &[Capability::Display, Capability::Decide],
        events: &["approve", "deny"],
    };

    fn takes(&self, _: &str, value: Option<&Value>) -> bool {
        value.is_none()
    }

    fn write_text(&self, out: &mut String) {
        write_line(out, &[self.title.as_str()]);
        write_line(out, &[self.description.as_str()]);
        write_line(out, &["[", self.approve_label.as_str(), "] [", self.deny_label.as_str(), "]"]);
    }
}
