//! A turn of a session on a store, against the same turn of a session with ten earlier ones; and a local answer through the
//! plane, against resolving its question.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use answerplane_protocol::{Artifact, Identifier, Integer, SiteConfig, Timestamp};
use answerplane_resolver::Resolver;
use answerplane_session::testing::ManualClock;
use answerplane_session::{
    AnswerPlane, Backend, Chunk, ChunkStream, Conversation, ConversationState, Definition, Route, Session,
    SessionOptions, TurnRequest,
};
use answerplane_store::{
    Document, Expected, Key, KeyPrefix, MemoryStore, ReadError, ReplaceError, Store, StoreError, Version,
    Write,
};
use futures_util::{FutureExt, StreamExt, stream};
use tokio::task::unconstrained;

use crate::artifact::verified;
use crate::measure::{Measurement, nanos};

const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);
/// What is said in a round: a declared question, two known commands, and something for the backend.
const SAID: [&str; 4] = ["where is the tap", "/reserve", "/cancel", "something else"];
/// How many sessions with few turns take part in a round, each with one.
const FEW: usize = 8;

pub(crate) fn run(rounds: usize) -> Vec<Measurement> {
    let runtime = match tokio::runtime::Builder::new_current_thread().build() {
        Ok(runtime) => runtime,
        Err(_) => return Vec::new(),
    };
    let mut measurements = Vec::new();
    for earlier in [100, 1_000, 10_000] {
        let measured = runtime.block_on(unconstrained(growth(earlier, rounds))).unwrap_or_default();
        measurements.extend(measured);
    }
    measurements.extend(local_answers(rounds));
    measurements
}

/// A backend that says one thing, and remembers nothing.
struct Echo;

impl Backend for Echo {
    fn answer(&self, _: TurnRequest) -> ChunkStream {
        Box::pin(stream::iter([Ok(Chunk::text("I had to think about that.")), Ok(Chunk::done())]))
    }
}

/// A store in memory that counts what is written.
#[derive(Default)]
struct Counting {
    store: MemoryStore,
    bytes: AtomicUsize,
}

#[async_trait::async_trait]
impl Store for Counting {
    async fn load(&self, key: &Key, now: i64) -> Result<Option<Document>, StoreError> {
        self.store.load(key, now).await
    }

    async fn replace(
        &self,
        key: &Key,
        expected: Expected,
        write: Write,
        now: i64,
    ) -> Result<Version, ReplaceError> {
        self.bytes.fetch_add(write.bytes(), Ordering::Relaxed);
        self.store.replace(key, expected, write, now).await
    }

    async fn read(
        &self,
        key: &Key,
        birth: Version,
        journal: &str,
        range: Range<u64>,
        now: i64,
    ) -> Result<Vec<Vec<u8>>, ReadError> {
        self.store.read(key, birth, journal, range, now).await
    }

    async fn delete(&self, key: &Key, expected: Version, now: i64) -> Result<(), ReplaceError> {
        self.store.delete(key, expected, now).await
    }

    async fn list(
        &self,
        prefix: &KeyPrefix,
        after: Option<&Key>,
        limit: usize,
        now: i64,
    ) -> Result<Vec<Key>, StoreError> {
        self.store.list(prefix, after, limit, now).await
    }

    async fn purge(&self, now: i64, limit: usize) -> Result<usize, StoreError> {
        self.store.purge(now, limit).await
    }
}

struct Scene {
    store: Arc<Counting>,
    plane: AnswerPlane,
    definition: Definition,
    opened: usize,
}

impl Scene {
    fn new() -> Option<Self> {
        let conversation = Conversation::builder("idle")
            .state(ConversationState::new("idle").on("begin", "reserving"))
            .state(ConversationState::new("reserving").on("cancel", "idle"))
            .route(Route::command("start", "/reserve", "begin", "Which plot?"))
            .route(Route::command("cancel", "/cancel", "cancel", "Never mind."))
            .build()
            .ok()?;
        let definition = Definition {
            id: "garden".parse().ok()?,
            revision: Integer::new(1)?,
            conversation: Some(conversation),
        };
        let plane = AnswerPlane::new(verified(&[SAID[0].to_string()], 1)?).fallback(Echo);
        let plane = plane.clock(ManualClock::at(NOW));
        Some(Self { store: Arc::default(), plane, definition, opened: 0 })
    }

    /// A session with so many turns.
    async fn session(&mut self, turns: usize) -> Option<Session> {
        self.opened += 1;
        let id: Identifier = format!("visitor-{}", self.opened).parse().ok()?;
        let options = SessionOptions::default().clock(ManualClock::at(NOW));
        let backend = Arc::new(self.plane.clone());
        let session =
            Session::open_with(id, &self.definition, backend, self.store.clone(), options).await.ok()?;
        for turn in 0..turns {
            say(&session, SAID[turn % SAID.len()]).await;
        }
        Some(session)
    }

    fn bytes(&self) -> f64 {
        self.store.bytes.swap(0, Ordering::Relaxed) as f64
    }
}

async fn say(session: &Session, text: &str) -> usize {
    let Ok(mut turn) = session.send(text).await else { return 0 };
    turn.text().await.map_or(0, |text| text.len())
}

/// What a turn costs behind so many others, against one behind ten, and what it writes.
async fn growth(earlier: usize, rounds: usize) -> Option<Vec<Measurement>> {
    let mut scene = Scene::new()?;
    let many = scene.session(earlier).await?;
    let (mut ratios, mut bytes, mut times, mut sizes) = (vec![], vec![], vec![], vec![]);
    for round in 0..rounds {
        let mut few = Vec::new();
        for _ in 0..FEW {
            few.push(scene.session(10).await?);
        }
        let text = |turn: usize| SAID[(round * FEW + turn + earlier) % SAID.len()];
        scene.bytes();
        let subject =
            nanos(|| (0..FEW).map(|turn| say(&many, text(turn)).now_or_never()).sum::<Option<usize>>());
        let subject_bytes = scene.bytes();
        let reference = nanos(|| {
            let turns = few.iter().enumerate();
            turns.map(|(turn, session)| say(session, text(turn)).now_or_never()).sum::<Option<usize>>()
        });
        let reference_bytes = scene.bytes();
        ratios.push(subject / reference);
        bytes.push(subject_bytes / reference_bytes);
        times.push(subject / FEW as f64);
        sizes.push(subject_bytes / FEW as f64);
        for session in few {
            session.erase().await.ok()?;
        }
    }
    Some(vec![
        Measurement::new(format!("turn behind {earlier} against behind 10"), 1.5, ratios, times),
        Measurement::new(format!("bytes written behind {earlier} against behind 10"), 1.1, bytes, sizes),
    ])
}

/// A local answer through the plane, its content encoded, against resolving with the envelope: the ratio of each alias of a real
/// site.
fn local_answers(rounds: usize) -> Option<Measurement> {
    let site = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/real/sites/docs-2026-07-13");
    let read = |name: &str| std::fs::read_to_string(site.join(name)).ok();
    let config = SiteConfig::decode(read("site-config.json")?).ok()?;
    let artifact = read("knowledge.json")?;
    let queries: Vec<String> = {
        let artifact = Artifact::decode(&artifact).ok()?;
        let values =
            artifact.entries().flat_map(|entry| entry.aliases().map(str::to_string).collect::<Vec<_>>());
        values.collect()
    };
    let verified = answerplane_artifact::VerifiedArtifact::verify(artifact, &config.trust());
    let plane = AnswerPlane::new(Resolver::new(verified)).clock(ManualClock::at(NOW));
    let mut best = vec![(f64::MAX, f64::MAX); queries.len()];
    // Of each alias the shortest times of some rounds: what lies above them is the machine's.
    for _ in 0..rounds.clamp(30, 100) {
        for (query, (subject, reference)) in queries.iter().zip(&mut best) {
            let request = TurnRequest::of_query(query.as_str());
            *subject = subject.min(nanos(|| {
                plane.dispatch(request).collect::<Vec<_>>().now_or_never().map(|chunks| chunks.len())
            }));
            *reference = reference.min(nanos(|| plane.resolver().answer(query, NOW)));
        }
    }
    let ratios = best.iter().map(|(subject, reference)| subject / reference).collect();
    let times = best.iter().map(|(subject, _)| *subject).collect();
    Some(Measurement::new("local answer through the plane against resolving".into(), 40.0, ratios, times))
}
