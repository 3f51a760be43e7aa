//! `file-attachment`: a file that goes with a message.

use alloc::format;
use alloc::string::String;

use serde_json::Value;

use crate::component::catalog::{StandardComponent, write_line};
use crate::component::semantics::{Capability, Keyboard, Live, Role, Semantics};
use crate::scalar::{BoundedText, SafeLink};
use crate::wire::{Integer, wire_record};

wire_record! {
    /// A file that goes with a message.
    pub struct FileAttachment strict {
        /// The file's name.
        required name: BoundedText<1, 4_096> = "name",
        /// The type of its content.
        required mime_type: BoundedText<1, 256> = "mimeType",
        /// Its size in bytes.
        optional size_bytes: Integer = "sizeBytes",
        /// Where it is.
        optional url: SafeLink = "url",
    }
}

impl FileAttachment {
    /// The name of the file, and the type of its content.
    #[must_use]
    pub fn new(name: BoundedText<1, 4_096>, mime_type: BoundedText<1, 256>) -> Self {
        Self { name, mime_type, size_bytes: None, url: None }
    }

    /// The same with its size in bytes.
    #[must_use]
    pub fn with_size_bytes(self, size_bytes: Integer) -> Self {
        Self { size_bytes: Some(size_bytes), ..self }
    }

    /// The same with where it is.
    #[must_use]
    pub fn with_url(self, url: SafeLink) -> Self {
        Self { url: Some(url), ..self }
    }
}

impl StandardComponent for FileAttachment {
    const SEMANTICS: Semantics = Semantics {
        role: Role::Link,
        live: Live::Off,
        keyboard: Keyboard::Links,
        capabilities: &[Capability::Display, Capability::Navigate],
        events: &["open"],
    };

    fn declares(&self, _: &str) -> bool {
        self.url.is_some()
    }

    fn takes(&self, _: &str, value: Option<&Value>) -> bool {
        value.and_then(Value::as_str) == self.url.as_ref().map(SafeLink::as_str)
    }

    fn write_text(&self, out: &mut String) {
        let size = self.size_bytes.map_or_else(String::new, |size| format!(", {size} bytes"));
        write_line(out, &[self.name.as_str(), " (", self.mime_type.as_str(), &size, ")"]);
        if let Some(url) = &self.url {
            write_line(out, &["<", url.as_str(), ">"]);
        }
    }
}
