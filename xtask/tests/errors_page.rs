//! docs/errors.md against the enums that it describes.
#![allow(clippy::unwrap_used)]

use answerplane_assessment::CallerError;
use answerplane_assessment::write::EmptyCallId;
use answerplane_author::Rule;
use answerplane_backend_ask::{AskFailed, AskRefused};
use answerplane_backend_openai::{OpenAiFailed, OpenAiRefused, StatusClass};
use answerplane_protocol::{DeterministicDiagnostic, Escalation, EscalationReason, InvalidScalar};
use answerplane_session::{
    ActionFailed, BackendFailed, ConfirmError, Conversation, ConversationState, FileFault,
    InvalidConversation, NotProposed, NotResumable, PolicyReason, SessionError, TurnError, Unsavable,
};
use answerplane_statechart::{Code, Diagnostic, Fault, NonBlank};
use answerplane_store::{Fault as StoreFault, InvalidKey, ReadError, ReplaceError};
use answerplane_surface::{AnswerTooLong, InputError, IntegrityError, InvalidAddress, PayloadFault};

/// A row of an enum without a list of its values.
macro_rules! row {
    ($kind:ident::$name:ident $(($value:expr))?) => {{
        let reason = $kind::$name $(($value))?;
        [format!("`{}`", stringify!($name)), format!("`{}`", reason.code()), reason.to_string()]
    }};
}

/// The cells of the rows below a heading.
fn rows(heading: &str) -> Vec<Vec<String>> {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/errors.md")).unwrap();
    let (_, section) = page.split_once(&format!("\n## {heading}\n")).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| row.trim_matches('|').split(" | ").map(|cell| cell.trim().to_string()).collect()).collect()
}

#[test]
fn documents() {
    let expected: Vec<[String; 3]> = DeterministicDiagnostic::ALL
        .iter()
        .map(|reason| [format!("`{reason:?}`"), format!("`{}`", reason.code()), reason.to_string()])
        .collect();
    let rows = rows("Documents: `DeterministicDiagnostic`");
    let found: Vec<&[String]> = rows.iter().map(|row| &row[..3]).collect();
    assert_eq!(found, expected);
    assert!(rows.iter().all(|row| row.len() == 5 && row.iter().all(|cell| !cell.is_empty())));
}

#[test]
fn statecharts() {
    let (event, state) = (NonBlank::new("E").unwrap(), NonBlank::new("S").unwrap());
    let expected: Vec<[String; 3]> = diagnostics(&event, &state)
        .iter()
        .map(|reason| {
            let name = format!("{reason:?}");
            let code = format!("`{}`", reason.code().as_str());
            [format!("`{}`", name.split(' ').next().unwrap()), code, reason.to_string()]
        })
        .collect();
    let rows = rows("Statecharts: `Diagnostic`");
    assert_eq!(rows.iter().map(|row| &row[..3]).collect::<Vec<_>>(), expected);
    assert!(rows.iter().all(|row| row.len() == 5 && row.iter().all(|cell| !cell.is_empty())));
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/errors.md")).unwrap();
    assert!(Code::ALL.iter().all(|code| page.contains(&format!("`{}`", code.as_str()))));
}

/// Every reason, in the order of its enum; the match makes a new one show up here.
fn diagnostics(event: &NonBlank, state: &NonBlank) -> Vec<Diagnostic> {
    let event = || event.clone();
    let mut all = vec![Diagnostic::InvalidEvent];
    loop {
        let next = match all[all.len() - 1] {
            Diagnostic::InvalidEvent => Diagnostic::InvalidNow,
            Diagnostic::InvalidNow => Diagnostic::RevisionExhausted,
            Diagnostic::RevisionExhausted => Diagnostic::ForeignInstance,
            Diagnostic::ForeignInstance => Diagnostic::ForeignSnapshot,
            Diagnostic::ForeignSnapshot => Diagnostic::Unavailable { event: event(), state: state.clone() },
            Diagnostic::Unavailable { .. } => Diagnostic::GuardRejected { event: event() },
            Diagnostic::GuardRejected { .. } => Diagnostic::GuardFailed { event: event() },
            Diagnostic::GuardFailed { .. } => Diagnostic::ReducerFailed { event: event() },
            Diagnostic::ReducerFailed { .. } => Diagnostic::InvalidInitialContext,
            Diagnostic::InvalidInitialContext => Diagnostic::InvalidReducedContext { event: event() },
            Diagnostic::InvalidReducedContext { .. } => Diagnostic::InvalidSnapshotContext,
            Diagnostic::InvalidSnapshotContext => Diagnostic::SnapshotNotObject,
            Diagnostic::SnapshotNotObject => Diagnostic::InvalidSnapshotMetadata,
            Diagnostic::InvalidSnapshotMetadata => Diagnostic::UnsupportedSnapshotVersion,
            Diagnostic::UnsupportedSnapshotVersion => return all,
        };
        all.push(next);
    }
}

#[test]
fn faults_of_statecharts() {
    let expected: Vec<[String; 2]> =
        Fault::ALL.iter().map(|fault| [format!("`{fault:?}`"), fault.to_string()]).collect();
    let rows = rows("Statecharts: `Fault`");
    assert_eq!(rows.iter().map(|row| &row[..2]).collect::<Vec<_>>(), expected);
    assert!(rows.iter().all(|row| row.len() == 3 && row.iter().all(|cell| !cell.is_empty())));
}

#[test]
fn scalars() {
    let expected: Vec<[String; 2]> = InvalidScalar::ALL
        .iter()
        .map(|reason| {
            let name = format!("{reason:?}");
            [format!("`{}`", name.split(' ').next().unwrap()), format!("`{}`", reason.code())]
        })
        .collect();
    let rows = rows("Scalars: `InvalidScalar`");
    assert_eq!(rows.iter().map(|row| &row[..2]).collect::<Vec<_>>(), expected);
}

#[test]
fn escalations() {
    let expected: Vec<[String; 2]> = EscalationReason::ALL
        .iter()
        .map(|reason| [format!("`{reason}`"), reason.message().to_string()])
        .collect();
    let rows = rows("Escalations: `EscalationReason`");
    assert_eq!(rows.iter().map(|row| &row[..2]).collect::<Vec<_>>(), expected);
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/errors.md")).unwrap();
    assert!(page.replace('\n', " ").contains(Escalation::CHOICE_NOT_OFFERED));
}

#[test]
fn surface_input() {
    let expected: Vec<[String; 3]> = InputError::ALL
        .iter()
        .map(|reason| [format!("`{reason:?}`"), format!("`{}`", reason.code()), reason.to_string()])
        .collect();
    assert_eq!(first_cells(&rows("Surface input: `InputError`")), expected);
}

#[test]
fn surface_integrity() {
    let expected: Vec<[String; 3]> = IntegrityError::ALL
        .iter()
        .map(|reason| {
            let message = reason.to_string().replace("claims[0]", "claims[N]");
            [reason.check().to_string(), format!("`{}`", reason.code()), message]
        })
        .collect();
    let found = table("docs/errors.md", "Surface integrity: `IntegrityError`", "check");
    assert_eq!(first_cells(&found), expected);
    // The page of the contract has the same checks and codes in the same order.
    let contract = table("docs/surface.md", "The checks", "check");
    let found: Vec<[&str; 2]> = contract.iter().map(|row| [row[0].as_str(), row[2].as_str()]).collect();
    assert_eq!(found, expected.iter().map(|row| [row[0].as_str(), row[1].as_str()]).collect::<Vec<_>>());
}

#[test]
fn surface_payloads() {
    let expected: Vec<[String; 3]> = PayloadFault::ALL
        .iter()
        .map(|fault| [format!("`{fault:?}`"), format!("`{}`", fault.code()), fault.to_string()])
        .collect();
    assert_eq!(first_cells(&rows("Surface payloads: `PayloadFault`")), expected);
}

#[test]
fn stores() {
    let expected: Vec<[String; 3]> = StoreFault::ALL
        .iter()
        .map(|fault| [format!("`{fault:?}`"), format!("`{}`", fault.code()), fault.to_string()])
        .collect();
    assert_eq!(first_cells(&rows("Storage: `Fault`")), expected);

    let unknown = ReplaceError::Unknown(StoreFault::TimedOut.into());
    let expected = [
        ("Conflict", ReplaceError::Conflict.code(), ReplaceError::Conflict.to_string()),
        ("Unknown", unknown.code(), unknown.to_string()),
        ("Gone", ReadError::Gone.code(), ReadError::Gone.to_string()),
    ]
    .map(|(name, code, message)| [format!("`{name}`"), format!("`{code}`"), message]);
    assert_eq!(first_cells(&rows("Storage: outcomes")), expected);
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/errors.md")).unwrap();
    assert!(page.contains(&format!("`{}`", InvalidKey.code())));
}

#[test]
fn conversations() {
    use InvalidConversation::{EmptyCommand, RouteRepeated, RouteWithoutEvent, RouteWithoutId, UnknownState};

    let all = [RouteWithoutId(0), RouteRepeated(0), UnknownState(0), EmptyCommand(0), RouteWithoutEvent(0)];
    let expected: Vec<[String; 3]> = all
        .iter()
        .map(|invalid| {
            let name = format!("{invalid:?}").replace("(0)", "");
            [format!("`{name}`"), format!("`{}`", invalid.code()), invalid.to_string()]
        })
        .collect();
    let rows = rows("Conversations: `InvalidConversation`");
    assert_eq!(first_cells(&rows), expected);
    // Of a file they have the same remedies.
    let remedies = all.map(|invalid| FileFault::Conversation(invalid).remedy());
    assert_eq!(rows.iter().map(|row| row[3].as_str()).collect::<Vec<_>>(), remedies);
}

#[test]
fn conversation_files() {
    let expected: Vec<[String; 4]> = FileFault::OF_FILES
        .iter()
        .map(|fault| {
            let (name, code) = (format!("`{fault:?}`"), format!("`{}`", fault.code()));
            [name, code, fault.to_string(), fault.remedy().to_string()]
        })
        .collect();
    assert_eq!(rows("Conversations: `FileFault`"), expected);

    let no_states = Conversation::builder("idle").build().err();
    let state = || ConversationState::new("idle");
    let no_initial = Conversation::builder("x").state(state()).build().err();
    let blank = Conversation::builder("idle").state(state().on(" ", "idle")).build().err();
    let faults = rows("Statecharts: `Fault`");
    for invalid in [no_states, no_initial, blank].into_iter().flatten() {
        let InvalidConversation::Machine(machine) = &invalid else { panic!("{invalid}") };
        let row = faults.iter().find(|row| row[1] == machine.fault().to_string()).unwrap();
        assert_eq!(row[2], FileFault::Conversation(invalid).remedy());
    }
}

#[test]
fn sessions() {
    let expected: Vec<[String; 3]> = Unsavable::ALL
        .iter()
        .map(|reason| [format!("`{reason:?}`"), format!("`{}`", reason.code()), reason.to_string()])
        .collect();
    assert_eq!(first_cells(&rows("Sessions: `Unsavable`")), expected);
    let expected: Vec<[String; 3]> = NotResumable::ALL
        .iter()
        .map(|reason| [format!("`{reason:?}`"), format!("`{}`", reason.code()), reason.to_string()])
        .collect();
    assert_eq!(first_cells(&rows("Sessions: `NotResumable`")), expected);
}

#[test]
fn backends() {
    let expected = [
        ("Failed", BackendFailed::new("x")),
        ("QuotaExceeded", BackendFailed::QuotaExceeded),
        ("Panicked", BackendFailed::Panicked),
    ]
    .map(|(name, failed)| [format!("`{name}`"), format!("`{}`", failed.code()), failed.to_string()]);
    assert_eq!(first_cells(&rows("Backends: `BackendFailed`")), expected);
}

#[test]
fn ask_backends() {
    let expected: Vec<[String; 3]> = AskRefused::ALL
        .iter()
        .map(|reason| [format!("`{reason:?}`"), format!("`{}`", reason.code()), reason.to_string()])
        .collect();
    assert_eq!(first_cells(&rows("Backends: `AskRefused`")), expected);
    let expected: Vec<[String; 3]> = AskFailed::ALL
        .iter()
        .map(|reason| [format!("`{reason:?}`"), format!("`{}`", reason.code()), reason.to_string()])
        .collect();
    assert_eq!(first_cells(&rows("Backends: `AskFailed`")), expected);
}

#[test]
fn openai_backends() {
    let expected: Vec<[String; 3]> = OpenAiRefused::ALL
        .iter()
        .map(|reason| [format!("`{reason:?}`"), format!("`{}`", reason.code()), reason.to_string()])
        .collect();
    assert_eq!(first_cells(&rows("Backends: `OpenAiRefused`")), expected);
    let expected = [
        row!(OpenAiFailed::NothingAsked),
        row!(OpenAiFailed::Unreachable),
        row!(OpenAiFailed::Silent),
        row!(OpenAiFailed::BrokeOff),
        row!(OpenAiFailed::Unfinished),
        row!(OpenAiFailed::Malformed),
        row!(OpenAiFailed::EventTooLong),
        row!(OpenAiFailed::Reported),
    ];
    assert_eq!(first_cells(&rows("Backends: `OpenAiFailed`")), expected);
    let expected: Vec<[String; 3]> = StatusClass::ALL
        .iter()
        .map(|class| [format!("`{class:?}`"), format!("`{}`", class.code()), class.to_string()])
        .collect();
    assert_eq!(first_cells(&rows("Backends: `StatusClass`")), expected);
}

#[test]
fn single_surface_errors() {
    let (address, answer) = (InvalidAddress, AnswerTooLong);
    let expected = [
        [format!("`{address:?}`"), format!("`{}`", address.code()), address.to_string()],
        [format!("`{answer:?}`"), format!("`{}`", answer.code()), answer.to_string()],
    ];
    assert_eq!(first_cells(&rows("Single surface errors")), expected);
}

fn first_cells(rows: &[Vec<String>]) -> Vec<&[String]> {
    rows.iter().map(|row| &row[..3]).collect()
}

/// The cells of the table below a heading of a page, which begins with a column of this name.
fn table(page: &str, heading: &str, column: &str) -> Vec<Vec<String>> {
    let path = format!("{}/../{page}", env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(path).unwrap();
    let (_, section) = page.split_once(&format!("\n## {heading}\n")).unwrap();
    let (_, table) = section.split_once(&format!("\n| {column} |")).unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    rows.map(|row| row.trim_matches('|').split(" | ").map(|cell| cell.trim().to_string()).collect()).collect()
}

#[test]
fn assessment() {
    let tool = || "t".to_string();
    let mut expected: Vec<String> = [
        CallerError::NotJson,
        CallerError::RecordNotObject,
        CallerError::DeclarationsNotObject,
        CallerError::ToolsNotObject,
        CallerError::ToolNotObject { tool: tool() },
        CallerError::RowsAtNotKey { tool: tool() },
        CallerError::RowsAtNotTopLevel { tool: tool() },
    ]
    .iter()
    .map(|error| format!("`{}`", error.code()))
    .collect();
    expected.push(format!("`{}`", EmptyCallId.code()));
    let rows = rows("Assessment: `CallerError`");
    assert_eq!(rows.iter().map(|row| row[0].clone()).collect::<Vec<_>>(), expected);
    assert!(rows.iter().all(|row| row.len() == 3));
}

#[test]
fn authoring() {
    let rows = rows("Authoring: `Rule`");
    let expected: Vec<[String; 3]> = Rule::ALL
        .iter()
        .map(|rule| {
            let remedy = rule.remedy().replace('|', "\\|");
            [format!("`{rule}`"), rule.level().to_string(), remedy]
        })
        .collect();
    let found: Vec<[String; 3]> =
        rows.iter().map(|row| [row[0].clone(), row[2].clone(), row[3].clone()]).collect();
    assert_eq!(found, expected);
    assert!(rows.iter().all(|row| row.len() == 4 && !row[1].is_empty()));
}

#[test]
fn sessions_turns_and_actions() {
    let session = [
        row!(SessionError::Busy),
        row!(SessionError::CursorStale),
        row!(SessionError::Erased),
        row!(SessionError::OutcomeUnknown),
        row!(SessionError::Damaged),
        row!(SessionError::InvalidKey),
        row!(SessionError::NoId),
        row!(SessionError::Blank),
        row!(SessionError::TooLong),
        row!(SessionError::MessageIdUsed),
        row!(SessionError::TurnIdUsed),
        row!(SessionError::UnknownMessage),
        row!(SessionError::UnknownNode),
        row!(SessionError::NothingToRetry),
        row!(SessionError::ChoiceUnavailable),
        row!(SessionError::NotOurs),
    ];
    assert_eq!(first_cells(&rows("Sessions: `SessionError`")), session);
    let proposed = ["`NotProposed`".into(), format!("`{}`", NotProposed.code()), NotProposed.to_string()];
    assert_eq!(first_cells(&rows("Sessions: `NotProposed`")), [proposed]);
    let turn = [
        row!(TurnError::DeadlinePassed),
        row!(TurnError::AnswerTooLong),
        row!(TurnError::Failed),
        row!(TurnError::Indeterminate),
    ];
    assert_eq!(first_cells(&rows("Turns: `TurnError`")), turn);
    let action = [
        row!(ConfirmError::Denied(PolicyReason::MissingContext)),
        row!(ConfirmError::UnknownToken),
        row!(ConfirmError::AlreadyResolved),
        row!(ConfirmError::IdUsed),
        row!(ConfirmError::InvalidId),
        row!(ConfirmError::InvalidInput),
        row!(ConfirmError::Full),
        row!(ConfirmError::Failed(ActionFailed)),
    ];
    assert_eq!(first_cells(&rows("Actions: `ConfirmError`")), action);
}
