//! What is reported of a refused transition, creation or snapshot.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::text::NonBlank;

/// The stable codes of a statechart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// A context breaks the definition's own rule, or nests too deep to be restored.
    ContextInvalid,
    /// A definition is malformed.
    DefinitionInvalid,
    /// A guard could not decide.
    GuardFailed,
    /// A guard said no.
    GuardRejected,
    /// The event or the time is malformed, or the revision cannot grow.
    InputInvalid,
    /// The instance or the snapshot is another machine's, or malformed.
    InstanceMismatch,
    /// An observer failed. Nothing here has observers: the code is kept for programs that let somebody watch.
    ObserverFailed,
    /// A reducer could not make the next context.
    ReducerFailed,
    /// A snapshot is malformed.
    SnapshotInvalid,
    /// A snapshot is of another schema version.
    SnapshotVersionUnsupported,
    /// The state does not accept the event.
    TransitionUnavailable,
}

impl Code {
    /// Every code.
    pub const ALL: &'static [Self] = &[
        Self::ContextInvalid,
        Self::DefinitionInvalid,
        Self::GuardFailed,
        Self::GuardRejected,
        Self::InputInvalid,
        Self::InstanceMismatch,
        Self::ObserverFailed,
        Self::ReducerFailed,
        Self::SnapshotInvalid,
        Self::SnapshotVersionUnsupported,
        Self::TransitionUnavailable,
    ];

    /// The code as it is written.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ContextInvalid => "AK_STATECHART_CONTEXT_INVALID",
            Self::DefinitionInvalid => "AK_STATECHART_DEFINITION_INVALID",
            Self::GuardFailed => "AK_STATECHART_GUARD_FAILED",
            Self::GuardRejected => "AK_STATECHART_GUARD_REJECTED",
            Self::InputInvalid => "AK_STATECHART_INPUT_INVALID",
            Self::InstanceMismatch => "AK_STATECHART_INSTANCE_MISMATCH",
            Self::ObserverFailed => "AK_STATECHART_OBSERVER_FAILED",
            Self::ReducerFailed => "AK_STATECHART_REDUCER_FAILED",
            Self::SnapshotInvalid => "AK_STATECHART_SNAPSHOT_INVALID",
            Self::SnapshotVersionUnsupported => "AK_STATECHART_SNAPSHOT_VERSION_UNSUPPORTED",
            Self::TransitionUnavailable => "AK_STATECHART_TRANSITION_UNAVAILABLE",
        }
    }
}

/// Why a transition, a creation or a snapshot was refused.
///
/// Its text names events and states, which are the definition's or the caller's own words, and nothing of a
/// context or a payload. On the wire a diagnostic is `{ code, message }` (`docs/protocol/statechart.md`).
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Diagnostic {
    /// The event is no object with a type, or its type is blank.
    #[error("event must be a JSON-compatible object with a non-empty type")]
    InvalidEvent,
    /// The time is no text, or blank.
    #[error("now must be a non-empty string")]
    InvalidNow,
    /// The revision is the greatest one.
    #[error("instance revision cannot be incremented safely")]
    RevisionExhausted,
    /// The instance is another machine's or of another version, is in a state that the definition does not
    /// have, or is malformed.
    #[error("instance does not belong to this statechart definition")]
    ForeignInstance,
    /// The snapshot is another machine's or of another version.
    #[error("snapshot does not belong to this statechart definition")]
    ForeignSnapshot,
    /// The state does not accept the event.
    #[error("event \"{event}\" is not accepted in state \"{state}\"")]
    Unavailable {
        /// The type of the event.
        event: NonBlank,
        /// The state of the instance.
        state: NonBlank,
    },
    /// The guard said no.
    #[error("guard rejected event \"{event}\"")]
    GuardRejected {
        /// The type of the event.
        event: NonBlank,
    },
    /// The guard failed.
    #[error("guard failed while evaluating event \"{event}\"")]
    GuardFailed {
        /// The type of the event.
        event: NonBlank,
    },
    /// The reducer failed.
    #[error("reducer failed while handling event \"{event}\"")]
    ReducerFailed {
        /// The type of the event.
        event: NonBlank,
    },
    /// The context that an instance was to begin with is refused.
    #[error("initial context failed runtime validation")]
    InvalidInitialContext,
    /// The context that a reducer made is refused.
    #[error("reducer returned invalid context for event \"{event}\"")]
    InvalidReducedContext {
        /// The type of the event.
        event: NonBlank,
    },
    /// The context of a snapshot is refused.
    #[error("snapshot context failed runtime validation")]
    InvalidSnapshotContext,
    /// The snapshot is no object that can be read.
    #[error("snapshot must be a JSON-compatible object")]
    SnapshotNotObject,
    /// Instance id, state, revision or time of the snapshot is malformed, or a field stands there twice.
    #[error("snapshot metadata is invalid")]
    InvalidSnapshotMetadata,
    /// The snapshot is not of schema version 1.
    #[error("snapshot schema version is unsupported")]
    UnsupportedSnapshotVersion,
}

impl Diagnostic {
    /// The stable code; several reasons share one.
    #[must_use]
    pub const fn code(&self) -> Code {
        match self {
            Self::InvalidEvent | Self::InvalidNow | Self::RevisionExhausted => Code::InputInvalid,
            Self::ForeignInstance | Self::ForeignSnapshot => Code::InstanceMismatch,
            Self::Unavailable { .. } => Code::TransitionUnavailable,
            Self::GuardRejected { .. } => Code::GuardRejected,
            Self::GuardFailed { .. } => Code::GuardFailed,
            Self::ReducerFailed { .. } => Code::ReducerFailed,
            Self::InvalidInitialContext
            | Self::InvalidReducedContext { .. }
            | Self::InvalidSnapshotContext => Code::ContextInvalid,
            Self::SnapshotNotObject | Self::InvalidSnapshotMetadata => Code::SnapshotInvalid,
            Self::UnsupportedSnapshotVersion => Code::SnapshotVersionUnsupported,
        }
    }
}

impl Serialize for Diagnostic {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let mut diagnostic = serializer.serialize_struct("Diagnostic", 2)?;
        diagnostic.serialize_field("code", self.code().as_str())?;
        diagnostic.serialize_field("message", &alloc::format!("{self}"))?;
        diagnostic.end()
    }
}
