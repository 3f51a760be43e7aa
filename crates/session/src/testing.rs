//! Backends, clocks, ids and a faulty store for tests of what is built on this crate.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use answerplane_protocol::Timestamp;
pub use answerplane_store::testing::{FaultyStore, Trouble};
use futures_util::stream;
use tokio::sync::watch;

use crate::backend::{Backend, BackendFailed, ChunkStream};
use crate::chunk::Chunk;
use crate::clock::Clock;
use crate::ids::IdSource;
use crate::request::TurnRequest;

/// A clock that stands until somebody moves it. Clones are one clock.
#[derive(Clone, Debug)]
pub struct ManualClock(watch::Sender<(Timestamp, Duration)>);

impl ManualClock {
    /// A clock that stands at this moment.
    #[must_use]
    pub fn at(now: Timestamp) -> Self {
        Self(watch::Sender::new((now, Duration::ZERO)))
    }

    /// Moves what it shows to a moment, without any time going by: somebody has set it.
    pub fn set(&self, now: Timestamp) {
        self.0.send_modify(|(shown, _)| *shown = now);
    }

    /// Lets time go by.
    pub fn advance(&self, time: Duration) {
        self.0.send_modify(|(shown, elapsed)| {
            let millis = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
            *shown = Timestamp::from_millis(shown.as_millis().saturating_add(millis));
            *elapsed += time;
        });
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        self.0.borrow().0
    }

    fn elapsed(&self) -> Duration {
        self.0.borrow().1
    }

    fn until(&self, elapsed: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let mut clock = self.0.subscribe();
        Box::pin(async move {
            if clock.wait_for(|(_, now)| *now >= elapsed).await.is_err() {
                std::future::pending::<()>().await;
            }
        })
    }
}

/// Ids that count up. Clones count on together; sources of two processes are told apart by a number.
#[derive(Clone, Debug)]
pub struct CountingIds {
    process: u64,
    drawn: Arc<AtomicU64>,
}

impl CountingIds {
    /// The ids of a process.
    #[must_use]
    pub fn of_process(number: u64) -> Self {
        Self { process: number, drawn: Arc::default() }
    }
}

impl IdSource for CountingIds {
    fn draw(&self) -> Option<u128> {
        let number = self.drawn.fetch_add(1, Ordering::SeqCst);
        Some(u128::from(self.process) << 64 | u128::from(number))
    }
}

/// What a scripted backend does next.
#[derive(Clone, Debug)]
pub enum Step {
    /// It says something.
    Chunk(Chunk),
    /// It fails.
    Fail,
    /// It panics.
    Panic,
    /// It never says anything again.
    Hang,
}

/// A backend that answers every turn by the same script, and remembers what it was asked. Clones are one backend.
#[derive(Clone, Debug, Default)]
pub struct ScriptedBackend {
    script: Arc<Vec<Step>>,
    asked: Arc<Mutex<Vec<TurnRequest>>>,
}

impl ScriptedBackend {
    /// A backend with this script.
    #[must_use]
    pub fn new(script: impl IntoIterator<Item = Step>) -> Self {
        Self { script: Arc::new(script.into_iter().collect()), asked: Arc::default() }
    }

    /// A backend that says a text and ends.
    #[must_use]
    pub fn saying(text: &str) -> Self {
        Self::new([Step::Chunk(Chunk::text(text)), Step::Chunk(Chunk::done())])
    }

    /// What it was asked so far.
    #[must_use]
    pub fn asked(&self) -> Vec<TurnRequest> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Backend for ScriptedBackend {
    #[allow(clippy::panic)] // a panic that is asked for
    fn answer(&self, request: TurnRequest) -> ChunkStream {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(request);
        let script = self.script.clone();
        Box::pin(stream::unfold(0, move |at| {
            let step = script.get(at).cloned();
            async move {
                let item = match step? {
                    Step::Chunk(chunk) => Ok(chunk),
                    Step::Fail => Err(BackendFailed::new("scripted")),
                    Step::Panic => panic!("scripted"),
                    Step::Hang => std::future::pending().await,
                };
                Some((item, at + 1))
            }
        }))
    }
}
