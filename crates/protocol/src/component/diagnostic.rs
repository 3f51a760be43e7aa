//! What is reported of a refused frame, component or interaction.

use crate::diagnostic::write_diagnostic;
use crate::document::{Refusal, Refused};

/// Why a component frame was refused. Never holds any of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum ComponentDiagnostic {
    /// The text is not JSON, or holds a text that UTF-8 cannot.
    #[error("Component frame is not valid JSON.")]
    NotJson,
    /// The frame breaks a rule of its schema.
    #[error("Component frame payload is invalid.")]
    Invalid,
    /// The frame is of another version of its protocol.
    #[error("Component frame uses an unsupported version.")]
    UnsupportedVersion,
    /// The frame is of another type than the wanted one.
    #[error("Component frame type is unknown.")]
    UnknownType,
    /// The manifest does not hold the component.
    #[error("Component is not registered.")]
    Unregistered,
    /// The props are not those of the component.
    #[error("Component props are invalid.")]
    InvalidProps,
}

impl ComponentDiagnostic {
    /// Every reason.
    pub const ALL: &'static [Self] = &[
        Self::NotJson,
        Self::Invalid,
        Self::UnsupportedVersion,
        Self::UnknownType,
        Self::Unregistered,
        Self::InvalidProps,
    ];

    /// The stable code of the reason; several reasons share one.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotJson | Self::Invalid => "COMPONENT_INVALID_FRAME",
            Self::UnsupportedVersion => "COMPONENT_UNSUPPORTED_VERSION",
            Self::UnknownType => "COMPONENT_UNKNOWN_TYPE",
            Self::Unregistered => "COMPONENT_UNKNOWN",
            Self::InvalidProps => "COMPONENT_INVALID_PROPS",
        }
    }
}

impl From<Refused> for ComponentDiagnostic {
    fn from(refused: Refused) -> Self {
        match refused.why {
            Refusal::NotJson => Self::NotJson,
            Refusal::UnsupportedVersion => Self::UnsupportedVersion,
            Refusal::UnknownKind => Self::UnknownType,
            Refusal::TooLarge | Refusal::Invalid => Self::Invalid,
        }
    }
}

write_diagnostic!(ComponentDiagnostic);

/// Why an interaction with a component was refused. These codes do not travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum InteractionRefused {
    /// The interaction is with another component or another instance.
    #[error("the interaction is with another component or another instance")]
    OtherInstance,
    /// The component has no such event, or not with these props.
    #[error("the component does not declare this event")]
    UndeclaredEvent,
    /// The value is not one that the event takes.
    #[error("the value does not fit the event")]
    UnfitValue,
}

impl InteractionRefused {
    /// Every reason.
    pub const ALL: &'static [Self] = &[Self::OtherInstance, Self::UndeclaredEvent, Self::UnfitValue];

    /// The stable code of the reason.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::OtherInstance => "INTERACTION_OTHER_INSTANCE",
            Self::UndeclaredEvent => "INTERACTION_UNDECLARED_EVENT",
            Self::UnfitValue => "INTERACTION_UNFIT_VALUE",
        }
    }
}
