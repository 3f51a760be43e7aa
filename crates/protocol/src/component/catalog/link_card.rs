//! `link-card`: a link with what it leads to.

use alloc::string::String;

use serde_json::Value;

use crate::component::catalog::{StandardComponent, write_line};
use crate::component::semantics::{Capability, Keyboard, Live, Role, Semantics};
use crate::scalar::{BoundedText, SafeLink};
use crate::wire::wire_record;

wire_record! {
    /// A link with what it leads to.
    pub struct LinkCard strict {
        /// What it leads to.
        required title: BoundedText<1, 4_096> = "title",
        /// What is found there.
        optional description: BoundedText<1, 4_096> = "description",
        /// Where it leads.
        required href: SafeLink = "href",
        /// What stands on the link.
        optional label: BoundedText<1, 256> = "label",
    }
}

impl LinkCard {
    /// What the link leads to, and where that is.
    #[must_use]
    pub fn new(title: BoundedText<1, 4_096>, href: SafeLink) -> Self {
        Self { title, description: None, href, label: None }
    }

    /// The same with what is found there.
    #[must_use]
    pub fn with_description(self, description: BoundedText<1, 4_096>) -> Self {
        Self { description: Some(description), ..self }
    }

    /// The same with what stands on the link.
    #[must_use]
    pub fn with_label(self, label: BoundedText<1, 256>) -> Self {
        Self { label: Some(label), ..self }
    }
}

impl StandardComponent for LinkCard {
    const SEMANTICS: Semantics = Semantics {
        role: Role::Link,
        live: Live::Off,
        keyboard: Keyboard::Links,
        capabilities: &[Capability::Display, Capability::Navigate],
        events: &["open"],
    };

    fn takes(&self, _: &str, value: Option<&Value>) -> bool {
        value.and_then(Value::as_str) == Some(self.href.as_str())
    }

    fn write_text(&self, out: &mut String) {
        write_line(out, &[self.title.as_str()]);
        if let Some(description) = &self.description {
            write_line(out, &[description.as_str()]);
        }
        match &self.label {
            Some(label) => write_line(out, &[label.as_str(), ": <", self.href.as_str(), ">"]),
            None => write_line(out, &["<", self.href.as_str(), ">"]),
        }
    }
}
