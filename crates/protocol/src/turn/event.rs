//! The events of a turn.

use crate::document::{Header, Refusal, Version, document};
use crate::scalar::{DateTime, Identifier};
use crate::turn::TurnDiagnostic;
use crate::turn::payload::{Decision, Snapshot, Submission, TurnError};
use crate::wire::{Integer, Version1, wire_constant, wire_record, wire_union};

wire_constant! {
    TurnProtocol = "agentskit.chat.turn";
    SubmitWord = "client.turn.submit";
    DecideWord = "client.action.decide";
    SnapshotWord = "server.turn.snapshot";
    DiagnosticWord = "server.turn.diagnostic";
}

wire_union! {
    /// One event of a turn. Contract: `docs/protocol/turn-events.md`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum TurnEvent by "event" document {
        /// A person says something.
        "client.turn.submit" => Submit(SubmitEvent),
        /// A person decides about an action.
        "client.action.decide" => Decide(DecideEvent),
        /// How the turn stands.
        "server.turn.snapshot" => Snapshot(SnapshotEvent),
        /// What went wrong.
        "server.turn.diagnostic" => Diagnostic(DiagnosticEvent),
    }
}

wire_record! {
    /// How events belong together. It is kept and handed on, never interpreted.
    pub struct Correlation {
        /// The operation.
        required operation_id: Identifier = "operationId",
        /// The run.
        optional run_id: Identifier = "runId",
        /// The session.
        optional session_id: Identifier = "sessionId",
        /// The turn.
        optional turn_id: Identifier = "turnId",
        /// The action.
        optional action_id: Identifier = "actionId",
        /// The trace.
        optional trace_id: Identifier = "traceId",
    }
}

impl Correlation {
    /// Events that belong to one operation, and whatever else they share: run, session, turn, action, trace.
    #[must_use]
    pub fn new(operation_id: Identifier, shared: Shared) -> Self {
        let Shared { run_id, session_id, turn_id, action_id, trace_id } = shared;
        Self { operation_id, run_id, session_id, turn_id, action_id, trace_id }
    }
}

/// What events of one operation share beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// The run.
    pub run_id: Option<Identifier>,
    /// The session.
    pub session_id: Option<Identifier>,
    /// The turn.
    pub turn_id: Option<Identifier>,
    /// The action.
    pub action_id: Option<Identifier>,
    /// The trace.
    pub trace_id: Option<Identifier>,
}

/// Where an event stands: the fields that all events have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// The event.
    pub event_id: Identifier,
    /// The session.
    pub session_id: Identifier,
    /// The turn.
    pub turn_id: Identifier,
    /// The place of the event among those of its sender.
    pub sequence: Integer,
    /// When it was sent.
    pub emitted_at: DateTime,
    /// How it belongs to others.
    pub correlation: Option<Correlation>,
}

/// Declares the events: each is the envelope with a payload.
macro_rules! turn_events {
    ($( $(#[doc = $doc:literal])* $variant:ident($name:ident): $word:ident, $payload:ident; )*) => {
        $(
            wire_record! {
                $(#[doc = $doc])*
                pub struct $name {
                    /// The name of the protocol.
                    fixed protocol: TurnProtocol = "protocol",
                    /// The version of the protocol.
                    fixed version: Version1 = "version",
                    /// The event.
                    required event_id: Identifier = "eventId",
                    /// The session.
                    required session_id: Identifier = "sessionId",
                    /// The turn.
                    required turn_id: Identifier = "turnId",
                    /// The place of the event among those of its sender.
                    required sequence: Integer = "sequence",
                    /// When it was sent.
                    required emitted_at: DateTime = "emittedAt",
                    /// How it belongs to others.
                    optional correlation: Correlation = "correlation",
                    /// What kind of event it is.
                    fixed word: $word = "event",
                    /// What it says.
                    required payload: $payload = "payload",
                }
            }

            impl $name {
                /// The event that stands there and says this.
                #[must_use]
                pub fn new(envelope: Envelope, payload: $payload) -> Self {
                    let Envelope { event_id, session_id, turn_id, sequence, emitted_at, correlation } = envelope;
                    Self {
                        protocol: TurnProtocol,
                        version: Version1,
                        event_id,
                        session_id,
                        turn_id,
                        sequence,
                        emitted_at,
                        correlation,
                        word: $word,
                        payload,
                    }
                }
            }

            impl From<$name> for TurnEvent {
                fn from(event: $name) -> Self {
                    Self::$variant(event)
                }
            }
        )*

        impl TurnEvent {
            /// Where the event stands.
            #[must_use]
            pub fn envelope(&self) -> Envelope {
                match self {
                    $(
                        Self::$variant(event) => Envelope {
                            event_id: event.event_id.clone(),
                            session_id: event.session_id.clone(),
                            turn_id: event.turn_id.clone(),
                            sequence: event.sequence,
                            emitted_at: event.emitted_at.clone(),
                            correlation: event.correlation.clone(),
                        },
                    )*
                }
            }
        }
    };
}

turn_events! {
    /// A person says something.
    Submit(SubmitEvent): SubmitWord, Submission;
    /// A person decides about an action.
    Decide(DecideEvent): DecideWord, Decision;
    /// How the turn stands.
    Snapshot(SnapshotEvent): SnapshotWord, Snapshot;
    /// What went wrong.
    Diagnostic(DiagnosticEvent): DiagnosticWord, TurnError;
}

document!(TurnEvent: "agentskit.chat.turn", refused as TurnDiagnostic,
    const KIND: &'static str = "event";

    /// Version first, then the kind: another text than the known ones is unknown.
    fn explain(header: &Header) -> Refusal {
        const KNOWN: [&str; 4] =
            ["client.turn.submit", "client.action.decide", "server.turn.snapshot", "server.turn.diagnostic"];
        match header.explain(TurnEvent::PROTOCOL) {
            Refusal::Invalid
                if matches!(header.version(), Some(Version::One))
                    && header.is_of(TurnEvent::PROTOCOL)
                    && header.kind_text().is_some_and(|kind| !KNOWN.contains(&kind.as_str())) =>
            {
                Refusal::UnknownKind
            }
            refusal => refusal,
        }
    }
);
