//! Public material beside the checkout.

use std::fs::{self, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use super::{config, drafts, found, write};
use crate::read::{Reader, Reading};
use crate::{Level, Rule, has_errors};

/// The shared inputs, or `None` after the skip has been noted.
fn inputs(test: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/real/inputs");
    if path.exists() {
        return Some(path.canonicalize().unwrap());
    }
    println!("skipped {test}: no shared material");
    if let Some(list) = std::env::var_os("ANSWERPLANE_SKIPS") {
        let mut list = OpenOptions::new().append(true).create(true).open(list).unwrap();
        writeln!(list, "{test}: no ../shared material").unwrap();
    }
    None
}

fn read(folder: &Path, sources: &str) -> Reading {
    let reading = Reader::new().read(&config(sources, folder));
    let shown: Vec<String> = found(&reading);
    assert!(!has_errors(&reading.diagnostics), "{shown:#?}");
    assert_eq!(reading.diagnostics, Reader::new().read(&config(sources, folder)).diagnostics);
    reading
}

fn count(reading: &Reading, rule: Rule) -> usize {
    reading.diagnostics.iter().filter(|found| found.rule == rule && found.level >= Level::Note).count()
}

#[test]
fn real_trees_are_read() {
    let Some(inputs) = inputs("real_trees_are_read") else { return };
    for headings in ["", "headings = true"] {
        let reading = read(&inputs, &format!("[[source]]\npath = \"markdown/ripgrep\"\n{headings}"));
        println!("ripgrep: {} drafts, {:#?}", drafts(&reading).len(), found(&reading));
        let reading = read(
            &inputs,
            &format!("[[source]]\npath = \"markdown/rust-book\"\npage-extension = \".html\"\n{headings}"),
        );
        println!("rust-book: {} drafts, {:#?}", drafts(&reading).len(), found(&reading));
        let config = crate::config::Config::of_paths(&[
            inputs.join("markdown/rust-book"),
            inputs.join("markdown/ripgrep"),
        ]);
        let reading = Reader::new().read(&config.unwrap());
        assert!(!has_errors(&reading.diagnostics), "{:#?}", found(&reading));
    }
    let reading = read(&inputs, "[[source]]\npath = \"markdown/ripgrep\"\nheadings = true");
    let config =
        drafts(&reading).into_iter().find(|draft| draft.title.contains("support configuration files"));
    let config = config.unwrap();
    assert_eq!(config.citations[0].href, "https://x.example/docs/FAQ#config");
    assert!(
        config.markdown.contains("(https://x.example/docs/GUIDE#configuration-file)"),
        "{}",
        config.markdown
    );
}

#[test]
fn real_rows_are_read() {
    let Some(inputs) = inputs("real_rows_are_read") else { return };
    let reading = read(&inputs, "[[source]]\npath = \"faq-rows.csv\"");
    assert_eq!(drafts(&reading).len() + count(&reading, Rule::RepeatedRow), 1_146);
    let reading = read(&inputs, "[[source]]\npath = \"faq-ripgrep.yaml\"");
    assert!(drafts(&reading).iter().all(|draft| draft.place.line.is_some() && draft.citations.len() == 1));
    let columns = "columns = {title = [\"frontmatter.title\", \"frontmatter.Title\", \"h1\"], text = \"frontmatter.description\", link = \"path\"}";
    let reading = read(&inputs, &format!("[[source]]\npath = \"frontmatter.jsonl\"\n{columns}"));
    let counted = [Rule::RepeatedRow, Rule::NoTitle].map(|rule| count(&reading, rule));
    println!("frontmatter: {} drafts, {counted:?}", drafts(&reading).len());
    assert_eq!(drafts(&reading).len() + counted[0] + counted[1], 3_535);
    for name in ["cargo-packages.jsonl", "npm-packages.jsonl"] {
        let reading = read(&inputs, &format!("[[source]]\npath = \"{name}\"\nkind = \"package\""));
        println!("{name}: {} drafts {:#?}", drafts(&reading).len(), found(&reading));
        assert!(drafts(&reading).len() > 10);
    }
    for (name, least) in
        [("agentskit-chat", 20), ("agentskit-registry", 300), ("agentskit-root", 30), ("agentskit", 20)]
    {
        let reading = read(&inputs, &format!("[[source]]\npath = \"llms/{name}.llms.txt\""));
        println!("{name}: {} drafts {:#?}", drafts(&reading).len(), found(&reading));
        assert!(drafts(&reading).len() >= least, "{name}: {}", drafts(&reading).len());
    }
}

#[test]
fn real_artifacts_are_taken_over() {
    let Some(inputs) = inputs("real_artifacts_are_taken_over") else { return };
    let sites = inputs.parent().unwrap().join("sites");
    for site in fs::read_dir(&sites).unwrap().map(|site| site.unwrap().path()) {
        let path = site.join("knowledge.json");
        let reading = read(&path, &format!("[[source]]\npath = '{}'", path.display()));
        assert!(!drafts(&reading).is_empty());
    }
}

#[test]
fn real_titles_are_read() {
    let Some(inputs) = inputs("real_titles_are_read") else { return };
    let folder = tempfile::tempdir().unwrap();
    for (name, rows) in [("python-docs", 790), ("react-docs", 5_600), ("tldr", 26_748)] {
        let packed = fs::File::open(inputs.join(format!("titles-{name}.jsonl.gz"))).unwrap();
        let mut text = Vec::new();
        flate2::read::GzDecoder::new(packed).read_to_end(&mut text).unwrap();
        write(&folder.path().join("t.jsonl"), &text);
        let reading = read(folder.path(), "[[source]]\npath = \"t.jsonl\"");
        assert_eq!(drafts(&reading).len() + count(&reading, Rule::RepeatedRow), rows, "{name}");
    }
}
