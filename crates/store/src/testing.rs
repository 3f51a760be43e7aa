//! A store that goes wrong on demand, for tests of what is built on one.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use tokio::sync::watch;

use crate::document::{Document, Expected, Version, Write};
use crate::error::{Fault, ReadError, ReplaceError, StoreError};
use crate::key::{Key, KeyPrefix};
use crate::port::Store;

/// What goes wrong with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It has no effect and says so.
    Fails,
    /// It has no effect, and a write's outcome is unknown.
    LosesRequest,
    /// It has its effect, and a write's outcome is unknown.
    LosesAcknowledgement,
    /// A write's outcome is unknown, and it has its effect (or meets a conflict) when [`FaultyStore::land`] is called.
    LandsLate,
    /// It waits for [`FaultyStore::resume`].
    Delays,
    /// The process ends before it has an effect: neither this nor a later call of this [`FaultyStore`] ever ends.
    CrashesBefore,
    /// The process ends after it had its effect.
    CrashesAfter,
}

impl Trouble {
    /// Everything that can go wrong.
    pub const ALL: [Self; 7] = [
        Self::Fails,
        Self::LosesRequest,
        Self::LosesAcknowledgement,
        Self::LandsLate,
        Self::Delays,
        Self::CrashesBefore,
        Self::CrashesAfter,
    ];
}

/// What one process sees of a store that goes wrong at calls of one's choice. Several processes are several of these
/// around one store.
///
/// ```
/// use std::sync::Arc;
/// use answerplane_store::testing::{FaultyStore, Trouble};
/// use answerplane_store::{Expected, Key, MemoryStore, ReplaceError, Store, Write};
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let store = FaultyStore::new(Arc::new(MemoryStore::new()));
/// store.plan(0, Trouble::LosesAcknowledgement);
/// let key = Key::new(["session", "visitor-17"])?;
///
/// let lost = store.replace(&key, Expected::Absent, Write::new("head"), 0).await;
/// assert!(matches!(lost, Err(ReplaceError::Unknown(_))));
/// let again = store.replace(&key, Expected::Absent, Write::new("head"), 0).await;
/// assert!(matches!(again, Err(ReplaceError::Conflict)));
/// assert_eq!(store.calls(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FaultyStore {
    store: Arc<dyn Store>,
    plan: Mutex<Plan>,
    progress: watch::Sender<Progress>,
}

#[derive(Default)]
struct Plan {
    calls: u64,
    troubles: BTreeMap<u64, Trouble>,
    in_flight: Vec<Call>,
}

#[derive(Clone, Copy, Default)]
struct Progress {
    waiting: usize,
    resumed: u64,
    crashed: bool,
}

/// A write on its way.
enum Call {
    Replace(Key, Expected, Write, i64),
    Delete(Key, Version, i64),
}

/// What becomes of a call before it may reach the store.
enum Passage {
    Goes,
    GoesUnheard,
    GoesLast,
    Fails,
    Unheard,
    Late,
}

impl FaultyStore {
    /// A store in which nothing goes wrong yet.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self { store, plan: Mutex::default(), progress: watch::Sender::new(Progress::default()) }
    }

    /// Lets a call go wrong: the `number`th from now that is made here, beginning at 0.
    pub fn plan(&self, number: u64, trouble: Trouble) {
        let mut plan = self.locked();
        let at = plan.calls + number;
        plan.troubles.insert(at, trouble);
    }

    /// How many calls were made here.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.locked().calls
    }

    /// Lets every write that is [late](Trouble::LandsLate) reach the store, in the order in which they were made. Says how
    /// many had their effect.
    pub async fn land(&self) -> usize {
        let late = std::mem::take(&mut self.locked().in_flight);
        let mut landed = 0;
        for call in late {
            let reached = match call {
                Call::Replace(key, expected, write, now) => {
                    self.store.replace(&key, expected, write, now).await.is_ok()
                }
                Call::Delete(key, expected, now) => self.store.delete(&key, expected, now).await.is_ok(),
            };
            landed += usize::from(reached);
        }
        landed
    }

    /// Lets every [delayed](Trouble::Delays) call go on.
    pub fn resume(&self) {
        self.progress.send_modify(|progress| progress.resumed += 1);
    }

    /// Ends when a call is waiting for [`resume`](Self::resume).
    pub async fn delayed(&self) {
        let _ = self.progress.subscribe().wait_for(|progress| progress.waiting > 0).await;
    }

    /// Ends when the process has [crashed](Trouble::CrashesBefore). What it was doing is to be dropped.
    pub async fn crashed(&self) {
        let _ = self.progress.subscribe().wait_for(|progress| progress.crashed).await;
    }

    fn locked(&self) -> MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn pass(&self) -> Passage {
        let trouble = {
            let mut plan = self.locked();
            let number = plan.calls;
            plan.calls += 1;
            plan.troubles.remove(&number)
        };
        if self.progress.borrow().crashed {
            std::future::pending::<()>().await;
        }
        match trouble {
            None => Passage::Goes,
            Some(Trouble::Fails) => Passage::Fails,
            Some(Trouble::LosesRequest) => Passage::Unheard,
            Some(Trouble::LosesAcknowledgement) => Passage::GoesUnheard,
            Some(Trouble::LandsLate) => Passage::Late,
            Some(Trouble::Delays) => {
                self.wait().await;
                Passage::Goes
            }
            Some(Trouble::CrashesBefore) => {
                self.crash().await;
                Passage::Fails
            }
            Some(Trouble::CrashesAfter) => Passage::GoesLast,
        }
    }

    async fn wait(&self) {
        let before = self.progress.borrow().resumed;
        self.progress.send_modify(|progress| progress.waiting += 1);
        let _ = self.progress.subscribe().wait_for(|progress| progress.resumed > before).await;
        self.progress.send_modify(|progress| progress.waiting -= 1);
    }

    /// Never ends.
    async fn crash(&self) {
        self.progress.send_modify(|progress| progress.crashed = true);
        std::future::pending::<()>().await;
    }

    /// A call that only reads: it goes, it fails, or the process ends.
    async fn reading<T, E: From<StoreError>>(
        &self,
        call: impl Future<Output = Result<T, E>> + Send,
    ) -> Result<T, E> {
        match self.pass().await {
            Passage::Goes => call.await,
            Passage::Fails => Err(StoreError::from(Fault::Unavailable).into()),
            Passage::GoesUnheard | Passage::Unheard | Passage::Late => {
                Err(StoreError::from(Fault::TimedOut).into())
            }
            Passage::GoesLast => {
                self.crash().await;
                Err(StoreError::from(Fault::Unavailable).into())
            }
        }
    }

    async fn writing<T>(
        &self,
        call: impl Future<Output = Result<T, ReplaceError>> + Send,
        late: impl FnOnce() -> Call + Send,
    ) -> Result<T, ReplaceError> {
        let unknown = || ReplaceError::Unknown(Fault::TimedOut.into());
        match self.pass().await {
            Passage::Goes => call.await,
            Passage::Fails => Err(ReplaceError::Failed(Fault::Unavailable.into())),
            Passage::Unheard => Err(unknown()),
            Passage::GoesUnheard => {
                let _ = call.await;
                Err(unknown())
            }
            Passage::Late => {
                self.locked().in_flight.push(late());
                Err(unknown())
            }
            Passage::GoesLast => {
                let _ = call.await;
                self.crash().await;
                Err(unknown())
            }
        }
    }
}

#[async_trait]
impl Store for FaultyStore {
    async fn load(&self, key: &Key, now: i64) -> Result<Option<Document>, StoreError> {
        self.reading(self.store.load(key, now)).await
    }

    async fn replace(
        &self,
        key: &Key,
        expected: Expected,
        write: Write,
        now: i64,
    ) -> Result<Version, ReplaceError> {
        let late = write.clone();
        let late = || Call::Replace(key.clone(), expected, late, now);
        self.writing(self.store.replace(key, expected, write, now), late).await
    }

    async fn read(
        &self,
        key: &Key,
        birth: Version,
        journal: &str,
        range: Range<u64>,
        now: i64,
    ) -> Result<Vec<Vec<u8>>, ReadError> {
        self.reading(self.store.read(key, birth, journal, range, now)).await
    }

    async fn delete(&self, key: &Key, expected: Version, now: i64) -> Result<(), ReplaceError> {
        self.writing(self.store.delete(key, expected, now), || Call::Delete(key.clone(), expected, now)).await
    }

    async fn list(
        &self,
        prefix: &KeyPrefix,
        after: Option<&Key>,
        limit: usize,
        now: i64,
    ) -> Result<Vec<Key>, StoreError> {
        self.reading(self.store.list(prefix, after, limit, now)).await
    }

    async fn purge(&self, now: i64, limit: usize) -> Result<usize, StoreError> {
        self.reading(self.store.purge(now, limit)).await
    }
}
