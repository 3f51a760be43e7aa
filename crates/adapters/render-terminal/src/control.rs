//! What a person can do with what is shown: each thing has a number on the page.

use answerplane_protocol::{EventName, EventValue, Identifier, InteractFrame};
use serde_json::Value;

/// Something that can be done, under the number that the page shows before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Control {
    /// The number: from 1 on, down the page.
    pub number: usize,
    /// What is done when it is taken.
    pub effect: Effect,
}

/// What is done when a control is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// An event of a component.
    Event {
        /// The key of the component.
        component: String,
        /// The instance of it.
        instance: Identifier,
        /// The event.
        event: &'static str,
        /// What it hands over. For `submit` nothing is known yet: the host asks for each field, whose id the page
        /// shows, and hands over an object.
        value: Option<Value>,
    },
    /// The same as when a person types this.
    Say(String),
}

impl Effect {
    /// The frame of an event, with what it hands over; `None` for what is said, or where a value exceeds the limits of
    /// frames.
    #[must_use]
    pub fn to_frame(&self) -> Option<InteractFrame> {
        let Self::Event { component, instance, event, value } = self else { return None };
        let value = match value {
            Some(value) => Some(EventValue::new(value)?),
            None => None,
        };
        Some(InteractFrame::new(
            component.parse().ok()?,
            instance.clone(),
            event.parse::<EventName>().ok()?,
            value,
        ))
    }
}
