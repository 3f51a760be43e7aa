//! Building a site of 10,000 pages, against one pass over the events of their Markdown; and building it again after one
//! page has changed, against building all of it.

use std::fmt::Write;
use std::fs;
use std::hint::black_box;
use std::io;
use std::path::{Path, PathBuf};

use answerplane_author::config::Config;
use answerplane_author::emit::{Dates, Emitter, Expiry, Layout, Made, Publication};
use answerplane_author::plan::Planner;
use answerplane_author::read::Reader;
use answerplane_protocol::Timestamp;
use pulldown_cmark::Parser;

use crate::measure::{Measurement, nanos};
use crate::phrases::Language;

const PAGES: usize = 10_000;
/// The greatest allowed ratio of a clean build to a pass over the events of the same files.
const CLEAN_LIMIT: f64 = 10.0;
/// The greatest allowed ratio of a build after one change to a clean build.
const CHANGE_LIMIT: f64 = 0.1;
/// A round takes some seconds.
const MAX_ROUNDS: usize = 30;

pub(crate) fn run(rounds: usize) -> Vec<Measurement> {
    let Ok(folder) = tempfile::tempdir() else { return Vec::new() };
    let Ok(pages) = write_pages(folder.path()) else { return Vec::new() };
    let Ok(config) = Config::parse(
        "site.id = \"pages\"\npolicy.expires-in = \"never\"\n[[source]]\npath = \"pages\"\n",
        &folder.path().join("answerplane.toml"),
    ) else {
        return Vec::new();
    };
    let (mut clean, mut clean_times) = (Vec::new(), Vec::new());
    let (mut change, mut change_times) = (Vec::new(), Vec::new());
    for round in 0..rounds.min(MAX_ROUNDS) {
        let reference = nanos(|| events(&pages));
        let mut builder = Builder::default();
        let subject = nanos(|| builder.build(&config, None, folder.path()));
        clean.push(subject / reference);
        clean_times.push(subject);

        let page = &pages[round * 7 % pages.len()];
        let changed = fs::write(page, format!("# Changed page {round}\n\nThe text of round {round}.\n"));
        if changed.is_err() {
            return Vec::new();
        }
        let changed = [page.canonicalize().unwrap_or_else(|_| page.clone())];
        let after = nanos(|| builder.build(&config, Some(&changed), folder.path()));
        change.push(after / subject);
        change_times.push(after);
    }
    vec![
        Measurement::new(
            "build 10,000 pages against the events of their Markdown".into(),
            CLEAN_LIMIT,
            clean,
            clean_times,
        ),
        Measurement::new(
            "build after one of 10,000 pages changed against all".into(),
            CHANGE_LIMIT,
            change,
            change_times,
        ),
    ]
}

#[derive(Default)]
struct Builder {
    reader: Reader,
    planner: Planner,
    emitter: Emitter,
}

impl Builder {
    /// Reads, plans, makes the shards and writes those that are new.
    fn build(&mut self, config: &Config, changed: Option<&[PathBuf]>, folder: &Path) -> usize {
        let moment = Timestamp::from_millis(1_790_000_000_000);
        let dates =
            Dates { made: Made::Said(moment), expiry: Expiry::After(config.policy.expires_in), now: moment };
        let reading = match changed {
            Some(changed) => self.reader.read_changed(config, changed),
            None => self.reader.read(config),
        };
        let plan = self.planner.plan(&reading.drafts, &config.policy);
        let publication = Publication { config, dates: &dates, layout: Layout::Compact, previous: &[] };
        let emission = self.emitter.emit(plan, &publication);
        for shard in &emission.shards {
            let path = folder.join(&shard.artifact_name);
            if !path.exists() {
                let _ = fs::write(path, &*shard.artifact);
            }
        }
        emission.shards.len()
    }
}

fn events(pages: &[PathBuf]) -> usize {
    let count = |page: &PathBuf| {
        let text = fs::read_to_string(page).unwrap_or_default();
        Parser::new(&text).map(black_box).count()
    };
    pages.iter().map(count).sum()
}

/// Pages of about two kilobytes in a hundred folders.
fn write_pages(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let phrases = Language::English.questions(1_009);
    let phrase = |at: usize| phrases[at % phrases.len()].as_str();
    let mut pages = Vec::with_capacity(PAGES);
    for at in 0..PAGES {
        let folder = folder.join(format!("pages/part-{}", at % 100));
        fs::create_dir_all(&folder)?;
        let mut text = format!(
            "---\ntitle: How to {} {at}\ndescription: What to know about it.\n---\n\n# Page {at}\n",
            phrase(at)
        );
        for section in 0..6 {
            let _ = write!(text, "\n## Part {section}: {}\n\n", phrase(at * 7 + section));
            for line in 0..4 {
                let _ = writeln!(
                    text,
                    "Some *words* about `{}` and [a link](../part-{}/page-{}.md), {}.",
                    phrase(at + line),
                    line,
                    at % 997,
                    phrase(at * 3 + line)
                );
            }
        }
        let path = folder.join(format!("page-{at}.md"));
        fs::write(&path, text)?;
        pages.push(path);
    }
    Ok(pages)
}
