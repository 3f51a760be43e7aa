//! docs/errors.md against the enums that it describes.
#![allow(clippy::unwrap_used)]

use answerplane_assessment::CallerError;
use answerplane_assessment::write::EmptyCallId;
use answerplane_protocol::{DeterministicDiagnostic, Escalation, EscalationReason, InvalidScalar};

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
fn assessment() {
    let tool = || "t".to_string();
    let mut expected: Vec<String> = [
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
