//! Findings as SARIF 2.1.0, which code hosts show beside the lines of a change.

use serde::Serialize;

use crate::diagnostic::{Diagnostic, Level, Place};
use crate::rule::Rule;

/// Where the page of a rule lies.
const PAGES: &str = "https://github.com/answerplane/answerplane/blob/main/docs/lint/";
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// A log with one run.
#[derive(Clone, Debug, Serialize)]
pub struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    column_kind: &'static str,
    results: Vec<Finding>,
}

#[derive(Clone, Debug, Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    information_uri: &'static str,
    rules: Vec<Descriptor>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help_uri: Option<String>,
    help: Message,
    default_configuration: Configuration,
}

#[derive(Clone, Debug, Serialize)]
struct Configuration {
    level: Level,
}

#[derive(Clone, Debug, Serialize)]
struct Message {
    text: String,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding {
    rule_id: &'static str,
    rule_index: usize,
    level: Level,
    message: Message,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: Physical,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<Logical>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: File,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Clone, Debug, Serialize)]
struct File {
    uri: String,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Logical {
    fully_qualified_name: String,
}

/// The log of these findings.
///
/// ```
/// let log = serde_json::to_value(answerplane_author::sarif::log(&[])).unwrap();
/// assert_eq!(log["version"], "2.1.0");
/// ```
#[must_use]
pub fn log(findings: &[Diagnostic]) -> Log {
    let mut rules: Vec<Rule> = findings.iter().map(|finding| finding.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    let results = findings.iter().map(|finding| Finding {
        rule_id: finding.rule.code(),
        rule_index: rules.iter().position(|rule| *rule == finding.rule).unwrap_or_default(),
        level: finding.level,
        message: Message { text: message(finding) },
        locations: [location(&finding.place, None)],
        related_locations: finding
            .related
            .iter()
            .enumerate()
            .map(|(number, place)| location(place, Some(number)))
            .collect(),
    });
    let results = results.collect();
    let driver = Driver {
        name: "answerplane",
        semantic_version: env!("CARGO_PKG_VERSION"),
        information_uri: env!("CARGO_PKG_REPOSITORY"),
        rules: rules.into_iter().map(descriptor).collect(),
    };
    Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run { tool: Tool { driver }, column_kind: "utf16CodeUnits", results }],
    }
}

fn message(finding: &Diagnostic) -> String {
    let amount = match (finding.limit, finding.actual) {
        (Some(limit), Some(actual)) => format!(" ({actual}, at most {limit})"),
        _ => String::new(),
    };
    format!("{}{amount}. {}", finding.message, finding.remedy())
}

fn descriptor(rule: Rule) -> Descriptor {
    let code = rule.code();
    Descriptor {
        id: code,
        help_uri: code.starts_with("LINT_").then(|| format!("{PAGES}{code}.md")),
        help: Message { text: rule.remedy().to_owned() },
        default_configuration: Configuration { level: rule.level() },
    }
}

fn location(place: &Place, id: Option<usize>) -> Location {
    Location {
        id,
        physical_location: Physical {
            artifact_location: File { uri: uri(&place.file) },
            region: place.line.map(|start_line| Region { start_line }),
        },
        logical_locations: place
            .field
            .iter()
            .map(|field| Logical { fully_qualified_name: field.clone() })
            .collect(),
    }
}

/// A file name or address as a reference that every reader of URIs takes.
fn uri(file: &str) -> String {
    use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
    const KEPT: &AsciiSet =
        &NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_').remove(b'~').remove(b'@');
    if url::Url::parse(file).is_ok_and(|url| matches!(url.scheme(), "http" | "https")) {
        return file.to_owned();
    }
    utf8_percent_encode(file, KEPT).to_string()
}
