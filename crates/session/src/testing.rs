//! Backends and clocks for tests of what is built on this crate.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use answerplane_protocol::Timestamp;
use futures_util::stream;

use crate::backend::{Backend, BackendFailed, ChunkStream};
use crate::chunk::Chunk;
use crate::clock::Clock;
use crate::request::TurnRequest;

/// A clock that stands until somebody moves it. Clones are one clock.
#[derive(Clone, Debug)]
pub struct ManualClock(Arc<AtomicI64>);

impl ManualClock {
    /// A clock that stands at this moment.
    #[must_use]
    pub fn at(now: Timestamp) -> Self {
        Self(Arc::new(AtomicI64::new(now.as_millis())))
    }

    /// Moves it to a moment.
    pub fn set(&self, now: Timestamp) {
        self.0.store(now.as_millis(), Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
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
