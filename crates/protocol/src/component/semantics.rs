//! What a component is to people who do not see it, and what it can do.

use crate::wire::wire_enum;

/// What a component is to assistive technology, how it is used from a keyboard, and what it can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Semantics {
    /// The role, as WAI-ARIA names it.
    pub role: Role,
    /// Whether a change is announced.
    pub live: Live,
    /// How it is used from a keyboard.
    pub keyboard: Keyboard,
    /// What it can do.
    pub capabilities: &'static [Capability],
    /// The names of its events.
    pub events: &'static [&'static str],
}

wire_enum! {
    /// The role of a component, as WAI-ARIA names it.
    pub enum Role {
        /// An alert.
        Alert = "alert",
        /// A form.
        Form = "form",
        /// A group of controls.
        Group = "group",
        /// A link.
        Link = "link",
        /// A list.
        List = "list",
        /// A bar that shows progress.
        Progressbar = "progressbar",
        /// A status message.
        Status = "status",
        /// A table.
        Table = "table",
    }
}

wire_enum! {
    /// Whether a change of a component is announced.
    pub enum Live {
        /// It is not.
        Off = "off",
        /// When the person pauses.
        Polite = "polite",
        /// At once.
        Assertive = "assertive",
    }
}

wire_enum! {
    /// How a component is used from a keyboard.
    pub enum Keyboard {
        /// Nothing in it takes the focus.
        None = "none",
        /// Tab goes from button to button, Enter and Space press.
        Buttons = "buttons",
        /// Tab goes from field to field, Enter submits.
        Form = "form",
        /// Tab goes from link to link, Enter follows.
        Links = "links",
    }
}

wire_enum! {
    /// What a component can do.
    pub enum Capability {
        /// It shows something.
        Display = "display",
        /// A person can take one of several things.
        Select = "select",
        /// A person can fill in something.
        Input = "input",
        /// A person can agree or refuse.
        Decide = "decide",
        /// It leads elsewhere.
        Navigate = "navigate",
        /// What it shows changes while it is there.
        Update = "update",
    }
}
