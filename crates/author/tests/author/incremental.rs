//! Building again what has changed comes to the same bytes as building everything.

use std::fs;
use std::path::PathBuf;

use answerplane_author::Diagnostic;
use answerplane_author::config::{Config, Overflow, SourceConfig};
use answerplane_author::emit::{Dates, Emitter, Expiry, Layout, Made, Publication};
use answerplane_author::plan::Planner;
use answerplane_author::read::{Reader, Reading};
use answerplane_protocol::Timestamp;
use proptest::prelude::*;

use crate::built::{NOW, config_of};

#[derive(Default)]
struct Builder {
    reader: Reader,
    planner: Planner,
    emitter: Emitter,
}

impl Builder {
    /// The names and texts of everything that would be written, and what was found.
    fn build(&mut self, config: &Config, changed: Option<&[PathBuf]>) -> (Vec<String>, Vec<Diagnostic>) {
        let Reading { drafts, diagnostics, .. } = match changed {
            Some(changed) => self.reader.read_changed(config, changed),
            None => self.reader.read(config),
        };
        let mut plan = self.planner.plan(&drafts, &config.policy);
        plan.diagnostics.splice(0..0, diagnostics);
        let moment = Timestamp::from_millis(NOW);
        let dates =
            Dates { made: Made::Said(moment), expiry: Expiry::After(config.policy.expires_in), now: moment };
        let publication = Publication { config, dates: &dates, layout: Layout::Compact, previous: &[] };
        let emission = self.emitter.emit(plan, &publication);
        let texts =
            emission.shards.iter().flat_map(|shard| [shard.artifact.to_string(), shard.config.clone()]);
        (texts.collect(), emission.diagnostics)
    }
}

/// What happens to a page.
#[derive(Clone, Debug)]
enum Change {
    Write(String),
    Remove,
}

fn change() -> impl Strategy<Value = (usize, Change)> {
    let title = "(Set-up|Set up|What's new|Overview|Pricing \\?|あ)";
    let write = (title, prop::collection::vec("(refund|money back|set up\\?)", 0..3), any::<bool>())
        .prop_map(|(title, aliases, is_broken)| {
            let aliases = aliases.join(", ");
            let broken = if is_broken && title == "Overview" { "id: \"b b\"\n" } else { "" };
            Change::Write(format!(
                "---\naliases: [{aliases}]\n{broken}---\n# {title}\n\nText.\n\n## Overview\n\nMore.\n"
            ))
        });
    (0..12_usize, prop_oneof![4 => write, 1 => Just(Change::Remove)])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_change_comes_to_the_bytes_of_a_clean_build(
        changes in prop::collection::vec(change(), 1..14),
        overflow in prop::sample::select(vec![Overflow::Continue, Overflow::Trim]),
        is_told: bool,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for page in 0..6 {
            fs::write(root.join(format!("p{page}.md")), format!("# Page {page}\n\nText.\n")).unwrap();
        }
        let mut config = config_of(SourceConfig { headings: true, ..SourceConfig::of_path(&root) });
        config.policy.overflow = overflow;
        config.policy.max_entries = 6;
        let mut kept = Builder::default();
        kept.build(&config, None);
        for (page, change) in changes {
            let path = root.join(format!("p{page}.md"));
            match change {
                Change::Write(text) => fs::write(&path, text).unwrap(),
                Change::Remove => drop(fs::remove_file(&path)),
            }
            let changed = [path];
            let again = kept.build(&config, is_told.then_some(&changed[..]));
            prop_assert_eq!(again, Builder::default().build(&config, None));
        }
    }
}
