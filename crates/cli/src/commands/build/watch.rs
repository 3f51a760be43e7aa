//! `build --watch`: building again whenever a source changes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use notify::{Event, RecursiveMode, Watcher};

use crate::commands::build::{Arguments, Builder, Start, build, show};
use crate::output::{FAINT, Output};
use crate::problem::{Cause, Problem};
use crate::status::Status;

/// How long it has to be quiet before a build: editors write in several steps.
const QUIET: Duration = Duration::from_millis(50);
/// How long changes may go on before a build starts anyhow.
const LONGEST: Duration = Duration::from_secs(1);

const WAITING: &str = "waiting for a change, Ctrl-C ends";

/// Builds, and builds again after every change, until somebody ends the program.
///
/// What was published at the start decides which dates are kept, and the time of the start is that of every build, so
/// that an edit and its undo lead back to the same bytes.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Problem> {
    let mut start = Start::new(arguments);
    let mut builder = Builder::default();
    let (events, arrived) = mpsc::channel();
    let not_watched = |error: notify::Error| Problem::new("--watch", Cause::NotWatched(error.to_string()));
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        let _ = events.send(event);
    })
    .map_err(not_watched)?;
    let mut watched: BTreeSet<PathBuf> = BTreeSet::new();
    let mut sources = Sources { output: real(&arguments.output), ..Sources::default() };
    let mut told = None;
    let mut changed: Option<Vec<PathBuf>> = None;
    loop {
        // Before they are read, so that no change comes between.
        sources.paths = to_watch(arguments, &start);
        for folder in sources.paths.iter().map(|path| folder_of(path)) {
            if !watched.contains(&folder) {
                watcher.watch(&folder, RecursiveMode::Recursive).map_err(not_watched)?;
                watched.insert(folder);
            }
        }
        let started = Instant::now();
        let mut was_read = false;
        match build(arguments, &mut builder, &mut start, changed.as_deref()) {
            Ok(outcome) => {
                was_read = outcome.config.is_some();
                let telling = outcome.telling();
                if told.as_ref() != Some(&telling) {
                    show(arguments, &outcome, output);
                    let took = started.elapsed().as_millis();
                    output.styled(FAINT, &format!("built in {took} ms; {WAITING}")).end_line();
                    told = Some(telling);
                }
            }
            Err(problem) => {
                told = None;
                output.report(&problem);
                output.styled(FAINT, WAITING).end_line();
            }
        }
        output.flush();
        if output.is_closed() {
            return Ok(Status::Good);
        }
        changed = match wait(&arrived, &sources) {
            Change::Files(paths) if was_read => Some(paths),
            Change::Files(_) | Change::Anything => None,
            Change::NoMore => return Ok(Status::Good),
        };
    }
}

/// The real paths of the configuration and of the sources that it names.
fn to_watch(arguments: &Arguments, start: &Start) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = start.inputs.iter().map(|input| real(input)).collect();
    if let Ok(Ok(config)) = arguments.sources.config_of(&start.inputs) {
        paths.extend(config.sources.iter().map(|source| real(&config.folder.join(&source.path))));
    }
    paths
}

/// What is watched, by its real paths.
#[derive(Default)]
struct Sources {
    paths: Vec<PathBuf>,
    output: PathBuf,
}

/// What is known of a change.
enum Change {
    /// Nothing but these files have changed.
    Files(Vec<PathBuf>),
    /// Anything may have changed.
    Anything,
    /// No change will be told any more.
    NoMore,
}

impl Sources {
    /// The sources that an event tells of; nothing where it may be any. What a build writes must not start the next.
    fn changed(&self, event: notify::Result<Event>) -> Option<Vec<PathBuf>> {
        let is_source = |path: &PathBuf| {
            !path.starts_with(&self.output) && self.paths.iter().any(|source| path.starts_with(source))
        };
        let event = event.ok().filter(|event| !event.need_rescan())?;
        let is_change = !event.kind.is_access();
        Some(event.paths.into_iter().filter(|path| is_change && is_source(path)).collect())
    }
}

/// A path as events name it. What does not exist is named by where it would be.
fn real(path: &Path) -> PathBuf {
    let made = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.canonicalize().unwrap_or_else(|_| match (path.parent().map(folder_or_here), path.file_name()) {
        (Some(folder), Some(name)) => folder.canonicalize().unwrap_or_else(|_| made(folder)).join(name),
        _ => made(path),
    })
}

fn folder_or_here(folder: &Path) -> &Path {
    if folder == Path::new("") { Path::new(".") } else { folder }
}

/// The folder to watch for a source: editors replace files, and then only their folder tells. What is gone is seen to
/// come back in the folder that is still there.
fn folder_of(path: &Path) -> PathBuf {
    path.ancestors().find(|folder| folder.is_dir()).unwrap_or(path).to_owned()
}

/// Waits for a change, and for the quiet after it. Events that tell of no source disturb no quiet.
fn wait(arrived: &mpsc::Receiver<notify::Result<Event>>, sources: &Sources) -> Change {
    let mut files = Some(Vec::new());
    let mut first: Option<Instant> = None;
    let mut quiet: Option<Instant> = None;
    loop {
        let patience = quiet.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
        match arrived.recv_timeout(patience) {
            Ok(event) => {
                match sources.changed(event) {
                    Some(changed) if changed.is_empty() => continue,
                    Some(changed) => {
                        files.iter_mut().for_each(|files| files.extend(changed.iter().cloned()));
                    }
                    None => files = None,
                }
                let now = Instant::now();
                quiet = Some((now + QUIET).min(*first.get_or_insert(now) + LONGEST));
            }
            Err(RecvTimeoutError::Timeout) => break,
            Err(RecvTimeoutError::Disconnected) => return Change::NoMore,
        }
    }
    files.map_or(Change::Anything, |mut files| {
        files.sort_unstable();
        files.dedup();
        Change::Files(files)
    })
}
