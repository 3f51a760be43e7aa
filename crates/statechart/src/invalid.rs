//! Why a definition was refused, and where in it.

use alloc::string::String;
use core::fmt;

use crate::diagnostic::Code;

/// A refused definition: what is wrong, and where. Of several faults it is the first.
///
/// ```
/// use answerplane_statechart::{Definition, Fault, State};
///
/// let refused = Definition::builder("door", "1", "closed")
///     .state(State::new("closed").on("OPEN", "opne"))
///     .state(State::new("open"))
///     .build()
///     .unwrap_err();
/// assert_eq!(refused.fault(), Fault::UnknownState);
/// assert_eq!(refused.place().event(), Some("OPEN"));
/// assert_eq!(refused.to_string(), r#"state "closed", event "OPEN", target: there is no such state"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct InvalidDefinition {
    fault: Fault,
    place: Place,
}

impl InvalidDefinition {
    /// What is wrong.
    #[must_use]
    pub const fn fault(&self) -> Fault {
        self.fault
    }

    /// Where it is wrong.
    #[must_use]
    pub const fn place(&self) -> &Place {
        &self.place
    }

    /// The stable code, the same for every fault.
    #[must_use]
    pub const fn code(&self) -> Code {
        Code::DefinitionInvalid
    }
}

/// What can be wrong with a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Fault {
    /// The text is not JSON.
    #[error("the text is not valid JSON")]
    NotJson,
    /// Something that is no object stands where one is needed.
    #[error("an object is needed")]
    NotObject,
    /// Something that is no text stands where one is needed.
    #[error("a text is needed")]
    NotText,
    /// A field that is needed is absent.
    #[error("the field is missing")]
    Missing,
    /// A name is empty or white space only.
    #[error("the text is blank")]
    Blank,
    /// A field, a state, or an event of one state stands there twice.
    #[error("the name stands there twice")]
    Repeated,
    /// There are no states.
    #[error("there are no states")]
    NoStates,
    /// A name is that of no state.
    #[error("there is no such state")]
    UnknownState,
    /// A definition in JSON names a guard or a reducer.
    #[error("a definition in JSON cannot hold code")]
    Code,
}

impl Fault {
    /// Every fault.
    pub const ALL: &'static [Self] = &[
        Self::NotJson,
        Self::NotObject,
        Self::NotText,
        Self::Missing,
        Self::Blank,
        Self::Repeated,
        Self::NoStates,
        Self::UnknownState,
        Self::Code,
    ];
}

/// A place in a definition: the whole of it, a state, or an event of a state, and there perhaps a field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    state: Option<String>,
    event: Option<String>,
    field: Option<&'static str>,
}

impl Place {
    pub(crate) fn of_definition() -> Self {
        Self::default()
    }

    pub(crate) fn of_state(name: &str) -> Self {
        Self { state: Some(name.into()), ..Self::default() }
    }

    pub(crate) fn of_event(state: &str, event: &str) -> Self {
        Self { state: Some(state.into()), event: Some(event.into()), field: None }
    }

    pub(crate) fn at(self, field: &'static str) -> Self {
        Self { field: Some(field), ..self }
    }

    pub(crate) fn is(self, fault: Fault) -> InvalidDefinition {
        InvalidDefinition { fault, place: self }
    }

    /// The state, where the place is in one. It may be blank, if that is what is wrong.
    #[must_use]
    pub fn state(&self) -> Option<&str> {
        self.state.as_deref()
    }

    /// The event, where the place is in one. It may be blank, if that is what is wrong.
    #[must_use]
    pub fn event(&self) -> Option<&str> {
        self.event.as_deref()
    }

    /// The field, as it is named in JSON.
    #[must_use]
    pub const fn field(&self) -> Option<&'static str> {
        self.field
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.state, &self.event) {
            (Some(state), Some(event)) => write!(f, "state {state:?}, event {event:?}")?,
            (Some(state), None) => write!(f, "state {state:?}")?,
            _ => f.write_str("definition")?,
        }
        self.field.map_or(Ok(()), |field| write!(f, ", {field}"))
    }
}
