//! Whole builds over sources on disk.

use std::path::{Path, PathBuf};

use answerplane_artifact::VerifiedArtifact;
use answerplane_author::config::{Config, SourceConfig};
use answerplane_author::draft::Draft;
use answerplane_author::emit::{Dates, Emission, Emitter, Expiry, Layout, Made, Publication};
use answerplane_author::plan::Planner;
use answerplane_author::read::{Reader, Reading};
use answerplane_author::{Diagnostic, Level};
use answerplane_protocol::{SiteConfig, Timestamp};

use crate::drafts::config;

/// The moment of every build in tests.
pub(crate) const NOW: i64 = 1_790_000_000_000;

/// A build that went well.
pub(crate) struct Built {
    pub(crate) reading: Reading,
    pub(crate) emission: Emission,
    pub(crate) now: i64,
    ids: Vec<String>,
}

/// A configuration of one source.
pub(crate) fn config_of(source: SourceConfig) -> Config {
    let mut config = config();
    config.sources = vec![source];
    config
}

/// Builds, whatever is found.
pub(crate) fn attempt(config: &Config) -> Built {
    let reading = Reader::new().read(config);
    let dates = Dates {
        made: Made::Said(Timestamp::from_millis(NOW)),
        expiry: Expiry::After(config.policy.expires_in),
        now: Timestamp::from_millis(NOW),
    };
    let mut plan = Planner::new().plan(&reading.drafts, &config.policy);
    plan.diagnostics.splice(0..0, reading.diagnostics.iter().cloned());
    let bases = plan.entries.iter().filter(|entry| entry.continues.is_none());
    let ids = bases.map(|entry| entry.id.to_string()).collect();
    let publication = Publication { config, dates: &dates, layout: Layout::Compact, previous: &[] };
    let emission = Emitter::new().emit(plan, &publication);
    Built { reading, emission, now: NOW, ids }
}

/// Builds what has no errors.
pub(crate) fn build(config: &Config) -> Built {
    let built = attempt(config);
    let errors = built.errors();
    assert!(errors.is_empty(), "{errors:#?}");
    assert!(!built.emission.shards.is_empty());
    built
}

impl Built {
    /// What was found that is wrong.
    pub(crate) fn errors(&self) -> Vec<&Diagnostic> {
        self.emission.diagnostics.iter().filter(|found| found.level == Level::Error).collect()
    }

    /// Every artifact, verified with its configuration.
    pub(crate) fn verified(&self) -> Vec<VerifiedArtifact> {
        let verify = |shard: &answerplane_author::emit::Shard| {
            let site = SiteConfig::decode(&shard.config).unwrap();
            VerifiedArtifact::verify(&*shard.artifact, &site.trust()).unwrap()
        };
        self.emission.shards.iter().map(verify).collect()
    }

    /// Every draft and the id of its entry.
    pub(crate) fn drafts(&self) -> impl Iterator<Item = (&str, &Draft)> {
        let drafts = self.reading.drafts.iter().flat_map(|of_file| of_file.iter());
        self.ids.iter().map(String::as_str).zip(drafts)
    }
}

/// A folder or file of the public material, when it is there; otherwise the test is counted as skipped.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    if path.exists() {
        return Some(path);
    }
    if let Ok(skips) = std::env::var("ANSWERPLANE_SKIPS") {
        use std::io::Write;
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(skips).unwrap();
        writeln!(file, "{}: no ../shared material", std::thread::current().name().unwrap_or("author"))
            .unwrap();
    }
    None
}
