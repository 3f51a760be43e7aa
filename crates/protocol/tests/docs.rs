//! What the documentation says of codes, messages and components is what the code does.
#![allow(clippy::unwrap_used)]

use std::fmt::Display;
use std::path::Path;

use answerplane_protocol::ask::{AskDiagnostic, AskMetric};
use answerplane_protocol::session_snapshot::SessionDiagnostic;
use answerplane_protocol::turn::TurnRefusal;
use answerplane_protocol::{
    CatalogComponent, ComponentDiagnostic, ContentDiagnostic, DeterministicDiagnostic, InteractionRefused,
    InvalidScalar, KeyTaken,
};

fn page(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(path)).unwrap()
}

/// The cells of the table rows of a text.
fn rows(text: &str) -> Vec<Vec<String>> {
    text.lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| ---"))
        .map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect())
        .collect()
}

/// The rows of a section of the page of errors, without the head.
fn section(type_name: &str) -> Vec<Vec<String>> {
    let page = page("errors.md");
    let (_, section) = page.split_once(&format!("`{type_name}`\n")).unwrap();
    rows(section.split("\n## ").next().unwrap()).split_off(1)
}

fn first_cells(type_name: &str, count: usize) -> Vec<Vec<String>> {
    section(type_name).into_iter().map(|row| row[..count].to_vec()).collect()
}

fn expected<T: Copy + std::fmt::Debug + Display>(all: &[T], code: fn(T) -> &'static str) -> Vec<Vec<String>> {
    all.iter()
        .map(|reason| vec![format!("`{reason:?}`"), format!("`{}`", code(*reason)), reason.to_string()])
        .collect()
}

#[test]
fn every_reason_has_its_row_and_every_row_its_reason() {
    let families = [
        ("DeterministicDiagnostic", expected(DeterministicDiagnostic::ALL, DeterministicDiagnostic::code)),
        ("ComponentDiagnostic", expected(ComponentDiagnostic::ALL, ComponentDiagnostic::code)),
        ("ContentDiagnostic", expected(ContentDiagnostic::ALL, ContentDiagnostic::code)),
        ("TurnDiagnostic", expected(TurnRefusal::ALL, TurnRefusal::code)),
        ("SessionDiagnostic", expected(SessionDiagnostic::ALL, SessionDiagnostic::code)),
        ("AskDiagnostic", expected(AskDiagnostic::ALL, AskDiagnostic::code)),
    ];
    for (name, expected) in families {
        assert_eq!(first_cells(name, 3), expected, "{name}");
    }
    let without_text =
        |rows: Vec<Vec<String>>| rows.into_iter().map(|row| row[..2].to_vec()).collect::<Vec<_>>();
    let interactions = expected(InteractionRefused::ALL, InteractionRefused::code);
    assert_eq!(first_cells("InteractionRefused", 2), without_text(interactions));
    let scalars: Vec<Vec<String>> = InvalidScalar::ALL
        .iter()
        .map(|reason| {
            let name = format!("{reason:?}");
            vec![format!("`{}`", name.split(' ').next().unwrap()), format!("`{}`", reason.code())]
        })
        .collect();
    assert_eq!(first_cells("InvalidScalar", 2), scalars);
    assert!(page("errors.md").contains(KeyTaken::CODE));
}

#[test]
fn every_protocol_page_has_its_codes_and_messages() {
    let pages = [
        ("components", expected(ComponentDiagnostic::ALL, ComponentDiagnostic::code)),
        ("content", expected(ContentDiagnostic::ALL, ContentDiagnostic::code)),
        ("turn-events", expected(TurnRefusal::ALL, TurnRefusal::code)),
        ("session-snapshot", expected(SessionDiagnostic::ALL, SessionDiagnostic::code)),
        ("ask", expected(AskDiagnostic::ALL, AskDiagnostic::code)),
    ];
    for (name, reasons) in pages {
        let page = page(&format!("protocol/{name}.md"));
        for reason in reasons {
            assert!(page.contains(&format!("| {} | {} |", reason[1], reason[2])), "{name}: {reason:?}");
        }
    }
    let ask = page("protocol/ask.md");
    for diagnostic in AskDiagnostic::ALL {
        let retryable = if diagnostic.is_retryable() { "yes" } else { "no" };
        assert!(ask.contains(&format!("| {diagnostic} | {retryable} |")), "{diagnostic:?}");
    }
    for metric in AskMetric::ALL {
        assert!(ask.contains(&format!("`{metric}`")), "{metric}");
    }
}

#[test]
fn the_table_of_components_is_that_of_the_code() {
    let page = page("protocol/components.md");
    let (_, tables) = page.split_once("## Standard catalog").unwrap();
    let rows: Vec<Vec<String>> =
        rows(tables).into_iter().filter(|row| row.len() == 7 && row[0] != "key").collect();
    let documented: Vec<&str> = rows.iter().map(|row| row[0].trim_matches('`')).collect();
    assert_eq!(documented, CatalogComponent::KEYS);
    for row in &rows {
        let semantics = CatalogComponent::semantics_of(row[0].trim_matches('`')).unwrap();
        let events: Vec<&str> = row[1].split('`').skip(1).step_by(2).take(semantics.events.len()).collect();
        assert_eq!(events, semantics.events, "{}", row[0]);
        assert_eq!(row[1].is_empty(), semantics.events.is_empty(), "{}", row[0]);
        assert_eq!(row[3], semantics.role.as_str(), "{}", row[0]);
        assert_eq!(row[4], semantics.live.as_str(), "{}", row[0]);
        assert_eq!(row[5], semantics.keyboard.as_str(), "{}", row[0]);
        let capabilities: Vec<&str> = semantics.capabilities.iter().map(|word| word.as_str()).collect();
        assert_eq!(row[6], capabilities.join(", "), "{}", row[0]);
    }
}
