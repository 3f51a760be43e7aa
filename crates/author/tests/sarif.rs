//! SARIF against the schema of version 2.1.0 of OASIS, as the crate serde-sarif ships it.
#![allow(clippy::unwrap_used)]

use answerplane_author::lint::{Document, LintOptions, lint};
use answerplane_author::{Diagnostic, Place, Rule, sarif};
use serde_json::Value;

fn schema() -> jsonschema::Validator {
    // One pattern has a bracket too many, which readers of regular expressions refuse.
    let text = include_str!("sarif/sarif-schema-2.1.0.json").replace("-[a-zA-Z]{2}]?$", "-[a-zA-Z]{2}?$");
    let schema: Value = serde_json::from_str(&text).unwrap();
    jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
}

#[track_caller]
fn valid(findings: &[Diagnostic]) -> Value {
    let log = serde_json::to_value(sarif::log(findings)).unwrap();
    let errors: Vec<String> = schema().iter_errors(&log).map(|error| error.to_string()).collect();
    assert_eq!(errors, Vec::<String>::new());
    log
}

#[test]
fn every_rule_gives_a_valid_result() {
    let findings: Vec<Diagnostic> = Rule::ALL
        .iter()
        .map(|rule| {
            let place = Place::file("guide/Getting started #1 %20 ü.md").line(3).field("entries[3].label");
            let related = [Place::file("a.md"), Place::file("https://docs.example/b.json").line(1)];
            Diagnostic::new(*rule, place, "it is \u{1b} \"odd\"").beyond(8, 9).with(related)
        })
        .collect();
    let log = valid(&findings);
    let run = &log["runs"][0];
    assert_eq!(run["results"].as_array().unwrap().len(), Rule::ALL.len());
    for (result, rule) in run["results"].as_array().unwrap().iter().zip(Rule::ALL) {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], rule.code());
        assert_eq!(
            (result["ruleId"].as_str(), result["level"].as_str()),
            (Some(rule.code()), Some(rule.level().as_str()))
        );
    }
    let location = &run["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "guide/Getting%20started%20%231%20%2520%20%C3%BC.md");
    assert_eq!(location["region"]["startLine"], 3);
}

#[test]
fn no_finding_is_valid_too() {
    assert_eq!(valid(&[])["runs"][0]["results"], Value::Array(Vec::new()));
}

#[test]
fn what_lint_finds_is_valid() {
    let hostile =
        "{\"entries\":[{\"id\":\"\\u0000\",\"match\":{\"values\":[\"\u{202e}\",7]}},null,{\"label\":\"\"}]}";
    let findings = lint(&[Document::read("a b.json", hostile.as_bytes())], &LintOptions::default());
    assert!(findings.len() > 5);
    valid(&findings);
}

#[test]
fn the_schema_is_a_judge() {
    let mut log = valid(&[Diagnostic::new(Rule::LintInvalid, Place::file("a").line(1), "b")]);
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0.into();
    assert!(!schema().is_valid(&log));
    log["runs"][0]["results"][0]["locations"] = Value::Null;
    assert!(!schema().is_valid(&log));
}
