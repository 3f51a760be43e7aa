//! Real documents, rows and titles, without a change by hand.

use std::collections::{BTreeMap, HashMap};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use answerplane_author::config::{Config, Format, Names, SourceConfig};
use answerplane_author::draft::Draft;
use answerplane_author::plan::MAX_CHOICES;
use answerplane_author::{Level, Rule};
use answerplane_normalize::normalize_key;
use answerplane_protocol::Timestamp;
use answerplane_resolver::{Resolution, Resolver};

use crate::built::{Built, build, config_of, shared};

/// Builds twice, verifies every shard, and asks for every title.
fn prove(config: &Config) -> Built {
    let built = build(config);
    let again = build(config);
    let texts = |built: &Built| -> Vec<Arc<str>> {
        built.emission.shards.iter().map(|shard| shard.artifact.clone()).collect()
    };
    assert_eq!(texts(&built), texts(&again));
    let shards = built.verified();
    let now = Timestamp::from_millis(built.now);
    let resolver = Resolver::over_shards(shards.into_iter().map(Ok::<_, ()>));
    for (id, draft) in built.drafts() {
        for alias in &draft.aliases {
            match resolver.resolve(alias, now) {
                Resolution::Answer(answer) => assert_eq!(answer.entry().id(), id, "{alias}"),
                Resolution::Choices(offer) => {
                    assert!(offer.entries().any(|entry| entry.id() == id), "{alias} does not offer {id}");
                }
                Resolution::Escalation(cause) => assert!(is_told(&built, draft), "{alias}: {cause}"),
            }
        }
    }
    built
}

/// Whether it is said that an alias of a draft was left out or replaced.
fn is_told(built: &Built, draft: &Draft) -> bool {
    built.emission.diagnostics.iter().any(|found| {
        matches!(found.rule, Rule::AliasDropped | Rule::AliasQualified) && found.place == draft.place
    })
}

fn source(path: &Path) -> SourceConfig {
    SourceConfig::of_path(path)
}

fn names(names: &[&str]) -> Option<Names> {
    Some(Names::Several(names.iter().map(ToString::to_string).collect()))
}

#[test]
fn markdown_trees_are_built() {
    let Some(folder) = shared("real/inputs/markdown") else { return };
    for (tree, least) in [("ripgrep", 40), ("rust-book", 400)] {
        let built = prove(&config_of(SourceConfig { headings: true, ..source(&folder.join(tree)) }));
        assert!(built.drafts().count() >= least, "{tree}: {}", built.drafts().count());
        let pages = prove(&config_of(source(&folder.join(tree))));
        assert!(pages.drafts().count() < built.drafts().count());
    }
}

#[test]
fn rows_are_built() {
    let Some(folder) = shared("real/inputs") else { return };
    let csv = prove(&config_of(source(&folder.join("faq-rows.csv"))));
    assert_eq!(csv.drafts().count(), 1_146);
    let yaml = prove(&config_of(source(&folder.join("faq-ripgrep.yaml"))));
    assert!(yaml.drafts().count() > 20);

    let mut front_matter = source(&folder.join("frontmatter.jsonl"));
    front_matter.columns.title = names(&["frontmatter.title", "h1"]);
    front_matter.columns.text = names(&["frontmatter.description"]);
    front_matter.columns.link = names(&["path"]);
    front_matter.columns.section = names(&["repo"]);
    let front_matter = prove(&config_of(front_matter));
    assert!(front_matter.drafts().count() > 3_000, "{}", front_matter.drafts().count());
    assert!(front_matter.emission.shards.len() > 1);
}

#[test]
fn package_lists_are_built() {
    let Some(folder) = shared("real/inputs") else { return };
    for list in ["cargo-packages.jsonl", "npm-packages.jsonl"] {
        let mut rows = source(&folder.join(list));
        rows.columns.title = names(&["name"]);
        rows.columns.text = names(&["description"]);
        rows.columns.link = names(&["documentation", "homepage"]);
        let built = prove(&config_of(rows));
        assert!(built.drafts().count() > 5, "{list}");
    }
}

#[test]
fn llms_txt_files_are_built() {
    let Some(folder) = shared("real/inputs/llms") else { return };
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let built = prove(&config_of(SourceConfig { format: Some(Format::Llms), ..source(&path) }));
        assert!(built.drafts().count() > 5, "{}", path.display());
    }
}

#[test]
fn titles_in_twenty_languages_are_built() {
    let Some(folder) = shared("real/inputs") else { return };
    let scratch = tempfile::tempdir().unwrap();
    let mut languages = 0;
    for corpus in ["titles-python-docs", "titles-react-docs", "titles-tldr"] {
        let packed = std::fs::File::open(folder.join(format!("{corpus}.jsonl.gz"))).unwrap();
        let mut text = String::new();
        flate2::read::GzDecoder::new(packed).read_to_string(&mut text).unwrap();
        let mut by_language: BTreeMap<String, String> = BTreeMap::new();
        for line in text.lines() {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            let rows = by_language.entry(row["lang"].as_str().unwrap().to_owned()).or_default();
            *rows += line;
            rows.push('\n');
        }
        for (language, rows) in by_language {
            languages += 1;
            let path = scratch.path().join(format!("{corpus}-{language}.jsonl"));
            std::fs::write(&path, rows).unwrap();
            let built = prove(&config_of(source(&path)));
            fan_out_stays_small(&built);
        }
    }
    assert!(languages >= 20, "{languages}");
}

/// No key offers more than can be chosen, and every entry can be asked for alone, which its artifact proves.
fn fan_out_stays_small(built: &Built) {
    let mut entries: HashMap<String, usize> = HashMap::new();
    for shard in built.verified() {
        for entry in shard.entries() {
            for alias in entry.aliases() {
                *entries.entry(normalize_key(alias).as_str().to_owned()).or_default() += 1;
            }
        }
    }
    assert!(entries.values().all(|count| *count <= MAX_CHOICES));
    assert!(built.emission.diagnostics.iter().all(|found| found.level != Level::Error));
}
