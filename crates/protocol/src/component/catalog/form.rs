//! `form`: fields to fill in and to submit together.

use alloc::string::String;

use serde_json::Value;

use crate::component::catalog::{StandardComponent, is_id_of, unique, write_line};
use crate::component::semantics::{Capability, Keyboard, Live, Role, Semantics};
use crate::scalar::{BoundedText, Identifier};
use crate::wire::{List, wire_enum, wire_record};

wire_record! {
    /// Fields to fill in and to submit together. Beyond this schema: the ids of the fields are unique, and those
    /// of the options of each field.
    pub struct Form strict sound {
        /// What it is about.
        optional title: BoundedText<1, 4_096> = "title",
        /// The fields.
        required fields: List<FormField, 1, 30> = "fields",
        /// What stands on the button that submits it.
        required submit_label: BoundedText<1, 256> = "submitLabel",
    }
}

wire_record! {
    /// A field of a form. Beyond this schema: it has options exactly when its type is `select`.
    pub struct FormField strict sound {
        /// The field, unique in its form.
        required id: Identifier = "id",
        /// What it asks for.
        required label: BoundedText<1, 256> = "label",
        /// What it takes.
        required kind: FieldKind = "type",
        /// Whether it has to be filled in.
        optional required: bool = "required",
        /// What stands in it while it is empty.
        optional placeholder: BoundedText<0, 256> = "placeholder",
        /// What can be selected in it.
        optional options: List<FieldOption, 1, 50> = "options",
    }
}

wire_enum! {
    /// What a field of a form takes.
    pub enum FieldKind {
        /// A text.
        Text = "text",
        /// A text that is an e-mail address.
        Email = "email",
        /// A number.
        Number = "number",
        /// Yes or no.
        Checkbox = "checkbox",
        /// One of its options.
        Select = "select",
    }
}

wire_record! {
    /// What can be selected in a field.
    pub struct FieldOption strict {
        /// The option, unique in its field.
        required id: Identifier = "id",
        /// What it is called.
        required label: BoundedText<1, 256> = "label",
    }
}

impl FormField {
    /// Whether it has options exactly when one is selected, and their ids are unique.
    fn is_sound(&self) -> bool {
        self.options.is_some() == (self.kind == FieldKind::Select)
            && unique(self.options.iter().flat_map(|options| options.iter()).map(FieldOption::id))
    }

    fn takes(&self, value: &Value) -> bool {
        match self.kind {
            FieldKind::Text | FieldKind::Email => value.is_string(),
            FieldKind::Number => value.is_number(),
            FieldKind::Checkbox => value.is_boolean(),
            FieldKind::Select => {
                let options = self.options.iter().flat_map(|options| options.iter());
                is_id_of(Some(value), options.map(FieldOption::id))
            }
        }
    }
}

impl Form {
    /// Fields with what stands on the button that submits them; `None` where two fields have one id.
    #[must_use]
    pub fn new(fields: List<FormField, 1, 30>, submit_label: BoundedText<1, 256>) -> Option<Self> {
        let form = Self { title: None, fields, submit_label };
        form.is_sound().then_some(form)
    }

    /// The same with what it is about.
    #[must_use]
    pub fn with_title(self, title: BoundedText<1, 4_096>) -> Self {
        Self { title: Some(title), ..self }
    }
}

impl FormField {
    /// A field that may stay empty; `None` where it has options and its kind is not [`Select`](FieldKind::Select), or
    /// the other way round, or two options have one id.
    #[must_use]
    pub fn new(
        id: Identifier,
        label: BoundedText<1, 256>,
        kind: FieldKind,
        options: Option<List<FieldOption, 1, 50>>,
    ) -> Option<Self> {
        let field = Self { id, label, kind, required: None, placeholder: None, options };
        field.is_sound().then_some(field)
    }

    /// The same with whether it has to be filled in.
    #[must_use]
    pub fn with_required(self, required: bool) -> Self {
        Self { required: Some(required), ..self }
    }

    /// The same with what stands in it while it is empty.
    #[must_use]
    pub fn with_placeholder(self, placeholder: BoundedText<0, 256>) -> Self {
        Self { placeholder: Some(placeholder), ..self }
    }
}

impl FieldOption {
    /// What can be selected, and what it is called.
    #[must_use]
    pub fn new(id: Identifier, label: BoundedText<1, 256>) -> Self {
        Self { id, label }
    }
}

impl Form {
    /// Whether the ids are unique.
    fn is_sound(&self) -> bool {
        unique(self.fields.iter().map(FormField::id))
    }
}

impl StandardComponent for Form {
    const SEMANTICS: Semantics = Semantics {
        role: Role::Form,
        live: Live::Off,
        keyboard: Keyboard::Form,
        capabilities: &[Capability::Display, Capability::Input],
        events: &["submit"],
    };

    /// Only declared fields, each of its type, and every required one.
    fn takes(&self, _: &str, value: Option<&Value>) -> bool {
        let Some(values) = value.and_then(Value::as_object) else { return false };
        let field = |name: &str| self.fields.iter().find(|field| field.id.as_str() == name);
        values.iter().all(|(name, value)| field(name).is_some_and(|field| field.takes(value)))
            && self
                .fields
                .iter()
                .filter(|field| field.required == Some(true))
                .all(|field| values.contains_key(field.id.as_str()))
    }

    fn write_text(&self, out: &mut String) {
        if let Some(title) = &self.title {
            write_line(out, &[title.as_str()]);
        }
        for field in self.fields.iter() {
            let required = if field.required == Some(true) { " (required)" } else { "" };
            write_line(out, &["- ", field.label.as_str(), required]);
            for option in field.options.iter().flat_map(|options| options.iter()) {
                write_line(out, &["  - ", option.label.as_str()]);
            }
        }
        write_line(out, &["[", self.submit_label.as_str(), "]"]);
    }
}
