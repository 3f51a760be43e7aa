//! `button-group`: buttons of which one is pressed.

use alloc::string::String;

use serde_json::Value;

use crate::component::catalog::{StandardComponent, is_id_of, unique, write_line};
use crate::component::semantics::{Capability, Keyboard, Live, Role, Semantics};
use crate::scalar::{BoundedText, Identifier};
use crate::wire::{List, wire_enum, wire_record};

wire_record! {
    /// Buttons of which one is pressed. Beyond this schema: the ids are unique.
    pub struct ButtonGroup strict sound {
        /// What the buttons are about.
        required label: BoundedText<1, 256> = "label",
        /// The buttons.
        required buttons: List<Button, 1, 12> = "buttons",
    }
}

wire_record! {
    /// A button.
    pub struct Button strict {
        /// The button, unique in its group.
        required id: Identifier = "id",
        /// What stands on it.
        required label: BoundedText<1, 256> = "label",
        /// Whether it cannot be pressed.
        optional disabled: bool = "disabled",
        /// How it looks.
        optional variant: ButtonVariant = "variant",
    }
}

wire_enum! {
    /// How a button looks.
    pub enum ButtonVariant {
        /// The one that most people press.
        Primary = "primary",
        /// One of several.
        Secondary = "secondary",
        /// One that destroys something.
        Danger = "danger",
    }
}

impl ButtonGroup {
    /// Buttons of which one is pressed; `None` where two have one id.
    #[must_use]
    pub fn new(label: BoundedText<1, 256>, buttons: List<Button, 1, 12>) -> Option<Self> {
        let group = Self { label, buttons };
        group.is_sound().then_some(group)
    }
}

impl Button {
    /// A button that can be pressed.
    #[must_use]
    pub fn new(id: Identifier, label: BoundedText<1, 256>) -> Self {
        Self { id, label, disabled: None, variant: None }
    }

    /// The same with whether it cannot be pressed.
    #[must_use]
    pub fn with_disabled(self, disabled: bool) -> Self {
        Self { disabled: Some(disabled), ..self }
    }

    /// The same with how it looks.
    #[must_use]
    pub fn with_variant(self, variant: ButtonVariant) -> Self {
        Self { variant: Some(variant), ..self }
    }
}

impl ButtonGroup {
    /// Whether the ids are unique.
    fn is_sound(&self) -> bool {
        unique(self.buttons.iter().map(Button::id))
    }
}

impl StandardComponent for ButtonGroup {
    const SEMANTICS: Semantics = Semantics {
        role: Role::Group,
        live: Live::Off,
        keyboard: Keyboard::Buttons,
        capabilities: &[Capability::Display, Capability::Select],
        events: &["select"],
    };

    fn takes(&self, _: &str, value: Option<&Value>) -> bool {
        let enabled = self.buttons.iter().filter(|button| button.disabled != Some(true));
        is_id_of(value, enabled.map(Button::id))
    }

    fn write_text(&self, out: &mut String) {
        write_line(out, &[self.label.as_str()]);
        for button in self.buttons.iter() {
            let disabled = if button.disabled == Some(true) { " (not available)" } else { "" };
            write_line(out, &["- ", button.label.as_str(), disabled]);
        }
    }
}
