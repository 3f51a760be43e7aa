//! Threads that work on connections, since SQLite blocks.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use answerplane_store::{Fault, StoreError};
use rusqlite::Connection;
use tokio::sync::oneshot;

/// A task, which answers for itself.
type Job = Box<dyn FnOnce(&Connection) + Send>;

/// Threads with a connection each, and a queue that they share. What is in the queue is done also when the workers are
/// dropped; then the threads end.
#[derive(Debug)]
pub(crate) struct Workers {
    jobs: Sender<Job>,
    timeout: Duration,
}

/// Why a task gave no result.
#[derive(Debug)]
pub(crate) enum Undone {
    /// It was not begun and will not be.
    NotBegun(StoreError),
    /// It was begun, and its thread ended.
    Lost,
}

impl Workers {
    /// A thread for each connection.
    pub(crate) fn start(connections: Vec<Connection>, timeout: Duration) -> Result<Self, StoreError> {
        let (jobs, queue) = channel();
        let queue = Arc::new(Mutex::new(queue));
        for connection in connections {
            let queue = queue.clone();
            thread(move || work(&connection, &queue))?;
        }
        Ok(Self { jobs, timeout })
    }

    /// Lets a thread do a task. One that does not get its turn within the time limit is never begun, and neither is one
    /// that nobody waits for any more.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        task: impl FnOnce(&Connection) -> T + Send + 'static,
    ) -> Result<T, Undone> {
        let (answer, answered) = oneshot::channel();
        let deadline = Instant::now() + self.timeout;
        let job = move |connection: &Connection| {
            if answer.is_closed() {
                return;
            }
            let remaining = deadline.saturating_duration_since(Instant::now());
            let begun = !remaining.is_zero() && connection.busy_timeout(remaining).is_ok();
            let _ = answer.send(begun.then(|| task(connection)));
        };
        if self.jobs.send(Box::new(job)).is_err() {
            return Err(Undone::NotBegun(Fault::Unavailable.into()));
        }
        match answered.await {
            Ok(Some(result)) => Ok(result),
            Ok(None) => Err(Undone::NotBegun(Fault::TimedOut.into())),
            Err(_) => Err(Undone::Lost),
        }
    }
}

impl From<Undone> for StoreError {
    fn from(undone: Undone) -> Self {
        match undone {
            Undone::NotBegun(error) => error,
            Undone::Lost => Fault::Unavailable.into(),
        }
    }
}

fn work(connection: &Connection, queue: &Mutex<Receiver<Job>>) {
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        job(connection);
        // A transaction that could not be rolled back would stand in the way of every later one.
        if !connection.is_autocommit() && connection.execute_batch("ROLLBACK").is_err() {
            return;
        }
    }
}

/// Does a task in a thread of its own.
pub(crate) async fn apart<T: Send + 'static>(
    task: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let (answer, answered) = oneshot::channel();
    thread(move || drop(answer.send(task())))?;
    answered.await.unwrap_or_else(|_| Err(Fault::Unavailable.into()))
}

fn thread(task: impl FnOnce() + Send + 'static) -> Result<(), StoreError> {
    let named = std::thread::Builder::new().name("answerplane-sqlite".to_owned());
    match named.spawn(task) {
        Ok(_) => Ok(()),
        Err(error) => Err(StoreError::new(Fault::Unavailable, error)),
    }
}
