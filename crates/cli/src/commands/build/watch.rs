//! `build --watch`: building again whenever a source changes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use notify::{Event, RecursiveMode, Watcher};

use crate::commands::build::{Arguments, Builder, build, publish, show};
use crate::output::{FAINT, Output};
use crate::problem::{Cause, Problem};
use crate::status::Status;

/// How long it has to be quiet before a build: editors write in several steps.
const QUIET: Duration = Duration::from_millis(50);
/// How long changes may go on before a build starts anyhow.
const LONGEST: Duration = Duration::from_secs(1);

/// Builds, and builds again after every change, until somebody ends the program.
///
/// What was published at the start decides which dates are kept, so that an edit and its undo lead back to the same
/// bytes.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Problem> {
    let previous = publish::previous(&arguments.output);
    let mut builder = Builder::default();
    let (events, arrived) = mpsc::channel();
    let not_watched = |error: notify::Error| Problem::new("--watch", Cause::NotWatched(error.to_string()));
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        let _ = events.send(event);
    })
    .map_err(not_watched)?;
    let mut watched: BTreeSet<PathBuf> = BTreeSet::new();
    let mut sources: Vec<PathBuf> = arguments.sources.config_file().into_iter().collect();
    loop {
        let started = Instant::now();
        match build(arguments, &mut builder, &previous) {
            Ok(outcome) => {
                show(arguments, &outcome, output);
                if let Some(config) = &outcome.config {
                    sources.extend(config.sources.iter().map(|source| config.folder.join(&source.path)));
                }
            }
            Err(problem) => output.report(&problem),
        }
        for path in sources.drain(..).map(|path| folder_of(&path)) {
            if !watched.contains(&path) && watcher.watch(&path, RecursiveMode::Recursive).is_ok() {
                watched.insert(path);
            }
        }
        let took = started.elapsed().as_millis();
        output.styled(FAINT, &format!("built in {took} ms; waiting for a change, Ctrl-C ends")).end_line();
        output.flush();
        if output.is_closed() || !wait(&arrived, &arguments.output) {
            return Ok(Status::Good);
        }
    }
}

/// The folder to watch for a source: editors replace files, and then only their folder tells.
fn folder_of(path: &Path) -> PathBuf {
    if path.is_dir() {
        return path.to_owned();
    }
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Waits for a change, and for the quiet after it. False when none can come any more.
fn wait(arrived: &mpsc::Receiver<notify::Result<Event>>, output: &Path) -> bool {
    let output = std::fs::canonicalize(output).unwrap_or_else(|_| output.to_owned());
    let matters = |event: &notify::Result<Event>| match event {
        // What a build writes must not start the next.
        Ok(event) => !event.kind.is_access() && !event.paths.iter().all(|path| path.starts_with(&output)),
        Err(_) => true,
    };
    loop {
        match arrived.recv() {
            Ok(event) if matters(&event) => break,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
    let first = Instant::now();
    loop {
        match arrived.recv_timeout(QUIET) {
            Ok(event) if matters(&event) && first.elapsed() > LONGEST => return true,
            Ok(_) => {}
            Err(RecvTimeoutError::Timeout) => return true,
            Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
}
