//! The three frames: a component is shown, a choice of it is taken, something is done with it.

use core::fmt;

use serde_json::Value;

use crate::component::ComponentDiagnostic;
use crate::document::{Header, Refusal, Token, document};
use crate::scalar::{BoundedText, ComponentKey, EventName, Identifier};
use crate::wire::{Limits, Version1, foreign_json, wire_constant, wire_object};

wire_constant! {
    ComponentProtocol = "agentskit.chat.component";
    RenderWord = "render";
    SelectWord = "select";
    InteractWord = "interact";
}

/// The limits of all JSON that travels in frames.
pub(crate) const FRAME_LIMITS: Limits = Limits {
    nodes: 1_000,
    depth: 20,
    levels: Limits::NONE.levels,
    text: 16_384,
    outer_key: 256,
    key: 256,
    object: false,
};

foreign_json! {
    /// The props of a component: any JSON of at most 1,000 values, at most 20 deep (the outermost lies at 0),
    /// with texts of at most 16,384 and keys of at most 256 UTF-16 code units.
    pub struct Props: FRAME_LIMITS
}

impl Props {
    /// No props.
    pub(crate) const fn null() -> Self {
        Self(Value::Null)
    }
}

foreign_json! {
    /// What an interaction hands over, within the limits of props.
    pub struct EventValue: FRAME_LIMITS
}

wire_object! {
    /// A component to show. Contract: `docs/protocol/components.md`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct RenderFrame document {
        /// The name of the protocol.
        required protocol: ComponentProtocol = "protocol",
        /// The version of the protocol.
        required version: Version1 = "version",
        /// What the frame is for.
        required word: RenderWord = "type",
        /// Which component.
        required component_key: ComponentKey = "componentKey",
        /// This instance of it.
        required instance_id: Identifier = "instanceId",
        /// What the component shows.
        required props: Props = "props",
        /// What is shown where the component cannot be.
        required fallback: ComponentFallback = "fallback",
    }
}

wire_object! {
    /// What is shown where a component cannot be.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ComponentFallback {
        /// What kind of thing it is.
        required kind: BoundedText<1, 64> = "kind",
        /// What it says, in a sentence.
        required summary: BoundedText<1, 4_096> = "summary",
    }
}

wire_object! {
    /// A choice that a person has taken. Contract: `docs/protocol/components.md`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct SelectFrame document {
        /// The name of the protocol.
        required protocol: ComponentProtocol = "protocol",
        /// The version of the protocol.
        required version: Version1 = "version",
        /// What the frame is for.
        required word: SelectWord = "type",
        /// Which component.
        required component_key: ComponentKey = "componentKey",
        /// Which instance of it.
        required instance_id: Identifier = "instanceId",
        /// The choice.
        required choice_id: Identifier = "choiceId",
    }
}

wire_object! {
    /// What a person has done with a component. Contract: `docs/protocol/components.md`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct InteractFrame document {
        /// The name of the protocol.
        required protocol: ComponentProtocol = "protocol",
        /// The version of the protocol.
        required version: Version1 = "version",
        /// What the frame is for.
        required word: InteractWord = "type",
        /// Which component.
        required component_key: ComponentKey = "componentKey",
        /// Which instance of it.
        required instance_id: Identifier = "instanceId",
        /// What has been done.
        required event: EventName = "event",
        /// What it hands over.
        optional value: EventValue = "value",
    }
}

document!(RenderFrame: "agentskit.chat.component", refused as ComponentDiagnostic,
    const KIND: &'static str = "type";

    fn explain(header: &Header) -> Refusal {
        explain(header, "render")
    }
);

document!(SelectFrame: "agentskit.chat.component", refused as ComponentDiagnostic,
    const KIND: &'static str = "type";

    fn explain(header: &Header) -> Refusal {
        explain(header, "select")
    }
);

document!(InteractFrame: "agentskit.chat.component", refused as ComponentDiagnostic,
    const KIND: &'static str = "type";

    fn explain(header: &Header) -> Refusal {
        explain(header, "interact")
    }
);

/// Version first, then the type: anything but `word` is unknown, whatever it is. A repeated one is invalid.
fn explain(header: &Header, word: &str) -> Refusal {
    match header.explain(RenderFrame::PROTOCOL) {
        Refusal::Invalid
            if header.is_of(RenderFrame::PROTOCOL)
                && !matches!(header.kind(), Token::Repeated)
                && header.kind_text().as_deref() != Some(word) =>
        {
            Refusal::UnknownKind
        }
        refusal => refusal,
    }
}

impl RenderFrame {
    /// A component to show.
    #[must_use]
    pub fn new(
        component_key: ComponentKey,
        instance_id: Identifier,
        props: Props,
        fallback: ComponentFallback,
    ) -> Self {
        Self {
            protocol: ComponentProtocol,
            version: Version1,
            word: RenderWord,
            component_key,
            instance_id,
            props,
            fallback,
        }
    }

    /// Which component.
    #[must_use]
    pub fn component_key(&self) -> &ComponentKey {
        &self.component_key
    }

    /// This instance of it.
    #[must_use]
    pub fn instance_id(&self) -> &Identifier {
        &self.instance_id
    }

    /// What the component shows.
    #[must_use]
    pub fn props(&self) -> &Value {
        self.props.as_value()
    }

    /// What is shown where the component cannot be.
    #[must_use]
    pub fn fallback(&self) -> &ComponentFallback {
        &self.fallback
    }
}

impl ComponentFallback {
    /// What is shown where a component cannot be.
    #[must_use]
    pub fn new(kind: BoundedText<1, 64>, summary: BoundedText<1, 4_096>) -> Self {
        Self { kind, summary }
    }

    /// What kind of thing it is.
    #[must_use]
    pub fn kind(&self) -> &str {
        self.kind.as_str()
    }

    /// What it says, in a sentence.
    #[must_use]
    pub fn summary(&self) -> &str {
        self.summary.as_str()
    }
}

impl fmt::Display for ComponentFallback {
    /// What stands where the component cannot be shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[unsupported visual: {}] {}", self.kind, self.summary)
    }
}

impl SelectFrame {
    /// A choice that a person has taken.
    #[must_use]
    pub fn new(component_key: ComponentKey, instance_id: Identifier, choice_id: Identifier) -> Self {
        Self {
            protocol: ComponentProtocol,
            version: Version1,
            word: SelectWord,
            component_key,
            instance_id,
            choice_id,
        }
    }

    /// Which component.
    #[must_use]
    pub fn component_key(&self) -> &ComponentKey {
        &self.component_key
    }

    /// Which instance of it.
    #[must_use]
    pub fn instance_id(&self) -> &Identifier {
        &self.instance_id
    }

    /// The choice.
    #[must_use]
    pub fn choice_id(&self) -> &Identifier {
        &self.choice_id
    }
}

impl InteractFrame {
    /// What a person has done with a component.
    #[must_use]
    pub fn new(
        component_key: ComponentKey,
        instance_id: Identifier,
        event: EventName,
        value: Option<EventValue>,
    ) -> Self {
        Self {
            protocol: ComponentProtocol,
            version: Version1,
            word: InteractWord,
            component_key,
            instance_id,
            event,
            value,
        }
    }

    /// Which component.
    #[must_use]
    pub fn component_key(&self) -> &ComponentKey {
        &self.component_key
    }

    /// Which instance of it.
    #[must_use]
    pub fn instance_id(&self) -> &Identifier {
        &self.instance_id
    }

    /// What has been done.
    #[must_use]
    pub fn event(&self) -> &EventName {
        &self.event
    }

    /// What it hands over.
    #[must_use]
    pub fn value(&self) -> Option<&Value> {
        self.value.as_ref().map(EventValue::as_value)
    }
}
