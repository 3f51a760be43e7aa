//! `choice-list`: choices of which one is taken.

use alloc::string::String;

use serde_json::Value;

use crate::component::catalog::{StandardComponent, is_id_of, unique, write_line};
use crate::component::frame::FRAME_LIMITS;
use crate::component::semantics::{Capability, Keyboard, Live, Role, Semantics};
use crate::scalar::{BoundedText, Identifier};
use crate::wire::{Limits, List, foreign_json, wire_record};

wire_record! {
    /// Choices of which one is taken. Beyond this schema: the ids are unique.
    pub struct ChoiceList strict sound {
        /// What is asked.
        required prompt: BoundedText<1, 4_096> = "prompt",
        /// The choices.
        required choices: List<Choice, 1, 20> = "choices",
    }
}

wire_record! {
    /// A choice.
    pub struct Choice strict {
        /// The choice, unique in its list.
        required id: Identifier = "id",
        /// What it is called.
        required label: BoundedText<1, 256> = "label",
        /// What it means.
        optional description: BoundedText<1, 4_096> = "description",
        /// What taking it sets off.
        optional action: ChoiceAction = "action",
    }
}

wire_record! {
    /// What taking a choice sets off.
    pub struct ChoiceAction strict {
        /// The action.
        required name: Identifier = "name",
        /// What the action is given.
        required input: ActionInput = "input",
    }
}

foreign_json! {
    /// What an action is given: a JSON object within the limits of props.
    pub struct ActionInput: Limits { object: true, ..FRAME_LIMITS }
}

impl ChoiceList {
    /// Choices of which one is taken; `None` where two have one id.
    #[must_use]
    pub fn new(prompt: BoundedText<1, 4_096>, choices: List<Choice, 1, 20>) -> Option<Self> {
        let list = Self { prompt, choices };
        list.is_sound().then_some(list)
    }
}

impl Choice {
    /// A choice without anything optional.
    #[must_use]
    pub fn new(id: Identifier, label: BoundedText<1, 256>) -> Self {
        Self { id, label, description: None, action: None }
    }

    /// The same with what it means.
    #[must_use]
    pub fn with_description(self, description: BoundedText<1, 4_096>) -> Self {
        Self { description: Some(description), ..self }
    }

    /// The same with what taking it sets off.
    #[must_use]
    pub fn with_action(self, name: Identifier, input: ActionInput) -> Self {
        Self { action: Some(ChoiceAction { name, input }), ..self }
    }
}

impl ChoiceList {
    /// Whether the ids are unique.
    fn is_sound(&self) -> bool {
        unique(self.choices.iter().map(Choice::id))
    }
}

impl StandardComponent for ChoiceList {
    const SEMANTICS: Semantics = Semantics {
        role: Role::Group,
        live: Live::Off,
        keyboard: Keyboard::Buttons,
        capabilities: &[Capability::Display, Capability::Select],
        events: &["select"],
    };

    fn takes(&self, _: &str, value: Option<&Value>) -> bool {
        is_id_of(value, self.choices.iter().map(Choice::id))
    }

    fn write_text(&self, out: &mut String) {
        write_line(out, &[self.prompt.as_str()]);
        for choice in self.choices.iter() {
            match &choice.description {
                Some(description) => {
                    write_line(out, &["- ", choice.label.as_str(), ": ", description.as_str()]);
                }
                None => write_line(out, &["- ", choice.label.as_str()]),
            }
        }
    }
}
