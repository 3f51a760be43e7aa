//! Rules, fixtures and pages agree, and hostile artifacts are quick and quiet.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use answerplane_author::lint::{Document, LintOptions, lint};
use answerplane_author::{Diagnostic, Level, Rule};
use answerplane_protocol::{DateTime, Timestamp};
use serde_json::{Value, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn at(time: &str) -> Timestamp {
    time.parse::<DateTime>().unwrap().timestamp()
}

fn options() -> LintOptions {
    LintOptions {
        now: at("2026-02-01T00:00:00Z"),
        site_tree: Some(root().join("fixtures/lint/site-tree")),
        base_url: Some("https://lamp.example/".parse().unwrap()),
        ..LintOptions::default()
    }
}

/// The shards of a fixture.
fn fixture(name: &str) -> Vec<Document> {
    let shards =
        std::iter::once(format!("{name}.json")).chain((2..).map(|number| format!("{name}.{number}.json")));
    shards
        .map_while(|file| {
            let text = fs::read(root().join("fixtures/lint").join(&file)).ok()?;
            Some(Document::read(file, &text))
        })
        .collect()
}

fn lint_rules() -> impl Iterator<Item = Rule> {
    Rule::ALL.iter().copied().filter(|rule| rule.code().starts_with("LINT_"))
}

fn rules(findings: &[Diagnostic]) -> BTreeSet<Rule> {
    findings.iter().map(|finding| finding.rule).collect()
}

/// An artifact of these entries.
fn artifact(entries: &[Value]) -> Vec<u8> {
    let artifact = json!({
        "protocol": "agentskit.chat.knowledge", "version": 1, "artifactId": "a", "siteId": "a",
        "generatedAt": "2026-01-01T00:00:00Z", "entries": entries,
    });
    artifact.to_string().into_bytes()
}

fn entry(id: &str, label: &str, values: &[&str], markdown: &str) -> Value {
    json!({
        "id": id, "kind": "document", "label": label, "match": { "type": "exact", "values": values },
        "answer": { "markdown": markdown, "citations": [] },
    })
}

fn findings(entries: &[Value]) -> Vec<Diagnostic> {
    lint(&[Document::read("a.json", &artifact(entries))], &LintOptions::default())
}

#[test]
fn each_rule_fires_on_its_fixture_and_no_other() {
    for rule in lint_rules() {
        let shards = fixture(rule.code());
        assert!(!shards.is_empty(), "{rule} has no fixture");
        let mut found = rules(&lint(&shards, &options()));
        assert!(found.remove(&rule), "{rule} does not fire on its fixture");
        // Without a shared alias nothing is unreachable.
        if rule == Rule::LintUnreachable {
            found.remove(&Rule::LintSharedAlias);
        }
        assert!(found.is_empty(), "{rule}: {found:?}");
    }
}

#[test]
fn nothing_fires_on_the_clean_sample() {
    assert_eq!(lint(&fixture("clean"), &options()), []);
    let garden = fs::read(root().join("fixtures/sites/garden/knowledge.json")).unwrap();
    let found = lint(&[Document::read("garden", &garden)], &LintOptions::default());
    assert_eq!(rules(&found), BTreeSet::from([Rule::LintSharedAlias]));
}

#[test]
fn every_rule_has_a_page_and_every_page_a_rule() {
    let folder = root().join("docs/lint");
    let index = fs::read_to_string(folder.join("README.md")).unwrap();
    let mut pages: BTreeSet<String> = BTreeSet::new();
    for file in fs::read_dir(&folder).unwrap() {
        pages.insert(file.unwrap().file_name().into_string().unwrap());
    }
    assert!(pages.remove("README.md"));
    let rows: Vec<&str> = index.lines().filter(|line| line.starts_with("| [`LINT_")).collect();
    let expected: Vec<String> = lint_rules()
        .map(|rule| {
            let code = rule.code();
            format!("| [`{code}`]({code}.md) | {} | ", rule.level())
        })
        .collect();
    assert_eq!(rows.len(), expected.len());
    for (row, expected) in rows.iter().zip(&expected) {
        assert!(row.starts_with(expected), "{row} is not {expected}");
    }
    for rule in lint_rules() {
        assert!(pages.remove(&format!("{}.md", rule.code())), "{rule} has no page");
        let page = fs::read_to_string(folder.join(format!("{}.md", rule.code()))).unwrap();
        assert!(page.starts_with(&format!("# {}\n\nLevel: {}.", rule.code(), rule.level())), "{rule}");
        for heading in ["## What", "## Why", "## Example", "## Remedy"] {
            assert!(page.contains(&format!("\n{heading}\n")), "{rule} lacks {heading}");
        }
        let text = page.replace('\n', " ");
        assert!(text.contains(rule.remedy()), "the page of {rule} lacks its remedy");
    }
    assert_eq!(pages, BTreeSet::new());
}

#[test]
fn findings_say_where_and_how_much() {
    let found = lint(&fixture("LINT_FAN_OUT"), &options());
    let message = found[0].to_string();
    let begin = "LINT_FAN_OUT.json:15 (entries[0].match.values[0]): error LINT_FAN_OUT: \"price\" is an alias of \
                 more entries than are ever offered (9, at most 8); see LINT_FAN_OUT.json:31 \
                 (entries[1].match.values[0]), ";
    assert!(message.starts_with(begin), "{message}");
    assert!(message.ends_with(Rule::LintFanOut.remedy()), "{message}");
    let found = lint(&fixture("LINT_INVISIBLE_CHARACTER"), &options());
    assert_eq!(found[0].message, "it holds U+200B ZERO WIDTH SPACE at position 7");
}

#[test]
fn an_expired_artifact_is_an_error() {
    let late = LintOptions { now: at("2026-02-05T00:00:00Z"), ..options() };
    let found = lint(&fixture("LINT_EXPIRES_SOON"), &late);
    assert_eq!((found[0].rule, found[0].level), (Rule::LintExpiresSoon, Level::Error));
    let early = LintOptions { now: at("2026-01-22T00:00:00Z"), ..options() };
    assert_eq!(lint(&fixture("LINT_EXPIRES_SOON"), &early), []);
}

#[test]
fn entries_that_share_several_aliases_are_one_finding() {
    let found = findings(&[
        entry("a", "A", &["shared", "shared?", "shared!", "one"], "This is what the first of them says."),
        entry("b", "B", &["shared", "shared?", "shared!", "two"], "That is what the second one answers."),
    ]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        found[0].message,
        "\"shared\" is an alias of 2 entries, so asking it gives choices: a, b, and 2 more aliases"
    );
}

#[test]
fn links_of_answers_are_errors_only_where_they_do_harm() {
    let level = |link: &str| {
        let found = findings(&[entry("a", "A", &["a"], &format!("[x](<{link}>)"))]);
        found.first().map(|finding| finding.level)
    };
    for link in ["https://a.test/x", "/x", "http://a.test"] {
        assert_eq!(level(link), None, "{link}");
    }
    for link in ["mailto:a@b.test", "other.md", "#top", "../up"] {
        assert_eq!(level(link), Some(Level::Warning), "{link}");
    }
    for link in
        ["javascript:alert(1)", "java&#9;script:alert(1)", "//evil.test", "https://u:p@a.test/", "data:x"]
    {
        assert_eq!(level(link), Some(Level::Error), "{link}");
    }
}

#[test]
fn nearly_the_same_answer_is_found_and_different_ones_are_not() {
    let text = "You can change the address of an order until it leaves our warehouse, which is usually the evening \
                of the day on which you placed it; afterwards only the carrier can redirect it.";
    let near = text.replace("usually", "mostly");
    let found = findings(&[entry("a", "A", &["a"], text), entry("b", "B", &["b"], &near)]);
    assert_eq!(rules(&found), BTreeSet::from([Rule::LintNearDuplicate]));
    assert!(found[0].message.contains("nearly the same"), "{found:?}");
    let far = text.replace("address", "size").replace("warehouse", "factory").replace("carrier", "tailor");
    assert_eq!(findings(&[entry("a", "A", &["a"], text), entry("b", "B", &["b"], &far)]), []);
    // Answers of one template say which entry they are of.
    let template = |name: &str| {
        let text = format!(
            "The canonical documentation of {name} tells how it is installed, set up and used by others."
        );
        entry(name, name, &[name], &text)
    };
    assert_eq!(findings(&[template("angular"), template("svelte")]), []);
    // Short answers are often the same by chance.
    assert_eq!(
        findings(&[entry("a", "A", &["a"], "Yes [1](/a)."), entry("b", "B", &["b"], "Yes [1](/b).")]),
        []
    );
    // Continuation entries are the same on purpose.
    let more = ["x", "x.2", "x.3"].map(|id| entry(id, "X", &[id], text));
    assert_eq!(findings(&more), []);
}

#[test]
fn the_largest_artifact_is_quick() {
    let letters: String = "abcdefgh".repeat(4);
    let entries: Vec<Value> = (0..1_024)
        .map(|number| {
            let values: Vec<String> = (0..16).map(|alias| format!("{number} {alias}")).collect();
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            entry(&format!("e{number}"), "L", &values, &format!("{letters} {letters} {}", number / 2))
        })
        .collect();
    let text = artifact(&entries);
    let start = Instant::now();
    let found = lint(&[Document::read("a.json", &text)], &LintOptions::default());
    assert!(rules(&found).contains(&Rule::LintNearDuplicate));
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

#[test]
fn everybody_sharing_one_alias_is_one_finding_of_bounded_size() {
    let entries: Vec<Value> = (0..1_024)
        .map(|number| {
            let own = format!("own {number}");
            entry(&format!("e{number}"), "L", &["same", &own], &format!("Answer {number}"))
        })
        .collect();
    let found = findings(&entries);
    assert!(found.len() <= 3, "{}", found.len());
    assert!(found.iter().all(|finding| finding.related.len() <= 16 && finding.message.len() < 600));
}

#[test]
fn an_empty_artifact_is_fine() {
    assert_eq!(findings(&[]), []);
    assert_eq!(lint(&[], &options()), []);
}
