//! `button-group`: buttons of which one is pressed.

use alloc::string::String;

use serde_json::Value;

use crate::component::catalog::{StandardComponent, is_id_of, unique, write_line};
use crate::component::semantics::{Capability, Keyboard, Live, Role, Semantics};
use crate::scalar::{BoundedText, Identifier};
use crate::wire::{List, wire_enum, wire_record};

wire_record! {
    /// Buttons of which one is pressed. Beyond this schema: the ids are unique.
    pub struct ButtonGroup strict {
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

impl StandardComponent for ButtonGroup {
    const SEMANTICS: Semantics = Semantics {
        role: Role::Group,
        live: Live::Off,
        keyboard: Keyboard::Buttons,
        capabilities: &[Capability::Display, Capability::Select],
        events: &["select"],
    };

    fn is_sound(&self) -> bool {
        unique(self.buttons.iter().map(Button::id))
    }

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
