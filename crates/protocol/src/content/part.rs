//! The parts of a message: a run of text, or a component.

use crate::component::RenderFrame;
use crate::content::ContentDiagnostic;
use crate::json_text::read_text;
use crate::scalar::{BoundedText, InvalidScalar};
use crate::wire::{Wire, wire_constant, wire_object, wire_union};

wire_constant! {
    TextWord = "text";
    ComponentWord = "component";
}

wire_union! {
    /// One record of ordered content: a run of text, or a component. Contract: `docs/protocol/content.md`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum ContentPart by "kind" document {
        /// A run of text.
        "text" => Text(TextPart),
        /// A component.
        "component" => Component(ComponentPart),
    }
}

wire_object! {
    /// A run of text.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct TextPart {
        /// What the record is.
        required word: TextWord = "kind",
        /// The text.
        required text: BoundedText<1, 16_384> = "text",
    }
}

wire_object! {
    /// A component in a message.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ComponentPart {
        /// What the record is.
        required word: ComponentWord = "kind",
        /// The component.
        required frame: Wire<RenderFrame> = "frame",
    }
}

impl ContentPart {
    /// Reads one record: a line of ordered content, or what is to be written as one.
    ///
    /// # Errors
    ///
    /// When the text is no record.
    pub fn decode(record: &str) -> Result<Self, ContentDiagnostic> {
        read_text::<Wire<Self>>(record).map(|part| part.0).map_err(|_| ContentDiagnostic::InvalidRecord)
    }

    /// A run of text.
    ///
    /// # Errors
    ///
    /// When the text is empty or has more than 16,384 UTF-16 code units.
    pub fn text(text: &str) -> Result<Self, InvalidScalar> {
        Ok(Self::Text(TextPart { word: TextWord, text: BoundedText::parse(text)? }))
    }

    /// A component.
    #[must_use]
    pub fn component(frame: RenderFrame) -> Self {
        Self::Component(ComponentPart { word: ComponentWord, frame: Wire(frame) })
    }
}

impl TextPart {
    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.text.as_str()
    }
}

impl ComponentPart {
    /// The component.
    #[must_use]
    pub fn frame(&self) -> &RenderFrame {
        &self.frame.0
    }
}
